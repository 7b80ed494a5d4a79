package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

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
		"xml": {
			doc:       "One document of XML, whose elements become JSON as docs/xml.md says; dataField is a path of their names.",
			accept:    "application/xml, text/xml, */*;q=0.1",
			shape:     document,
			read:      (*bodyReading).xml,
			options:   (*Format).decodeMapping,
			resembles: mayBeXML,
			likeness:  "XML",
			places:    placesOf,
			value:     (*Format).document,
		},
	}
}

// Formats lists the formats, in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats())) }

// Documents lists for people the formats whose answers are one document.
func Documents() string {
	names := slices.DeleteFunc(Formats(), func(name string) bool { return formats()[name].shape != document })
	for i, name := range names {
		names[i] = strings.ToUpper(name)
	}
	return strings.Join(names, " or ")
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

// resembling says which format, as JSON, a text may have that is not in the usual one, and what to do then; empty: none
// of them.
func resembling(text []byte) (format, remedy string) {
	for _, name := range Formats() {
		k := formats()[name]
		if k.resembles != nil && k.resembles(text) {
			remedy = fmt.Sprintf(": if it is %s, set the job's format to %q", k.likeness, name)
			if k.places != nil {
				remedy += k.places(text)
			}
			return string(item.Quote(name)), remedy
		}
	}
	return "", ""
}

// Definitions describe the formats for the JSON Schema.
func Definitions() map[string]*config.ObjectDecoder {
	var p config.Problems
	all := map[string]*config.ObjectDecoder{}
	for name := range formats() {
		all[name] = config.NewObjectDecoder(nil, &p)
		decode(all[name], name, &p)
	}
	return all
}

// NewFormat decodes a job's format: its name, or an object with type and options; nil is JSON.
func NewFormat(n *config.Node, p *config.Problems) *Format {
	named := n
	var options *config.Node
	if n == nil || n.Kind != '"' {
		options = n
		named = n.Member("type")
	}
	o := config.NewObjectDecoder(options, p)
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

func decode(o *config.ObjectDecoder, name string, p *config.Problems) *Format {
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
