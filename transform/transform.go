// Package transform holds pure functions on the JSON text of an item. They take
// valid compact JSON and append what they make to a buffer; nothing is decoded
// into maps, so number text, key order, repeated keys and escapes survive.
package transform

import (
	"bytes"
	"strconv"

	"sluice/pipeline/item"
)

// An Origin says where an item comes from.
type Origin struct {
	Job      string // id of the job
	DataType string // as the configuration has it
	Page     int    // the page within its walk, from 1
}

// A Func appends what it makes of item, compact JSON without a line break, to
// dst. It keeps neither.
type Func func(dst, item []byte, from *Origin) ([]byte, error)

var _ Func = Envelope

// Lines applies f to each line of text, as a batch holds them, and appends the
// new lines to dst.
func Lines(dst, text []byte, from *Origin, f Func) ([]byte, error) {
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		var err error
		if dst, err = f(dst, line, from); err != nil {
			return dst, err
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

// Envelope wraps the item: {"job","dataType","page","item"} (cli.md, --envelope).
func Envelope(dst, value []byte, from *Origin) ([]byte, error) {
	dst = append(dst, `{"job":`...)
	dst = item.AppendQuote(dst, from.Job)
	dst = append(dst, `,"dataType":`...)
	dst = item.AppendQuote(dst, from.DataType)
	dst = append(dst, `,"page":`...)
	dst = strconv.AppendInt(dst, int64(from.Page), 10)
	dst = append(dst, `,"item":`...)
	dst = append(dst, value...)
	return append(dst, '}'), nil
}

// Scalar is the name under which an item that is no object gets a member, or a
// column, of its own.
const Scalar = "data"

// A Member is a name and a value of compact JSON.
type Member struct {
	Name  string
	Value []byte
}

// AddMembers appends value with members behind its own. A member whose name is
// taken, by the item or by one added before, gets the first free one of name_2,
// name_3 …: what the API sent is never changed. A value that is no object
// becomes the member [Scalar] of one.
func AddMembers(dst, value []byte, members []Member) []byte {
	if item.Kind(value) != '{' {
		object := append([]byte(`{"`+Scalar+`":`), value...)
		value = append(object, '}')
	}
	from := len(dst)
	dst = append(dst, value[:len(value)-1]...)
	for _, m := range members {
		name := m.Name
		for n := 2; has(dst[from:], name); n++ {
			name = m.Name + "_" + strconv.Itoa(n)
		}
		if len(dst) > from+len("{") {
			dst = append(dst, ',')
		}
		dst = item.AppendQuote(dst, name)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// has tells whether object, whose closing brace may be missing yet, has the member.
func has(object []byte, name string) bool {
	for quoted := range item.Members(object) {
		if item.NameIs(quoted, name) {
			return true
		}
	}
	return false
}

// Text appends value as the text of a table's cell (cli.md, CSV): strings
// unquoted, numbers, true and false verbatim, null as nothing, arrays and
// objects as their JSON text.
func Text(dst, value []byte) []byte {
	switch item.Kind(value) {
	case 'n':
		return dst
	case '"':
		if bytes.IndexByte(value, '\\') < 0 {
			return append(dst, value[1:len(value)-1]...)
		}
		return append(dst, item.Unquote(value)...)
	}
	return append(dst, value...)
}
