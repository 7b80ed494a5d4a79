package run

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/pattern"
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

	// nil: nothing is expected of the columns.
	expected *expectation

	// nil: the network itself.
	proxy func(*http.Request) (*url.URL, error)
}

// loadDocuments reads a configuration and the attributes that flags and the environment set: a document for each
// iteration. Asks says that requests will be sent: then the environment must have all that is named. What is wrong goes
// to p.
func loadDocuments(
	ctx context.Context,
	w *World,
	secrets *secret.Set,
	i ConfigurationInput,
	asks bool,
	p *config.Problems,
) ([]*config.Document, error) {
	set, variable, err := i.Attributes(ctx, w)
	if err != nil {
		return nil, err
	}
	text, err := w.Read(ctx, i.Config)
	if err != nil && isAddress(i.Config) {
		return nil, Usagef("%s is an address, not a configuration: sluice init --from-curl 'curl %[1]s' -o api.json writes one", i.Config)
	}
	if err != nil {
		return nil, &UsageError{err}
	}
	root := config.SetAttributes(config.Parse(i.name(), text, p), set, p)
	return Documents(root, secrets, variable, asks, p), nil
}

// Documents are those of a configuration: one for each iteration. Variable tells the value of a variable of the
// environment. With asks all that are named must be there.
func Documents(
	root *config.Node, secrets *secret.Set, variable func(name string) string, asks bool, p *config.Problems,
) (all []*config.Document) {
	for _, one := range config.Iterations(root, p) {
		one = config.FromEnvironment(one, variable, asks, p)
		all = append(all, config.Decode(one, secrets, p))
	}
	return all
}

// Attributes are those that flags set, in the order of the flags, and what tells the value of a variable that others name.
func (i ConfigurationInput) Attributes(
	ctx context.Context, w *World,
) (all []config.Attribute, variable func(name string) string, err error) {
	variables, err := readEnvVariables(ctx, w, i.EnvironmentFile)
	if err != nil {
		return nil, nil, err
	}
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
		return nil, nil, err
	}
	named := func(name, text string) (string, error) { return variables.value(name, text) }
	if err := add("--attr-env", "VARIABLE", i.Environment, named); err != nil {
		return nil, nil, err
	}
	file := func(name, text string) (string, error) { return fromFile(ctx, w, name, text) }
	err = add("--attr-file", "PATH", i.Files, file)
	return all, variables.lookup, err
}

// The parts of a setting that a message may show: anything else may be the secret itself, in the wrong place.
var (
	attributeAlone = pattern.Lazy(`^(#[a-z_]+)(:.*)?$`)
	plainVariable  = pattern.Lazy(`^[A-Z]+(_([A-Z]+|[0-9]{1,2}))*$`)
)

// malformed is the error of a setting that is no K=…, of this kind behind =.
func malformed(flag, kind, setting string) error {
	if strings.HasPrefix(setting, "=") {
		return Usagef("%s wants NAME=%s: no attribute stands before =", flag, kind)
	}
	parts := attributeAlone().FindStringSubmatch(setting)
	switch {
	case parts == nil:
		return Usagef("%s wants NAME=%s: it has no =", flag, kind)
	case parts[2] != "":
		return Usagef("%s %s: wants %[2]s=%[3]s, with = in place of the colon", flag, parts[1], kind)
	}
	return Usagef("%s %s: wants %[2]s=%[3]s, and has no =", flag, parts[1], kind)
}

// value is that of the variable that --attr-env names for an attribute.
func (e *envVariables) value(attribute, variable string) (string, error) {
	value := e.lookup(variable)
	switch {
	case value != "":
		return value, nil
	case variable == "":
		return "", Usagef("--attr-env %s: no variable of the environment is named behind =", attribute)
	case plainVariable().MatchString(variable):
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
