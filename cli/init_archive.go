package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover"
	"sluice/cli/run"
	"sluice/cli/view"
)

// A fromArchive is what the flags of init say about the requests that a browser has written down.
type fromArchive struct {
	file string

	// number is that of the request, from 1; 0: there is only one.
	number int
}

func (f *fromArchive) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "from-har",
			Destination: &f.file,
			Usage:       "that of a request in the HAR `FILE` of a browser",
		},
		&cli.IntFlag{
			Name:        "request",
			Destination: &f.number,
			Usage:       "which of the requests, for --from-har: `N` of those that it lists",
		},
	}
}

// stray is an error if the flags of another description are there, too.
func (f *fromArchive) stray(name, command string) error {
	switch {
	case f.file != "" && (name != "" || command != ""):
		return run.Usagef("--from-har stands beside --from-curl or --api: choose one")
	case f.file == "" && f.number != 0:
		return run.Usagef("--request needs --from-har FILE")
	}
	return nil
}

// fromArchive writes the configuration of a request that a browser has written down.
func (p *program) fromArchive(ctx context.Context, f *fromArchive, to initFiles, onlyTranslate bool) error {
	text, err := p.world.Read(ctx, f.file)
	if err != nil {
		return run.Usagef("--from-har: %w", err)
	}
	archive, err := discover.ReadArchive(text)
	if err != nil {
		return run.Usagef("%s: %w", f.file, err)
	}
	for _, why := range archive.LeftOut {
		p.world.Say("left out: %s", why)
	}
	all := archive.Lists
	isOnly := f.number == 0 && len(all) == 1
	isThere := f.number >= 1 && f.number <= len(all)
	if !isOnly && !isThere {
		for i, l := range all {
			p.world.Say("%3d  %s %s  %s", i+1, l.Method, view.OneLine(l.Address), view.Count(l.Items, "item"))
		}
		return run.Usagef("%s: choose with --request N, from 1 to %d, the one that asks for the items", f.file, len(all))
	}
	chosen := archive.Choose(max(f.number, 1)-1, onlyTranslate)
	if !chosen.HasCredentials() {
		p.world.Say("the request has neither cookies nor an Authorization header; if the API needs a login, save the file " +
			"with sensitive data, as browsers call it")
	}
	return p.discover(ctx, chosen, to, nil, onlyTranslate)
}
