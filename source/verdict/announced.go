package verdict

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
