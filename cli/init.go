package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover"
	"sluice/cli/run"
	"sluice/docs/apis"
	"sluice/source/config"
)

// initDescription says what init makes a configuration of; the names of the popular APIs follow it.
const initDescription = `From a curl command, as browsers and the documentation of APIs show it: sends that
request and at most four more, to find the items and the next page. Then runs check.
It writes only what it has tried: sure means that a second page has confirmed it.
Secrets do not go into the configuration. If a token is needed, put the command that
gets it first, and $TOKEN into the other one.
With --into the job of a command, of a HAR or of a document of OpenAPI goes into a
configuration that is there, and only its text is new.
From a HAR file, which the developer tools of a browser save: takes the request that
is chosen, and sends none whose answer is in the file.
From a document of OpenAPI or Swagger: shows the operations that return lists, or makes
the configuration of one. Each line of its account is sure, likely or unknown, and with
an unknown one it ends with 3. As JSON on stderr: {account, environment, missing, check,
run}.
From a low-code manifest of Airbyte: says of each stream what became of it, and ends
with 3 if one is refused or gets more items than there. As JSON on stderr: {streams,
notes, environment, missing, program, run}. What jq is yet to change of the items is a
program beside the configuration: api.jq beside api.json.
For one of these APIs:
`

// initExamples are commands, each of which works.
var initExamples = strings.Join([]string{
	`  sluice init --from-curl 'curl "https://api.example.com/v1/orders?limit=50"' --no-requests -o shop.json`,
	`  sluice init --from-curl 'curl "https://api.example.com/v1/users?limit=50"' --no-requests --into shop.json`,
	`  sluice init --from-har shop.har --no-requests`,
	`  sluice init --from-openapi openapi.yaml --path /orders`,
	`  sluice init --from-openapi openapi.yaml --path /users --into shop.json`,
	`  sluice init --api zendesk -o zendesk.json`,
	`  sluice init --from-airbyte manifest.yaml -o airbyte.json`,
}, "\n")

// initOptions are what the flags of init say: what a configuration is made of, and where it goes.
type initOptions struct {
	api, command  string
	onlyTranslate bool
	archive       fromArchive
	manifest      fromManifest
	document      fromDocument
	to            initFiles
}

func initCommand(p *program) *cli.Command {
	o := &initOptions{}
	return &cli.Command{
		Name: "init", ArgsUsage: "[flags]",
		Usage:       "write a configuration to begin with",
		Description: initDescription + strings.Join(wrap(strings.Join(apis.Names(), ", ")), "\n"),
		UsageText:   initExamples,
		Flags: slices.Concat(
			o.flags(), o.archive.flags(), o.document.flags(), o.manifest.flags(),
			[]cli.Flag{p.formatFlag("text")}, o.to.flags(),
		),
		Action: withNone(func(ctx context.Context) error {
			if err := o.stray(); err != nil {
				return err
			}
			return p.makeConfiguration(ctx, o)
		}),
	}
}

func (o *initOptions) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "from-curl",
			Destination: &o.command,
			Usage:       "the `COMMAND`; without it, and without --api, it is read from stdin",
		},
		&cli.BoolFlag{
			Name:        "no-requests",
			Destination: &o.onlyTranslate,
			Usage:       "only translate the command; of --from-har go by what the file has",
		},
		&cli.StringFlag{Name: "api", Destination: &o.api, Usage: "that of a popular API, by `NAME`"},
	}
}

// stray is an error if flags do not go together, or a file that is to be new is there.
func (o *initOptions) stray() error {
	isOther := o.api != "" || o.command != "" || o.archive.file != ""
	if err := o.manifest.stray(isOther, o.onlyTranslate); err != nil {
		return err
	}
	if err := o.archive.stray(o.api, o.command); err != nil {
		return err
	}
	if err := o.document.stray(isOther || o.manifest.manifest != "", o.onlyTranslate, o.to); err != nil {
		return err
	}
	isWhole := o.api != "" || o.manifest.manifest != ""
	if err := o.to.strayInto(isWhole); err != nil {
		return err
	}
	if o.to.secrets != "" && (isWhole || o.document.document != "") {
		return run.Usagef("--secrets needs --from-curl or --from-har, which have secrets")
	}
	return o.to.mayBeNew()
}

// makeConfiguration makes a configuration of what is given.
func (p *program) makeConfiguration(ctx context.Context, o *initOptions) error {
	switch {
	case o.manifest.manifest != "":
		return p.fromAirbyte(ctx, &o.manifest, o.to.configuration)
	case o.document.document != "":
		return p.fromOpenAPI(ctx, &o.document, o.to)
	case o.archive.file != "":
		return p.fromArchive(ctx, &o.archive, o.to, o.onlyTranslate)
	case o.api != "":
		return fromPopular(p.world, o.api, o.to.configuration)
	}
	return p.fromCurl(ctx, o.command, o.to, o.onlyTranslate)
}

// fromPopular writes the configuration for a popular API.
func fromPopular(w *world, name, file string) error {
	text, command := apis.Config(name)
	if text == "" {
		return run.Usagef("--api %q: unknown%s", name, config.Have(name, apis.Names()))
	}
	if err := writeNew(w, "--output", file, text); err != nil {
		return err
	}
	w.Say("docs/apis/%s.md says what there is to know; run it so:\n  %s", name, strings.TrimSpace(command))
	return nil
}

// fromCurl writes the configuration that a curl command leads to, and checks it.
func (p *program) fromCurl(ctx context.Context, command string, to initFiles, onlyTranslate bool) error {
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
	return p.discover(ctx, api, to, variables, onlyTranslate)
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
