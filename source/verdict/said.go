package verdict

import (
	"cmp"

	"sluice/pipeline/report"
)

// An Extent is how many pages and items came.
type Extent struct {
	// Items came, Again of them more than once, and Nulls of them are null among others.
	Items int64 `json:"items"`
	Again int64 `json:"again,omitempty"`
	Nulls int64 `json:"nulls,omitempty"`
	// Skipped stand before the first item that was asked for.
	Skipped int64 `json:"skipped,omitempty"`

	// Pages is how many pages came, Filled how many of them had items.
	Pages  int `json:"pages"`
	Filled int `json:"filled"`
	// Last and LastFilled are the numbers of the last page, and of the last with items, which had LastItems, a usual size of a
	// page if LastUsual.
	Last       int  `json:"last"`
	LastFilled int  `json:"lastFilled"`
	LastItems  int  `json:"lastItems"`
	LastUsual  bool `json:"lastUsual,omitempty"`
	// Longest is how many items the longest page had, and Longests how many pages had as many.
	Longest  int `json:"longest"`
	Longests int `json:"longests"`
	// Asked is how many items a page was asked for with, the greatest; 0: it is not known.
	Asked int64 `json:"asked,omitempty"`
}

// fill enters a page with items.
func (e *Extent) fill(page, items int, isUsual bool) {
	if page > e.LastFilled {
		e.LastFilled, e.LastItems, e.LastUsual = page, items, isUsual
	}
}

// lengthen enters so many pages of a length.
func (e *Extent) lengthen(items, pages int) {
	switch {
	case items > e.Longest:
		e.Longest, e.Longests = items, pages
	case items == e.Longest:
		e.Longests += pages
	}
}

// fold folds the extent of other pages.
func (e *Extent) fold(other *Extent) {
	e.Items += other.Items
	e.Again += other.Again
	e.Nulls += other.Nulls
	e.Skipped = max(e.Skipped, other.Skipped)
	e.Pages += other.Pages
	e.Filled += other.Filled
	e.Last = max(e.Last, other.Last)
	e.fill(other.LastFilled, other.LastItems, other.LastUsual)
	e.lengthen(other.Longest, other.Longests)
	e.Asked = max(e.Asked, other.Asked)
}

// Sums are what answers said of all items, and of all pages.
type Sums struct {
	// Total and Count are the greatest numbers of all items, and of all pages; nil: no answer said one. Bound
	// is the greatest lower bound of all items.
	Total *GreatestTotal `json:"total,omitempty"`
	Count *GreatestTotal `json:"count,omitempty"`
	Bound *GreatestTotal `json:"bound,omitempty"`
	// Likely is the greatest number that is one of all items by what it counts, and may be something else by its name.
	Likely *GreatestTotal `json:"likely,omitempty"`
	// Guess and MayPages are the greatest numbers that may be those of all items, and of all pages.
	Guess    *GreatestTotal `json:"guess,omitempty"`
	MayPages *GreatestTotal `json:"mayPages,omitempty"`
	// Left is what the last page that says it says of the items that are left; nil: none does.
	Left *LeftItems `json:"left,omitempty"`
	// Full is the last page that has as many items as an answer says that a page has; nil: none has.
	Full *SaidFull `json:"full,omitempty"`
	// Announced is how many items there are by the last page that says it, of a walk at the root.
	Announced *Announced `json:"announced,omitempty"`
	// Limit is the number that limitStop reads, on the last page that has it.
	Limit *Announced `json:"limit,omitempty"`
	// Ceiling is the greatest number of results that are shown at most.
	Ceiling *GreatestTotal `json:"ceiling,omitempty"`
	// Said are the numbers of all items that pages with items said.
	Said SaidTotals `json:"said,omitempty"`
	// Echoed are the numbers that stand beside the size and the position that were asked for.
	Echoed SaidEchoes `json:"echoed,omitempty"`
}

// Whole is the number of all items, as far as answers say it; nil: they do not.
func (s *Sums) Whole() *GreatestTotal {
	if s.Total == nil {
		return s.Likely
	}
	return s.Total
}

// greatest is the sum of which the greatest number counts that is said so; nil: a statement is none of these.
func (s *Sums) greatest(one Statement) **GreatestTotal {
	switch one.Kind {
	case Total:
		if one.isLikely() {
			return &s.Likely
		}
		return &s.Total
	case AtLeast:
		return &s.Bound
	case PageCount:
		return &s.Count
	case Guess:
		return &s.Guess
	case GuessedPages:
		return &s.MayPages
	case Ceiling:
		return &s.Ceiling
	}
	return nil
}

