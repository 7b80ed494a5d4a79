package paginate

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// Take says which value of the items of a page a cursor takes.
type Take string

// What a cursor takes.
const (
	// Greatest is the greatest number.
	Greatest Take = "of the items, the greatest"
	// Least is the least number.
	Least Take = "of the items, the least"
	// Last is the value of the last item.
	Last Take = "of the last item"
)

// beyond tells whether the walk goes on from n, and not from another number.
func (t Take) beyond(n, other item.Decimal) bool {
	switch t {
	case Greatest:
		return n.Compare(other) > 0
	case Least:
		return n.Compare(other) < 0
	}
	return true
}

// A Range finds what a cursor takes of the items of one page.
type Range struct {
	path   item.Path
	take   Take
	items  int
	number item.Decimal
	// value is JSON as the item has it.
	value []byte
	// first is the value of the first item, and leading how many items at the front have
	// it.
	first   []byte
	leading int
	// Changes are the values of all.
	Changes Changes

	// isMissing tells that the last item has nothing, null, false, 0 or an empty value there.
	isMissing bool

	// Err is the first item that has no number, or the last without a value; it
	// matters only where the walk goes on.
	Err error
}

// Add takes the compact text of the next item, and keeps none of it.
func (r *Range) Add(text []byte) {
	r.items++
	if r.Err != nil && r.take != Last {
		return
	}
	value := item.Find(text, r.path)
	r.isMissing = value == nil || !item.True(value)
	r.lead(value)
	r.Changes.Add(value)
	n, ok := item.DecimalOf(value)
	wanted := "a number of at most 1000 digits"
	if r.take == Last {
		ok = isCursorValue(value)
		wanted = "a text, a number or an array that is not empty"
	}
	r.Err = nil
	if !ok {
		r.Err = fmt.Errorf("idKey: item %d of the page has %s at %s, where the cursor needs %s",
			r.items, kindName(value), r.path, wanted)
		return
	}
	if r.items == 1 || r.take.beyond(n, r.number) {
		r.number, r.value = n, append(r.value[:0], value...)
	}
}

// lead takes the value of the next item, which may be one of those at the front.
func (r *Range) lead(value []byte) {
	if r.items == 1 {
		r.first = append(r.first[:0], value...)
	}
	isOfFront := r.items == r.leading+1
	if isOfFront && bytes.Equal(value, r.first) {
		r.leading++
	}
}

// isCursorValue tells whether the last item's value can be sent: a number, or a text
// or an array that is not empty.
func isCursorValue(value []byte) bool {
	switch item.Kind(value) {
	case '0':
		return true
	case '"', '[':
		return len(value) > len(`""`)
	}
	return false
}

// leads tells whether what stands at the place of the next page may lead to one: a text of nothing but blanks does not, with
// which mainframes fill a field of a fixed length.
func leads(value []byte) bool {
	if !item.True(value) {
		return false
	}
	text, isText := item.Text(value)
	return !isText || strings.TrimSpace(text) != ""
}

// kindName says in words what a value is.
func kindName(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return item.Noun(item.Kind(value))
}

// Changes are the times of change of the items of one page, as the items have them.
type Changes struct {
	text []byte
	ends []int
}

// Add takes that of the next item.
func (c *Changes) Add(value []byte) {
	c.text = append(c.text, value...)
	c.ends = append(c.ends, len(c.text))
}

// at is that of an item.
func (c *Changes) at(i int) []byte {
	begin := 0
	if i > 0 {
		begin = c.ends[i-1]
	}
	return c.text[begin:c.ends[i]]
}

// isLater tells whether a time is later than another of its kind, or a number greater.
func isLater(now, before []byte) bool {
	if string(now) == string(before) {
		return false
	}
	a, isNumber := item.DecimalOf(now)
	b, isOther := item.DecimalOf(before)
	if isNumber && isOther {
		return a.Compare(b) > 0
	}
	at, isTime := timeOf(now)
	then, isThen := timeOf(before)
	return isTime && isThen && at.After(then)
}

func timeOf(value []byte) (time.Time, bool) {
	at, _, ok := expr.ParseDate(value)
	return at, ok
}

// isTime tells whether a value can be compared.
func isTime(value []byte) bool {
	_, isNumber := item.DecimalOf(value)
	_, isDate := timeOf(value)
	return isNumber || isDate
}
