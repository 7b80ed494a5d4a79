package paginate

import (
	"bytes"
	"fmt"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
)

// cursor asks for what lies beyond the greatest (with reverse: the least) number
// that the items of the job so far have at idKey, plus the increment; or, with take
// last, beyond what the last item has there.
type cursor struct {
	single
	path      item.Path
	param     config.Place
	increment int64
	take      Take
}

func newCursor(o *config.Object, _ Env, p *config.Problems) Method {
	m := &cursor{take: Greatest}
	idKey := o.Text("idKey", "", "Path in an item of the value that pages are ordered by.")
	m.param = decodePlace(o, p, "param", "", "The parameter that carries the value")
	o.Require("idKey", "param")
	o.Filled("idKey", "param")
	m.path = item.ParsePath(idKey, ".")
	take := o.Choice("take", "greatest", "Which value counts: the greatest number, "+
		"or that of the last item, which may also be a text or an array.", "greatest", "last")
	m.increment, _ = o.Int("increment", 0, "What is added to the number; may be negative.")
	if o.Bool("reverse", false, "Whether the least number counts, not the greatest.") {
		m.take = Least
	}
	if take == "last" {
		m.take = Last
		refuseNumbers(o.Node(), p)
	}
	return m
}

// refuseNumbers reports options of the greatest number.
func refuseNumbers(o *config.Node, p *config.Problems) {
	for _, name := range []string{"increment", "reverse"} {
		if n := o.Member(name); n != nil {
			p.Errorf(n, "is for the greatest number, and take is last")
		}
	}
}

func (m *cursor) Needs() Needs { return Needs{Range: m.path, Take: m.take} }

func (m *cursor) Next(s *State, j *Job, f *Facts) (*Request, *report.Stop, error) {
	if f.Items == 0 {
		return nil, report.EndedBy(report.StopEmptyPage), nil
	}
	if f.Range.Err != nil {
		return nil, nil, f.Range.Err
	}
	before, isKnown := item.DecimalOf([]byte(s.Own.Cursor))
	if !isKnown || m.take.beyond(f.Range.number, before) {
		s.Own.Cursor, before = string(f.Range.value), f.Range.number
	}
	value := []byte(s.Own.Cursor)
	if m.increment != 0 {
		value = before.Plus(m.increment)
	}
	r, err := m.at(j, value)
	return r, nil, err
}

func (m *cursor) needsItems() bool { return true }

func (m *cursor) lookAt() string { return "param (" + m.param.String() + ") and idKey" }

func (m *cursor) pageParam() config.Place { return m.param }

func (m *cursor) places() []Place { return []Place{{"param", m.param}} }

func (m *cursor) at(j *Job, value []byte) (*Request, error) {
	return j.paged(j.Params, placed{m.param, value})
}

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

	// Err is the first item that has no number, or the last without a value; it
	// matters only where the walk goes on.
	Err error
}

// NewRange returns a Range for what is needed; nil if that is nothing.
func NewRange(n Needs) *Range {
	if n.Range == nil {
		return nil
	}
	return &Range{path: n.Range, take: n.Take}
}

// Add takes the compact text of the next item, and keeps none of it.
func (r *Range) Add(text []byte) {
	r.items++
	if r.Err != nil && r.take != Last {
		return
	}
	value := item.Find(text, r.path)
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

// kindName says in words what a value is.
func kindName(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return item.Noun(item.Kind(value))
}
