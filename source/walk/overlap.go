package walk

import (
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/paginate"
)

// Pages that overlap: the rule is that of paginate, which says which items of a page came before.
// Here these are left out, with what is below them.

// without leaves items of the page out, and the walks below them; nil: none.
func (came *Fetched) without(s *Assignment, dropped []bool) *Fetched {
	dropped = came.Items.filtered.beside(dropped)
	if dropped == nil {
		return came
	}
	came.Page.Drop(dropped)
	var left []byte
	for p := range s.parents(came.Items.Parents) {
		if !dropped[p.number-1] {
			left = append(left, p.text...)
		}
	}
	came.Items.Parents = left
	return came
}

// tellSeam tells what became of the seam before a page, and the journal how many of its items count.
func (w *Walk) tellSeam(came *Fetched, out *paginate.PageOutcome) {
	if !w.Job.Paging.Sifts() {
		return
	}
	isNew := came.reply != nil && !came.known
	switch {
	case isNew && out.Emit:
		came.reply.Items -= out.Seam.Dropped
	case isNew:
		came.reply.Items = 0
	}
	if out.Seam.SeamCounts == (report.SeamCounts{}) {
		return
	}
	w.options.Observer.Observe(pipeline.SeamJudged{
		Job:   w.Job.ID,
		Seams: out.Seam.SeamCounts,
		At:    w.options.Now(),
	})
}
