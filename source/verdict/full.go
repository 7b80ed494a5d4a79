package verdict

import (
	"cmp"

	"sluice/pipeline/report"
)

// A SaidFull is a page that has as many items as a place in its answer says that a page has.
type SaidFull struct {
	Page  int    `json:"page"`
	Place string `json:"place"`
}

// with is the later one, of one page that at the first place.
func (f *SaidFull) with(other *SaidFull) *SaidFull {
	switch {
	case f == nil:
		return other
	case other == nil:
		return f
	}
	if order := cmp.Or(cmp.Compare(f.Page, other.Page), cmp.Compare(other.Place, f.Place)); order < 0 {
		return other
	}
	return f
}

// fullEnd is where the last answer of a walk says that a page has as many items as it has itself; empty: nowhere.
func (w *Walk) fullEnd() string {
	isFull := w.Full != nil && w.Full.Page == w.Last && w.Last == w.LastFilled
	// A number that several pages have reached is none of one page.
	isCounted := w.End.Limit && w.Filled > 1
	if !isFull || isCounted || w.LastItems < 2 {
		return ""
	}
	return w.Full.Place
}

// saysFull says of a walk that ended with a page that is full by its own answer, where the end is only assumed, and no page of the
// job has more.
func saysFull(j *Job) []any {
	place := ""
	for s := range j.Walks {
		isAssumed := !s.Doubted && j.groundOf(s).Rule().Class == report.Assumed
		// A flag or an empty next place says that this is all, if it alone is no ground.
		isSaid := j.counts(s.Flag) || j.counts(s.Next)
		isFull := s.FullAt != "" && s.FullItems >= j.Longest && !isSaid
		isFirst := place == "" || s.FullAt < place
		if isAssumed && isFull && isFirst {
			place = s.FullAt
		}
	}
	if place == "" {
		return nil
	}
	return []any{place}
}
