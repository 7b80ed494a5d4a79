package walk

import (
	"errors"
	"fmt"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/transport"
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
	beyond := w.beyondEnd(number, came)
	stop := *w.confirm
	stop.Proof = "--confirm-end asked for the page after the end: "
	if beyond.doubt == "" {
		stop.Proof += beyond.proof
		w.more, w.suspicion = nil, paginate.Suspicion{}
	} else {
		stop.Proof += "see the warnings"
		w.warnOfEnd(beyond.doubt, beyond.verdict)
		stop.Verdict = max(stop.Verdict, beyond.verdict)
		if beyond.verdict == report.Incomplete {
			// What is suspicious is known to be so.
			w.suspicion = paginate.Suspicion{}
		}
	}
	came.Page.Close()
	came.Page, came.err = nil, nil
	w.endBy(stop)
}

// beyond is what the page after the end says of it.
type beyond struct {
	// proof says why that is the end; doubt, in its place, why it may be none.
	proof, doubt string
	// verdict is what the doubt means.
	verdict report.Verdict
}

// unconfirmed is a page that says nothing of the end.
func unconfirmed(why string) beyond {
	return beyond{doubt: "the end could not be confirmed: " + why, verdict: report.Unverified}
}

// beyondEnd judges the page of that number, which comes after the end.
func (w *Walk) beyondEnd(number int, came *Fetched) beyond {
	switch {
	case errors.Is(came.err, transport.ErrRefused):
		return beyond{proof: "it was refused: " + w.options.redact(came.err.Error())}
	case came.err != nil:
		return unconfirmed(came.err.Error())
	case came.Page.Items == 0:
		return w.emptyBeyondEnd(came)
	}
	answer := &w.Facts(came).Answer
	if w.isOnlyPageAgain(answer) {
		return unconfirmed("the page after it is the same as the one before: " +
			"the API may ignore the paging parameters")
	}
	// By their keys, or as far as the last page shows it.
	items := w.Job.Paging.BeyondEnd(&w.State, answer)
	switch {
	case items.Same:
		return unconfirmed("the page after it has " + w.Job.Paging.SameKeys(&w.State))
	case items.New == 0:
		// An API whose cursors include the item that they name answers so, and one that
		// gives its last page for all further ones.
		return beyond{proof: "it has only items that came before"}
	}
	return beyond{doubt: w.missing(number, items.New), verdict: report.Incomplete}
}

// emptyBeyondEnd judges a page without items, which comes after the end.
func (w *Walk) emptyBeyondEnd(came *Fetched) beyond {
	if came.complaint != "" {
		return unconfirmed(came.complaint)
	}
	if text := w.strange(came.Page); text != "" {
		return unconfirmed(text + came.quote)
	}
	return beyond{proof: "it has no items"}
}

// missing says that the page of that number, beyond the end, has so many new items.
func (w *Walk) missing(number, items int) string {
	text := fmt.Sprintf("page %d holds items too (%d), although %s ended the walk: items are missing",
		number, items, w.confirm.Reason)
	first := w.State.Items
	isShortFirst := w.State.Pages == 1 && first < w.State.Own.Limit
	if isShortFirst && first > 0 {
		text += fmt.Sprintf("; if the API gives no more than %d at a time, set the limit to that", first)
	}
	return text
}

// isOnlyPageAgain tells whether the walk has one page, and this is the same. One item
// alone may be the one that a cursor includes.
func (w *Walk) isOnlyPageAgain(a *evidence.Answer) bool {
	if w.State.Pages > 1 {
		return false
	}
	seen := &w.State.Seen
	hasSameItems := a.Items > 1 && seen.HasItemsOfLast(a)
	return hasSameItems || a.Hash == seen.Pages.Hash
}
