package source

import (
	"container/list"
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"sluice/pipeline"
	"sluice/source/page"
	"sluice/source/paginate"
)

// walk is a job that goes over pages. What lasts from one page to the next is in
// state and above, which are plain data.
type walk struct {
	job   *job
	child *child // what the parent says of the job; nil for a root walk
	above ancestors
	pages *paginate.Job
	state paginate.State
	first *paginate.Request

	slots       []*slot        // asked for or to be asked for, in page order; the first is the next to be judged
	places      int            // pages in flight or held
	certainOnly bool           // no page is known before the one before it
	confirm     *pipeline.Stop // how it ended, while --confirm-end looks at the page after the end
	ended       bool
}

// newWalk begins a walk: its parameters are evaluated, no request is sent. c is
// nil for a root walk.
func (it *iteration) newWalk(j *job, c *child, above ancestors) (*walk, error) {
	pages, err := j.evaluate()
	if err != nil {
		return nil, err
	}
	w := &walk{job: j, child: c, above: above, pages: pages}
	if c != nil {
		own := *pages
		if own.Endpoint, err = c.fill(j.endpoint, above.Values); err != nil {
			return nil, err
		}
		w.pages = &own
	}
	if w.first, err = j.paging.First(&w.state, w.pages); err != nil {
		return nil, err
	}
	return w, nil
}

// rootWalks returns what begins the walks of the root jobs, one with each call;
// nil is after the last.
func (it *iteration) rootWalks() func() (*walk, error) {
	jobs := it.jobs
	return func() (*walk, error) {
		if len(jobs) == 0 {
			return nil, nil
		}
		j := jobs[0]
		jobs = jobs[1:]
		w, err := it.newWalk(j, nil, ancestors{})
		if err != nil {
			return nil, fmt.Errorf("job %s: %w", j.id, err)
		}
		return w, nil
	}
}

// slot is the place of one page in the output order, from the moment it is
// known that it may be asked for until its items are handed to the sink.
type slot struct {
	walk   *walk
	number int // of the page in its walk, from 1
	ask    *paginate.Request
	guess  bool // asked for before it was known to be due
	inFile bool // the page waits in a temporary file
	status status
	place  *list.Element // in the coordinator's order
	ctx    context.Context
	cancel context.CancelFunc // ends ctx

	// The worker's while the page is being fetched.
	page    *page.Page      // nil with an error
	parents []byte          // what the page's children need to know of its items
	numbers *paginate.Range // what paging needs to know of its items; nil: nothing
	sent    atomic.Int32    // requests, each attempt and redirect counted
	err     error
}

type status int

const (
	ready    status = iota // to be asked for
	inFlight               // being fetched
	fetched                // here, not judged
	judged                 // to be emitted, or to fail the run, when its turn comes
	dropped                // not wanted any more
)

// drop gives up what was fetched, and says so if it was a guess.
func (s *slot) drop() {
	s.page.Close()
	if n := int(s.sent.Load()); s.guess && n > 0 {
		o := s.walk.job.iteration.o
		o.Observer.Observe(pipeline.GuessedInVain{Job: s.walk.job.id, Page: s.number, Requests: n, At: o.Now()})
	}
}

// wrap says which job, item above and page an error belongs to.
func (s *slot) wrap(err error) error {
	below := ""
	for i, c := 0, s.walk.job.parent; c != nil; i, c = i+1, c.parent {
		below += fmt.Sprintf(" below item %d of %s", s.walk.above.Item[i], c.id)
	}
	return fmt.Errorf("job %s%s: page %d: %w", s.walk.job.id, below, s.number, err)
}

// judge judges the page of the slot, which is the walk's next. It returns the
// request for the page that follows, nil if the walk has ended.
func (w *walk) judge(s *slot) (*paginate.Request, error) {
	it, j := w.job.iteration, w.job
	if w.confirm != nil {
		w.judgeEnd(s)
		return nil, nil
	}
	if s.err != nil {
		return nil, s.err
	}
	facts := s.facts()
	out, err := j.paging.Judge(&w.state, w.pages, facts)
	if err != nil {
		return nil, err
	}
	for _, text := range w.warningsOfNoItems(s.page) {
		j.warn(text, pipeline.Complete)
	}
	if out.Warning != "" {
		j.warn(out.Warning, out.Verdict)
	}
	if out.NoLink == "" {
		j.linked = true
	} else if facts.Items > 0 {
		j.noLink = out.NoLink
	}
	if !out.Emit {
		s.page.Close()
		s.page = nil
	} else {
		j.replaced += s.page.Replaced
		it.o.Observer.Observe(pipeline.PageJudged{Job: j.id, DataType: j.dataType, Depth: len(w.above.Item), Page: s.number, Items: s.page.Items, Bytes: s.page.Bytes, At: facts.At})
	}
	switch {
	case out.Stop == nil:
		if it.between != nil {
			it.between(w)
		}
		return w.state.Asked, nil
	case it.o.ConfirmEnd && out.Stop.Reason == paginate.Underflow && facts.Items > 0 && out.Next != nil:
		w.confirm = out.Stop
		return out.Next, nil
	}
	w.end(*out.Stop)
	return nil, nil
}

