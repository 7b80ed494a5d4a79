package template_test

import (
	"errors"
	"strconv"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// clock is the time of a conversion in tests.
var clock = time.Date(2026, time.November, 23, 12, 0, 0, 0, time.UTC)

// A given is what a template gives: as any value, as an option, and as text; what went wrong; and the paths of the values
// that decided.
type given struct {
	any, option, text string
	err               error
	decided, notes    []string
}

// meant is what the member at gives in the component of streams[0].
func meant(document, config string) given {
	d, err := manifest.Read([]byte(document))
	if err != nil {
		return given{err: err}
	}
	v, err := template.NewValues(d.Root, []byte(config), clock)
	if err != nil {
		return given{err: err}
	}
	variables := map[string]template.Variable{"stream_partition": func(path []string) template.Meaning {
		switch {
		case len(path) != 1:
			panic(fault.New("%w", python.ErrUndefined))
		case path[0] == "day":
			return template.Meaning{Expr: write.Window("from")}
		case path[0] == "unix":
			return template.Meaning{Expr: write.Window("to"), Moment: true}
		}
		return template.Meaning{Expr: write.Placeholder(path[0])}
	}}
	sc := template.Scope{Values: v}.With(variables)
	n := d.Root.Get("streams").Elements()[0].Get("at")
	var m, option, text template.Meaning
	err = errors.Join(
		fault.Try(func() { m = sc.Mean(n) }),
		fault.Try(func() { option = sc.MeanOption(n) }),
		fault.Try(func() { text = sc.MeanText(n) }),
	)
	json := func(m template.Meaning) string { return write.JSON(m.Value()) }
	return given{
		any: json(m), option: json(option), text: json(text), err: err, decided: v.Decisions(), notes: v.Notes,
	}
}

// meantText is meant of a text.
func meantText(text string) given { return meant(at(strconv.Quote(text)), config) }
