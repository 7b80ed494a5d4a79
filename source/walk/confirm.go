package walk

import (
	"fmt"

	"sluice/pipeline/report"
	"sluice/source/paginate"
)

// confirmEnd returns the request that --confirm-end asks with after the end; nil,
// with a proof of the end that says why, if there is none.
func (w *Walk) confirmEnd(
	number int, facts *paginate.Facts, out *paginate.Outcome,
) *paginate.Request {
	paging := w.Job.Paging
	if next := paging.Beyond(&w.State, w.Pages, facts, out); next != nil {
		w.confirm = out.Stop
		return next
	}
	why := paging.Unasked(out.Stop, facts, number)
	out.Stop.Proof = "--confirm-end asked for nothing more: " + why
	return nil
}

// judgeEnd looks at the page after the end, which --confirm-end asked for.
func (w *Walk) judgeEnd(number int, came *Fetched) {
	warning, verdict := w.doubtOfEnd(number, came)
	stop := *w.confirm
	stop.Proof = "--confirm-end asked for the page after the end: "
	if warning == "" {
		what := "it has no items"
		if came.Page.Items > 0 {
			what = "it has only the last item again"
		}
		stop.Proof += what
		w.more = nil
	} else {
		stop.Proof += "see the warnings"
		w.warnOfEnd(warning, verdict)
		stop.Verdict = max(stop.Verdict, verdict)
	}
	came.Page.Close()
	came.Page, came.err = nil, nil
	w.endBy(stop)
}

// doubtOfEnd says why the page after the end does not prove it; empty if it does.
func (w *Walk) doubtOfEnd(
	number int, came *Fetched,
) (warning string, v report.Verdict) {
	const unconfirmed = "the end could not be confirmed: "
	p := came.Page
	switch {
	case came.err != nil:
		return unconfirmed + came.err.Error(), report.Unverified
	case p.Hash == w.State.Seen.Pages.Hash:
		return unconfirmed + "the page after it is the same as the one before: " +
			"the API may ignore the paging parameters", report.Unverified
	case p.Items == 1 && p.First == w.State.Seen.Pages.Last.Last:
		// An API whose cursors include the item that they name answers so.
		return "", report.Complete
	case p.Items > 0:
		return fmt.Sprintf("page %d holds items too (%d), although %s ended the walk: "+
			"items are missing", number, p.Items, w.confirm.Reason), report.Incomplete
	case came.complaint != "":
		return unconfirmed + came.complaint, report.Unverified
	}
	return "", report.Complete
}
