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
		n := stringSize(rest)
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
		n := stringSize(text[i:])
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
	n := size(text)
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

// size returns the length of the value at the beginning of text.
func size(text []byte) int {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i += stringSize(text[i:])
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(text)
}

// stringSize returns the length of the quoted string at the beginning of text.
func stringSize(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
