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
  sluice demo --listen 127.0.0.1:8080
  sluice demo --s3 --listen 127.0.0.1:9000`,
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
				Usage:       "only serve the API, with --s3 a bucket, at `ADDR`, until interrupted",
			},
		},
		Action: withNone(func(ctx context.Context) error {
			if items < 1 {
				return run.Usagef("--items %d: must be at least 1", items)
			}
			switch {
			case addr == "":
				return p.demo(ctx, items, bucket)
			case bucket:
				return p.listen(ctx, addr, bucketAt)
			default:
				serve := func(w *world, base string) (http.Handler, error) { return apiAt(w, base, items) }
				return p.listen(ctx, addr, serve)
			}
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
		Input:   run.ConfigurationInput{Config: "-"},
		API:     run.Sending{Concurrency: 1},
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

// listen serves at an address, what serve makes of it, until the context ends.
func (p *program) listen(ctx context.Context, addr string, serve func(*world, string) (http.Handler, error)) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	handler, err := serve(p.world, "http://"+l.Addr().String())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// apiAt is the demo's API, with a configuration for it on stdout.
func apiAt(w *world, base string, items int) (http.Handler, error) {
	w.Say("the demo API listens at %s/; a configuration for it is on stdout", base)
	_, err := w.Stdout.Write(api.Config(base+"/", 0))
	return api.New(api.Options{Items: items, NoLog: true}), err
}

// bucketAt is an S3 with a bucket, with the environment for it on stdout, as a shell reads it.
func bucketAt(w *world, base string) (http.Handler, error) {
	w.Say("an S3 listens at %s until it is interrupted, and keeps all in memory; the environment for it is on "+
		"stdout; write with -o s3://%s/", base, demoBucket)
	_, err := fmt.Fprintf(
		w.Stdout,
		"export AWS_ENDPOINT_URL_S3=%s AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=reader AWS_SECRET_ACCESS_KEY=open-sesame\n",
		base,
	)
	return s3store.New(demoBucket), err
}
