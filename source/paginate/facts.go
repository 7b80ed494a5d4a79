package paginate

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// Facts are what paging needs to know of a page.
type Facts struct {
	evidence.Answer
	// Values are those of [Needs].Values, nil where there is none.
	Values []jsontext.Value
	// Range is that of [Needs].Range.
	Range *Range
	// Changes are the times of change of the items, by which the walk is ordered; nil: it is not.
	Changes *Changes
	// Falling is the order of the items, where the walk ends by it; nil: it does not.
	Falling *Falling
	// End is how the walk ends with an answer that is no page: endOn or emptyOn; empty:
	// it is one.
	End report.StopReason
	// Ends are what the condition of endOn looks at that holds for it.
	Ends []item.Path
	// At is when the page had come.
	At time.Time

	// Lone: the only item is one object to which dataField leads. Beside: an array of several elements stands beside it, or in it, that
	// may be the items.
	Lone, Beside bool
	// Filtered is how many of the items the configuration leaves out.
	Filtered int
	// Spread: the items are those of several arrays, so a number of all may count the
	// objects that have these arrays.
	Spread bool
	// Root: the walk is below no item.
	Root bool
	// Windowed: it is that of a window.
	Windowed bool
	// Names are paths that the response has, for suggestions; they may be missing.
	Names []string
	// Room is the slice that had the statements of the answer before, which is used again for this one; nil: there is none.
	Room []verdict.Statement
}

// A PageOutcome is what became of a page.
type PageOutcome struct {
	// Emit: the items belong to the output.
	Emit bool
	// Stop is nil where the walk continues with Next.
	Stop *report.Stop
	// Next is what would come next; with a Stop it may be nil.
	Next *Request
	// Doubts are what speaks against the walk, Warning what is told of them, and Verdict what they mean.
	Doubts  []verdict.Raised
	Warning string
	Verdict report.Verdict
	// Seam is what became of the seam before the page, where pages overlap.
	Seam Seam
	// Again is, with a Stop, how many items of the walk came twice.
	Again int64
	// NoLink is a warning for jobs whose pages all have it; see [Needs].
	NoLink string
	// Front is how many items at the front have the value that was sent as the cursor, so that they came before.
	Front int
	// More is what the last answer says against the end; nil: nothing.
	More *evidence.Sign
	// Partial is what this answer says by which it is not whole; nil: nothing.
	Partial *evidence.Sign
	// Note is the same in a text for people. It does not count if each answer has it, and a number of all shows that all came.
	Note *evidence.Sign
	// Elsewhere, with a Stop: the end is on a page of another shard, which is not
	// asked for here.
	Elsewhere bool
	// Missing, with a Stop: there may be more items, by what the answers say or by how many came.
	Missing bool
	// Led: the answer has something where paging looks for the next page, if only null,
	// or the walk goes on.
	Led bool
	// Suspicion is about an end that no page beyond proves.
	Suspicion Suspicion
	// Whole is how many items there are, by this answer; At is empty: it does not say it.
	Whole evidence.Whole
	// Limit is the number that limitStop reads; At is empty: there is none, or it may count something else.
	Limit evidence.Whole
	// Says is what the answer says beside its items of what follows.
	Says []verdict.Statement

	// byMethod: the walk ended, or went on, by the method's own rule.
	byMethod bool
}

// A Seam is what became of the seam before a page.
type Seam struct {
	report.SeamCounts
	// Drop tells of each item whether it came before.
	Drop []bool
}

// doubt adds what speaks against the walk.
func (o *PageOutcome) doubt(raised verdict.Raised) { o.Doubts = append(o.Doubts, raised) }

// stop ends the walk, unless something has before.
func (o *PageOutcome) stop(reason report.StopReason) {
	if o.Stop == nil {
		o.Stop = report.EndedBy(reason)
	}
}

// A Suspicion is what is odd about the number of items of a first page with which a
// walk ended. Of walks below items, and of windows, it mostly means something only
// beside what the other walks of the job have.
type Suspicion struct {
	// Its text is empty where there is no suspicion.
	verdict.Raised
	// By is what says that a page has so many.
	By evidence.Basis
	// Open: the warning does not say what to do, since the pages have no limit that could be set.
	Open bool
	// Unled: the answer should have what leads to a next page, and has not.
	Unled bool
	// Unproven: the number of items may be that of a page, or was chosen, whether that is told or not: it is
	// no proof for later runs that a page can have so many.
	Unproven bool
}

// asMany suspects that so many items are no more than were asked for, with those numbers in the request.
func (s *Suspicion) asMany(asked evidence.Numbers, items int) {
	what, by := asked.AsMany(items)
	s.By = by
	switch by {
	case evidence.NoBasis:
	case evidence.ByUsual:
		s.Raised = verdict.UsualPage.Raise(verdict.Counted(items))
	default:
		s.Raised = verdict.FullPage.Raise(verdict.Counted(items), what)
	}
}
