package verdict

import "sluice/source/evidence"

// Against is what speaks against an end.
type Against struct {
	// More is what the last answer says; nil: nothing.
	More   *evidence.Sign
	Doubts []Raised
	// Missing: there may be more items, so that a way to get them is worth telling.
	Missing bool
}

func (a *Against) doubt(raised Raised) { a.Doubts = append(a.Doubts, raised) }

// AgainstEnd returns what speaks against the end of a walk that has seen so much, and whose last answer has those
// signs.
func AgainstEnd(end *Ending, seen *evidence.WalkEvidence, last *evidence.Answer, signs []evidence.Sign) Against {
	var a Against
	rule := end.Reason.Rule()
	// Else the next page was asked for, and is empty.
	isOpen := !rule.Proof || last.Items > 0 || end.Pages < 2
	switch {
	case isOpen:
		a.More = strongest(signs, end, rule.Proof)
	default:
		a.More = stated(signs, end)
	}
	if rule.Refused {
		a.doubtOpen(&seen.Open, end, signs)
	}
	if rule.Counted {
		a.doubtNumber(end)
	}
	isTotal := !seen.Whole.Weak || end.Pages == 1
	isShort := isTotal && seen.Whole.Items > end.came()
	isEvidence := !seen.Whole.Own && !isNamedTotal(end.Exact, end.Items) && (end.Root || last.Full())
	if isShort && isEvidence {
		a.doubt(MoreAnnounced.Raise(Counted(end.Items), seen.Whole.Items, seen.Whole.At, end.before()))
	}
	a.doubtLeft(end, last, signs)
	isSaid := a.More != nil || len(a.Doubts) > 0
	isGuessed := !isSaid && a.guess(seen, end, last, signs)
	if !isSaid && !isGuessed {
		a.More = part(last, signs, end)
	}
	a.Missing = a.More != nil || isShort || isGuessed
	return a
}

// doubtOpen is for a walk that an answer has ended which is no page. Its flag takes back what several pages with items said: a flag of
// the only one seldom has a page without items behind it.
func (a *Against) doubtOpen(o *evidence.Open, end *Ending, signs []evidence.Sign) {
	came := int64(end.Pages - 1)
	isTakenBack := came > 1 && evidence.Find(signs, evidence.NoMore) != nil
	switch {
	case o.More != "" && !isTakenBack:
		a.doubt(OpenFlag.Raise(end.Reason, o.More))
	case end.isFromFirst() && o.Pages > came:
		a.doubt(OpenPages.Raise(end.Reason, came, o.Pages, o.At))
	}
}

// doubtLeft is for a walk whose last answer has items and says that some are left.
func (a *Against) doubtLeft(end *Ending, last *evidence.Answer, signs []evidence.Sign) {
	left := evidence.Find(signs, evidence.Left)
	isOver := last.Items == 0 || end.Reason.Rule().Counted || hasTotal(signs, end)
	if left == nil || isOver {
		return
	}
	a.doubt(ItemsLeft.Raise(Counted(end.Items), left.Total, left.At))
}

// guess doubts an end where fewer items came than a number that may be that of all, unless
// something proves the end.
func (a *Against) guess(seen *evidence.WalkEvidence, end *Ending, last *evidence.Answer, signs []evidence.Sign) bool {
	isShort := seen.Guess.Items > end.came() && !seen.Guess.Own
	// A number that is said to be inexact may be another one, but not a fifth more.
	isFar := 5*seen.Guess.Items >= 6*end.came()
	if seen.Guess.Vague && !isFar {
		return false
	}
	hasTotal := seen.Whole.At != "" && !seen.Whole.Weak
	isSettled := hasTotal || end.Reason.Rule().Counted
	mayCount := isShort && end.Root
	if isSettled || !mayCount {
		return false
	}
	// Some have an empty next place on each page, which the only one does not show.
	isOnly := end.Pages == 1 && evidence.Round(last.Items) && seen.Guess.Vague
	isProven := Proves(last, signs, end)
	// An empty next place proves nothing where no answer names a next page, although several came.
	if isUnled := end.Pages > 1 && seen.Guess.Vague && !seen.Led; isUnled {
		isProven = saysNumbers(signs, end)
	}
	if !isOnly && isProven {
		return false
	}
	a.doubt(MayBeTotal.Raise(Counted(end.Items), seen.Guess.Items, seen.Guess.At, end.before()))
	return true
}

// doubtNumber is for a walk of which as many items came as a person asked for: a
// flag that says more doubts only that the number is that of all.
func (a *Against) doubtNumber(end *Ending) {
	if a.More != nil && a.More.Says == evidence.More {
		a.doubt(LimitOfPage.Raise(end.Reason, end.Counted, a.More.At, a.More.Value))
	}
	a.More = nil
}
