package convert

import (
	"fmt"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// decoder reads how answers are written.
func (s *Stream) decoder(n *manifest.Node, j *write.Job) {
	switch n.Kind() {
	case "", "JsonDecoder":
		if n != nil && n.Kind() == "" {
			s.refuseKind(n, "decoder")
		}
	case "JsonlDecoder":
		j.Format = write.Quote("ndjson")
	case "GzipDecoder":
		// What is gzip is unpacked although nothing says so.
		s.decoder(n.Get("decoder"), j)
	case "CsvDecoder":
		s.csv(n, j)
	default:
		s.refuseKind(n, "decoder")
	}
}

// csv reads how a table is written.
func (s *Stream) csv(n *manifest.Node, j *write.Job) {
	encoding := strings.ToLower(n.Get("encoding").Text())
	switch strings.ReplaceAll(encoding, "_", "-") {
	case "", "utf-8", "utf8", "utf-8-sig", "ascii":
	default:
		s.Refuse(n, fmt.Sprintf("the encoding %s cannot be said, want utf-8", encoding))
	}
	delimiter := n.Get("delimiter").Text()
	if delimiter == `\t` {
		delimiter = "\t"
	}
	format := item.Object{"type", `"csv"`}
	switch {
	case len(delimiter) > 1:
		s.Refuse(n, fmt.Sprintf("the delimiter %q is not one character", delimiter))
	case delimiter != "":
		format = append(format, "delimiter", write.Quote(delimiter))
	}
	j.Format = format.String()
	if none := n.Get("set_values_to_none"); none != nil {
		var texts []string
		for _, e := range none.Elements() {
			texts = append(texts, write.Quote(e.Text()))
		}
		s.shapeOnce(ofValues + strings.Join(texts, ", ") + ") then null else . end)")
	}
}

// ofValues begins a filter of jq for the values of a table.
const ofValues = "map_values(if IN("
