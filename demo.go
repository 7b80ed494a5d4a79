package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/fixtures/api"
	"sluice/pipeline"
	"sluice/source/config"
)

// demoHost is where the demo API lives in the demo's own network.
const demoHost = "demo.invalid"

func demoCommand(w *world, secrets *pipeline.Secrets) *cli.Command {
	return &cli.Command{
		Name:      "demo",
		Usage:     "see it work: drain an API that is built in; nothing to install, nothing on the network",
		UsageText: "demo [flags]",
		Description: `Items go to stdout, what happens to stderr: login, pages, stop, verdict.

Examples:
  sluice demo
  sluice demo | jq -s length
  sluice demo --items 100000 > users.ndjson
  sluice demo --listen 127.0.0.1:8080`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "items", Value: 50, Usage: "how many items the API has: `N`"},
			&cli.StringFlag{Name: "listen", Usage: "only serve the API, at `ADDR`, until interrupted"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("demo takes no arguments")
			}
			items := c.Int("items")
			if items < 0 {
				return usagef("--items %d: must not be negative", items)
			}
			if items == 0 {
				items = -1 // the fixture's word for none
			}
			if addr := c.String("listen"); addr != "" {
				return listen(c.Context, w, addr, items)
			}
			return demo(c.Context, w, items, secrets)
		},
	}
}

// demo runs the demo's configuration against the API in a network within the
// process.
func demo(ctx context.Context, w *world, items int, secrets *pipeline.Secrets) error {
	network := api.NewNetwork()
	stop, err := network.Serve(demoHost, api.New(api.Options{Items: items, NoLog: true}))
	if err != nil {
		return err
	}
	defer stop()
	limit := api.PageSize
	if items > api.MaxLimit {
		limit = api.MaxLimit
	}
	inside := *w
	inside.dial = network.Dial
	var p config.Problems
	root := config.Parse("demo", api.Config("http://"+demoHost+"/", limit), &p)
	docs := []*config.Document{config.Decode(root, secrets, &p)}
	e := &extraction{world: &inside, secrets: secrets, log: newLogger(w.stderr, slog.LevelInfo, "text", secrets)}
	return e.run(ctx, docs, &p)
}

// listen serves the API until ctx is done.
func listen(ctx context.Context, w *world, addr string, items int) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	base := "http://" + l.Addr().String() + "/"
	w.say("the demo API listens at %s; a configuration for it is on stdout", base)
	if _, err := w.stdout.Write(api.Config(base, 0)); err != nil {
		return err
	}
	server := &http.Server{Handler: api.New(api.Options{Items: items, NoLog: true}), ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
