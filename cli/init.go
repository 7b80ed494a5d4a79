package cli

import (
	"context"
	"fmt"
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
				hint := config.Nearest(name, apis.Names())
				if hint != "" {
					hint = "did you mean " + hint + "? "
				}
				return usagef("--api %q: %sThere are %s", name, hint, strings.Join(apis.Names(), ", "))
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
	if os.IsExist(err) {
		return usagef("%s is there already: name another file", name)
	}
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if _, err = io.WriteString(f, text); err != nil {
		_ = f.Close() // the first error counts
		return err
	}
	return f.Close()
}
