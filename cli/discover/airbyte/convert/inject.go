package convert

import (
	"errors"
	"fmt"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// spotOf reads an option of a request. The error says what is not understood.
func spotOf(option *manifest.Node, sc template.Scope) (write.Spot, error) {
	at := write.Spot{Into: option.Get("inject_into").Text()}
	name, path := option.Get("field_name"), option.Get("field_path")
	if (name == nil) == (path == nil) {
		return at, errors.New("want one of field_name and field_path")
	}
	for _, n := range append(name.Elements(), path.Elements()...) {
		text, err := sc.FixedText(n)
		if err != nil {
			return at, err
		}
		if text == "" {
			return at, errors.New("a name is empty")
		}
		at.Path = append(at.Path, text)
	}
	switch at.Into {
	case "request_parameter", "header", "body_data":
		if len(at.Path) != 1 || path != nil {
			return at, errors.New("field_path is for body_json")
		}
	case "body_json":
	default:
		return at, fmt.Errorf("inject_into %q is not understood", at.Into)
	}
	return at, nil
}

// inject puts a value, as JSON, where an option of a request says. The error says why it cannot be there.
func injectInto(j *write.Job, option *manifest.Node, sc template.Scope, value string) error {
	at, err := spotOf(option, sc)
	if err != nil {
		return err
	}
	return j.Put(at, value)
}

// place is where an option of a request says, as a paging parameter such as limitParam has it, as JSON. What is put
// there later goes to the same part of the request.
func placeIn(j *write.Job, option *manifest.Node, sc template.Scope) (string, error) {
	at, err := spotOf(option, sc)
	if err != nil {
		return "", err
	}
	return j.PlaceOf(at)
}
