package run

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// inputs are what a run reads before it begins.
type inputs struct {
	docs []*config.Document

	// What is odd about them, but no obstacle.
	problems config.Problems

	// nil: all that occur.
	columns []string

	memory source.EarlierRuns

	// nil: the network itself.
	proxy func(*http.Request) (*url.URL, error)
}

// prepare reads everything that a run needs. It asks nothing of the API.
func (x *extraction) prepare(ctx context.Context) (*inputs, error) {
	columns, err := readColumns(ctx, x.process.world, x.options.Data)
	if err != nil {
		return nil, err
	}
	if err := x.beside.state.open(x.process.bucket); err != nil {
		return nil, err
	}
	if err := x.beside.tokens.open(ctx, x.process.bucket); err != nil {
		return nil, err
	}
	remembered, err := x.beside.state.memory(ctx)
	if err != nil {
		return nil, err
	}
	if err := x.beside.traffic.open(x.process.world, x.process.secrets, x.options, remembered); err != nil {
		return nil, err
	}
	in := &inputs{columns: columns, memory: x.beside.traffic.memory(remembered)}
	in.docs, err = load(ctx, x.process.world, x.process.secrets, x.options.Input, &in.problems)
	if err != nil {
		return nil, err
	}
	x.beside.tokens.wanted(in.docs, &in.problems)
	x.console.watch(in.docs[0].Debug, x.options.Data.Output)
	in.proxy, err = findProxy(x.process.world.Getenv, x.process.secrets)
	return in, err
}

// load reads a configuration and the attributes that flags set: a document for each iteration. What is wrong goes to p.
func load(
	ctx context.Context,
	w *World,
	secrets *secret.Set,
	i ConfigurationInput,
	p *config.Problems,
) ([]*config.Document, error) {
	set, err := i.Attributes(ctx, w)
	if err != nil {
		return nil, err
	}
	text, err := w.Read(ctx, i.Config)
	if err != nil {
		return nil, &UsageError{err}
	}
	root := config.SetAttributes(config.Parse(i.name(), text, p), set, p)
	var docs []*config.Document
	for _, one := range config.Iterations(root, p) {
		docs = append(docs, config.Decode(one, secrets, p))
	}
	return docs, nil
}

// name is what messages call the configuration.
func (i ConfigurationInput) name() string {
	if i.Config == "-" {
		return "stdin"
	}
	return i.Config
}

// subject is what the page of the run names, as long as no API is known.
func (i ConfigurationInput) subject() *view.Subject {
	if i.Config == "" {
		return &view.Subject{}
	}
	return &view.Subject{Configuration: filepath.Base(i.name()), Jobs: i.Jobs}
}

// Attributes are those that flags set, in the order of the flags.
func (i ConfigurationInput) Attributes(ctx context.Context, w *World) ([]config.Attribute, error) {
	var all []config.Attribute
	add := func(flag, kind string, settings []string, value func(name, text string) (string, error)) error {
		for _, setting := range settings {
			name, text, ok := strings.Cut(setting, "=")
			if !ok || name == "" {
				return malformed(flag, kind, setting)
			}
			v, err := value(name, text)
			if err != nil {
				return err
			}
			all = append(all, config.Attribute{Name: name, Value: v})
		}
		return nil
	}
	plain := func(_, text string) (string, error) { return text, nil }
	if err := add("--attr", "VALUE", i.Plain, plain); err != nil {
		return nil, err
	}
	environment := func(name, text string) (string, error) { return fromEnvironment(w, name, text) }
	if err := add("--attr-env", "VARIABLE", i.Environment, environment); err != nil {
		return nil, err
	}
	file := func(name, text string) (string, error) { return fromFile(ctx, w, name, text) }
	err := add("--attr-file", "PATH", i.Files, file)
	return all, err
}

// The parts of a setting that a message may show: anything else may be the secret itself, in the wrong place.
var (
	attributeAlone = regexp.MustCompile(`^(#[a-z_]+)(:.*)?$`)
	plainVariable  = regexp.MustCompile(`^[A-Z]+(_([A-Z]+|[0-9]{1,2}))*$`)
)

// malformed is the error of a setting that is no K=…, of this kind behind =.
func malformed(flag, kind, setting string) error {
	if strings.HasPrefix(setting, "=") {
		return Usagef("%s wants NAME=%s: no attribute stands before =", flag, kind)
	}
	parts := attributeAlone.FindStringSubmatch(setting)
	switch {
	case parts == nil:
		return Usagef("%s wants NAME=%s: it has no =", flag, kind)
	case parts[2] != "":
		return Usagef("%s %s: wants %[2]s=%[3]s, with = in place of the colon", flag, parts[1], kind)
	}
	return Usagef("%s %s: wants %[2]s=%[3]s, and has no =", flag, parts[1], kind)
}

func fromEnvironment(w *World, attribute, variable string) (string, error) {
	value := w.Getenv(variable)
	switch {
	case value != "":
		return value, nil
	case variable == "":
		return "", Usagef("--attr-env %s: no variable of the environment is named behind =", attribute)
	case plainVariable.MatchString(variable):
		return "", Usagef("--attr-env %s: the variable %s of the environment is not set, or is empty", attribute, variable)
	}
	return "", Usagef("--attr-env %s: the variable behind = is not set in the environment, or is empty "+
		"(its name is not shown, since it may be the secret)", attribute)
}

func fromFile(ctx context.Context, w *World, attribute, name string) (string, error) {
	text, err := w.Read(ctx, name)
	if err != nil {
		return "", Usagef("--attr-file %s: %w", attribute, unnamed(err))
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), nil
}

// unnamed is an error of a file without its name, which may be a secret in the wrong place.
func unnamed(err error) error {
	of, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return err
	}
	return of.Err
}

// readColumns returns the columns of --columns or --columns-from, nil if there are none.
func readColumns(ctx context.Context, w *World, d Data) ([]string, error) {
	if d.Columns+d.ColumnsFrom == "" {
		return nil, nil
	}
	flag, names := "--columns", strings.Split(d.Columns, ",")
	if d.ColumnsFrom != "" {
		text, err := w.Read(ctx, d.ColumnsFrom)
		if err != nil {
			return nil, Usagef("--columns-from: %w", err)
		}
		flag = "--columns-from"
		lines := strings.ReplaceAll(string(text), "\r\n", "\n")
		names = strings.Split(strings.TrimRight(lines, "\n"), "\n")
	}
	if at := slices.Index(names, ""); at >= 0 {
		return nil, Usagef("%s: column %d has no name", flag, at+1)
	}
	return names, nil
}
