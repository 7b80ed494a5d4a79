package walk

import (
	"sluice/source/paginate"
	"sluice/source/suggest"
)

// Ending is where the walk stands with an answer that was judged.
func (w *Walk) Ending(came *Fetched, f *paginate.Facts) *suggest.LastAnswer {
	return &suggest.LastAnswer{
		Paging: w.Job.Paging,
		Job:    w.Pages,
		State:  &w.State,
		Facts:  f,
		First:  came.Items.first.id,
	}
}

// suggest has what is doubted about the end of the walk say which pagination may follow its last answer.
func (w *Walk) suggest(came *Fetched, f *paginate.Facts, out *paginate.PageOutcome) {
	if out.Missing {
		ending := w.Ending(came, f)
		ending.Tell(out, ending.Ways(out))
	}
}
