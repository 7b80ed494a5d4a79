package page

import (
	"maps"
	"slices"
	"strings"

	"sluice/source/config"
)

// A Format is how an answer is written; nil is JSON.
type Format struct {
	Name string

	// The header that asks for it; empty: the usual one.
	Accept string

	read func(*reading) error

	// Of a table.
	delimiter string
}

// JSON tells whether the answer is one JSON document.
func (f *Format) JSON() bool { return f == nil || f.Name == "json" }

func (f *Format) lines() bool { return f != nil && f.Name == "ndjson" }

// Table tells whether the answer has nothing but rows, and so no paths.
func (f *Format) Table() bool { return f != nil && f.Name == "csv" }

// formats are the formats by name, each with a sentence for the schema.
var formats = map[string]struct {
	doc    string
	accept string
	read   func(*reading) error
}{
	"json": {"One JSON document.", "", (*reading).response},
	"ndjson": {
		"One JSON value a line; dataField and failOn are about each line.",
		"application/x-ndjson, */*;q=0.1",
		(*reading).ndjson,
	},
	"csv": {
		"A table after RFC 4180: its first row names the members, their values are strings.",
		"text/csv, */*;q=0.1",
		(*reading).table,
	},
}

// Formats lists the formats, in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Definitions describe the formats for the JSON Schema.
func Definitions() map[string]*config.Object {
	var p config.Problems
	all := map[string]*config.Object{}
	for name := range formats {
		all[name] = config.NewObject(nil, &p)
		decode(all[name], name, &p)
	}
	return all
}

// NewFormat decodes a job's format: its name, or an object with type and options; nil is JSON.
func NewFormat(n *config.Node, p *config.Problems) *Format {
	named := n
	var options *config.Node
	isName := n != nil && n.Kind == '"'
	if !isName {
		options = n
		named = n.Member("type")
	}
	o := config.NewObject(options, p)
	name := "json"
	if named != nil {
		name = named.Text()
	}
	if _, ok := formats[name]; !ok {
		p.Errorf(named, "unknown format %q%s", name, config.Have(name, Formats()))
		name = "json"
	}
	return decode(o, name, p)
}

func decode(o *config.Object, name string, p *config.Problems) *Format {
	entry := formats[name]
	o.Text("type", "", entry.doc)
	o.Require("type")
	f := &Format{Name: name, Accept: entry.accept, read: entry.read}
	if f.Table() {
		f.delimiter = o.Text("delimiter", ",",
			"What stands between two values of a row: one character of ASCII.",
			",", ";", "\t", "|")
		if !isDelimiter(f.delimiter) {
			p.Errorf(o.Node().Member("delimiter"),
				"must be one character of ASCII, and neither a quote nor a line break")
		}
	}
	o.Done()
	return f
}

// isDelimiter tells whether a text may stand between the values of a table.
func isDelimiter(text string) bool {
	if len(text) != 1 || text[0] >= 0x80 {
		return false
	}
	return !strings.ContainsAny(text, "\"\r\n\x00")
}
