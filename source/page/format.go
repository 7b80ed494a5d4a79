package page

import (
	"fmt"
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

	features features

	// Between two values of a row, where the format has rows.
	delimiter string
}

// usual is the format of answers where the configuration names none.
const usual = "json"

// A shape is what an answer consists of. It says what can be asked of the answers of a format.
type shape uint8

const (
	// One document: its items stand within it, and other members around them, to which paths lead.
	document shape = iota
	// Lines, each of which is an item, or a document of its own.
	lines
	// Rows, each of which is an item: there is nothing else, and so no paths.
	table
)

// Features are what a format has, whatever its options are.
type features struct {
	// For the schema.
	doc string

	// As Format.Accept.
	accept string

	shape shape

	// It reads the body of an answer.
	read func(*bodyReading) error

	// It decodes what the format has beside its name; nil: nothing.
	options func(*Format, *config.Object, *config.Problems)

	// Tells whether a text that is not in the usual format may be in this one, and what it is then; nil: it is not asked.
	resembles func(text []byte) bool
	likeness  string
}

// formats are the formats by name.
func formats() map[string]features {
	return map[string]features{
		usual: {doc: "One JSON document.", shape: document, read: (*bodyReading).json},
		"ndjson": {
			doc:    "One JSON value a line; dataField and failOn are about each line.",
			accept: "application/x-ndjson, */*;q=0.1",
			shape:  lines,
			read:   (*bodyReading).ndjson,
		},
		"csv": {
			doc:       "A table after RFC 4180: its first row names the members, their values are strings.",
			accept:    "text/csv, */*;q=0.1",
			shape:     table,
			read:      (*bodyReading).table,
			options:   (*Format).decodeDelimiter,
			resembles: mayBeTable,
			likeness:  "a table",
		},
	}
}

// shape is that of the answers; of nil that of the usual one.
func (f *Format) shape() shape {
	if f == nil {
		return document
	}
	return f.features.shape
}

// Usual tells whether answers are read so where the configuration names no format, as those are that tell of an error.
func (f *Format) Usual() bool { return f == nil || f.Name == usual }

// Document tells whether an answer is one document: members stand around its items, and all of it may be one item.
func (f *Format) Document() bool { return f.shape() == document }

// Lines tells whether each line of an answer is judged for itself.
func (f *Format) Lines() bool { return f.shape() == lines }

// Paths tells whether an answer has paths that can lead to its items.
func (f *Format) Paths() bool { return f.shape() != table }

// Formats lists the formats, in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats())) }

// Documents lists for people the formats whose answers are one document.
func Documents() string {
	names := slices.DeleteFunc(Formats(), func(name string) bool { return formats()[name].shape != document })
	return strings.ToUpper(strings.Join(names, " or "))
}

// claims are parts of a Content-Type, each with the format that a job needs then, as JSON. It is asked for each answer.
var claims = []struct{ contentType, format string }{
	{"ndjson", `"ndjson"`},
	{"jsonl", `"ndjson"`},
	{"json-lines", `"ndjson"`},
	{"stream+json", `"ndjson"`},
	{"/csv", `"csv"`},
	{"tab-separated-values", `{"type": "csv", "delimiter": "\t"}`},
}

// Claimed is the format, as JSON, that an answer in the usual format claims to be in by its Content-Type; empty: in
// none of the others.
func Claimed(contentType string) string {
	contentType = strings.ToLower(contentType)
	for _, c := range claims {
		if strings.Contains(contentType, c.contentType) {
			return c.format
		}
	}
	return ""
}

// resembling says which format a text may have that is not in the usual one; empty: none of them.
func resembling(text []byte) (remedy string) {
	for _, name := range Formats() {
		k := formats()[name]
		if k.resembles != nil && k.resembles(text) {
			return fmt.Sprintf(": if it is %s, set the job's format to %q", k.likeness, name)
		}
	}
	return ""
}

// Definitions describe the formats for the JSON Schema.
func Definitions() map[string]*config.Object {
	var p config.Problems
	all := map[string]*config.Object{}
	for name := range formats() {
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
	name := usual
	if named != nil {
		name = named.Text()
	}
	if _, ok := formats()[name]; !ok {
		p.Errorf(named, "unknown format %q%s", name, config.Have(name, Formats()))
		name = usual
	}
	return decode(o, name, p)
}

func decode(o *config.Object, name string, p *config.Problems) *Format {
	entry := formats()[name]
	o.Text("type", "", entry.doc)
	o.Require("type")
	f := &Format{Name: name, Accept: entry.accept, features: entry}
	if entry.options != nil {
		entry.options(f, o, p)
	}
	o.Done()
	return f
}