// fold folds what other pages say.
func (s *Sums) fold(other *Sums) {
	s.Total = firstOf(s.Total, other.Total)
	s.Count = firstOf(s.Count, other.Count)
	s.Bound = firstOf(s.Bound, other.Bound)
	s.Likely = firstOf(s.Likely, other.Likely)
	s.Guess = firstOf(s.Guess, other.Guess)
	s.MayPages = firstOf(s.MayPages, other.MayPages)
	s.Left = firstOf(s.Left, other.Left)
	s.Full = firstOf(s.Full, other.Full)
	s.Announced = firstOf(s.Announced, other.Announced)
	s.Limit = firstOf(s.Limit, other.Limit)
	s.Ceiling = firstOf(s.Ceiling, other.Ceiling)
	for _, said := range other.Said {
		s.Said.add(said)
	}
	for _, echoed := range other.Echoed {
		s.Echoed.add(echoed)
	}
}

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
	if known := enter(all, one, mostTotals, SaidTotal.compare); known != nil {
		*known = known.with(one)
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
					found = firstOf(found, &FallTotal{Before: more.Number, Now: less.Number, Place: less.Place})
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

// Compare puts the one with the least number in front.
func (f *FallTotal) Compare(other *FallTotal) int {
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
	Came  int64         `json:"came"`
	Total GreatestTotal `json:"total"`
}

// Compare puts the one that lacks the most in front.
func (s *ShortTotal) Compare(other *ShortTotal) int {
	if order := cmp.Compare(other.lacks(), s.lacks()); order != 0 {
		return order
	}
	return cmp.Compare(s.Total.Place, other.Total.Place)
}

func (s *ShortTotal) lacks() int64 { return s.Total.Number - s.Came }

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

func (s SaidEchoed) compare(other SaidEchoed) int { return cmp.Compare(s.Place, other.Place) }

// SaidEchoes are those of a walk, sorted by place.
type SaidEchoes []SaidEchoed

// mostEchoes is how many places of a walk are looked at: the least ones are kept.
const mostEchoes = 16

// add folds what other pages have.
func (all *SaidEchoes) add(one SaidEchoed) {
	known := enter(all, one, mostEchoes, SaidEchoed.compare)
	if known == nil {
		return
	}
	known.Pages = known.Pages && one.Pages
	known.Differs = known.Differs || one.Differs || known.Number != one.Number
	// Which one is kept decides nothing, but must not depend on the order.
	known.Number = min(known.Number, one.Number)
	known.Least, known.Most = min(known.Least, one.Least), max(known.Most, one.Most)
}

// A LimitTotal is how many items came of a walk, where the number that limitStop reads is another one.
type LimitTotal struct {
	Reason report.StopReason `json:"reason"`
	Came   int64             `json:"came"`
	Number int64             `json:"number"`
	Place  string            `json:"place"`
}

// Compare puts the first place in front.
func (l *LimitTotal) Compare(other *LimitTotal) int {
	return cmp.Or(cmp.Compare(l.Place, other.Place), cmp.Compare(l.Number, other.Number), cmp.Compare(l.Came, other.Came))
}

// LeftItems is what a page says of the items that are left.
type LeftItems struct {
	Page   int    `json:"page"`
	Number int64  `json:"number"`
	Place  string `json:"place"`
}

// Compare puts that of the later page in front, of one page that with the greater number.
func (l *LeftItems) Compare(other *LeftItems) int {
	return cmp.Or(cmp.Compare(other.Page, l.Page), cmp.Compare(other.Number, l.Number), cmp.Compare(l.Place, other.Place))
}

// An OpenEnd is what a walk says against its end: by a flag, or by a number of items or pages.
type OpenEnd struct {
	Place string `json:"place"`
	// Left is how many items are left, and Pages how many pages there are where so many came; 0: it says neither.
	Left  int64 `json:"left,omitempty"`
	Pages int64 `json:"pages,omitempty"`
	Came  int   `json:"came,omitempty"`
	// Taken: an answer without items says the contrary.
	Taken bool `json:"taken,omitempty"`
}

// Compare puts the first place in front, and of one place what nobody takes back.
func (o *OpenEnd) Compare(other *OpenEnd) int {
	return cmp.Or(
		cmp.Compare(o.Place, other.Place),
		cmp.Compare(o.Left, other.Left),
		cmp.Compare(o.Pages, other.Pages),
		cmp.Compare(o.Came, other.Came),
		orderOfFlags(o.Taken, other.Taken),
	)
}

// A SaidFull is a page that has as many items as a place in its answer says that a page has.
type SaidFull struct {
	Page  int    `json:"page"`
	Place string `json:"place"`
}

// Compare puts the later page in front, of one page the first place.
func (f *SaidFull) Compare(other *SaidFull) int {
	return cmp.Or(cmp.Compare(other.Page, f.Page), cmp.Compare(f.Place, other.Place))
}

// An OddPage is one in the middle of a walk that has fewer items than the longest, and a member that no other page of the walk has.
type OddPage struct {
	Name  uint64 `json:"name"`
	Page  int    `json:"page"`
	Items int    `json:"items"`
	// Longest is how many items the longest page of the walk has.
	Longest int `json:"longest"`
}

func (o OddPage) compare(other OddPage) int {
	return cmp.Or(
		cmp.Compare(o.Name, other.Name),
		cmp.Compare(o.Page, other.Page),
		cmp.Compare(o.Items, other.Items),
		cmp.Compare(o.Longest, other.Longest),
	)
}
