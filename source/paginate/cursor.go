package paginate

import (
	"fmt"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

// cursor asks for what lies beyond the items that came: beyond the greatest number
// (with reverse: the least) that the items of the job so far have at idKey, plus the
// increment; or, with take last, beyond what the last item has there, as it stands. A
// page without items ends the job; an item without such a value is an error, unless a
// common condition ends the job. Without an increment the value keeps its digits and its
// JSON type.
type cursor struct {
	single
	path      item.Path
	param     item.Path
	increment int64
	reverse   bool
	last      bool
}

func newCursor(o *config.Object, _ Env, p *config.Problems) Method {
	m := &cursor{}
	idKey := o.Text("idKey", "", "Path in an item of the value that pages are ordered by.")
	m.param = o.Place("param", "", "The parameter that carries the value: its name, or a path.")
	o.Require("idKey", "param")
	o.Filled("idKey", "param")
	m.path = item.ParsePath(idKey, ".")
	take := word(o, p, "take", "greatest", "Which value counts: the greatest number, or that of the last item, which may also be a text or an array.", "greatest", "last")
	m.last = take == "last"
	m.increment, _ = o.Int("increment", 0, "What is added to the number; may be negative.")
	m.reverse = o.Bool("reverse", false, "Whether the least number counts, not the greatest.")
	for _, name := range []string{"increment", "reverse"} {
		if n := o.Node().Member(name); n != nil && m.last {
			p.Errorf(n, "is for the greatest number, and take is last")
		}
	}
	return m
}

func (m *cursor) Needs() Needs { return Needs{Range: m.path, Last: m.last} }

func (m *cursor) Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	if f.Items == 0 {
		return nil, &pipeline.Stop{Reason: EmptyPage}, nil
	}
	if f.Range.Err != nil {
		return nil, nil, f.Range.Err
	}
	if m.last {
		s.Cursor = string(f.Range.last)
		r, err := j.paged(j.Params, placed{m.param, f.Range.last})
		return r, nil, err
	}
	last, text := f.Range.greatest, f.Range.greatestText
	if m.reverse {
		last, text = f.Range.least, f.Range.leastText
	}
	before, ok := item.DecimalOf([]byte(s.Cursor)) // not ok: there is none yet
	if !ok || m.reverse && last.Compare(before) < 0 || !m.reverse && last.Compare(before) > 0 {
		s.Cursor, before = string(text), last
	}
	value := []byte(s.Cursor)
	if m.increment != 0 {
		value = before.Plus(m.increment)
	}
	r, err := j.paged(j.Params, placed{m.param, value})
	return r, nil, err
}

// First tries the second request, too, so that its errors show before the first.
func (m *cursor) First(s *State, j *Job) (*Request, error) {
	if _, err := j.paged(j.Params, placed{m.param, []byte("null")}); err != nil {
		return nil, err
	}
	return m.single.First(s, j)
}

// nothingNew tells whether a page holds only the item that the cursor named, as the last
// one of an API does whose cursors include it.
func (m *cursor) nothingNew(s *State, f *Facts) bool {
	return m.last && f.Items == 1 && f.Range.Err == nil && s.Cursor != "" && string(f.Range.last) == s.Cursor
}

// A Range finds the least and the greatest number, or the last value, that the items of
// one page have at a path. It is for one reading of one page.
type Range struct {
	path                    item.Path
	lastOnly                bool
	items                   int
	least, greatest         item.Decimal
	leastText, greatestText []byte // JSON as the item has it
	last                    []byte // the same

	Err error // the first item that has no number, or the last without a value; it matters only where the walk goes on
}

// NewRange returns a Range for what is needed; nil if that is nothing.
func NewRange(n Needs) *Range {
	if n.Range == nil {
		return nil
	}
	return &Range{path: n.Range, lastOnly: n.Last}
}

// Add takes the compact text of the next item, and keeps none of it.
func (r *Range) Add(text []byte) {
	if r.items++; r.Err != nil && !r.lastOnly {
		return
	}
	value := item.Find(text, r.path)
	if r.lastOnly {
		r.last, r.Err = append(r.last[:0], value...), nil
		if kind := item.Kind(value); kind != '0' && (kind != '"' && kind != '[' || len(value) == len(`""`)) {
			r.Err = fmt.Errorf("idKey: the last item of the page has %s at %s, where the cursor needs a text, a number or an array that is not empty", kindName(value), r.path)
		}
		return
	}
	n, ok := item.DecimalOf(value)
	if !ok {
		what := kindName(value)
		if item.Kind(value) == '0' {
			what += " of too many digits"
		}
		r.Err = fmt.Errorf("idKey: item %d of the page has %s at %s, where the cursor needs a number", r.items, what, r.path)
		return
	}
	if r.items == 1 || n.Compare(r.least) < 0 {
		r.least, r.leastText = n, append(r.leastText[:0], value...)
	}
	if r.items == 1 || n.Compare(r.greatest) > 0 {
		r.greatest, r.greatestText = n, append(r.greatestText[:0], value...)
	}
}

// shown is what was found, for people.
func (r *Range) shown() Look {
	if r.lastOnly {
		return Look{r.path.String() + " of the last item", found(r.last)}
	}
	return Look{r.path.String() + " of the items", string(r.leastText) + " to " + string(r.greatestText)}
}

// kindName says in words what a value is; nil is none.
func kindName(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return item.Noun(item.Kind(value))
}
