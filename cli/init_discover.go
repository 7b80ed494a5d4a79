package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sluice/cli/discover"
	"sluice/cli/discover/extend"
	"sluice/cli/run"
	"sluice/cli/view"
)

// discover writes the configuration of an API, and checks it. The variables of the environment are by what they hold.
func (p *program) discover(
	ctx context.Context, api *discover.Description, to initFiles, variables map[string]string, onlyTranslate bool,
) error {
	w := p.world
	if len(api.LeftOut) > 0 {
		w.Say("left out: %s", strings.Join(api.LeftOut, ", "))
	}
	options, err := run.SourceOptions(w, p.secrets, version)
	if err != nil {
		return err
	}
	into, err := p.extends(ctx, to.into, api)
	if err != nil {
		return err
	}
	if into != nil {
		defer into.to.Close()
	}
	x := discover.NewExplorer(api, options, func(format string, args ...any) {
		w.Say("%s", view.OneLine(fmt.Sprintf(format, args...)))
	})
	var found discover.Observed
	if !onlyTranslate || api.Known() {
		found, err = explore(ctx, x)
		if err != nil {
			return err
		}
	}
	var extended extend.ExtendedConfig
	if into != nil {
		extended, err = into.add(jobOf(api, found, !onlyTranslate || api.Known()))
		if err != nil {
			return err
		}
		api.Call(extended.Job)
	}
	k := &checkView{secrets: p.secrets, text: view.Printable(w.Stderr), triesTold: true}
	src, err := x.Source(found, k)
	if err != nil {
		return err
	}
	name, attributes := to.configuration, api.Secrets
	if into != nil {
		name, attributes = into.name, extended.Unset
		err = into.replace(ctx, w, extended)
	} else {
		err = writeNew(w, "--output", name, string(api.Configuration(found)))
	}
	if err != nil {
		return err
	}
	if !onlyTranslate {
		err = k.check(ctx, src)
	}
	return errors.Join(err, sayHowToRun(w, name, attributes, variables, to.secrets))
}

func explore(ctx context.Context, x *discover.Explorer) (discover.Observed, error) {
	found, err := x.Explore(ctx)
	if err == nil {
		return found, nil
	}
	if errors.As(err, new(*discover.LoginError)) {
		err = run.AsUsage(err)
	}
	return found, fmt.Errorf("%w (--no-requests only translates)", err)
}
