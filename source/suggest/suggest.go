// Package suggest says what pagination would follow an answer, by what the answer shows and by what is usual: for check,
// init and the words of a warning. It sends nothing and trusts nothing: whether a way leads on is not known before
// somebody has tried it.
package suggest

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// A Proposal is an api.pagination that may lead to what is missing.
type Proposal struct {
	// Pagination is it, as JSON.
	Pagination string
	// Open tells that it follows what the answers give for as long as they do, which
	// some APIs do on their last page too.
	Open bool
	// Blind tells that it counts until a page has no items, which some APIs refuse.
	Blind bool
}

// Bounded is the pagination that an empty page ends.
func (w Proposal) Bounded() string {
	return strings.TrimSuffix(w.Pagination, "}") + `, "emptyStop": true}`
}

// A LastAnswer is where a walk stands with its last answer.
type LastAnswer struct {
	// Paging is the one that is configured.
	Paging *paginate.Paging
	Job    *paginate.Job
	// State is that by which the answer was judged.
	State *paginate.State
	// Facts are those of the answer.
	Facts *paginate.Facts
	// First is the first item of a first page.
	First First
}

// Ways returns those that the answer shows to what the outcome says is missing, the best one first.
func (e *LastAnswer) Ways(out *paginate.Outcome) []Proposal {
	if !out.Missing {
		return nil
	}
	return e.follower().ways(out.Stop)
}

// A follower finds the ways that follow an ending.
type follower struct {
	*LastAnswer
	signs []evidence.Sign
	// isFirst tells that the answer is that of the first page, and has items.
	isFirst bool
}

func (e *LastAnswer) follower() *follower {
	isFirst := e.State.Pages == 1 && e.Facts.Items > 0
	return &follower{e, e.Paging.Signs(e.Facts), isFirst}
}

// ways are those that the answer shows, the best one first.
//
// An address that counts pages or items, beside the number of all of them, is not
// followed where counting does as well: that ends without one request too many, and
// can be read ahead, and some APIs give an address on their last page too. Where
// this one does not (its way back is there, and leads nowhere on the first page),
// following it is the best. Then what leads on comes before what only counts.
func (f *follower) ways(stop *report.Stop) []Proposal {
	var all ways
	if f.isFirst && f.countsBest() {
		all.add(f.byNumbers()[0])
	}
	all.add(f.byLinks("")...)
	all.add(f.byOwnNames()...)
	short := f.pastShort(stop)
	if !f.isFirst || f.lacksItems() {
		all.add(short)
	}
	if !f.isFirst {
		return all
	}
	all.add(f.byNumbers()...)
	all.add(short, f.afterFlag())
	// The name of the parameter that takes a cursor may be another one.
	all.add(f.byLinks("after")...)
	return all
}

// lacksItems tells whether fewer items came than the answers say that there are.
func (f *follower) lacksItems() bool {
	s := f.State
	return s.Seen.Whole.Items > s.Items+s.Own.Skipped
}

// pastShort pages on after a short page, as is configured: a first one shows a smaller
// page size, from a later one items were filtered.
func (f *follower) pastShort(stop *report.Stop) Proposal {
	if !stop.Reason.Rule().Short || f.Facts.Items == 0 {
		return Proposal{}
	}
	n, added := f.Paging.Node, item.Object{"emptyStop", "true"}
	if f.Paging.ByOffset() && f.State.Pages == 1 {
		added = item.Object{"advance", quoted("items")}
	}
	if n.Member(added[0]) != nil {
		return Proposal{}
	}
	var o item.Object
	for _, m := range n.Members {
		compact, _ := item.Compact(nil, m.Value.Raw)
		o = append(o, m.Name, string(compact))
	}
	return Proposal{Pagination: append(o, added...).String()}
}

// ways has each way once.
type ways []Proposal

// add adds those that lead anywhere, and are not there already.
func (all *ways) add(more ...Proposal) {
	for _, way := range more {
		isSame := func(w Proposal) bool { return w.Pagination == way.Pagination }
		if way.Pagination != "" && !slices.ContainsFunc(*all, isSame) {
			*all = append(*all, way)
		}
	}
}

func quoted(text string) string { return string(item.Quote(text)) }
