package evidence

import "sluice/pipeline/report"

// Totals are what is remembered of the totals of a walk whose pages are counted. It is
// plain data.
type Totals struct {
	// At is where the last answer said a number, and Items which; empty: none has.
	At    string
	Items int64
	// Page is how many items that answer had.
	Page int64
	// Heard is how many answers said one.
	Heard int
	// Told: it was doubted. Left: it is the number of those that are still to come.
	Told, Left bool
}

// Doubt takes the total of an answer, and says why it speaks against the walk: it is less
// than before, or less than the items that came; empty: it does not. Once in a walk.
func (t *Totals) Doubt(signs []Sign, a *Answer, came int64) string {
	now := totalOf(signs, a)
	isSettled := t.Told || t.Left
	if now == nil || isSettled {
		return ""
	}
	before := *t
	t.Items, t.At, t.Page = now.Total, now.At, int64(a.Items)
	t.Heard++
	text := ""
	switch {
	case before.isOfRest(now):
		t.Left = true
	case before.At == now.At && now.Total < before.Items:
		text = report.LessTotal(now.At, now.Total, before.Items)
	case now.Total < came:
		text = report.BeyondTotal(came, now.Total, now.At)
	}
	t.Told = text != ""
	return text
}

// isOfRest tells whether the number became less by the items of the page before.
func (t *Totals) isOfRest(now *Sign) bool {
	isSame := t.At == now.At && t.Page > 0
	return isSame && now.Total == t.Items-t.Page
}

// totalOf is the greatest number of all items that the answer says, nil if there is
// none. One that is the number of the items on the page counts these, and 0 beside items is
// how some say that they did not count.
func totalOf(signs []Sign, a *Answer) (found *Sign) {
	for i, s := range signs {
		isTotal := s.Says == Total && !s.Own
		isOfPage := s.Total == int64(a.Items)
		saysNothing := s.least || s.Total == 0
		if !isTotal || isOfPage || saysNothing {
			continue
		}
		if found == nil || s.Total > found.Total {
			found = &signs[i]
		}
	}
	return found
}
