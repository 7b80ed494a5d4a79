package transform

import (
	"bytes"
	"strings"

	"sluice/pipeline/item"
)

// Flatten calls cell for every value of object that is a cell of a table, in order (docs/cli.md, Formats). Its path is
// the quoted names that lead there, see [ColumnName]; both are good until cell returns. A value that is no object is
// one cell under [Scalar]. buf is a buffer for paths, which is returned for the next call.
func Flatten(buf, object []byte, cell func(path, value []byte)) []byte {
	if item.Kind(object) != '{' {
		buf = append(buf[:0], `"`+Scalar+`"`...)
		cell(buf, object)
		return buf
	}
	buf, _ = members(buf[:0], object, cell)
	return buf
}

// ColumnName joins the names of a path that [Flatten] gave by _.
func ColumnName(path []byte) string {
	var name strings.Builder
	for rest := path; len(rest) > 0; {
		if len(rest) < len(path) {
			name.WriteByte('_')
		}
		n := item.Size(rest)
		name.WriteString(item.Unquote(rest[:n]))
		rest = rest[n:]
	}
	return name.String()
}

// members goes through the object at the beginning of text, however deep it is, and returns path and its size.
func members(path, text []byte, cell func(path, value []byte)) ([]byte, int) {
	i := 1
	for i < len(text) && text[i] == '"' {
		n := item.Size(text[i:])
		above := len(path)
		if name := text[i : i+n]; bytes.IndexByte(name, '\\') >= 0 {
			path = item.AppendQuote(path, item.Unquote(name)) // the one canonical form
		} else {
			path = append(path, name...)
		}
		i += n + len(":")
		if i >= len(text) {
			break
		}
		if value := text[i:]; value[0] == '{' && len(value) > 1 && value[1] == '"' {
			path, n = members(path, value, cell)
		} else {
			n = item.Size(value)
			cell(path, value[:n])
		}
		i += n
		path = path[:above]
		if i >= len(text) || text[i] != ',' {
			break
		}
		i++
	}
	return path, min(i+len("}"), len(text))
}
