package verdict

import (
	"cmp"
	"slices"
	"strconv"

	"sluice/pipeline/report"
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

// An Announced is how many items there are, as a page of a walk at the root says.
type Announced struct {
	Page   int    `json:"page"`
	Number int64  `json:"number"`
	Place  string `json:"place"`
	// Single: it is a number of all items only if the walk has one page.
	Single bool `json:"single,omitempty"`
}

// with is that of the later page.
func (a *Announced) with(other *Announced) *Announced {
	switch {
	case a == nil:
		return other
	case other == nil, other.Page < a.Page:
		return a
	}
	return other
}

// shortOfAnnounced is by how much fewer items came than the last page that has a number of all of them says; nil: no fewer. It is
// what [AgainstEnd] says of a walk that one process has as a whole.
func (w *Walk) shortOfAnnounced() *ShortTotal {
	a, reason := w.Announced, w.End.Reason.Rule()
	isSilent := isNamedTotal(w.End.Exact, w.Items) || w.End.Changes || reason.Unsearched()
	if a == nil || isSilent || a.Single && w.Last > 1 {
		return nil
	}
	came := w.Items + w.Skipped
	if a.Number <= came {
		return nil
	}
	return &ShortTotal{Came: came, Total: Sum{Number: a.Number, Place: a.Place}}
}

// moreAnnounced says of a walk at the root that fewer items came than its last answer with a number says that there are.
func moreAnnounced(j *Job) []any {
	a := j.Announced
	// That names the same number, or one that is surer.
	if a == nil || j.Short != nil {
		return nil
	}
	return []any{Counted(a.Came), a.Total.Number, a.Total.Place, ""}
}

// addShort enters of how many items a walk is short.
func (j *Job) addShort(w *Walk, shape *Shape) {
	short, mayBe := w.shortTotals(shape)
	j.Short = shorter(j.Short, short)
	j.Behind = shorter(j.Behind, w.behindFirst())
	j.MayBeShort = shorter(j.MayBeShort, mayBe)
	j.Announced = shorter(j.Announced, w.shortOfAnnounced())
	if echoed, isCounted := w.shortOfEchoed(shape); echoed != nil {
		shape.Echoed, shape.Counted = true, isCounted
		j.Echoed = shorter(j.Echoed, echoed)
	}
}

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

// came is how many items came, each counted once, with those before the first that was asked for. Where the configuration begins at
// a later page than the first, these are not taken for ones that came.
func (w *Walk) came() int64 {
	came := w.Items - w.Again
	if w.End.Behind {
		return came
	}
	return came + w.Skipped
}

// behindFirst is how many items came of a walk whose first page is not that of the list, by firstPage, and how many there are with
// those before it, as answers say; nil: they do not, or that is wanted.
func (w *Walk) behindFirst() *ShortTotal {
	total := w.Whole()
	isKnown := w.End.Behind && w.End.Root && !w.End.Changes && total != nil
	if !isKnown || w.Filled == 0 || total.Number <= w.came() {
		return nil
	}
	return &ShortTotal{Came: w.came(), Total: *total}
}

// beginsBehind says of a walk that it has not the pages before the one at which it begins.
func beginsBehind(j *Job) []any {
	if j.Behind == nil {
		return nil
	}
	return []any{Counted(j.Behind.Came), j.Behind.Total.Number, j.Behind.Total.Place}
}

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
