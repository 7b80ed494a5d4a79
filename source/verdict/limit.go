package verdict

import (
	"cmp"
	"strconv"

	"sluice/pipeline/report"
)

// A LimitTotal is how many items came of a walk, where the number that limitStop reads is another one.
type LimitTotal struct {
	Reason report.StopReason `json:"reason"`
	Came   int64             `json:"came"`
	Number int64             `json:"number"`
	Place  string            `json:"place"`
}

// firstLimit is the one of two that is told.
func firstLimit(a, b *LimitTotal) *LimitTotal {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	if order := cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Came, b.Came)); order > 0 {
		return b
	}
	return a
}

// limits is how many more items came, or fewer, than the number of limitStop on the last page says; nil: no more, and no fewer. It
// is what paging says of a walk that one process has as a whole.
func (w *Walk) limits() (over, under *LimitTotal) {
	l, rule := w.Limit, w.End.Reason.Rule()
	if l == nil || l.Page != w.Last || w.End.Changes {
		return nil, nil
	}
	found := &LimitTotal{Reason: w.End.Reason, Came: w.Items, Number: l.Number, Place: l.Place}
	switch {
	case rule.Counted && found.Came > l.Number:
		return found, nil
	case rule.Proof && found.Came < l.Number:
		return nil, found
	}
	return nil, nil
}

// addLimits enters how the items of a walk differ from the number of limitStop, unless that has been told; own is what has.
func (j *Job) addLimits(w *Walk, own report.Verdict) {
	over, under := w.limits()
	if own == report.Complete {
		j.OverLimit = firstLimit(j.OverLimit, over)
	}
	if own < report.Incomplete {
		j.UnderLimit = firstLimit(j.UnderLimit, under)
	}
}

// moreThanLimit says of a walk that more items came than the number of limitStop says.
func moreThanLimit(j *Job) []any {
	l := j.OverLimit
	if l == nil {
		return nil
	}
	return []any{l.Reason, Counted(l.Came), strconv.FormatInt(l.Number, 10), l.Place}
}

// fewerThanLimit says of a walk that fewer items came than the number of limitStop says.
func fewerThanLimit(j *Job) []any {
	l := j.UnderLimit
	if l == nil {
		return nil
	}
	return []any{Counted(l.Came), strconv.FormatInt(l.Number, 10), l.Place}
}
