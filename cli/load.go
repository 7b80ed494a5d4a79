package cli

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/pipeline/secret"
	"sluice/sink/target"
	"sluice/source/config"
	"sluice/source/transport/record"
)

// load reads a configuration and the attributes that flags set: a document for each iteration. What is wrong goes to p.
func (e *extraction) load(ctx context.Context, name string, p *config.Problems) ([]*config.Document, error) {
	set, err := e.set.read(ctx, e.world)
	if err != nil {
		return nil, err
	}
	text, err := e.world.read(ctx, name)
	if err != nil {
		return nil, &usageError{err}
	}
	if name == "-" {
		name = "stdin"
	}
	return decode(name, text, set, e.secrets, p), nil
}

func decode(
	name string,
	text []byte,
	set []config.Attribute,
	secrets *secret.Set,
	p *config.Problems,
) (docs []*config.Document) {
	for _, root := range config.Iterations(config.SetAttributes(config.Parse(name, text, p), set, p), p) {
		docs = append(docs, config.Decode(root, secrets, p))
	}
	return docs
}

type attributes struct{ plain, environment, files list }

func (a *attributes) flags() []cli.Flag {
	return []cli.Flag{
		&cli.GenericFlag{Name: "attr", Destination: &a.plain, Usage: "set the attribute `K=V` of config"},
		&cli.GenericFlag{
			Name:        "attr-env",
			Destination: &a.environment,
			Usage:       "set an attribute from the environment: `K=NAME`",
		},
		&cli.GenericFlag{
			Name:        "attr-file",
			Destination: &a.files,
			Usage:       "set an attribute from a file, but for a final line break: `K=PATH`",
		},
	}
}

func (a *attributes) read(ctx context.Context, w *world) ([]config.Attribute, error) {
	var all []config.Attribute
	for _, from := range []struct {
		flag     string
		settings list
	}{{"attr", a.plain}, {"attr-env", a.environment}, {"attr-file", a.files}} {
		for _, setting := range from.settings {
			name, value, ok := strings.Cut(setting, "=")
			if !ok || name == "" {
				// The setting may be a secret.
				return nil, usagef("--%s wants NAME=…", from.flag)
			}
			switch from.flag {
			case "attr-env":
				value = w.getenv(value)
				if value == "" {
					// What stands behind the name may be the secret itself.
					return nil, usagef("--attr-env %s: the environment has no variable of the name behind =", name)
				}
			case "attr-file":
				text, err := w.read(ctx, value)
				if err != nil {
					return nil, usagef("--attr-file %s: %w", name, unnamed(err))
				}
				value = strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
			}
			all = append(all, config.Attribute{Name: name, Value: value})
		}
	}
	return all, nil
}

// unnamed is an error of a file without its name, which may be a secret in the wrong place.
func unnamed(err error) error {
	of, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	return of.Err
}

// apart refuses two names of one file, no device, where one of them is written.
func (e *extraction) apart(config string) error {
	files := [][2]string{
		{
			"--output",
			e.sink.Output,
		}, {"--summary", e.summary}, {"--report", e.page}, {"--state", e.state}, {"--trace", e.trace}, // written
		{"CONFIG", config}, {"--columns-from", e.columnsFrom},
	}
	for _, setting := range e.set.files {
		attribute, name, _ := strings.Cut(setting, "=")
		files = append(files, [2]string{"--attr-file " + attribute, name})
	}
	e.sink.Files = map[string]target.Place{}
	written := map[string]target.Place{}
	for i, file := range files {
		what, name := file[0], file[1]
		place, err := target.Resolve(name)
		if name == "" || name == "-" || strings.Contains(name, "://") || err != nil ||
			place.Info != nil && !place.Info.Mode().IsRegular() {
			// What is wrong with it is said when it is opened.
			continue
		}
		for other, at := range written {
			if at.Same(place) {
				return usagef("%s and %s name one file, %s: the one would replace the other", other, what, name)
			}
		}
		if i < 5 {
			if target.IsHidden(filepath.Base(place.Path)) {
				return usagef("%s names %s, which is the name of a hidden file: name another file", what, name)
			}
			written[what] = place
		}
		e.sink.Files[what] = place
	}
	return nil
}

// read reads what flags say in files, but for attributes.
func (e *extraction) read(ctx context.Context) error {
	flag, names := "--columns", strings.Split(e.columns, ",")
	if e.columnsFrom != "" {
		text, err := e.world.read(ctx, e.columnsFrom)
		if err != nil {
			return usagef("--columns-from: %w", err)
		}
		flag, names = "--columns-from", strings.Split(
			strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"),
			"\n",
		)
	}
	if e.columns+e.columnsFrom != "" {
		if at := slices.Index(names, ""); at >= 0 {
			return usagef("%s: column %d has no name", flag, at+1)
		}
		e.sink.Columns = names
	}
	if err := e.previousStarts(ctx); err != nil {
		return err
	}
	return e.traffic()
}

// traffic applies --record and --replay. The recorder is started when nothing else is wrong.
func (e *extraction) traffic() error {
	switch {
	case e.record != "" && e.replay != "":
		return usagef("--record and --replay: one of the two")
	case e.replay != "" && e.state != "":
		return usagef("--replay and --state: the recording says when the last successful run began")
	case e.replay != "":
		replay, err := record.OpenReplay(e.replay, e.secrets)
		if err != nil {
			return usagef("--replay: %w", err)
		}
		ahead := replay.StartedAt.Sub(e.world.now())
		e.source.Wrap, e.source.Instant, e.source.PreviousStarts, e.source.Lasts = replay.Wrap, true, replay.PreviousStarts, replay.Lasts
		e.source.Clock = func() time.Time { return e.world.now().Add(ahead) }
	case e.record != "":
		head := record.Head{
			Version:        version,
			StartedAt:      e.world.now().UTC(),
			PreviousStarts: e.source.PreviousStarts,
			Lasts:          e.source.Lasts,
		}
		e.recorder = record.NewRecorder(e.record, head, e.secrets)
		e.source.Wrap = e.recorder.Wrap
	}
	return nil
}
