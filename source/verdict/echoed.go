package verdict

import (
	"cmp"
	"slices"

	"sluice/pipeline/report"
)

// A SaidEchoed is a number that pages have at one place, beside the size and the position that they were asked for with, or
// beside the number of pages of that size.
type SaidEchoed struct {
	Place  string `json:"place"`
	Number int64  `json:"number"`
	// Least and Most are the positions of these pages.
	Least int64 `json:"least"`
	Most  int64 `json:"most"`
	// Differs: it is not the same on all of them.
	Differs bool `json:"differs,omitempty"`
	// Pages: on each of them the number of pages of that size stands beside it.
	Pages bool `json:"pages,omitempty"`
}

// SaidEchoes are those of a walk, sorted by place.
type SaidEchoes []SaidEchoed

// mostEchoes is how many places of a walk are looked at: the least ones are kept.
const mostEchoes = 16

// add folds what other pages have.
func (all *SaidEchoes) add(one SaidEchoed) {
	at, isKnown := slices.BinarySearchFunc(*all, one.Place, func(s SaidEchoed, place string) int { return cmp.Compare(s.Place, place) })
	if !isKnown {
		*all = slices.Insert(*all, at, one)
		*all = (*all)[:min(len(*all), mostEchoes)]
		return
	}
	known := &(*all)[at]
	known.Pages = known.Pages && one.Pages
	known.Differs = known.Differs || one.Differs || known.Number != one.Number
	// Which one is kept decides nothing, but must not depend on the order.
	known.Number = min(known.Number, one.Number)
	known.Least, known.Most = min(known.Least, one.Least), max(known.Most, one.Most)
}

// shortOfEchoed is by how much fewer items came than a number says that is the same on pages of several positions, or beside
// which the number of pages stands; nil: no fewer.
// isCounted: the latter.
func (w *Walk) shortOfEchoed(s *Shape) (short *ShortTotal, isCounted bool) {
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
			short = shorter(short, &ShortTotal{Came: came, Total: Sum{Number: one.Number, Place: one.Place}})
		}
	}
	return short, isCounted
}

// fewerThanEchoed says of a walk that fewer items came than such a number says: where the number of pages stands beside it, or the API
// does not state the end.
func fewerThanEchoed(j *Job) []any {
	for s := range j.Walks {
		isStated := !s.Counted && j.groundOf(s).Rule().Class == report.Stated
		if s.Echoed && !s.Doubted && !isStated {
			return []any{Counted(j.Echoed.Came), j.Echoed.Total.Number, j.Echoed.Total.Place}
		}
	}
	return nil
}
