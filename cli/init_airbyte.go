package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover/airbyte"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// errNotAllConverted ends an init whose table of streams has said why.
var errNotAllConverted = fmt.Errorf("%w: some streams are not as the manifest has them", report.ErrNotComplete)

// A fromManifest is what the flags of init say about a manifest of Airbyte.
type fromManifest struct {
	manifest, values string

	// streams are those that are wanted; none: all.
	streams []string
}

func (f *fromManifest) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "from-airbyte",
			Destination: &f.manifest,
			Usage:       "a low-code `MANIFEST` of Airbyte, YAML or JSON; nothing is asked of any API",
		},
		&cli.StringFlag{
			Name:        "values",
			Destination: &f.values,
			Usage:       "`FILE` with the connector's configuration as JSON, for --from-airbyte",
		},
		&cli.GenericFlag{
			Name:        "stream",
			Destination: (*list)(&f.streams),
			Usage:       "only the stream with this `NAME`, for --from-airbyte; repeatable",
		},
	}
}

// stray is an error if something is said about a manifest, and there is none, or if there are others: the flags of
// another description.
func (f *fromManifest) stray(others, onlyTranslate bool) error {
	isAbout := f.values != "" || len(f.streams) > 0
	switch {
	case f.manifest == "" && isAbout:
		return run.Usagef("--values and --stream are for --from-airbyte MANIFEST, which is not there")
	case f.manifest != "" && others:
		return run.Usagef("--from-airbyte stands beside --from-curl, --from-har or --api: choose one")
	case f.manifest != "" && onlyTranslate:
		return run.Usagef("--from-airbyte sends no request: leave --no-requests out")
	}
	return nil
}

// fromAirbyte writes the configuration that a manifest becomes, and says of each stream what became of it.
func (p *program) fromAirbyte(ctx context.Context, f *fromManifest, file string) error {
	in, err := p.airbyteInput(ctx, f)
	if err != nil {
		return err
	}
	result, err := airbyte.Convert(in)
	if err != nil {
		return run.Usagef("%s: %s", f.manifest, p.secrets.Redact(err.Error()))
	}
	if result.Configuration != nil {
		if err := writeNew(p.world, file, string(result.Configuration)); err != nil {
			return err
		}
	}
	o := convertedStream{Streams: result.Streams, Notes: result.Notes}
	if result.Configuration != nil {
		o.run(result, file)
	}
	if p.format == "json" {
		err = run.WriteJSON(view.Printable(p.world.Stderr), p.secrets, o, "  ")
	} else {
		p.world.Say("%s", p.secrets.Redact(o.text()))
	}
	isLess := slices.ContainsFunc(o.Streams, func(s airbyte.Outcome) bool {
		return s.Verdict == airbyte.Superset || s.Verdict == airbyte.Refused
	})
	if err == nil && isLess {
		return errNotAllConverted
	}
	return err
}

// airbyteInput reads what the flags name.
func (p *program) airbyteInput(ctx context.Context, f *fromManifest) (airbyte.Input, error) {
	in := airbyte.Input{Streams: f.streams, Now: p.world.Now(), Check: isGood}
	var err error
	in.Manifest, err = p.world.Read(ctx, f.manifest)
	if err != nil {
		return in, run.Usagef("--from-airbyte: %w", err)
	}
	if f.values == "" {
		return in, nil
	}
	in.Values, err = p.world.Read(ctx, f.values)
	if err != nil {
		return in, run.Usagef("--values: %w", err)
	}
	return in, nil
}

// isGood is what validate says of a configuration whose attributes are yet to be set.
func isGood(text []byte) error {
	p := config.Problems{AnyAttributes: true}
	root := config.Parse("the configuration", text, &p)
	if err := p.Err(); err != nil {
		return err
	}
	options := source.Options{}
	options.Secrets = &secret.Set{}
	source.New([]*config.Document{config.Decode(root, options.Secrets, &p)}, options, &p)
	for _, problem := range p.All() {
		if !problem.Note {
			return errors.New(problem.Path + ": " + problem.Text)
		}
	}
	return nil
}

// A convertedStream is what became of a manifest, as it is shown.
type convertedStream struct {
	Streams []airbyte.Outcome `json:"streams"`
	Notes   []string          `json:"notes,omitempty"`

	// Environment are the variables that hold the secrets, by the attributes.
	Environment []variable `json:"environment,omitempty"`

	// Missing are attributes that have no value yet.
	Missing []string `json:"missing,omitempty"`

	// Run is the command that runs the configuration; empty: there is none.
	Run string `json:"run,omitempty"`
}

// A variable is one of the environment, with the attribute that it is for.
type variable struct {
	Attribute string `json:"attribute"`
	Variable  string `json:"variable"`
}

// run adds the command that runs the configuration.
func (o *convertedStream) run(r airbyte.Result, file string) {
	o.Missing = r.Missing
	words := []string{"sluice run", cmp.Or(strings.TrimPrefix(file, "-"), "api.json"), "-o export/"}
	words = append(words, r.Flags...)
	for _, name := range r.Missing {
		words = append(words, "--attr "+shellQuoted(name+"=…"))
	}
	var taken []string
	for _, name := range r.Secrets {
		v := variable{name, variableFor(name, taken)}
		taken = append(taken, v.Variable)
		o.Environment = append(o.Environment, v)
		words = append(words, "--attr-env "+shellQuoted(v.Attribute+"="+v.Variable))
	}
	o.Run = strings.Join(words, " ")
}

// text is the table of streams, and what is left to do.
func (o *convertedStream) text() string {
	lines := []string{o.counts()}
	width := 0
	for _, s := range o.Streams {
		width = max(width, len(view.OneLine(s.Stream)))
	}
	for _, s := range o.Streams {
		lines = append(lines, fmt.Sprintf("  %-*s  %s", width, view.OneLine(s.Stream), s.Verdict))
		for _, r := range s.Reasons {
			lines = append(lines, "    "+reason(r))
		}
		if s.JQ != "" {
			lines = append(lines, "    jq -c "+shellQuoted(s.JQ)+" export/"+s.File+".ndjson")
		}
	}
	for _, note := range o.Notes {
		lines = append(lines, view.OneLine(note))
	}
	if len(o.Environment) > 0 {
		unset := ""
		for _, v := range o.Environment {
			unset += " " + v.Variable
		}
		lines = append(lines, "set these variables of the environment to the secrets:"+unset)
	}
	if o.Run != "" {
		lines = append(lines, "run it so:", "  "+o.Run)
	}
	return strings.Join(lines, "\n")
}

// counts says how many streams there are of each verdict.
func (o *convertedStream) counts() string {
	var parts []string
	verdicts := []airbyte.Verdict{airbyte.Whole, airbyte.Shaped, airbyte.Superset, airbyte.Refused}
	for _, v := range verdicts {
		n := 0
		for _, s := range o.Streams {
			if s.Verdict == v {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return view.Count(len(o.Streams), "stream") + ": " + strings.Join(parts, ", ")
}

// reason is why a stream is not whole, with its place in the manifest.
func reason(r airbyte.Reason) string {
	at := r.Place
	if r.Line > 0 {
		at += fmt.Sprintf(" (line %d)", r.Line)
	}
	if at != "" {
		at += ": "
	}
	return view.OneLine(at + r.Text)
}

// shellQuoted is a word of a shell.
func shellQuoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
