package verdict

import (
	"cmp"
	"slices"
)

// A SaidTotal is a number of all items that pages of a walk said at one place, from the first to the last of them.
type SaidTotal struct {
	Place  string `json:"place"`
	Number int64  `json:"number"`
	First  int    `json:"first"`
	Last   int    `json:"last"`
	// Items are those of the first of these pages.
	Items int `json:"items"`
	// Guess: it is only one that may be that of all items.
	Guess bool `json:"guess,omitempty"`
}

// SaidTotals are those of a walk, sorted. In most walks there is one.
type SaidTotals []SaidTotal

// mostTotals is how many numbers of a walk are compared: the least ones are kept.
const mostTotals = 64

func (s SaidTotal) compare(other SaidTotal) int {
	if order := cmp.Compare(s.Place, other.Place); order != 0 {
		return order
	}
	return cmp.Compare(s.Number, other.Number)
}

// add folds a number.
func (all *SaidTotals) add(one SaidTotal) {
	at, isKnown := slices.BinarySearchFunc(*all, one, SaidTotal.compare)
	if isKnown {
		(*all)[at] = (*all)[at].with(one)
		return
	}
	*all = slices.Insert(*all, at, one)
	if len(*all) > mostTotals {
		*all = (*all)[:mostTotals]
	}
}

// A FallTotal is how a number of all items became less while the pages were read.
type FallTotal struct {
	Before int64  `json:"before"`
	Now    int64  `json:"now"`
	Place  string `json:"place"`
}

// with folds the same number of other pages.
func (s SaidTotal) with(other SaidTotal) SaidTotal {
	if other.First < s.First {
		s.First, s.Items = other.First, other.Items
	}
	s.Last = max(s.Last, other.Last)
	s.Guess = s.Guess && other.Guess
	return s
}

// fall is how a number became less: a page says less than one before it, at the same place; nil: none does. If a rule
// about the pages themselves has compared the totals, only the guesses count.
func (all SaidTotals) fall(isCounted bool) (found *FallTotal) {
	for _, same := range all.byPlace() {
		if isCounted && !same[0].Guess || same.isOfRest() {
			continue
		}
		for i, less := range same {
			for _, more := range same[i+1:] {
				if more.First < less.Last {
					found = lesser(found, &FallTotal{Before: more.Number, Now: less.Number, Place: less.Place})
				}
			}
		}
	}
	return found
}

// byPlace are the numbers of each place, the least first.
func (all SaidTotals) byPlace() (places []SaidTotals) {
	first := 0
	for i := range all {
		isLast := i+1 == len(all) || all[i+1].Place != all[i].Place
		if isLast {
			places = append(places, all[first:i+1])
			first = i + 1
		}
	}
	return places
}

// isOfRest tells whether the numbers of one place are those of the items that are left: each is less by the items of the
// page before.
func (all SaidTotals) isOfRest() bool {
	for i, less := range all[:len(all)-1] {
		more := all[i+1]
		isNext := more.First == more.Last && more.First < less.First
		if !isNext || more.Number-less.Number != int64(more.Items) {
			return false
		}
	}
	return true
}

// lesser is the one of two that is told: that with the least number.
func lesser(a, b *FallTotal) *FallTotal {
	switch {
	case a == nil:
		return b
	case b == nil, a.order(b) <= 0:
		return a
	}
	return b
}

func (f *FallTotal) order(other *FallTotal) int {
	switch {
	case f.Now != other.Now:
		return cmp.Compare(f.Now, other.Now)
	case f.Before != other.Before:
		return cmp.Compare(f.Before, other.Before)
	}
	return cmp.Compare(f.Place, other.Place)
}

// A ShortTotal is a walk of which fewer items came than an answer says that there are.
type ShortTotal struct {
	Came  int64 `json:"came"`
	Total Sum   `json:"total"`
}

// shorter is the one of two that is told: that which lacks the most.
func shorter(a, b *ShortTotal) *ShortTotal {
	switch {
	case a == nil:
		return b
	case b == nil, a.lacks() > b.lacks():
		return a
	case a.lacks() < b.lacks(), b.Total.Place < a.Total.Place:
		return b
	}
	return a
}

func (s *ShortTotal) lacks() int64 { return s.Total.Number - s.Came }

// shortTotals is by how much fewer items came than answers say that there are, and than a number says that may be that of all;
// nil: no such number is greater.
func (w *Walk) shortTotals(s *Shape) (short, mayBe *ShortTotal) {
	if !w.End.Root || w.End.Changes || w.End.Reason.Rule().Declared {
		return nil, nil
	}
	came := w.Items - w.Again + w.Skipped
	// On a single page a flag or an empty next place says more than a number that may be another one.
	isSettled := w.Filled == 1 && (s.Flag != "" || s.Next != "")
	if w.Bound != nil && w.Bound.Number > came {
		short = &ShortTotal{Came: came, Total: *w.Bound}
	}
	for _, said := range []*Sum{w.Total, w.Likely, w.Guess} {
		switch {
		case said == nil || said.Number <= came:
		case said == w.Total && w.isExact(said):
			// The number that a person has named counts more.
		case said.Named && !(said.Guessed && isSettled):
			short = shorter(short, &ShortTotal{Came: came, Total: *said})
		default:
			mayBe = shorter(mayBe, &ShortTotal{Came: came, Total: *said})
		}
	}
	return short, mayBe
}
