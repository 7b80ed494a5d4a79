package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/consent"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/source"
	"sluice/source/check"
	"sluice/source/config"
)

// personPatience is how long a person may take.
const personPatience = 10 * time.Minute

func loginCommand(p *program) *cli.Command {
	var asked consent.Options
	return &cli.Command{
		Name: "login", ArgsUsage: "CONFIG [flags]",
		Usage: "log in as a person, for runs that nobody attends",
		Description: `For APIs where a person allows access in a browser (OAuth 2.0). The configuration
says how in api.authentication.authorize. Shows an address to open, and waits for the
answer at an address of this machine; or takes what is pasted, as over SSH. What the
login gives is kept at --tokens, where run finds it and replaces it from then on.
Then it is tried as run will use it: one login with it, and one page of the first job.`,
		UsageText: `  sluice login api.json --tokens tokens.json
  sluice login api.json --tokens tokens.json --device`,
		Flags: slices.Concat(
			[]cli.Flag{p.tokensFlag()},
			[]cli.Flag{
				&cli.BoolFlag{
					Name:        "paste",
					Destination: &asked.Paste,
					Usage:       "open nothing, and read from stdin the address that the browser was sent to",
				},
				&cli.BoolFlag{
					Name:        "device",
					Destination: &asked.Device,
					Usage:       "show a code that is entered on another device, where the configuration has deviceUrl",
				},
				&cli.DurationFlag{
					Name:        "timeout",
					Value:       personPatience,
					Destination: &asked.Patience,
					Usage:       "wait `DURATION` for the answer of the browser",
				},
				p.jobFlag(),
			},
			p.logFlags("warn"),
			p.attributeFlags(),
		),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			return p.login(ctx, name, asked)
		}),
	}
}

// login has a person log in, and shows what came of it.
func (p *program) login(ctx context.Context, name string, asked consent.Options) error {
	w := p.world
	if p.options.Beside.Tokens == "" {
		return run.Usagef("--tokens PLACE is needed: it is where run finds what the login gives")
	}
	if asked.Patience <= 0 {
		return run.Usagef("--timeout %s: must be more than 0", asked.Patience)
	}
	p.options.Input.Config = name
	asked.Say, asked.Listen, asked.Open = w.Say, w.Listening(), w.Open
	isFree := name != "-"
	var problems config.Problems
	log := p.options.Shown.Log(w.Stderr, slog.LevelWarn, p.secrets)
	answered := &lastStatus{}
	err := run.Login(ctx, w, p.secrets, p.options, run.LoggingIn{
		Observer: pipeline.Observers{answered, log},
		Ready: func(c *source.Consent) error {
			if isFree && (asked.Paste || w.IsTerminal() || !comesHere(c)) {
				asked.Stdin = w.Stdin
			}
			return asked.Check(c)
		},
		Ask: func(ctx context.Context, c *source.Consent) error { return consent.Ask(ctx, c, asked) },
		Try: func(ctx context.Context, src *source.Source) error {
			w.Say("logged in: %s has what the next login needs", view.OneLine(p.options.Beside.Tokens))
			return src.First(ctx, func(r check.JobResult) error { return p.sayTried(&r, answered.status) })
		},
	}, &problems)
	for _, problem := range problems.All() {
		if problem.Note {
			w.Say("warning: %s", p.secrets.Redact(problem.String()))
		}
	}
	if err == nil {
		w.Say("from now on: sluice run %s --tokens %s", view.OneLine(name), view.OneLine(p.options.Beside.Tokens))
	}
	return err
}

// comesHere tells whether this machine gets the answer.
func comesHere(c *source.Consent) bool {
	_, ok := c.Loopback()
	return ok
}

// sayTried says what came of the first page of a job.
func (p *program) sayTried(first *check.JobResult, status int) error {
	job := view.OneLine(p.secrets.Name(first.Job))
	switch {
	case first.Err != nil:
		return fmt.Errorf("job %s: %w", job, first.Err)
	case first.Page == nil:
		p.world.Say("not checked: %s: %s", job, view.OneLine(first.Skipped))
	default:
		p.world.Say("checked: a login with it worked, and job %s got %d %s and %s", job, status,
			http.StatusText(status), view.Count(first.Page.Items, "item"))
	}
	return nil
}

// lastStatus is the status of the last answer to a job.
type lastStatus struct{ status int }

// Observe implements [pipeline.Observer].
func (l *lastStatus) Observe(e pipeline.Event) {
	if done, ok := e.(pipeline.ResponseDone); ok && !done.Login() {
		l.status = done.Status
	}
}
