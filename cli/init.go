package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/docs/apis"
	"sluice/source/config"
)

func initCommand(w *world) *cli.Command {
	var name, file string
	return &cli.Command{
		Name: "init", ArgsUsage: "[flags]",
		Usage:       "write a configuration to begin with",
		Description: "For these APIs: " + strings.Join(apis.Names(), ", ") + ".",
		UsageText: `  sluice init --api zendesk
  sluice init --api zendesk -o zendesk.json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "api", Destination: &name, Usage: "that of a popular API, by `NAME`"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Destination: &file, Usage: "`FILE` that the configuration becomes; it must not be there yet"},
		},
		Action: withNone(func(context.Context) error {
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
