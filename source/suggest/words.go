package suggest

import (
	"sluice/source/paginate"
	"sluice/source/verdict"
)

// What a person is told to do about what is missing.

// Tell has what is doubted about the end name the first of the ways that the answer shows, none of which was tried.
func (e *LastAnswer) Tell(out *paginate.PageOutcome, ways []Proposal) {
	follow := ""
	if len(ways) > 0 {
		follow = ways[0].Pagination
	}
	e.tell(out, ways, advice{follow, false})
}

// TellTried has it name the pagination that was tried and holds; empty: none does, of so many tries.
func (e *LastAnswer) TellTried(out *paginate.PageOutcome, ways []Proposal, holds string, tries int) {
	e.tell(out, ways, advice{holds, tries > 0})
}

// An advice is the pagination to follow, as JSON, and whether it was tried. Empty, none is known, or none of those that
// were tried holds.
type advice struct {
	follow string
	tried  bool
}

func (e *LastAnswer) tell(out *paginate.PageOutcome, ways []Proposal, advice advice) {
	if out.More != nil {
		out.More.Follow, out.More.Tried = advice.follow, advice.tried
	}
	if !out.Suspicion.Open {
		return
	}
	cure := "page on with api.pagination"
	switch {
	case advice.follow != "":
		cure += " " + advice.follow
	case out.Suspicion.Unled && len(ways) == 0:
		at := e.Paging.NextPlace()
		cure = "api.pagination looks for the next page in the wrong place: no answer has " + at
	case advice.tried:
		cure += verdict.NotAsTried
	default:
		cure += verdict.UsualWays
	}
	out.Suspicion.Text += "; if you want just these, set \"trustEnd\": true in the job; else " + cure
}
