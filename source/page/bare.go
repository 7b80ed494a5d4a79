package page

import (
	"errors"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// bare reads the value where the rows are.
func (r *bodyReading) bare(kind jsontext.Kind, n *wantedNode) error {
	isList := kind == '[' && !r.spec.Bare.Columns || kind == '{' && r.spec.Bare.Columns
	switch {
	case isList && r.mustWait():
		r.page.Selected = '['
		return r.hold(kind, n)
	case kind == '[' && !r.spec.Bare.Columns:
		r.page.Selected = '['
		r.header = r.spec.Bare.names
		return r.captured(n, func(n *wantedNode) error { return r.all(kind, n) })
	case kind == '{' && r.spec.Bare.Columns:
		r.page.Selected = '['
		return r.columns(n)
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	text, err := r.scalar(raw)
	if err != nil {
		return err
	}
	r.found(n, text)
	isContainer := kind == '{' || kind == '['
	switch {
	case isNoItem(text):
		return nil
	case !isContainer:
		r.stray(r.spec.Field, text)
		return nil
	}
	wanted := "an array of arrays"
	if r.spec.Bare.Columns {
		wanted = "an object of arrays"
	}
	r.fail("the response has %s at %s, where dataField.rows wants %s",
		item.Noun(byte(kind)), r.clean(r.spec.Field), wanted)
	return nil
}

// bareRow makes an item of the i-th row of an array, or takes it for the names of the others.
func (r *bodyReading) bareRow(raw []byte, i int, n *wantedNode) error {
	row, replaced := item.Compact(r.row[:0], raw)
	r.row = row
	r.page.Replaced += replaced
	switch {
	case item.Kind(row) != '[':
		r.fail("row %d is %s, where dataField.rows wants an array", i+1, item.Noun(item.Kind(row)))
	case r.header == nil:
		r.header = r.headerOf(row)
		r.headed(r.header)
	default:
		return r.named(row, i, n)
	}
	r.count(row)
	r.found(n, row)
	return nil
}

// headed enters the names that a header has.
func (r *bodyReading) headed(c *columnPrefixes) {
	if c != nil && r.page.Header == 0 {
		r.page.Header = xxhash.Sum64(c.text)
	}
}

// headerOf is the names that a row has.
func (r *bodyReading) headerOf(row []byte) *columnPrefixes {
	c := &columnPrefixes{}
	for value := range item.Elements(row) {
		name := string(value)
		switch item.Kind(value) {
		case '"':
			name = item.Unquote(value)
		case '{', '[':
			r.fail("the column %d of the header is %s, where a name should be", len(c.ends)+1,
				item.Noun(item.Kind(value)))
		case 'n':
			name = ""
		}
		r.column(c, name)
	}
	r.columnAgain(c)
	return c
}

// column adds a column that a response names.
func (r *bodyReading) column(c *columnPrefixes, name string) {
	if name == "" {
		r.fail("the column %d has no name", len(c.ends)+1)
	}
	c.add(name)
}

// columnAgain says that two columns have the same name, if so.
func (r *bodyReading) columnAgain(c *columnPrefixes) {
	if again := c.again(); again > 0 {
		name := item.Unquote(c.name(again))
		r.fail("the column %d has the name %q, as one before it has", again+1, r.clean(name))
	}
}

// named makes an item of the values of a row, the i-th of its array. A shorter row lacks the last members.
func (r *bodyReading) named(row []byte, i int, n *wantedNode) error {
	text, values := r.made[:0], 0
	for value := range item.Elements(row) {
		if values < r.header.count() {
			text = append(append(text, r.header.before(values)...), value...)
		}
		values++
	}
	if values > r.header.count() {
		r.fail("row %d has %d values, where there are names for %d", i+1, values, r.header.count())
		r.count(row)
		return nil
	}
	r.made = text
	r.found(n, row)
	return r.addMade(r.header)
}

// addMade adds the item in r.made, but for its last bracket, which has the names of columns.
func (r *bodyReading) addMade(names *columnPrefixes) error {
	if len(r.made) == 0 {
		r.made = append(r.made, '{')
	}
	r.made = append(r.made, '}')
	r.top.Forget()
	return r.addRow(r.made, names)
}

// addRow adds an item that is made of a row and the names of its columns: they may be long, and each item has them.
func (r *bodyReading) addRow(text []byte, names *columnPrefixes) error {
	text, _ = r.led(text)
	if err := r.add(text, true, nil); err != nil {
		return err
	}
	if len(r.lead) > len(names.text) {
		return r.grown(len(r.lead), "the members that dataField.with names")
	}
	return r.grown(len(names.text), "the names of the columns")
}

// columns reads an object of arrays as a whole, and makes the items of them. n is its place.
func (r *bodyReading) columns(n *wantedNode) error {
	raw, err := r.dec.ReadValue()
	if err != nil {
		err = r.broken(err)
		if bad, ok := errors.AsType[*Error](err); ok && errors.Is(r.body.end, errTooLong) {
			bad.Remedy = ": columns are read as a whole, so ask for less at a time"
		}
		return err
	}
	if int64(len(raw)) > r.body.limit {
		return r.tooLong(raw)
	}
	text, replaced := item.Compact(nil, raw)
	r.page.Replaced += replaced
	r.found(n, text)
	r.write('[')
	if err := r.acrossAll(text); err != nil {
		return err
	}
	r.write(']')
	return nil
}

// acrossAll makes the items of an object of columns.
func (r *bodyReading) acrossAll(text []byte) error {
	names, rests, good := r.arraysOf(text)
	if !good {
		r.count(text)
		return nil
	}
	for i := 0; r.goOn(rests); i++ {
		if i > 0 {
			r.write(',')
		}
		if err := r.across(names, rests); err != nil {
			return err
		}
	}
	return nil
}

// arraysOf are the names of the members of an object, and for each the text behind the bracket of its array; not good
// if they make no rows, of which the fault says why.
func (r *bodyReading) arraysOf(object []byte) (names *columnPrefixes, rests [][]byte, good bool) {
	names = &columnPrefixes{}
	first := 0
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		r.column(names, name)
		if kind := item.Kind(value); kind != '[' {
			r.fail(
				"the column %q is %s, where dataField.rows wants an array",
				r.clean(name),
				item.Noun(kind),
			)
			continue
		}
		values := length(value)
		if len(rests) == 0 {
			first = values
		}
		if values != first {
			r.fail(
				"the column %q has length %d, where the first one has length %d",
				r.clean(name),
				values,
				first,
			)
		}
		rests = append(rests, value[len("["):])
	}
	r.columnAgain(names)
	return names, rests, r.fault == nil
}

// goOn tells whether the columns, which are all as long, have another value.
func (r *bodyReading) goOn(rests [][]byte) bool { return len(rests) > 0 && rests[0][0] != ']' }

// across makes an item of the next value of each column, and goes behind it.
func (r *bodyReading) across(names *columnPrefixes, rests [][]byte) error {
	text := r.made[:0]
	for column, rest := range rests {
		n := item.Size(rest)
		text = append(append(text, names.before(column)...), rest[:n]...)
		rest = rest[n:]
		if rest[0] == ',' {
			rest = rest[1:]
		}
		rests[column] = rest
	}
	r.made = text
	return r.addMade(names)
}
