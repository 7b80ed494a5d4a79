package evidence

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
	// Led: an answer named a next page.
	Led bool
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
	// Vague: it is said to be inexact.
	Vague bool
}

// Hear takes what an answer says, and returns the greatest of its totals; At is empty: there is none.
func (w *Walk) Hear(signs []Sign) (own Whole) {
	isFirst, isFirstGuess := true, true
	for _, s := range signs {
		w.Led = w.Led || s.Says == Link || s.Says == Cursor
		if s.Says == Guessed {
			if isFirstGuess || s.Total > w.Guess.Items {
				w.Guess = Whole{Items: s.Total, At: s.At, Own: s.Own, Vague: s.vague}
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
	if isFirst {
		return own
	}
	return w.Whole
}
