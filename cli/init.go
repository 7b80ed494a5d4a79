package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/docs/apis"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func initCommand(w *world, secrets *secret.Set) *cli.Command {
	var name, file, command string
	var translate bool
	return &cli.Command{
		Name: "init", ArgsUsage: "[flags]",
		Usage: "write a configuration to begin with",
		Description: `Of a curl command, as browsers and the pages of APIs have it: asks for the first
page, takes the pagination that check suggests, and runs check on the whole.
Secrets do not go into the configuration. Or for one of these APIs: ` + strings.Join(apis.Names(), ", ") + ".",
		UsageText: `  sluice init --from-curl 'curl "https://api.example.com/v1/orders?limit=50"' --no-requests
  sluice init --api zendesk -o zendesk.json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from-curl", Destination: &command, Usage: "the `COMMAND`; without it, and without --api, it is read from stdin"},
			&cli.BoolFlag{Name: "no-requests", Destination: &translate, Usage: "only translate the command"},
			&cli.StringFlag{Name: "api", Destination: &name, Usage: "that of a popular API, by `NAME`"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Destination: &file, Usage: "`FILE` that the configuration becomes; it must not be there yet"},
		},
		Action: withNone(func(ctx context.Context) error {
			if name == "" {
				return w.fromCurl(ctx, secrets, command, file, translate)
			}
			text, command := apis.Config(name)
			if text == "" {
				return usagef("--api %q: unknown%s", name, config.Have(name, apis.Names()))
			}
			if err := w.writeNew(file, text); err != nil {
				return err
			}
			w.say("docs/apis/%s.md says what there is to know; run it so:\n  %s", name, strings.TrimSpace(command))
			return nil
		}),
	}
}

// fromCurl writes the configuration that a curl command leads to.
func (w *world) fromCurl(ctx context.Context, secrets *secret.Set, command, file string, translate bool) error {
	if command == "" {
		text, err := w.read(ctx, "-")
		if err != nil {
			return err
		}
		command = string(text)
	}
	c, err := parseCurl(command, w.getenv)
	if err != nil {
		return usagef("%w", err)
	}
	k := &checker{secrets: secrets, text: w.stderr}
	o := source.Options{Secrets: secrets, Dial: w.dial, Now: w.now, UserAgent: "sluice/" + version, Observer: k}
	if o.Proxy, err = proxy(w.getenv, secrets); err != nil {
		return err
	}
	field, paging := "", ""
	src, err := c.compile(o, field, paging)
	if err == nil && !translate {
		err = src.Check(ctx, func(found source.Checked) error {
			if found.Page != nil && found.Page.Array != "." {
				field = found.Page.Array
			}
			paging = string(found.Pagination)
			return found.Err
		})
		if err != nil {
			return fmt.Errorf("%w (--no-requests only translates)", err)
		}
		src, err = c.compile(o, field, paging)
	}
	if err == nil {
		err = w.writeNew(file, string(c.configuration(field, paging)))
	}
	if err != nil {
		return err
	}
	if !translate {
		err = k.check(ctx, src)
	}
	if !translate && paging == "" {
		w.say("guessed: this is all, since nothing was found that leads to more: if it is not, docs/paging.md says how to get the rest")
	}
	run := "sluice run " + cmp.Or(strings.TrimPrefix(file, "-"), "api.json")
	for _, a := range c.secrets {
		run += " --attr-env '" + a.Name + "=" + "API_" + strings.TrimPrefix(strings.ToUpper(strings.ReplaceAll(a.Name[1:], "-", "_")), "API_") + "'"
	}
	w.say("with the secrets in the environment, run it so:\n  %s", run)
	return err
}

// compile makes a source of the configuration.
func (c *curl) compile(o source.Options, field, paging string) (*source.Source, error) {
	var p config.Problems
	docs := decode("the configuration", c.configuration(field, paging), c.secrets, o.Secrets, &p)
	docs[0].MaxRetries = 0 // a refusal is to be seen at once
	return source.New(docs, o, &p), p.Err()
}

// writeNew writes a file that is not there yet; - is stdout.
func (w *world) writeNew(name, text string) error {
	if name == "-" {
		_, err := io.WriteString(w.stdout, text)
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return usagef("--output: %w: name a file that is not there yet", err)
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}
