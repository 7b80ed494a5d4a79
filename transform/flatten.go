package transform

import (
	"bytes"
	"strings"

	"sluice/pipeline/item"
)

// Flatten calls cell for every value of object that is a cell of a table, in
// order (cli.md, CSV): members, those of nested objects included; arrays, empty
// objects and null are cells. A value that is no object is one cell under
// [Scalar]; an empty object has none.
//
// path is the names that lead to the cell, quoted with the fewest escapes, one
// behind the other: different paths have different texts, and [ColumnName] makes
// a name of it. path and value are good until cell returns. buf is a buffer for
// path, which is returned for the next call.
func Flatten(buf, object []byte, cell func(path, value []byte)) []byte {
	if item.Kind(object) != '{' {
		buf = append(buf[:0], `"`+Scalar+`"`...)
		cell(buf, object)
		return buf
	}
	f := flattening{path: buf[:0], cell: cell}
	f.members(object)
	return f.path
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

// A flattening goes through an object once, however deep it is.
type flattening struct {
	path []byte
	cell func(path, value []byte)
}

// members goes through the object at the beginning of text and returns its size.
// Text that is not valid ends it early.
func (f *flattening) members(text []byte) int {
	i := 1
	for i < len(text) && text[i] == '"' {
		n := item.Size(text[i:])
		above := len(f.path)
		f.push(text[i : i+n])
		i += n + 1 // the colon
		if i >= len(text) {
			break
		}
		i += f.value(text[i:])
		f.path = f.path[:above]
		if i >= len(text) || text[i] != ',' {
			break
		}
		i++
	}
	return min(i+1, len(text)) // the brace
}

func (f *flattening) value(text []byte) int {
	if text[0] == '{' && len(text) > 1 && text[1] == '"' {
		return f.members(text)
	}
	n := item.Size(text)
	f.cell(f.path, text[:n])
	return n
}

// push appends a name in its one canonical form.
func (f *flattening) push(quoted []byte) {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		f.path = item.AppendQuote(f.path, item.Unquote(quoted))
		return
	}
	f.path = append(f.path, quoted...)
}
