package paginate

import (
	"fmt"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// How a walk ends at what is known, in a list whose newest items come first (docs/incremental.md, "Newest first, until what
// is known").
//
// An item is newer if it has the greater value at a path, and a list is in order if no item is newer by more than the slack
// than any item before it. Then, behind a page whose last item is older than a bound by more than the slack, all items are
// older than the bound. Only what was read can be compared: that the rest of the list is in order is the configuration's word.

// Until is the member until of a job. Nothing changes it.
type Until struct {
	// Field is the path in each item of what the items are ordered by.
	Field item.Path
	// Cut leaves out items that are older than the bound.
	Cut   bool
	Slack Slack
}

// Slack is by how much an item may be newer than one before it.
type Slack struct {
	// Time is that of dates. Number is that of numbers; 0: it was given as a text, or not at all.
	Time   time.Duration
	Number int64
}

// NewSlack reads an amount of time, or a number; a nil node is none.
func NewSlack(n *config.Node) (s Slack, err error) {
	if n == nil {
		return s, nil
	}
	s.Number, _ = n.Int()
	s.Time, err = Duration(n)
	if err != nil {
		return Slack{}, err
	}
	return s, nil
}

// Against says why there can be no such slack between values that are as the bound; empty: there can.
func (s *Slack) Against(bound *expr.Comparable) string {
	switch {
	case s.Time == 0, bound.IsDate(), bound.IsNumber() && s.Number > 0:
		return ""
	case bound.IsNumber():
		return "must be a number, as before is one"
	}
	return "is for dates and numbers, and before is " + bound.Kind
}

// behind is the greatest value that may follow a value.
func (s *Slack) behind(value expr.Comparable) expr.Comparable {
	switch {
	case s.Time == 0:
		return value
	case value.IsDate():
		return value.Later(s.Time)
	}
	return value.More(s.Number)
}

// isBroken tells whether a value may not follow one that came before.
func (s *Slack) isBroken(before, value expr.Comparable) bool {
	if value.Compare(&before) <= 0 {
		return false
	}
	most := s.behind(before)
	return value.Compare(&most) > 0
}

// Descent is what a walk remembers of the order of its items. It is plain data.
type Descent struct {
	// Oldest is the JSON text of the least value that came; empty: none has.
	Oldest string
	// Broken is the first page with an item that is newer than one before it, by more than the slack; 0: none is. Newer is the
	// JSON text of its value, and Older that of the one before.
	Broken       int
	Newer, Older string
	// Over is how many pages in a row the walk has read that lie beyond the bound.
	Over int
}

// A Falling is the order of the items of one page.
type Falling struct {
	until *Until
	bound expr.Comparable

	items int
	// last, oldest and newest are values of the items, with the JSON texts of the latter two.
	last, oldest, newest   expr.Comparable
	oldestText, newestText []byte
	// newer and older are the first two values that break the order within the page; nil: none do.
	newer, older []byte
}

// Falling begins a page of a walk that ends at the bound of j; nil: it does not end so.
func (u *Until) Falling(j *Job) *Falling {
	if u == nil {
		return nil
	}
	return &Falling{until: u, bound: j.Before}
}

// Add enters the next item.
func (f *Falling) Add(text []byte) error {
	f.items++
	value := item.Find(text, f.until.Field)
	now := expr.ComparableOf(value)
	if kind := now.Kind; kind == "" || string(value) == `""` {
		return fmt.Errorf("until: item %d of the page has %s at %s, where each item needs the value that the list is "+
			"ordered by", f.items, kindName(value), f.until.Field)
	} else if kind != f.bound.Kind {
		return fmt.Errorf("until: item %d of the page has %s at %s, and before is %s: these cannot be compared",
			f.items, kind, f.until.Field, f.bound.Kind)
	}
	f.last = now
	if f.items == 1 || now.Compare(&f.newest) > 0 {
		f.newest, f.newestText = now, append(f.newestText[:0], value...)
	}
	if f.items > 1 && f.newer == nil && f.until.Slack.isBroken(f.oldest, now) {
		f.newer, f.older = append(f.newer, value...), append(f.older, f.oldestText...)
	}
	if f.items == 1 || now.Compare(&f.oldest) < 0 {
		f.oldest, f.oldestText = now, append(f.oldestText[:0], value...)
	}
	return nil
}

// IsOlder tells whether the last item that was entered is older than the bound.
func (f *Falling) IsOlder() bool { return f.last.Compare(&f.bound) < 0 }

// isOver tells whether no item behind the page is as new as the bound, if the list is in order.
func (f *Falling) isOver() bool {
	most := f.until.Slack.behind(f.last)
	return most.Compare(&f.bound) < 0
}

// hasNewer tells whether an item of the page is not older than the bound.
func (f *Falling) hasNewer() bool { return f.newest.Compare(&f.bound) >= 0 }

// enter enters the order of the next page.
func (d *Descent) enter(f *Falling, page int) {
	if f == nil || f.items == 0 {
		return
	}
	before := expr.ComparableOf([]byte(d.Oldest))
	isFirst := before.Kind == ""
	switch {
	case d.Broken > 0:
	case !isFirst && f.until.Slack.isBroken(before, f.newest):
		d.Broken, d.Newer, d.Older = page, string(f.newestText), d.Oldest
	case f.newer != nil:
		d.Broken, d.Newer, d.Older = page, string(f.newer), string(f.older)
	}
	if isFirst || f.oldest.Compare(&before) < 0 {
		d.Oldest = string(f.oldestText)
	}
}

// Duration reads seconds, or a relative text such as "2 minutes".
func Duration(n *config.Node) (time.Duration, error) {
	seconds, ok := n.Int()
	if ok && seconds > 0 && seconds <= 1<<31 {
		return time.Duration(seconds) * time.Second, nil
	}
	if n.Kind == '"' {
		if d, fixed := fixedAmount(n.Text()); fixed {
			return d, nil
		}
	}
	return 0, fmt.Errorf("must be a positive number of seconds, "+
		"or a text such as \"2 minutes\", not %s", n.Raw)
}

// fixedAmount reads an amount of time that leads equally far from any time. A date does
// not, and neither do months and weekdays: a Monday in a month of 31 days and a Saturday
// in one of 30 days tell them apart.
func fixedAmount(text string) (amount time.Duration, fixed bool) {
	monday := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	saturday := time.Date(2003, 6, 28, 12, 0, 1, 0, time.UTC)
	from := expr.TimeFrom(text)
	one, err1 := from(monday)
	other, err2 := from(saturday)
	if err1 != nil || err2 != nil {
		return 0, false
	}
	amount = one.Sub(monday)
	return amount, amount > 0 && amount == other.Sub(saturday)
}
