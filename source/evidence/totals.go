package evidence

import "sluice/pipeline/report"

// Totals are what is remembered of the totals of a walk whose pages are counted. It is
// plain data.
type Totals struct {
	// At is where the last answer said a number, and Items which; empty: none has.
	At    string
	Items int64
	// Page is how many items that answer had.
	Page int
	// Full is the number before it became less by the items of the page before for the
	// first time, and Left after that; 0: it did not. It is that of the items that are left
	// as long as it goes on so.
	Full, Left int64
	// Bare: it is called total, which some APIs also call their number of pages.
	Bare bool
	// Heard is how many answers said one.
	Heard int
	// Told: it was doubted.
	Told bool
}

// Hear takes what an answer says. It returns why that speaks against the walk: it is less
// than before; empty: it does not. Once in a walk.
func (t *Totals) Hear(signs []Sign, a *Answer) string {
	now := totalOf(signs, a)
	if now == nil {
		return ""
	}
	before := *t
	t.At, t.Items, t.Page, t.Bare = now.At, now.Total, a.Items, now.isBare()
	t.Heard++
	if t.Told || before.At != t.At {
		return ""
	}
	less := before.Items - t.Items
	if less == int64(before.Page) {
		if t.Full == 0 && less > 0 {
			t.Full, t.Left = before.Items, t.Items
		}
		return ""
	}
	if t.Full > 0 {
		return t.shrunk(t.Full, t.Left)
	}
	if less > 0 {
		return t.shrunk(before.Items, t.Items)
	}
	return ""
}

// shrunk tells of a total that became less.
func (t *Totals) shrunk(before, now int64) string {
	t.Told = true
	return report.LessTotal(t.At, now, before)
}

// Exceeded says why the last total speaks against the end of a walk, of which so many items
// came on so many pages: it is less; empty: it does not.
func (t *Totals) Exceeded(came int64, pages int) string {
	left := int64(pages) - t.Items
	// The last page may be an empty one more.
	mayBePages := t.Bare && (left == 0 || left == 1)
	isExceeded := t.At != "" && t.Items < came
	isOther := mayBePages || t.Full > 0
	isSilent := isOther || t.Told
	if !isExceeded || isSilent {
		return ""
	}
	t.Told = true
	return report.BeyondTotal(came, t.Items, t.At)
}

// totalOf is the greatest number of all items that the answer says, nil if there is
// none. One that is the number of the items on the page counts these, and 0 beside items is
// how some say that they did not count.
func totalOf(signs []Sign, a *Answer) (found *Sign) {
	for i, s := range signs {
		isTotal := s.Says == Total && !s.Own
		isUnsure := s.least || s.weak
		saysNothing := s.Total == 0 || s.Total == int64(a.Items)
		isNone := isUnsure || saysNothing
		if !isTotal || isNone {
			continue
		}
		if found == nil || s.Total > found.Total {
			found = &signs[i]
		}
	}
	return found
}
