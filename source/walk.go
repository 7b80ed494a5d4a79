package source

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sluice/pipeline"
	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

// walk is a job that goes over pages. What lasts from one page to the next is in state and above: plain data.
type walk struct {
	job    *job
	child  *child // what the parent says of the job; nil for a root walk
	above  ancestors
	place  string // among all walks, for the journal
	pages  *paginate.Job
	window *window // of the job, which says nothing if it has none; nil below items
	state  paginate.State
	first  *paginate.Request

	slots       []*slot          // asked for or to be asked for, in page order; the first is the next to be judged
	certainOnly bool             // no page is known before the one before it
	confirm     *pipeline.Stop   // how it ended, while --confirm-end looks at the page after the end
	verdict     pipeline.Verdict // the worst that its warnings meant
	more        *evidence.Sign   // what the last answer said against the end; nil: nothing
	told        pipeline.WalkEnd // of a root walk, for publishing
	ended       bool
}

// newWalk begins a walk without a request. c is nil for a root walk, which is for the window of.
func (it *iteration) newWalk(j *job, c *child, above ancestors, of *window) (*walk, error) {
	pages, err := j.evaluate(of)
	if err != nil {
		return nil, err
	}
	w := &walk{job: j, child: c, above: above, pages: pages, window: of}
	if c == nil {
		w.place = strconv.Itoa(of.place)
		w.told = pipeline.WalkEnd{Job: j.id, Walk: of.place, Whole: j.whole(), Stride: j.paging.Every() > 1}
	} else {
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

// rootWalks begins the walks of the root jobs, each when it is wanted.
func (it *iteration) rootWalks() iter.Seq2[*walk, error] {
	return func(yield func(*walk, error) bool) {
		for _, j := range it.jobs {
			for i := range j.windows {
				w, err := it.newWalk(j, nil, ancestors{}, &j.windows[i])
				if err != nil {
					err = fmt.Errorf("job %s: %w", j.id, err)
				}
				if !yield(w, err) {
					return
				}
			}
		}
	}
}

// slot is the place of one page in the output order, until its items are handed to the sink.
type slot struct {
	walk   *walk
	number int // of the page in its walk, from 1
	ask    *paginate.Request
	guess  bool // asked for before it was known to be due
	check  bool // it is of check
	inFile bool // the page waits in a temporary file, or is not there yet
	status status
	place  *list.Element // in the coordinator's order
	ctx    context.Context
	cancel context.CancelFunc // ends ctx

	// The worker's while the page is being fetched.
	page    *page.Page      // nil with an error
	parents []byte          // what the page's children need to know of its items
	lasts   []greatest      // of its items, for the function last
	numbers *paginate.Range // what paging needs to know of its items; nil: nothing
	sum     uint64          // of the hashes of its items, see enter
	hasID   bool            // of the first item of a first page
	sorted  bool            // it has an array called sort
	first   []byte          // item, for check
	hashes  map[uint64]bool // of its items, where check asks for a second page; else nil
	sent    atomic.Int32    // requests, each attempt and redirect counted
	address string          // that was asked for
	reply   *record.Answer  // for the journal; nil: there is none
	known   bool            // the answer is from the journal
	header  http.Header     // of the answer
	err     error

	complaint string // an error that the answer has beside the items
	quote     string // the beginning of an answer that has no items where they should be; empty: it has some
	end       bool   // the API says that there is no such page

	unready string    // why the page is to be asked for again; empty: it need not be
	since   time.Time // it was first not ready
	polls   int       // how often it was not
}

type status int

const (
	ready    status = iota // to be asked for
	inFlight               // being fetched
	waiting                // to be asked for again, later
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
	if s.walk.job.windowed {
		below = ", " + s.walk.window.name()
	}
	return fmt.Errorf("job %s%s: page %d: %w", s.walk.job.id, below, s.number, err)
}

// judge judges the walk's next page, and returns the request for the one after it, nil if the walk has ended.
func (w *walk) judge(s *slot) (*paginate.Request, error) {
	it, j := w.job.iteration, w.job
	if w.confirm != nil {
		w.judgeEnd(s)
		return nil, nil
	}
	if w.told.Stride && s.number > 1 && errors.Is(s.err, transport.ErrNoPage) { // it may be beyond the end
		w.told.End, w.told.Provisional = s.number, it.o.Secrets.Redact(s.err.Error())
		j.tell(pipeline.Warned{Expected: true, Text: "taken for the end until all shards are published: " + w.told.Provisional})
		s.err = nil
		w.end(*pipeline.EndedBy(pipeline.StopNoPage))
		return nil, nil
	}
	if s.err != nil {
		return nil, s.err
	}
	facts := s.facts()
	if s.known {
		facts.At, w.state.Started = s.reply.At, s.reply.Began
	} else if s.reply != nil {
		s.reply.Items, s.reply.At, s.reply.Began = facts.Items, facts.At, w.state.Started
	}
	out, err := j.paging.Judge(&w.state, w.pages, facts)
	if err != nil {
		return nil, err
	}
	for _, odd := range w.warnings(s, &out) {
		w.verdict = max(w.verdict, odd.Verdict)
		beyond := w.told.Stride && s.number > 1 && (s.page.Items == 0 || !out.Emit)
		if beyond && !odd.Expected {
			w.tellPublish(odd.Text)
			continue
		}
		if odd.Expected && (w.child != nil || j.windowed) { // a job may have a million empty walks
			j.found.Add(pipeline.Findings{Empty: odd.Text, EmptyPages: 1})
			continue
		}
		j.tell(odd)
	}
	if !out.Emit {
		s.page.Close()
		s.page = nil
	} else {
		if err := j.follow(s.lasts); err != nil {
			return nil, err
		}
		if w.told.Whole {
			w.told.Hash += s.sum
		} else if s.page.Items > 0 {
			w.told.Page, w.told.Hash = s.number, s.sum
		}
		j.found.Replaced += s.page.Replaced
		judged := pipeline.PageJudged{Job: j.id, DataType: j.dataType, Depth: len(w.above.Item), Page: s.number, Items: s.page.Items - s.page.NotOurs, Bytes: s.page.Bytes, Kept: s.known, At: it.o.Now()}
		if it.only && w.child == nil && !j.windowed {
			judged.Share = j.paging.Share(&w.state)
		}
		it.o.Observer.Observe(judged)
	}
	if out.Stop == nil {
		if it.between != nil {
			it.between(w)
		}
		return w.state.Asked, nil
	}
	w.more = out.More
	w.told.End = w.state.Pages
	if it.o.ConfirmEnd && !out.Elsewhere {
		if next := j.paging.Beyond(&w.state, w.pages, facts, &out); next != nil {
			w.confirm = out.Stop
			return next, nil
		}
		out.Stop.Proof = "--confirm-end asked for nothing more: " + j.paging.Unasked(out.Stop, facts, s.number)
	}
	w.endBy(*out.Stop)
	return nil, nil
}

// endBy ends the walk, with a warning of what the last answer says against that.
func (w *walk) endBy(stop pipeline.Stop) {
	stop.Verdict = max(stop.Verdict, w.verdict)
	if w.more != nil {
		stop.Verdict = max(stop.Verdict, w.more.Verdict())
		w.warnOfEnd(w.more.Warning(w.job.iteration.o.Secrets.Redact), w.more.Verdict())
	}
	w.end(stop)
}

// warnOfEnd warns of how the walk ended. In a shard it may have ended before, on a page of another one.
func (w *walk) warnOfEnd(text string, v pipeline.Verdict) {
	if w.mayEndBefore() {
		w.tellPublish(text)
		return
	}
	w.job.warn(text, v)
}

// mayEndBefore tells whether another shard may have seen the end of the walk on an earlier page.
func (w *walk) mayEndBefore() bool { return w.told.Stride && w.told.Page < w.told.End }

// tellPublish leaves a warning to publishing, for which it counts if the walk ends here.
func (w *walk) tellPublish(text string) {
	w.told.Warnings = append(w.told.Warnings, w.job.iteration.o.Secrets.Redact(text))
}

// warnings says what is odd about a page that was judged.
func (w *walk) warnings(s *slot, out *paginate.Outcome) (all []pipeline.Warned) {
	j, p := w.job, s.page
	add := func(v pipeline.Verdict, text string) {
		if text != "" {
			all = append(all, pipeline.Warned{Text: text, Verdict: v})
		}
	}
	if p.Selected != 0 {
		j.found.Located = true
	}
	if p.Selected != 0 && len(j.found.Beside) < besideMost {
		j.found.SawBeside(p.Elsewhere)
	}
	if p.Items == 0 {
		root := w.child == nil && !j.windowed
		switch text := w.nothingThere(p); {
		case w.state.Items > 0: // it is how the API says that there is no more
		case root && w.state.Pages == 1:
			add(pipeline.Unverified, text+s.quote)
		case root && len(p.Elsewhere) > 0, len(j.found.Astray) == besideMost:
			add(pipeline.Unverified, text)
		case text != "" && len(p.Elsewhere) > 0:
			j.found.WentAstray(text, pipeline.Astray{Paths: p.Elsewhere, Quote: s.quote})
		default:
			// Whatever the order of the walks: the longest.
			j.found.Missing = max(j.found.Missing, text+s.quote)
		}
		all = append(all, pipeline.Warned{Text: "dataField " + p.Field + " contains no data!", Expected: true})
	}
	add(pipeline.Unverified, s.complaint)
	if j.spec.Detect && p.Items > 0 && !j.failOn && evidence.IsError(p.Field) {
		add(pipeline.Unverified, "the items are those of the array "+p.Field+": if they are errors, say where the items are with dataField")
	}
	add(out.Verdict, out.Warning)
	if out.NoLink == "" {
		j.found.Linked = true
	} else if p.Items > 0 {
		text := out.NoLink + evidence.Near(j.paging.Needs.Values[0], p.Names)
		j.found.Add(pipeline.Findings{NoLink: text})
	}
	return all
}

// besideMost is how much of what stands elsewhere is remembered.
const besideMost = 64

// nothingThere says what the response has instead of items where they are looked for; empty if it has some there.
func (w *walk) nothingThere(p *page.Page) string {
	but := []string{"", ", but an array at ", ", but arrays at "}[min(len(p.Elsewhere), 2)] + strings.Join(p.Elsewhere, ", ")
	switch {
	case p.NoArray:
		return "endpoint " + w.job.endpoint + ": the response has no array at its top" + but + "; if it holds items, say where with dataField"
	case w.job.spec.Detect, p.Selected != 0:
		return ""
	}
	return "the response has nothing at " + p.Field + cmp.Or(but, evidence.Near(w.job.spec.Select, p.Names))
}

// facts is what paging needs to know of the page, which has come now.
func (s *slot) facts() *paginate.Facts {
	p := s.page
	evidence.AddHeaders(p.Wanted, s.walk.job.paging.Needs.Values, s.header)
	return &paginate.Facts{
		Answer: evidence.Answer{
			Items: p.Items, Bytes: p.Bytes, Hash: p.Hash, First: p.First, Last: p.Last,
			Array: p.Selected == '[', Around: p.Around, Header: s.header, Address: s.address,
		},
		End:    s.end,
		Values: p.Wanted, Range: s.numbers, At: s.walk.job.iteration.now(),
		Root: s.walk.child == nil, ID: s.hasID, Sorted: s.sorted, Names: p.Names,
	}
}

// judgeEnd looks at the page after the end, which --confirm-end asked for.
func (w *walk) judgeEnd(s *slot) {
	warning, verdict := "", pipeline.Unverified
	switch {
	case s.err != nil:
		warning = "the end could not be confirmed: " + s.err.Error()
	case s.page.Hash == w.state.Seen.Pages.Hash:
		warning = "the end could not be confirmed: the page after it is the same as the one before: the API may ignore the paging parameters"
	case s.page.Items == 1 && s.page.First == w.state.Seen.Pages.Last.Last: // an API whose cursors include the item that they name
	case s.page.Items > 0:
		warning = fmt.Sprintf("page %d holds items too (%d), although %s ended the walk: items are missing", s.number, s.page.Items, w.confirm.Reason)
		verdict = pipeline.Incomplete
	case s.complaint != "":
		warning = "the end could not be confirmed: " + s.complaint
	}
	stop := *w.confirm
	stop.Proof = "--confirm-end asked for the page after the end: "
	if warning == "" {
		stop.Proof += []string{"it has no items", "it has only the last item again"}[s.page.Items]
		w.more = nil
	} else {
		stop.Proof += "see the warnings"
		w.warnOfEnd(warning, verdict)
		stop.Verdict = max(stop.Verdict, verdict)
	}
	s.page.Close()
	s.page, s.err = nil, nil
	w.endBy(stop)
}

// cutShort ends a walk of a run that failed, if it had not ended.
func (w *walk) cutShort() {
	if !w.ended {
		w.end(*pipeline.EndedBy(pipeline.StopFailed))
	}
}

func (w *walk) end(stop pipeline.Stop) {
	w.ended = true
	it, j := w.job.iteration, w.job
	e := pipeline.WalkEnded{Job: j.id, DataType: j.dataType, Depth: len(w.above.Item), Pages: w.state.Pages - w.state.OtherPages, Items: w.state.Items - w.state.OtherItems, Stop: stop, At: it.o.Now()}
	if it.o.Shards > 0 && w.child == nil {
		w.told.Stop, w.told.Items = stop, e.Items
		if e.End = &w.told; w.mayEndBefore() {
			e.Stop.Verdict = pipeline.Complete
		}
	}
	if j.windowed {
		w.endWindow(&e)
	}
	it.o.Observer.Observe(e)
}

// warnAtEnd says what only the whole run shows: of a run of shards that is for publishing to say.
func (j *job) warnAtEnd() {
	if len(j.lasts) > 0 {
		j.found.Last = j.lasts[0].path
	}
	o := j.iteration.o
	if o.Shards > 0 {
		o.Observer.Observe(pipeline.Found{Job: j.id, Findings: j.found.Redacted(o.Secrets.Redact)})
		return
	}
	for _, w := range j.found.Warnings() {
		j.tell(w)
	}
}

func (j *job) warn(text string, v pipeline.Verdict) { j.tell(pipeline.Warned{Text: text, Verdict: v}) }

func (j *job) tell(w pipeline.Warned) {
	o := j.iteration.o
	w.Job, w.Text, w.At = j.id, o.Secrets.Redact(w.Text), o.Now()
	o.Observer.Observe(w)
}
