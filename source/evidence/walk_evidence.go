package evidence

// WalkEvidence is what the answers of a walk have said so far. It is plain data, fed page
// by page and asked at the end.
type WalkEvidence struct {
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
func (w *WalkEvidence) Hear(signs []Sign) (own Whole) {
	isFirst, isFirstGuess := true, true
	for _, s := range signs {
		w.Led = w.Led || s.Says == Link || s.Says == Cursor
		if s.Says == Guessed {
			if isFirstGuess || s.Total > w.Guess.Items {
				w.Guess = Whole{Items: s.Total, At: s.At, Own: s.Own, Vague: s.Vague}
			}
			isFirstGuess = false
			continue
		}
		if s.Says != Total {
			continue
		}
		if isFirst || s.Total > w.Whole.Items {
			w.Whole = Whole{Items: s.Total, At: s.At, Own: s.Own && !s.Least, Weak: s.Weak}
		}
		isFirst = false
	}
	if isFirst {
		return own
	}
	return w.Whole
}

// Identity is what is known of the items of a walk by their keys. It is plain data.
type Identity struct {
	// Name is that of the member that is the key; empty: it is not settled, or there
	// is none.
	Name string
	// None: the items have no key, or a key means nothing.
	None  bool
	Known KnownKeys
	// Order is a hash of the keys of the page before, in order; 0: an item had none.
	Order uint64
	// Rest is a hash of what the items of the page before have beside their keys; 0: it says
	// nothing.
	Rest uint64
	// Again is how many items came that had come on another page.
	Again int64
	// Moved is how many came again with a later time of change, where the list is ordered by that.
	Moved int64
	// Series is how many items came again on pages that may be those of a series, such as
	// Facebook's insights, which has the same ids on every page: a link led to each, and it
	// had the keys of the page before. A page with other keys shows that it is none.
	Series int64
	// Same is of pages that had the items of the page before, with other texts.
	Same Same
	// Marks are the members of the page before, if the items have no key.
	Marks Marks
	// Old is how many pages in a row had no key that was new.
	Old int
	// Earlier is of the pages that came, if the items have no key.
	Earlier Earlier
	// Opened: a page had items. Opening are numbers beside the items of the first page by which it is told from
	// others.
	Opened  bool
	Opening Numbers
}
