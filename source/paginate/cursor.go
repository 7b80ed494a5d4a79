package paginate

import (
	"fmt"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

// cursor asks for what lies beyond the items that came: beyond the greatest number
// (with reverse: the least) that the items of the job so far have at idKey, plus the
// increment. A page without items ends the job; an item without a number there is an
// error, unless a common condition ends the job. Without an increment the number keeps its digits and its JSON type.
type cursor struct {
	single
	path      item.Path
	param     item.Path
	increment int64
	reverse   bool
}

func newCursor(o *config.Object, _ Env, _ *config.Problems) Method {
	m := &cursor{}
	idKey := o.Text("idKey", "", "Path in an item of the number that pages are ordered by.")
	m.param = o.Place("param", "", "The parameter that carries the number: its name, or a path.")
	o.Require("idKey", "param")
	o.Filled("idKey", "param")
	m.path = item.ParsePath(idKey, ".")
	m.increment, _ = o.Int("increment", 0, "What is added to the number; may be negative.")
	m.reverse = o.Bool("reverse", false, "Whether the least number counts, not the greatest.")
	return m
}

func (m *cursor) Needs() Needs { return Needs{Range: m.path} }

func (m *cursor) Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	if f.Items == 0 {
		return nil, &pipeline.Stop{Reason: EmptyPage}, nil
	}
	if f.Range.Err != nil {
		return nil, nil, f.Range.Err
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

// A Range finds the least and the greatest number that the items of one page
// have at a path. It is for one reading of one page.
type Range struct {
	path                    item.Path
	items                   int
	least, greatest         item.Decimal
	leastText, greatestText []byte // JSON as the item has it

	Err error // the first item that has no number, which matters only where the walk goes on
}

// NewRange returns a Range for [Needs].Range; nil if that is nil.
func NewRange(path item.Path) *Range {
	if path == nil {
		return nil
	}
	return &Range{path: path}
}

// Add takes the compact text of the next item, and keeps none of it.
func (r *Range) Add(text []byte) {
	if r.items++; r.Err != nil {
		return
	}
	value := item.Find(text, r.path)
	n, ok := item.DecimalOf(value)
	if !ok {
		what := kindName(value)
		if item.Kind(value) == '0' {
			what += " of too many digits"
		}
		r.Err = fmt.Errorf("idKey: item %d of the page has %s at %s, where the cursor needs a number", r.items, what, strings.Join(r.path, "."))
		return
	}
	if r.items == 1 || n.Compare(r.least) < 0 {
		r.least, r.leastText = n, append(r.leastText[:0], value...)
	}
	if r.items == 1 || n.Compare(r.greatest) > 0 {
		r.greatest, r.greatestText = n, append(r.greatestText[:0], value...)
	}
}

// kindName says in words what a value is; nil is none.
func kindName(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return item.Noun(item.Kind(value))
}
