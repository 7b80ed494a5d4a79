package verdict

import (
	"strconv"

	"sluice/pipeline/report"
)

// shortTotals is by how much fewer items came than answers say that there are, and than a number says that may be that of all;
// nil: no such number is greater.
func (w *WalkFacts) shortTotals(s *WalkShape) (short, mayBe *ShortTotal) {
	if !w.End.Root || w.End.Changes || w.End.Reason.Rule().Declared {
		return nil, nil
	}
	came := w.Items - w.Again + w.Skipped
	// On a single page a flag or an empty next place says more than a number that may be another one.
	isSettled := w.Filled == 1 && (s.Flag != "" || s.Next != "")
	if w.Bound != nil && w.Bound.Number > came {
		short = &ShortTotal{Came: came, Total: *w.Bound}
	}
	for _, said := range []*GreatestTotal{w.Total, w.Likely, w.Guess} {
		switch {
		case said == nil || said.Number <= came:
		case said == w.Total && w.isExact(said):
			// The number that a person has named counts more.
		case said.Named && !(said.Guessed && isSettled):
			short = firstOf(short, &ShortTotal{Came: came, Total: *said})
		default:
			mayBe = firstOf(mayBe, &ShortTotal{Came: came, Total: *said})
		}
	}
	return short, mayBe
}

// shortOfAnnounced is by how much fewer items came than the last page that has a number of all of them says; nil: no fewer. It is
// what [AgainstEnd] says of a walk that one process has as a whole.
func (w *WalkFacts) shortOfAnnounced() *ShortTotal {
	a, reason := w.Announced, w.End.Reason.Rule()
	isSilent := isNamedTotal(w.End.Exact, w.Items) || w.End.Changes || reason.Unsearched()
	if a == nil || isSilent || a.Single && w.Last > 1 {
		return nil
	}
	came := w.Items + w.Skipped
	if a.Number <= came {
		return nil
	}
	return &ShortTotal{Came: came, Total: GreatestTotal{Number: a.Number, Place: a.Place}}
}

// moreAnnounced says of a walk at the root that fewer items came than its last answer with a number says that there are.
func moreAnnounced(j *JobFacts) []any {
	a := j.Announced
	// That names the same number, or one that is surer.
	if a == nil || j.Short != nil {
		return nil
	}
	return []any{Counted(a.Came), a.Total.Number, a.Total.Place, ""}
}

// addShort enters of how many items a walk is short.
func (j *JobFacts) addShort(w *WalkFacts, shape *WalkShape) {
	short, mayBe := w.shortTotals(shape)
	j.Short = firstOf(j.Short, short)
	j.Behind = firstOf(j.Behind, w.behindFirst())
	j.MayBeShort = firstOf(j.MayBeShort, mayBe)
	j.Announced = firstOf(j.Announced, w.shortOfAnnounced())
	if echoed, isCounted := w.shortOfEchoed(shape); echoed != nil {
		shape.Echoed, shape.Counted = true, isCounted
		j.Echoed = firstOf(j.Echoed, echoed)
	}
}

// shortOfEchoed is by how much fewer items came than a number says that is the same on pages of several positions, or beside
// which the number of pages stands; nil: no fewer.
// isCounted: the latter.
func (w *WalkFacts) shortOfEchoed(s *WalkShape) (short *ShortTotal, isCounted bool) {
	rule := w.End.Reason.Rule()
	isSilent := s.Total || w.End.Changes || !w.End.Root || rule.Unsearched()
	if isSilent {
		return nil, false
	}
	came := w.came()
	for _, one := range w.Echoed {
		isSteady := !one.Differs && (one.Least < one.Most || one.Pages)
		if isSteady && one.Number > came {
			isCounted = isCounted || one.Pages
			short = firstOf(short, &ShortTotal{Came: came, Total: GreatestTotal{Number: one.Number, Place: one.Place}})
		}
	}
	return short, isCounted
}

// fewerThanEchoed says of a walk that fewer items came than such a number says: where the number of pages stands beside it, or the API
// does not state the end.
func fewerThanEchoed(j *JobFacts) []any {
	for s := range j.Walks {
		isStated := !s.Counted && j.groundOf(s).Rule().Class == report.Stated
		if s.Echoed && !s.Doubted && !isStated {
			return []any{Counted(j.Echoed.Came), j.Echoed.Total.Number, j.Echoed.Total.Place}
		}
	}
	return nil
}

// came is how many items came, each counted once, with those before the first that was asked for. Where the configuration begins at
// a later page than the first, these are not taken for ones that came.
func (w *WalkFacts) came() int64 {
	came := w.Items - w.Again
	if w.End.Behind {
		return came
	}
	return came + w.Skipped
}

// behindFirst is how many items came of a walk whose first page is not that of the list, by firstPage, and how many there are with
// those before it, as answers say; nil: they do not, or that is wanted.
func (w *WalkFacts) behindFirst() *ShortTotal {
	total := w.Whole()
	isKnown := w.End.Behind && w.End.Root && !w.End.Changes && total != nil
	if !isKnown || total.Number <= w.came() {
		return nil
	}
	return &ShortTotal{Came: w.came(), Total: *total}
}

// beginsBehind says of a walk that it has not the pages before the one at which it begins.
func beginsBehind(j *JobFacts) []any {
	if j.Behind == nil {
		return nil
	}
	return []any{Counted(j.Behind.Came), j.Behind.Total.Number, j.Behind.Total.Place}
}

// limits is how many more items came, or fewer, than the number of limitStop on the last page says; nil: no more, and no fewer. It
// is what paging says of a walk that one process has as a whole.
func (w *WalkFacts) limits() (over, under *LimitTotal) {
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
func (j *JobFacts) addLimits(w *WalkFacts, own report.Verdict) {
	over, under := w.limits()
	if own == report.Complete {
		j.OverLimit = firstOf(j.OverLimit, over)
	}
	if own < report.Incomplete {
		j.UnderLimit = firstOf(j.UnderLimit, under)
	}
}

// moreThanLimit says of a walk that more items came than the number of limitStop says.
func moreThanLimit(j *JobFacts) []any {
	l := j.OverLimit
	if l == nil {
		return nil
	}
	return []any{l.Reason, Counted(l.Came), strconv.FormatInt(l.Number, 10), l.Place}
}

// fewerThanLimit says of a walk that fewer items came than the number of limitStop says.
func fewerThanLimit(j *JobFacts) []any {
	l := j.UnderLimit
	if l == nil {
		return nil
	}
	return []any{Counted(l.Came), strconv.FormatInt(l.Number, 10), l.Place}
}
