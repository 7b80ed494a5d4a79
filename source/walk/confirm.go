package walk

import (
	"errors"
	"fmt"
	"net/http"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// confirmEnd returns the request that --confirm-end asks with after the end; nil,
// with a proof of the end that says why, if there is none.
func (w *Walk) confirmEnd(
	number int, facts *paginate.Facts, out *paginate.PageOutcome,
) *paginate.Request {
	paging := w.Job.Paging
	if next := paging.Beyond(&w.State, w.Pages, facts, out); next != nil {
		w.confirm, w.asked = out.Stop, 1
		return next
	}
	mayRepeat := w.options.Proof && facts.Items == 0 && !out.Stop.Reason.Rule().Single
	if mayRepeat && w.State.Asked != nil {
		// No further page is known, but one empty answer alone may be a mistake.
		w.confirm, w.asked = out.Stop, 1
		return w.State.Asked
	}
	why := paging.Unasked(out.Stop, facts, number)
	out.Stop.Proof = w.proofFlag() + " asked for nothing more: " + why
	return nil
}

// proofFlag is the flag that wants the end to be proven.
func (w *Walk) proofFlag() string {
	if w.options.Proof {
		return "--proof"
	}
	return "--confirm-end"
}

// mostAsked is how many pages --proof asks for after the end.
const mostAsked = 2

// isAssumed tells whether nothing but an assumption says that the walk has ended, by what it has itself: what other walks of
// the job have must not decide what is asked for.
func (w *Walk) isAssumed(stop *report.Stop) bool {
	return w.groundAlone(stop).Rule().Class == report.Assumed
}

// judgeEnd looks at the page after the end, which --confirm-end or --proof asked for. It returns a request for one page
// more: nil, there is none.
func (w *Walk) judgeEnd(number int, came *Fetched) *paginate.Request {
	beyond := w.beyondEnd(number, came)
	w.recordBeyond(number, came, beyond)
	isEmpty := came.err == nil && came.Page.Items == 0
	mayAskAgain := w.options.Proof && w.asked < mostAsked && isEmpty && !beyond.isDoubted()
	if mayAskAgain && w.isAssumed(w.confirm) {
		// The same request again: one empty page alone may be a mistake.
		w.asked++
		came.Page.Close()
		came.Page = nil
		return came.asked
	}
	stop := *w.confirm
	stop.Proof = w.proofFlag() + " asked for the page after the end: "
	if !beyond.isDoubted() {
		stop.Proof += beyond.proof
		w.suspicion = paginate.Suspicion{}
		if !w.outlasts(came) {
			w.more = nil
		}
	} else {
		stop.Proof += "see the warnings"
		w.raise(&stop, beyond.doubt)
		if beyond.doubt.Doubt == verdict.ItemsBeyond {
			// Items are missing for certain, so the suspicion that some may be missing is dropped.
			w.suspicion = paginate.Suspicion{}
		}
	}
	came.Page.Close()
	came.Page, came.err = nil, nil
	if next := w.askAhead(&stop); next != nil {
		return next
	}
	w.endBy(stop)
	return nil
}

// outlasts tells whether what the last answer says against the end counts although the page after it has nothing new: a flag or
// a number of pages does, unless that page takes it back.
func (w *Walk) outlasts(came *Fetched) bool {
	if w.more == nil || w.more.Says != evidence.More && w.more.Says != evidence.Pages {
		return false
	}
	return came.err != nil || !w.Job.Paging.SaysNoMore(w.Facts(came))
}

// recordBeyond adds the page after the end to the facts of the walk.
func (w *Walk) recordBeyond(number int, came *Fetched, beyond endProof) {
	f := &w.State.Facts
	hasRoom := int64(f.LastItems) < f.Asked
	switch {
	case beyond.isDoubted():
	case came.err != nil:
		// It was refused, as pages are that are not there.
		f.End.Refused = true
		f.End.Beyond = hasRoom || f.Total != nil && f.Total.Number == f.Items+f.Skipped
	case came.Page.Items == 0:
		// Behind an end that the API has stated an answer need not look like a page.
		if w.groundAlone(w.confirm).Rule().Class != report.Stated {
			w.record(number, came, &paginate.PageOutcome{Says: w.Job.Paging.Says(w.Facts(came))})
		}
	default:
		// The page has only items that came before. So nothing is beyond the end, if the last page had room for more
		// items.
		f.End.Beyond = hasRoom && f.Filled > 1
	}
}

// endProof is what the page after the end says of it.
type endProof struct {
	// proof says why that is the end; doubt, in its place, why it may be none.
	proof string
	doubt verdict.Raised
}

// isDoubted tells whether the page speaks against the end.
func (b *endProof) isDoubted() bool { return b.doubt.Doubt != verdict.NoDoubt }

// unconfirmed is a page that says nothing of the end.
func unconfirmed(why string) endProof {
	return endProof{doubt: verdict.Unconfirmed.Raise(why)}
}

// beyondEnd judges the page of that number, which comes after the end.
func (w *Walk) beyondEnd(number int, came *Fetched) endProof {
	switch {
	case errors.Is(came.err, transport.ErrRefused):
		return endProof{proof: "it was refused: " + w.options.redact(came.err.Error())}
	case errors.Is(came.err, errComplains) && w.groundAlone(w.confirm).Rule().Class == report.Stated:
		// Some APIs refuse a page beyond the end with a status of success.
		return endProof{proof: "it is an error: " + w.options.redact(came.err.Error())}
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
		return unconfirmed(verdict.SameItems.Words("the page after it has", w.Job.Paging.SameBy(&w.State), ""))
	case items.New == 0:
		// An API whose cursors include the item that they name answers so, and one that
		// gives its last page for all further ones.
		return endProof{proof: "it has only items that came before"}
	}
	return endProof{doubt: w.missing(number, items.New)}
}

// emptyBeyondEnd judges a page without items, which comes after the end.
func (w *Walk) emptyBeyondEnd(came *Fetched) endProof {
	if came.isComplaint() {
		return unconfirmed(came.complaint.Text)
	}
	strange := w.strange(came)
	if strange.Text != "" && !strange.Doubt.Silenced(w.trust()) {
		return unconfirmed(strange.Text)
	}
	if part := w.Job.Paging.Part(w.Facts(came)); part != nil && !verdict.NotWhole.Silenced(w.trust()) {
		return unconfirmed(verdict.Said(part, w.options.redact).Text)
	}
	return endProof{proof: "it has no items"}
}

// missing says that the page of that number, beyond the end, has so many new items.
func (w *Walk) missing(number, items int) verdict.Raised {
	cure := ""
	first := w.State.Items
	if w.State.Pages == 1 && first < w.State.Own.Limit && first > 0 {
		cure = fmt.Sprintf("; if the API gives no more than %d at a time, set the limit to that", first)
	}
	return verdict.ItemsBeyond.Raise(number, items, w.confirm.Reason, cure)
}

// isOnlyPageAgain tells whether the walk has one page, and this is the same. One item
// alone may be the one that a cursor includes.
func (w *Walk) isOnlyPageAgain(a *evidence.Answer) bool {
	if w.State.Pages > 1 {
		return false
	}
	seen := &w.State.Seen
	return a.Items > 1 && seen.HasItemsOfLast(a) || a.Hash == seen.Pages.Hash
}

// Where --confirm-end or --proof wants an end to be proven, a walk that counts its pages from 1, or from a later one on, is looked at from
// the other end, too: the API may count them from 0.

// askAhead returns the request for the page before the first one, once a walk has ended; nil: it is not asked for.
func (w *Walk) askAhead(stop *report.Stop) *paginate.Request {
	isWanted := w.options.ConfirmEnd || w.options.Proof
	if !isWanted || !w.isAlone() || w.hasAll(stop) {
		return nil
	}
	next := w.Job.Paging.Preceding(&w.State, w.Pages)
	if next == nil {
		return nil
	}
	w.confirm, w.isAhead = stop, true
	w.asked++
	return next
}

// hasAll tells whether all items came, or all pages, by a number of them.
func (w *Walk) hasAll(stop *report.Stop) bool {
	ground := w.groundAlone(stop)
	return ground == report.GroundTotal || ground == report.GroundPages
}

// judgeAhead looks at the page before the first one, and ends the walk. Whatever is no page with items says nothing.
func (w *Walk) judgeAhead(came *Fetched) {
	if came.err == nil && !came.isComplaint() {
		ahead := w.Job.Paging.Ahead(&w.State, w.Facts(came))
		w.State.Facts.Ahead, w.State.Part.Ahead = ahead, ahead
	}
	came.Page.Close()
	came.Page, came.err = nil, nil
	stop := *w.confirm
	if stop.Proof != "" {
		stop.Proof += "; "
	}
	stop.Proof += w.proofFlag() + " asked for the page before the first one, too"
	w.endBy(stop)
}

// errNothingAhead is for a status by which an API says that it has no page before the first one, in whatever way.
var errNothingAhead = errors.New("there is no page before the first one")

// nothingAhead makes an error that is not tried again of such a status: some APIs fail where a number is less than they expect.
func nothingAhead(status int, _ http.Header, _ []byte) error {
	if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable {
		return errNothingAhead
	}
	return nil
}
