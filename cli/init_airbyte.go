package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover/airbyte"
	"sluice/cli/run"
	"sluice/cli/view"
)

// errNotAllConverted ends an init whose table of streams has said why.
const errNotAllConverted = unfinished("some streams were refused, or give more items than the manifest says")

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
			Destination: (*flagValues)(&f.streams),
			Usage:       "only the stream with this `NAME`, for --from-airbyte; repeatable",
		},
	}
}

// stray is an error if something is said about a manifest, and there is none, or if there are others: the flags of
// another description.
func (f *fromManifest) stray(others, onlyTranslate bool) error {
	switch {
	case f.manifest == "" && (f.values != "" || len(f.streams) > 0):
		return run.Usagef("--values and --stream need --from-airbyte MANIFEST")
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
	o := convertedStream{Streams: result.Streams, Notes: result.Notes}
	if result.Program != "" && file != "-" {
		o.Program = programBeside(file)
	}
	if err := writeConverted(p.world, result, file, o.Program); err != nil {
		return err
	}
	if result.Configuration != nil {
		o.run(result, file)
	}
	if p.format == "json" {
		err = run.WriteJSON(view.Printable(p.world.Stderr), p.secrets, o, "  ")
	} else {
		p.world.Say("%s", p.secrets.Redact(o.text()))
	}
	isLess := slices.ContainsFunc(o.Streams, func(s airbyte.StreamOutcome) bool {
		return s.Verdict == airbyte.Superset || s.Verdict == airbyte.Refused
	})
	if err == nil && isLess {
		return errNotAllConverted
	}
	return err
}

// programBeside is the name of the file for jq beside a configuration: api.jq beside api.json.
func programBeside(file string) string {
	name := strings.TrimSuffix(file, filepath.Ext(file)) + ".jq"
	if name == file {
		return file + ".jq"
	}
	return name
}

// writeConverted writes the configuration, if there is one, and the program of jq, if it has a name. Neither file may be
// there yet, and without the second one nothing is written.
func writeConverted(w *world, r airbyte.Translation, file, program string) error {
	if r.Configuration == nil {
		return nil
	}
	const flag = "--output, beside which the program of jq is written"
	if program != "" {
		if err := mayBeNew(flag, program); err != nil {
			return err
		}
	}
	err := writeNew(w, "--output", file, string(r.Configuration))
	if err != nil || program == "" {
		return err
	}
	return writeNew(w, flag, program, r.Program)
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

// A convertedStream is what became of a manifest, as it is shown.
type convertedStream struct {
	Streams []airbyte.StreamOutcome `json:"streams"`
	Notes   []string                `json:"notes,omitempty"`

	// Environment are the variables that hold the secrets, by the attributes.
	Environment []unsetVariable `json:"environment,omitempty"`

	// Missing are attributes that have no value yet.
	Missing []string `json:"missing,omitempty"`

	// Program is the file for jq beside the configuration; empty: there is none.
	Program string `json:"program,omitempty"`

	// Run is the command that runs the configuration; empty: there is none.
	Run string `json:"run,omitempty"`
}

// run adds the command that runs the configuration.
func (o *convertedStream) run(r airbyte.Translation, file string) {
	o.Missing = r.Missing
	words := []string{"sluice run", "api.json", "-o export/"}
	if file != "-" {
		words[1] = shellWord(file)
	}
	words = append(words, r.Flags...)
	flags, environment := settingFlags(withoutValues(r.Missing, r.Secrets), nil)
	o.Environment = environment
	o.Run = strings.Join(append(words, flags...), " ")
}

// text is the table of streams, and what is left to do.
func (o *convertedStream) text() string {
	lines := []string{o.counts()}
	width := 0
	said := reasonsSaid{}
	for _, s := range o.Streams {
		width = max(width, len(view.OneLine(s.Stream)))
	}
	for _, s := range o.Streams {
		line := fmt.Sprintf("  %-*s  %-8s  %s", width, view.OneLine(s.Stream), s.Verdict, o.changing(s))
		lines = append(lines, strings.TrimRight(line, " "))
		for _, r := range s.Reasons {
			lines = append(lines, "    "+said.reason(s, r))
		}
	}
	if changed := o.changed(); changed > 0 && o.Program == "" {
		lines = append(lines, "the items of "+view.Count(changed, "stream")+" are yet to be changed by jq: --output FILE "+
			"writes the program for it beside the configuration")
	}
	for _, note := range o.Notes {
		lines = append(lines, view.OneLine(note))
	}
	if len(o.Environment) > 0 {
		lines = append(lines, unsetVariables(o.Environment))
	}
	if o.Run != "" {
		lines = append(lines, "run it so:", "  "+o.Run)
	}
	return strings.Join(lines, "\n")
}

// changing is the command that changes the items of a stream; empty: they need none, or there is no program.
func (o *convertedStream) changing(s airbyte.StreamOutcome) string {
	if s.JQ == "" || o.Program == "" {
		return ""
	}
	words := []string{o.Program, "--arg stream", s.Stream, "export/" + s.File + ".ndjson"}
	words[0], words[2] = shellWord(words[0]), shellWord(words[2])
	return view.OneLine("jq -c -f " + strings.Join(words, " "))
}

// changed is how many streams need jq.
func (o *convertedStream) changed() (n int) {
	for _, s := range o.Streams {
		if s.JQ != "" {
			n++
		}
	}
	return n
}

// counts says how many streams there are of each verdict.
func (o *convertedStream) counts() string {
	var parts []string
	verdicts := []airbyte.Coverage{airbyte.Whole, airbyte.Shaped, airbyte.Superset, airbyte.Refused}
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

// reasonsSaid are streams whose reasons the table has, each by such a reason without its place.
type reasonsSaid map[airbyte.Reason]string

// reason is why a stream is not whole, with its place in the manifest. What stands at a line that several streams refer to
// is said of the first of them.
func (said reasonsSaid) reason(s airbyte.StreamOutcome, r airbyte.Reason) string {
	anywhere := airbyte.Reason{Line: r.Line, Text: r.Text}
	first, isSaid := said[anywhere]
	if isSaid && r.Line > 0 && first != s.Stream {
		return view.OneLine(fmt.Sprintf("line %d: as said of %s", r.Line, first))
	}
	if !isSaid {
		said[anywhere] = s.Stream
	}
	at := r.Place
	if r.Line > 0 {
		at += fmt.Sprintf(" (line %d)", r.Line)
	}
	if at != "" {
		at += ": "
	}
	return view.OneLine(at + r.Text)
}
