package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"sluice/pipeline/secret"
	"sluice/source/config"
)

// load reads a configuration and the attributes that the flags set: a document
// for each of its iterations, at least one. What is wrong goes to p.
func load(c invocation, w *world, name string, secrets *secret.Set, p *config.Problems) ([]*config.Document, error) {
	roots, err := loadNodes(c, w, name, p)
	var docs []*config.Document
	for _, root := range roots {
		docs = append(docs, config.Decode(root, secrets, p))
	}
	return docs, err
}

// loadNodes is load before the documents are decoded.
func loadNodes(c invocation, w *world, name string, p *config.Problems) ([]*config.Node, error) {
	set, err := attributes(c, w)
	if err != nil {
		return nil, err
	}
	text, err := w.read(name)
	if err != nil {
		return nil, &usageError{err}
	}
	if name == "-" {
		name = "stdin"
	}
	root := config.SetAttributes(config.Parse(name, text, p), set, p)
	return config.Iterations(root, p), nil
}

// attributeFlags set attributes of config.
func attributeFlags(f *pflag.FlagSet) {
	f.StringArray("attr", nil, "set the attribute `K=V` of config")
	f.StringArray("attr-env", nil, "set an attribute from the environment: `K=NAME`")
	f.StringArray("attr-file", nil, "set an attribute from a file, but for a final line break: `K=PATH`")
}

// attributes returns what attributeFlags say.
func attributes(c invocation, w *world) ([]config.Attribute, error) {
	var all []config.Attribute
	for _, flag := range []string{"attr", "attr-env", "attr-file"} {
		for _, setting := range c.Strings(flag) {
			name, value, ok := strings.Cut(setting, "=")
			if !ok || name == "" {
				return nil, usagef("--%s wants NAME=…", flag) // the setting may be a secret
			}
			switch flag {
			case "attr-env":
				variable := value
				if value = w.getenv(variable); value == "" {
					return nil, usagef("--attr-env %s: the environment has no %s", name, variable)
				}
			case "attr-file":
				text, err := w.read(value)
				if err != nil {
					return nil, usagef("--attr-file %s: %w", name, err)
				}
				value = strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
			}
			all = append(all, config.Attribute{Name: name, Value: value})
		}
	}
	return all, nil
}
