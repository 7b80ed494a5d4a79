package suggest

import (
	"slices"

	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// Tries are the ways that are worth requests: those that the answer shows, which are known, and usual ones
// where it says that there is more, or may be a page of several by the number of its items; always: wherever no
// pagination is configured.
func (e *LastAnswer) Tries(out *paginate.PageOutcome, known []Proposal, tail Tail, always bool) []Proposal {
	if e.Paging.Node != nil || e.Paging.TrustEnd || e.Facts.Items == 0 {
		return known
	}
	saysMore := out.More != nil || len(known) > 0
	isDoubted := out.Verdict != report.Complete || out.Suspicion.Text != ""
	mayBePart := isDoubted || evidence.Round(e.Facts.Items)
	if !saysMore && !mayBePart && !always {
		return known
	}
	all := ways(slices.Clone(known))
	all.add(e.follower().guesses(tail)...)
	return all
}

// Compile is the paging of a way, and what its first page shows of an answer that
// the job got by another: last is the last item of that. Without a paging the way cannot be read.
func (w Proposal) Compile(f *paginate.Facts, last []byte) (*paginate.Paging, *paginate.Facts) {
	var problems config.Problems
	n := config.Parse("the suggestion", []byte(w.Pagination), &problems)
	p := paginate.New(n, paginate.Env{}, &problems).For(nil, false, &problems)
	if problems.Failed() {
		return nil, nil
	}
	own := *f
	own.Values = nil
	for _, path := range p.Needs.Values {
		own.Values = append(own.Values, valueAt(&f.Answer, path))
	}
	own.Range = paginate.NewRange(p.Needs)
	if own.Range != nil && last != nil {
		own.Range.Add(last)
	}
	return p, &own
}
