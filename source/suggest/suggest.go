// Package suggest says what pagination would follow an answer, by what the answer shows and by what is usual: for check,
// init and the words of a warning. It sends nothing and trusts nothing: whether a way leads on is not known before
// somebody has tried it.
package suggest

import (
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/paginate"
)

// Ways returns those that the answer shows to what the outcome says is missing, the best one first.
func (e *LastAnswer) Ways(out *paginate.PageOutcome) []Proposal {
	if !out.Missing {
		return nil
	}
	return e.follower().ways(out.Stop)
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
	all.add(f.bySeveral()...)
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
	n, added := f.Paging.Node, item.ObjectBuilder{"emptyStop", "true"}
	if f.Paging.ByOffset() && f.State.Pages == 1 {
		added = item.ObjectBuilder{"advance", quoted("items")}
	}
	if n.Member(added[0]) != nil {
		return Proposal{}
	}
	var o item.ObjectBuilder
	for _, m := range n.Members {
		compact, _ := item.Compact(nil, m.Value.Raw)
		o = append(o, m.Name, string(compact))
	}
	return Proposal{Pagination: append(o, added...).String()}
}
