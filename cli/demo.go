package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/fixtures/api"
	s3store "sluice/fixtures/s3"
)

// Where the demo's API and bucket are in the demo's own network.
const (
	demoHost   = "demo.invalid"
	demoStore  = "s3.invalid"
	demoBucket = "demo"
)

func demoCommand(p *program) *cli.Command {
	var items int
	var bucket bool
	var addr string
	return &cli.Command{
		Name: "demo", ArgsUsage: "[flags]",
		Usage:       "see it work: drain an API that is built in",
		Description: `Items go to stdout, what happens to stderr: login, pages, stop, verdict.`,
		UsageText: `  sluice demo
  sluice demo | jq -s length
  sluice demo --items 100000 > users.ndjson
  sluice demo --s3
  sluice demo --listen 127.0.0.1:8080`,
		Flags: []cli.Flag{
			&cli.IntFlag{
				Name:        "items",
				Value:       50,
				Destination: &items,
				Usage:       "how many items the API has: `N`",
			},
			&cli.BoolFlag{
				Name:        "s3",
				Destination: &bucket,
				Usage:       "write into a bucket that is built in too, and list what is there",
			},
			&cli.StringFlag{
				Name:        "listen",
				Destination: &addr,
				Usage:       "only serve the API, at `ADDR`, until interrupted",
			},
		},
		Action: withNone(func(ctx context.Context) error {
			if bucket && addr != "" {
				return run.Usagef("--s3 and --listen: one of the two; --listen only serves the API")
			}
			if items < 1 {
				return run.Usagef("--items %d: must be at least 1", items)
			}
			if addr != "" {
				return p.listen(ctx, addr, items)
			}
			return p.demo(ctx, items, bucket)
		}),
	}
}

// demo runs against the API in a network within the process, and into a bucket there if bucket is set.
func (p *program) demo(ctx context.Context, items int, bucket bool) error {
	network := api.NewNetwork()
	stop, err := network.Serve(demoHost, api.New(api.Options{Items: items, NoLog: true}))
	if err != nil {
		return err
	}
	defer stop()
	limit := min(max(api.PageSize, items/50), api.MaxLimit)
	p.world.Stdin, p.world.Dial = bytes.NewReader(api.Config("http://"+demoHost+"/", limit)), network.Dial
	o := run.Options{
		Version: version,
		Input:   run.Input{Config: "-"},
		API:     run.API{Concurrency: 1},
		Shown:   run.Shown{Progress: "never"},
	}
	if !bucket {
		return run.Run(ctx, p.world, p.secrets, o)
	}
	store := s3store.New(demoBucket)
	stopStore, err := network.Serve(demoStore, store)
	if err != nil {
		return err
	}
	defer stopStore()
	o.Data.Output = "s3://" + demoBucket + "/export/"
	o.Bucket = run.Bucket{Endpoint: "http://" + demoStore, Anonymous: true}
	if err := run.Run(ctx, p.world, p.secrets, o); err != nil {
		return err
	}
	objects, err := store.Objects(demoBucket)
	for _, o := range objects {
		if _, err := fmt.Fprintf(p.world.Stdout, "%8d  s3://%s/%s\n", o.Size, demoBucket, o.Key); err != nil {
			return err
		}
	}
	return err
}

func (p *program) listen(ctx context.Context, addr string, items int) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	base := "http://" + l.Addr().String() + "/"
	p.world.Say("the demo API listens at %s; a configuration for it is on stdout", base)
	if _, err := p.world.Stdout.Write(api.Config(base, 0)); err != nil {
		return err
	}
	server := &http.Server{
		Handler:           api.New(api.Options{Items: items, NoLog: true}),
		ReadHeaderTimeout: 10 * time.Second,
	}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
