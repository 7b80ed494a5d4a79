package paginate

import (
	"bytes"

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
	param     config.ParameterDestination
	increment int64
	take      Take

	// A last item that lacks the value ends the walk.
	endOnMissing bool
	// A page begins with the items that the cursor names, which are dropped.
	inclusive bool

	// A text is sent in the quotation marks of JSON.
	quoted bool
}

func newCursor(o *config.ObjectDecoder, _ Env, p *config.Problems) Method {
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
	m.endOnMissing = o.Bool("endOnMissing", false,
		"With take last: a last item without a value there ends the walk; else it is an error.")
	m.inclusive = o.Bool("inclusive", false,
		"Whether a page begins with the items that have the value, which came before, and are dropped.")
	m.quoted = o.Bool("quoted", false,
		"Whether a text is sent in quotation marks, as a text of JSON.")
	if take == "last" {
		m.take = Last
		refuseNumbers(o.Node(), p)
	} else if n := o.Node().Member("endOnMissing"); n != nil {
		p.Errorf(n, "is for the value of the last item: set take to last")
	}
	if n := o.Node().Member("increment"); n != nil && m.inclusive {
		p.Errorf(n, "cannot stand beside inclusive: with it a page does not begin with what the cursor names")
	}
	return m
}

// refuseNumbers reports options of the greatest number.
func refuseNumbers(o *config.Node, p *config.Problems) {
	for _, name := range []string{"increment", "reverse"} {
		if n := o.Member(name); n != nil {
			p.Errorf(n, "has no effect where take is last: it is for the greatest number")
		}
	}
}

func (m *cursor) Needs() Needs { return Needs{Range: m.path, Take: m.take} }

func (m *cursor) Next(s *State, j *Job, f *Facts) (*Request, *report.Stop, error) {
	if f.Items == 0 {
		return nil, report.EndedBy(report.StopEmptyPage), nil
	}
	if m.endOnMissing && f.Range.isMissing {
		return nil, report.EndedBy(report.StopNoNextPage), nil
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
	if m.quoted && item.Kind(value) == '"' {
		value = item.Quote(string(value))
	}
	r, err := m.at(j, value)
	return r, nil, err
}

func (m *cursor) needsItems() bool { return true }

func (m *cursor) sifts() bool { return m.inclusive }

func (m *cursor) lookAt() string { return "param (" + m.param.String() + ") and idKey" }

func (m *cursor) pageParam() config.ParameterDestination { return m.param }

func (m *cursor) places() []NamedPlace { return []NamedPlace{{"param", m.param}} }

func (m *cursor) at(j *Job, value []byte) (*Request, error) {
	return j.paged(j.Params, placed{m.param, value})
}

// included is how many items at the front have the value that was sent.
func (m *cursor) included(s *State, f *Facts) int {
	sent := []byte(s.Own.Cursor)
	if f.Range == nil || f.Range.leading == 0 {
		return 0
	}
	before, isNumber := item.DecimalOf(sent)
	if m.increment != 0 && isNumber {
		sent = before.Plus(m.increment)
		before, _ = item.DecimalOf(sent)
	}
	first, ok := item.DecimalOf(f.Range.first)
	isSame := ok && isNumber && first.Compare(before) == 0
	if isSame || bytes.Equal(f.Range.first, sent) {
		return f.Range.leading
	}
	return 0
}