// facts is what paging needs to know of the page, which has come now.
func (s *slot) facts() *paginate.Facts {
	p := s.page
	return &paginate.Facts{
		Items: p.Items, Bytes: p.Bytes, Hash: p.Hash, First: p.First, Last: p.Last,
		Values: p.Wanted, Range: s.numbers, At: s.walk.job.iteration.o.Now(),
	}
}

// judgeEnd looks at the page after the end, which --confirm-end asked for.
func (w *walk) judgeEnd(s *slot) {
	warning, verdict := "", pipeline.Unverified
	switch {
	case s.err != nil:
		warning = "the end could not be confirmed: " + s.err.Error()
	case s.page.Hash == w.state.Hash:
		warning = "the end could not be confirmed: the page behind it is the same as the one before: the API may ignore the paging parameters"
	case s.page.Items > 0:
		warning = fmt.Sprintf("page %d holds items too (%d), although the page before it was shorter than the limit: items are missing", s.number, s.page.Items)
		verdict = pipeline.Incomplete
	}
	stop := *w.confirm
	if warning != "" {
		w.job.warn(warning, verdict)
		stop.Verdict = max(stop.Verdict, verdict)
	}
	s.page.Close()
	s.page, s.err = nil, nil
	w.end(stop)
}

// cutShort ends a walk of a run that failed, if it had not ended. A walk that
// could not begin is nil.
func (w *walk) cutShort() {
	if w != nil && !w.ended {
		w.end(pipeline.Stop{Reason: pipeline.StopFailed, Verdict: pipeline.Incomplete})
	}
}

func (w *walk) end(stop pipeline.Stop) {
	w.ended = true
	it, j := w.job.iteration, w.job
	it.o.Observer.Observe(pipeline.WalkEnded{Job: j.id, DataType: j.dataType, Depth: len(w.above.Item), Pages: w.state.Pages, Items: w.state.Items, Stop: stop, At: it.o.Now()})
}

// warningsOfNoItems say of a page without items what may be wrong with it.
func (w *walk) warningsOfNoItems(p *page.Page) []string {
	if p.Items > 0 {
		return nil
	}
	var all []string
	there := strings.Join(p.Elsewhere, ", ")
	switch {
	case p.NoArray && there != "":
		all = append(all, "endpoint "+w.job.endpoint+": the response has no array at its top; if the items are in "+there+", say so with dataField")
	case p.NoArray:
		all = append(all, "endpoint "+w.job.endpoint+": the response has no array; if it holds items, say where with dataField")
	case len(p.Elsewhere) == 1 && w.state.Items == 0: // later it is how the API says that there is no more
		all = append(all, "the response has nothing at "+p.Field+", but an array at "+there)
	case there != "" && w.state.Items == 0:
		all = append(all, "the response has nothing at "+p.Field+", but arrays at "+there)
	}
	return append(all, "dataField "+p.Field+" contains no data!")
}

// warnAtEnd says what only the whole run shows: that nothing led to a second page,
// be it that there is none, or that the path is wrong, and how much was no UTF-8.
func (j *job) warnAtEnd() {
	if j.noLink != "" && !j.linked {
		j.warn(j.noLink, pipeline.Complete)
	}
	if j.replaced > 0 {
		j.warn(fmt.Sprintf("invalid UTF-8: bytes replaced by U+FFFD: %d", j.replaced), pipeline.Complete)
	}
}

func (j *job) warn(text string, v pipeline.Verdict) {
	o := j.iteration.o
	o.Observer.Observe(pipeline.Warned{Job: j.id, Text: o.Secrets.Redact(text), Verdict: v, At: o.Now()})
}
