package evidence

import (
	"fmt"

	"sluice/pipeline/report"
)

// A Walk is what the answers of a walk have said so far. It is plain data, fed page
// by page and asked at the end.
type Walk struct {
	// Pages are what its pages held.
	Pages Fingerprints
	// Items are known by their keys.
	Items Identity
	// Totals are what the answers said one after the other.
	Totals Totals
	// Whole is how many items there are, by the last answer that says so.
	Whole Whole
	// Guess is a number that may be it, by the last answer that has one.
	Guess Whole
	// Promised is how many, by those with items.
	Promised Promised
	// Open is what the last of those says of its end.
	Open Open
}

// Whole is a number of all items.
type Whole struct {
	Items int64
	// At is where an answer says it.
	At string
	// Own: limitStop reads it.
	Own bool
	// Weak: it is one only if the walk has one page.
	Weak bool
}

// Hear takes what an answer says: the greatest of its totals.
func (w *Walk) Hear(signs []Sign) {
	isFirst, isFirstGuess := true, true
	for _, s := range signs {
		if s.Says == Guessed {
			if isFirstGuess || s.Total > w.Guess.Items {
				w.Guess = Whole{Items: s.Total, At: s.At, Own: s.Own}
			}
			isFirstGuess = false
			continue
		}
		if s.Says != Total {
			continue
		}
		if isFirst || s.Total > w.Whole.Items {
			w.Whole = Whole{Items: s.Total, At: s.At, Own: s.Own && !s.least, Weak: s.weak}
		}
		isFirst = false
	}
}

// An End says where a walk has ended, and how.
type End struct {
	Reason report.StopReason
	Pages  int
	Items  int64
	// Skipped are the items before the first that was asked for.
	Skipped int64
	// Later: the first that was asked for is not the first page.
	Later bool
	// Root: the walk is below no item, so a total is that of its items.
	Root bool
	// Counted is what limitStop led to last, as JSON.
	Counted string
	// ByEmpty: a person said that a page without items is the end.
	ByEmpty bool
}

// isFromFirst tells whether the first page was asked for, so that pages can be counted.
func (e End) isFromFirst() bool { return e.Skipped == 0 && !e.Later }

// came is how many items came, with those before the first that was asked for.
func (e End) came() int64 { return e.Items + e.Skipped }

// Against is what speaks against an end.
type Against struct {
	// More is what the last answer says; nil: nothing.
	More   *Sign
	Doubts []Doubt
	// Missing: there may be more items, so that a way to get them is worth telling.
	Missing bool
}

// A Doubt is a warning.
type Doubt struct {
	Verdict report.Verdict
	Text    string
}

func (a *Against) doubt(format string, args ...any) {
	a.Doubts = append(a.Doubts, Doubt{report.Unverified, fmt.Sprintf(format, args...)})
}

// Against returns what speaks against the end of the walk, whose last answer has
// those signs.
func (w *Walk) Against(end End, last *Answer, signs []Sign) Against {
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
		w.Open.doubt(&a, end)
	}
	if rule.Counted {
		a.doubtNumber(end)
	}
	isTotal := !w.Whole.Weak || end.Pages == 1
	isShort := isTotal && w.Whole.Items > end.came()
	isEvidence := !w.Whole.Own && (end.Root || last.full())
	if isShort && isEvidence {
		a.doubt("%d items came where the answer says %d at %s%s",
			end.Items, w.Whole.Items, w.Whole.At, end.before())
	}
	isSaid := a.More != nil || len(a.Doubts) > 0
	isGuessed := !isSaid && w.guess(&a, end, last, signs)
	if !isSaid && !isGuessed {
		a.More = last.part(signs, end)
	}
	a.Missing = a.More != nil || isShort || isGuessed
	return a
}

// guess doubts an end where fewer items came than a number that may be that of all, unless
// something proves the end.
func (w *Walk) guess(a *Against, end End, last *Answer, signs []Sign) bool {
	isShort := w.Guess.Items > end.came() && !w.Guess.Own
	hasTotal := w.Whole.At != "" && !w.Whole.Weak
	isSettled := hasTotal || end.Reason.Rule().Counted
	mayCount := isShort && end.Root
	if isSettled || !mayCount {
		return false
	}
	if last.Proves(signs, end) {
		return false
	}
	a.doubt(
		"%d items came, and the answer has %d at %s, which may be the number of all%s; if it is not, set trustEnd",
		end.Items,
		w.Guess.Items,
		w.Guess.At,
		end.before(),
	)
	return true
}

// doubtNumber is for a walk of which as many items came as a person asked for: a
// flag that says more doubts only that the number is that of all.
func (a *Against) doubtNumber(end End) {
	if a.More != nil && a.More.Says == More {
		a.doubt("%s: %s is reached, but %s is %s: if that is the number of a page, name that of all",
			end.Reason, end.Counted, a.More.At, a.More.Value)
	}
	a.More = nil
}

// before says how many items stand before the first that was asked for.
func (e End) before() string {
	if e.Skipped <= 0 {
		return ""
	}
	return fmt.Sprintf(", the %d before the first included", e.Skipped)
}
