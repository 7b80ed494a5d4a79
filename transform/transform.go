// Package transform holds pure functions on the JSON text of an item. They take valid compact JSON and append
// what they make to a buffer; nothing is decoded into maps, so number text, key order, repeated keys and
// escapes survive.
package transform

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A Func appends what it makes of item, compact JSON without a line break, to dst. It keeps neither.
type Func func(dst, item []byte) []byte

// Lines applies f to each line of text, as a batch holds them, and appends the new lines to dst.
func Lines(dst, text []byte, f Func) []byte {
	for line := range bytes.Lines(text) {
		dst = f(dst, bytes.TrimSuffix(line, []byte{'\n'}))
		dst = append(dst, '\n')
	}
	return dst
}

// Envelope wraps an item: {"job","dataType","page","item"} (docs/cli.md, --envelope).
func Envelope(job, dataType string, page int) Func {
	head := fmt.Appendf(nil, `{"job":%s,"dataType":%s,"page":%d,"item":`,
		item.Quote(job), item.Quote(dataType), page)
	return func(dst, value []byte) []byte {
		dst = append(dst, head...)
		dst = append(dst, value...)
		return append(dst, '}')
	}
}

// Scalar is the name under which an item that is no object gets a member, or a column, of its own.
const Scalar = "data"

// An AddedMember is a name and a value of compact JSON.
type AddedMember struct {
	Name  string
	Value []byte

	// Suffix follows a Name that is taken, and after it the first of the numbers 0, 1 … that makes a free name;
	// without a Suffix these are _ and 2, 3 …. It is text that needs no escapes.
	Suffix string
}

// AddMembers appends value with members after its own, of which one whose name is taken gets another. A value
// that is no object becomes the member [Scalar] of one. It allocates little: to grow dst and to compare names
// that have escapes.
func AddMembers(dst, value []byte, members []AddedMember) []byte {
	begin := len(dst)
	if item.Kind(value) == '{' {
		dst = append(dst, value[:len(value)-1]...)
	} else {
		dst = append(dst, `{"`+Scalar+`":`...)
		dst = append(dst, value...)
	}
	// nil: few members are compared with all.
	var taken map[string]bool
	if len(members) > few {
		taken = names(value)
	}
	for _, m := range members {
		if len(dst) > begin+len("{") {
			dst = append(dst, ',')
		}
		at := len(dst)
		dst = appendName(dst, begin, m, taken)
		if taken != nil {
			taken[string(dst[at:])] = true
		}
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// appendName appends the name of a member that the object from begin on does not have. Its names are taken;
// nil: they are not known.
func appendName(dst []byte, begin int, m AddedMember, taken map[string]bool) []byte {
	at := len(dst)
	dst = item.AppendQuote(dst, m.Name)
	stem := len(dst) - len(`"`)
	suffix := m.Suffix
	n := 0
	if suffix == "" {
		suffix = "_"
		n = 2
	}
	for ; isTaken(taken, dst[begin:at], dst[at:]); n++ {
		dst = append(dst[:stem], suffix...)
		dst = strconv.AppendInt(dst, int64(n), 10)
		dst = append(dst, '"')
	}
	return dst
}

// isTaken tells whether a name is one of those that are taken, or, if they are not known, one in object.
func isTaken(taken map[string]bool, object, name []byte) bool {
	if taken != nil {
		return taken[string(name)]
	}
	return has(object, name)
}

// few is how many members are compared with all others, which is faster than a map.
const few = 16

// names are the names of an object's members, or [Scalar], quoted with the fewest escapes.
func names(value []byte) map[string]bool {
	all := map[string]bool{}
	if item.Kind(value) != '{' {
		all[`"`+Scalar+`"`] = true
	}
	for name := range item.Members(value) {
		all[string(item.Quote(item.Unquote(name)))] = true
	}
	return all
}

// has tells whether object, which may end after any member, has one of that name, quoted with the fewest
// escapes.
func has(object, name []byte) bool {
	for taken := range item.Members(object) {
		if bytes.Equal(taken, name) {
			return true
		}
		if bytes.IndexByte(taken, '\\') >= 0 && item.NameIs(taken, item.Unquote(name)) {
			return true
		}
	}
	return false
}

// Text appends value as the text of a table's cell (docs/cli.md, Formats): strings unquoted, numbers, true and
// false verbatim, null as nothing, arrays and objects as their JSON text.
func Text(dst, value []byte) []byte {
	switch item.Kind(value) {
	case 'n':
		return dst
	case '"':
		if bytes.IndexByte(value, '\\') < 0 {
			return append(dst, value[1:len(value)-1]...)
		}
		return item.AppendUnquote(dst, value)
	}
	return append(dst, value...)
}

// Flatten calls cell for every value of object that is a cell of a table, in order (docs/cli.md, Formats). Its
// path is the quoted names that lead there, see [ColumnName]; both are good until cell returns. A value that is
// no object is one cell under [Scalar]. buf is a buffer for paths, which is returned for the next call.
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
			// The one canonical form.
			path = item.AppendQuote(path, item.Unquote(name))
		} else {
			path = append(path, name...)
		}
		i += n + len(":")
		if i >= len(text) {
			break
		}
		value := text[i:]
		if bytes.HasPrefix(value, []byte(`{"`)) {
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
