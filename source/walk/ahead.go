package walk

import (
	"errors"
	"net/http"

	"sluice/pipeline/report"
	"sluice/source/paginate"
)

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
