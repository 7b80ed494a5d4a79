package paginate

import (
	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A TimeOrder is how the times at one place of the items follow each other. Its zero value is that of no item.
type TimeOrder struct {
	// First and Last are the JSON texts of the first time and of the last.
	First, Last string
	// IsDate: they are dates, and not numbers.
	IsDate bool

	last         expr.Comparable
	items, steps int
	// rises: one is newer than the one before it, or is no time.
	rises bool
}

// leastSteps is in how many steps times fall at least, so that it is no chance.
const leastSteps = 3

// Enter enters the value of the next item. isNamed tells that the name of the place is one of times: else a number is none.
func (f *TimeOrder) Enter(value []byte, isNamed bool) {
	now := expr.ComparableOf(value)
	isTime := now.IsDate() || now.IsNumber() && isNamed && isUnixTime(value)
	isFirst := f.items == 0
	f.items++
	switch {
	case !isTime:
		f.rises = true
		return
	case isFirst:
		f.First, f.IsDate = string(value), now.IsDate()
	case now.Kind != f.last.Kind || now.Compare(&f.last) > 0:
		f.rises = true
	case now.Compare(&f.last) < 0:
		f.steps++
	}
	f.last, f.Last = now, string(value)
}

// IsNewestFirst tells whether each of so many items has a time there, and none is newer than the one before it.
func (f *TimeOrder) IsNewestFirst(items int) bool {
	return !f.rises && f.items == items && f.steps >= leastSteps
}

// isUnixTime tells whether a number may be a time of this century, in seconds or milliseconds.
func isUnixTime(value []byte) bool {
	const from, to = 946_684_800, 4_102_444_800
	n, ok := item.Integer(value)
	isOfCentury := func(seconds int64) bool { return seconds >= from && seconds < to }
	return ok && (isOfCentury(n) || isOfCentury(n/1000))
}
