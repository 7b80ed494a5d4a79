package airbyte

import (
	"fmt"
	"strings"

	"sluice/pipeline/item"
)

// decoder reads how answers are written.
func (s *stream) decoder(n *node, j *job) {
	switch n.kind() {
	case "", "JsonDecoder":
		if n != nil && n.kind() == "" {
			s.refuseKind(n, "decoder")
		}
	case "JsonlDecoder":
		j.format = quote("ndjson")
	case "GzipDecoder":
		// What is gzip is unpacked although nothing says so.
		s.decoder(n.get("decoder"), j)
	case "CsvDecoder":
		s.csv(n, j)
	default:
		s.refuseKind(n, "decoder")
	}
}

// csv reads how a table is written.
func (s *stream) csv(n *node, j *job) {
	encoding := strings.ToLower(n.get("encoding").text())
	switch strings.ReplaceAll(encoding, "_", "-") {
	case "", "utf-8", "utf8", "utf-8-sig", "ascii":
	default:
		s.refuse(n, fmt.Sprintf("the encoding %s cannot be said, want utf-8", encoding))
	}
	delimiter := n.get("delimiter").text()
	if delimiter == `\t` {
		delimiter = "\t"
	}
	format := item.Object{"type", `"csv"`}
	switch {
	case len(delimiter) > 1:
		s.refuse(n, fmt.Sprintf("the delimiter %q is not one character", delimiter))
	case delimiter != "":
		format = append(format, "delimiter", quote(delimiter))
	}
	j.format = format.String()
	if none := n.get("set_values_to_none"); none != nil {
		var texts []string
		for _, e := range none.elements() {
			texts = append(texts, quote(e.text()))
		}
		s.shapeOnce(ofValues + strings.Join(texts, ", ") + ") then null else . end)")
	}
}

// ofValues begins a filter of jq for the values of a table.
const ofValues = "map_values(if IN("
