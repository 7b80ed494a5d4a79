package convert

import (
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/write"
)

// decoder reads how answers are written.
func (s *Stream) decoder(n *manifest.Section, j *write.PlannedJob) {
	switch {
	case n == nil, n.Kind() == "JsonDecoder":
	case n.Kind() == "JsonlDecoder":
		j.Format = write.Text("ndjson")
	case n.Kind() == "GzipDecoder":
		// What is gzip is unpacked although nothing says so.
		s.decoder(n.Get("decoder"), j)
	case n.Kind() == "CsvDecoder":
		s.csv(n, j)
	case n.Kind() == "XmlDecoder":
		s.xml(n, j)
	default:
		s.refuseKind(n, "decoder")
	}
}

// csv reads how a table is written.
func (s *Stream) csv(n *manifest.Section, j *write.PlannedJob) {
	encoding := strings.ToLower(n.Get("encoding").Text())
	switch strings.ReplaceAll(encoding, "_", "-") {
	case "", "utf-8", "utf8", "utf-8-sig", "ascii":
	default:
		s.Refuse(n, "the encoding "+encoding+" is not supported, want utf-8")
	}
	delimiter := strings.ReplaceAll(n.Get("delimiter").Text(), `\t`, "\t")
	s.refuseIf(len(delimiter) > 1, n, "the delimiter "+write.Quote(delimiter)+" is not one character")
	j.Format = write.Object{}.And("type", write.Text("csv")).With(delimiter != "", "delimiter", write.Text(delimiter))
	if none := n.Get("set_values_to_none"); none != nil {
		texts := write.JSON(write.Texts(none.Texts()))
		s.shapeOnce("map_values(if IN(" + texts[1:len(texts)-1] + ") then null else . end)")
	}
}

// xmlFormat is that of answers in XML.
const xmlFormat = write.Text("xml")

// stripped is what Airbyte makes of a text: blanks at its ends are nothing, and an empty one is null.
const stripped = `def stripped: sub("^\\s+"; "") | sub("\\s+$"; "") | if . == "" then null else . end; `

// likeAirbyte strips all texts of an item but those of attributes. One beside attributes that is empty then is not there, and an item that
// is nothing else is none.
const likeAirbyte = stripped + `if type == "string" then stripped | select(. != null) else walk(if type == "object" then with_entries(` +
	`if (.key | startswith("@")) or (.value | type) != "string" then . else .value |= stripped end) ` +
	`| if has("#text") and .["#text"] == null then del(.["#text"]) else . end ` +
	`elif type == "array" then map(if type == "string" then stripped else . end) else . end) end`

// xml reads answers in XML, of which both make objects: with @ before names of attributes, #text beside these, and lists of what comes
// several times.
func (s *Stream) xml(n *manifest.Section, j *write.PlannedJob) {
	n.Know()
	j.Format = xmlFormat
	s.shapeOnce("(" + likeAirbyte + ")")
	s.leave(n, "prefixes and declarations of namespaces are left out of names and members, and xsi:nil is null")
}

// xmlPath checks the path of items in XML.
func (s *Stream) xmlPath(n *manifest.Section, path []string) {
	for _, step := range path {
		fault.If(strings.ContainsAny(step, ":*"), "the step %q of a path in XML is not supported: want names of elements without a prefix", step)
		fault.If(strings.HasPrefix(step, "@") || strings.HasPrefix(step, "#"), "attributes and texts of XML are not supported as items")
	}
	if len(path) > 2 {
		s.leave(n, "where an element on the way to the items comes several times all have items, and in Airbyte none")
	}
}
