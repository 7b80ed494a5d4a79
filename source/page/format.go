package page

import (
	"maps"
	"slices"

	"sluice/source/config"
)

// A Format is how an answer is written; nil is JSON.
type Format struct {
	Name   string
	Accept string // the header that asks for it; empty: the usual one
	read   func(*reading) error
}

// JSON tells whether the answer is one JSON document.
func (f *Format) JSON() bool { return f == nil || f.Name == "json" }

// lines tells whether each line of the answer is a document.
func (f *Format) lines() bool { return f != nil && f.Name == "ndjson" }

// Table tells whether the answer has nothing but rows, and so no paths.
func (f *Format) Table() bool { return f != nil && f.Name == "csv" }

// formats are the formats by name, each with a sentence for the schema.
var formats = map[string]struct {
	doc    string
	accept string
	decode func(*config.Object, *config.Problems) func(*reading) error
}{
	"json":   {"One JSON document.", "", func(*config.Object, *config.Problems) func(*reading) error { return (*reading).response }},
	"ndjson": {"One JSON value a line; dataField and failOn are about each line.", "application/x-ndjson, */*;q=0.1", func(*config.Object, *config.Problems) func(*reading) error { return (*reading).ndjson }},
	"csv":    {"A table after RFC 4180: its first row names the members, their values are strings.", "text/csv, */*;q=0.1", newCSV},
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
	var o *config.Object
	name := "json"
	if n != nil && n.Kind == '"' {
		o, name = config.NewObject(nil, p), n.Text()
	} else if o = config.NewObject(n, p); o.Node().Member("type") != nil {
		n = n.Member("type")
		name = n.Text()
	}
	if _, ok := formats[name]; !ok {
		p.Errorf(n, "unknown format %q%s", name, config.Have(name, Formats()))
		name = "json"
	}
	return decode(o, name, p)
}

func decode(o *config.Object, name string, p *config.Problems) *Format {
	entry := formats[name]
	o.Text("type", "", entry.doc)
	o.Require("type")
	f := &Format{Name: name, Accept: entry.accept, read: entry.decode(o, p)}
	o.Done()
	return f
}
