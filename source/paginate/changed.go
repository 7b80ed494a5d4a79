package paginate

import (
	"time"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// Where a list is ordered by the time of change of its items, one that changes while the list is read comes again, later. Pages
// that are counted move then: an item that was not read may have taken the place of one that was.

// Moves tells whether an item may come again in a walk since it has changed: pages are not counted, so that no other one is
// missed for it.
func (p *Paging) Moves() bool {
	_, isCounted := p.method.(*numbered)
	return !isCounted && p.Keyed()
}

// hasMoved tells of the items of a page whether they have changed since all pages before; nil: it is not known. What counts
// pages or items in a request moves them.
func (p *Paging) hasMoved(s *State, f *Facts) func(i int) bool {
	before := []byte(s.Changed)
	column := f.Keys.Of(s.Seen.Settled())
	if f.Changes == nil || len(before) == 0 || column == nil || s.Asked.counts() {
		return nil
	}
	if len(column.Hashes) != f.Items || len(f.Changes.ends) != f.Items {
		return nil
	}
	return func(i int) bool { return isLater(f.Changes.at(i), before) }
}

// seeChanges enters the latest time of change of a page.
func (s *State) seeChanges(f *Facts) {
	if f.Changes == nil {
		return
	}
	for i := range f.Changes.ends {
		now := f.Changes.at(i)
		if s.Changed == "" && isTime(now) || isLater(now, []byte(s.Changed)) {
			s.Changed = string(now)
		}
	}
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
