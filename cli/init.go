package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/docs/apis"
	"sluice/source/config"
)

// initDescription says what init makes a configuration of; the names of the popular APIs follow it.
const initDescription = `Of a curl command, as browsers and the pages of APIs have it: sends that request,
and four more at most, finds the items and how to get the next page, and runs check.
It writes only what it has tried: sure is what a second page has confirmed.
Secrets do not go into the configuration. Before it may stand the command that gets
a token, for $TOKEN in it. Of a HAR, which the developer tools of a browser save:
takes the request that is chosen, and asks for nothing that the file has. Of a
low-code manifest of Airbyte: says of each stream what became of it, and ends with 3
if one is refused or has more items; as JSON on stderr: {streams, notes, environment,
missing, run}. Or for one of these APIs:
`

const initExamples = `  sluice init --from-curl 'curl "https://api.example.com/v1/orders?limit=50"' --no-requests
  sluice init --from-har shop.har --no-requests -o shop.json
  sluice init --api zendesk -o zendesk.json
  sluice init --from-airbyte manifest.yaml -o airbyte.json`

func initCommand(p *program) *cli.Command {
	var name, file, command string
	var onlyTranslate bool
	archive := &fromArchive{}
	manifest := &fromManifest{}
	return &cli.Command{
		Name: "init", ArgsUsage: "[flags]",
		Usage:       "write a configuration to begin with",
		Description: initDescription + strings.Join(wrap(strings.Join(apis.Names(), ", ")), "\n"),
		UsageText:   initExamples,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{
				Name:        "from-curl",
				Destination: &command,
				Usage:       "the `COMMAND`; without it, and without --api, it is read from stdin",
			},
			&cli.BoolFlag{
				Name:        "no-requests",
				Destination: &onlyTranslate,
				Usage:       "only translate the command; of --from-har go by what the file has",
			},
			&cli.StringFlag{Name: "api", Destination: &name, Usage: "that of a popular API, by `NAME`"},
		}, archive.flags(), manifest.flags(), []cli.Flag{
			p.formatFlag("text"),
			&cli.StringFlag{
				Name:        "output",
				Aliases:     []string{"o"},
				Value:       "-",
				Destination: &file,
				Usage:       "`FILE` that the configuration becomes; it must not be there yet",
			},
		}),
		Action: withNone(func(ctx context.Context) error {
			isOther := slices.ContainsFunc([]string{name, command, archive.file}, func(s string) bool { return s != "" })
			if err := manifest.stray(isOther, onlyTranslate); err != nil {
				return err
			}
			if err := archive.stray(name, command); err != nil {
				return err
			}
			if err := mayBeNew(file); err != nil {
				return err
			}
			switch {
			case manifest.manifest != "":
				return p.fromAirbyte(ctx, manifest, file)
			case archive.file != "":
				return p.fromArchive(ctx, archive, file, onlyTranslate)
			case name != "":
				return fromPopular(p.world, name, file)
			}
			return p.fromCurl(ctx, command, file, onlyTranslate)
		}),
	}
}

// fromPopular writes the configuration for a popular API.
func fromPopular(w *world, name, file string) error {
	text, command := apis.Config(name)
	if text == "" {
		return run.Usagef("--api %q: unknown%s", name, config.Have(name, apis.Names()))
	}
	if err := writeNew(w, file, text); err != nil {
		return err
	}
	w.Say("docs/apis/%s.md says what there is to know; run it so:\n  %s", name, strings.TrimSpace(command))
	return nil
}

// fromCurl writes the configuration that a curl command leads to, and checks it.
func (p *program) fromCurl(ctx context.Context, command, file string, onlyTranslate bool) error {
	w := p.world
	command, err := curlCommand(ctx, w, command)
	if err != nil {
		return err
	}
	variables := map[string]string{}
	api, err := discover.Curl(command, func(name string) string {
		value := w.Getenv(name)
		variables[value] = name
		return value
	})
	if err != nil {
		return run.Usagef("%w", err)
	}
	return p.discover(ctx, api, file, variables, onlyTranslate)
}

// discover writes the configuration of an API, and checks it. The variables of the environment are by what they hold.
func (p *program) discover(
	ctx context.Context, api *discover.Description, file string, variables map[string]string, onlyTranslate bool,
) error {
	w := p.world
	if len(api.LeftOut) > 0 {
		w.Say("left out: %s", strings.Join(api.LeftOut, ", "))
	}
	options, err := run.SourceOptions(w, p.secrets, version)
	if err != nil {
		return err
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
	k := &checkView{secrets: p.secrets, text: view.Printable(w.Stderr)}
	src, err := x.Source(found, k)
	if err != nil {
		return err
	}
	if err := writeNew(w, file, string(api.Configuration(found))); err != nil {
		return err
	}
	if !onlyTranslate {
		err = k.check(ctx, src)
	}
	sayHowToRun(w, file, api.Secrets, variables)
	return err
}

// curlCommand returns the curl command, from stdin if the flag is empty.
func curlCommand(ctx context.Context, w *world, flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	if w.IsTerminal() {
		w.Say("paste a curl command, and end with Ctrl-D on a line of its own (--api NAME is for popular APIs)")
	}
	text, err := w.Read(ctx, "-")
	return string(text), err
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

// sayHowToRun says the command that runs the configuration. Secrets come from the variables, which are by what
// they hold, or from those that are yet to be set.
func sayHowToRun(w *world, file string, secrets []config.Attribute, variables map[string]string) {
	line := "sluice run " + cmp.Or(strings.TrimPrefix(file, "-"), "api.json")
	unset := ""
	var taken []string
	for _, a := range secrets {
		variable := variables[a.Value]
		if variable == "" {
			variable = variableFor(a.Name, taken)
			taken = append(taken, variable)
			unset += " " + variable
		}
		line += " --attr-env '" + a.Name + "=" + variable + "'"
	}
	if unset != "" {
		w.Say("set these variables of the environment to the secrets:%s", unset)
	}
	w.Say("run it so:\n  %s", line)
}

// variableFor is the variable of the environment for a secret attribute, such as API_TOKEN for #token, and none of those that are
// taken.
func variableFor(attribute string, taken []string) string {
	name := strings.TrimPrefix(attribute, "#")
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	name = "API_" + strings.TrimPrefix(name, "API_")
	numbered := name
	for i := 2; slices.Contains(taken, numbered); i++ {
		numbered = name + "_" + strconv.Itoa(i)
	}
	return numbered
}

// mayBeNew tells whether a file can be written that is not there yet: by making it, and removing it again.
func mayBeNew(name string) error {
	if name == "-" {
		return nil
	}
	f, err := openNew(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(name))
}

func openNew(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, run.Usagef("--output: %w: name a file that is not there yet", err)
	}
	return f, nil
}

// writeNew writes a file that is not there yet; - is stdout.
func writeNew(w *world, name, text string) error {
	if name == "-" {
		_, err := io.WriteString(view.Printable(w.Stdout), text)
		return err
	}
	f, err := openNew(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}
