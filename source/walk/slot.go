package walk

import (
	"container/list"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport/record"
	"sluice/source/verdict"
)

// ask is what is asked for. Nothing changes it, so that a worker may read it.
type ask struct {
	*Assignment
	// number is that of the page in its walk, from 1.
	number  int
	request *paginate.Request
	// sought is what tells the items of the walk apart, as far as it is known.
	sought evidence.Sought
	// looksWithin: a page before had one object, and the list in it.
	looksWithin bool
	// isAgain: the page had no items when it was asked for first.
	isAgain bool
	// isAhead: it is the page before the first one.
	isAhead bool
}

// Fetched is what came of one attempt at a page: first its worker's,
// then the coordinator's.
type Fetched struct {
	// Page is nil with an error.
	Page  *page.Page
	Items Seen
	// Status and Header are those of the answer.
	Status int
	Header http.Header
	// Unready is why the page is to be asked for again; empty: it need not be.
	Unready string

	// end is how the walk ends with an answer that is no page.
	end configuredEnd
	// complaint is an error that the answer has beside the items.
	complaint verdict.Raised
	// quote is the beginning of an answer that has no items where they should be;
	// empty: it has some.
	quote string
	// asked is what the page was asked for with, and full what became of that; nil: no
	// page came.
	asked *paginate.Request
	full  *request.Request
	// at is where it was asked for: a login may have said where the API is.
	at *url.URL
	// later returns the beginning of the answer, for an error of paging; nil: paging reads nothing of the answer.
	later func() string
	// reply is for the journal; nil: there is none.
	reply *record.KeptAnswer
	// known tells that the answer is from the journal.
	known bool
	err   error
}

// isComplaint tells whether the answer has an error beside the items.
func (came *Fetched) isComplaint() bool { return came.complaint.Doubt != verdict.NoDoubt }

// Address was asked for; it is empty if no page came.
func (came *Fetched) Address() string {
	if came.full == nil {
		return ""
	}
	asked := *came.full
	asked.URL = came.at
	return asked.Address()
}

// Numbers are those by which it was asked for; none if no page came.
func (came *Fetched) Numbers() evidence.Numbers {
	if came.asked == nil {
		return nil
	}
	return came.asked.Numbers()
}

// quoting is an error of paging about the page, which quotes its answer.
func (came *Fetched) quoting(err error) error {
	if came.later == nil {
		return err
	}
	return fmt.Errorf("%w%s", err, came.later())
}

// configuredEnd is how a walk ends with an answer that endOn or emptyOn makes a page without items.
type configuredEnd struct {
	// by is empty if the answer is a page.
	by report.StopReason
	// status is that of the answer, by emptyOn, else 0.
	status int
	// byStatus tells that the answer says so by nothing but its status.
	byStatus bool
	// reads are what the condition of endOn looks at.
	reads []item.Path
}

// isHeard tells whether what the answer says of the list counts: by endOn, and by emptyOn that of a success, as an error has none.
func (e *configuredEnd) isHeard() bool {
	isSuccess := !e.isEmpty() || e.status/100 == 2
	return e.by != "" && isSuccess
}

// isEmpty tells whether emptyOn made the answer a page without items.
func (e configuredEnd) isEmpty() bool { return e.status != 0 }

// Seen is what the items of a page showed.
type Seen struct {
	// Parents is what the page's children need to know of them.
	Parents []byte
	// lasts are for the function last.
	lasts []job.Greatest
	// changes are the times of change of the items; nil: nothing is known of them.
	changes *paginate.Changes
	// numbers is what paging needs to know; nil: nothing.
	numbers *paginate.Range
	// falling is the order of the items, where the walk ends by it; nil: it does not.
	falling *paginate.Falling
	// each is what tells each item apart, where pages overlap.
	each *evidence.EachFinder
	// hashes are those of the texts of the items, where a cursor may name them again.
	hashes []uint64
	// finder has the keys of the items; nil: they are not wanted.
	finder *evidence.KeyFinder
	// texts are hashes of the texts of the items, if they are wanted.
	texts []uint64
	// sum is that of their hashes, for shards.
	sum uint64
	// filtered are those that where leaves out.
	filtered filtered
	// first is what the first of them shows.
	first firstItem
}

// slot is the place of one page in the output order, until its items are handed to
// the sink. It is the coordinator's.
type slot struct {
	ask
	walk *Walk
	// came is nil until a worker has fetched the page.
	came *Fetched

	status status
	// guess tells that it was asked for before it was known to be due.
	guess bool
	// inFile tells that the page waits in a temporary file, or is not there yet.
	inFile bool
	// place is that in the coordinator's order.
	place *list.Element
	// under is the context of its requests.
	under cancellable
	// sent counts requests, each attempt and redirect.
	sent atomic.Int32

	// since is when the page was first not ready.
	since time.Time
	// polls is how often it was not.
	polls int
}

// cancellable is a context, and what ends it.
type cancellable struct {
	ctx    context.Context
	cancel context.CancelFunc
}

type status int

// What becomes of a page.
const (
	// ready is to be asked for.
	ready status = iota
	// inFlight is being fetched.
	inFlight
	// waiting is to be asked for again, later.
	waiting
	// fetched is here, not judged.
	fetched
	// judged is to be emitted, or to fail the run, when its turn comes.
	judged
	// dropped is not wanted any more.
	dropped
)

// asks is what is asked for a page, and what its answer is looked at for.
func (w *Walk) asks(number int, request *paginate.Request) ask {
	return ask{
		Assignment:  w.Assignment,
		number:      number,
		request:     request,
		sought:      w.State.Seen.Sought(),
		looksWithin: w.State.Progress.Beside,
	}
}

// newSlot is the place of a page that is to be asked for.
func newSlot(w *Walk, number int, request *paginate.Request) *slot {
	asked := w.asks(number, request)
	asked.isAhead = w.isAhead
	return &slot{walk: w, ask: asked}
}

// keys are those of the items.
func (s *Seen) keys() evidence.Keys {
	if s.finder == nil {
		return nil
	}
	return s.finder.Keys()
}

// changed are the times of change of the items, by the function last, or by the cursor of the walk; nil: nothing is known of them.
func (s *Seen) changed() *paginate.Changes {
	if s.changes == nil && s.numbers != nil {
		return &s.numbers.Changes
	}
	return s.changes
}

// marks are the members of items without a key.
func (s *Seen) marks() evidence.Marks {
	if s.finder == nil {
		return evidence.Marks{}
	}
	return s.finder.Marks()
}

// tellApart is what tells each item apart, where pages overlap, or a cursor names items.
func (s *Seen) tellApart() evidence.Each {
	if s.each == nil {
		return evidence.Each{Texts: s.hashes}
	}
	return s.each.Each()
}

// drop gives up what was fetched, and says so if it was a guess.
func (s *slot) drop() {
	if s.came != nil {
		s.came.Page.Close()
	}
	requests := int(s.sent.Load())
	if s.guess && requests > 0 {
		s.options.Observer.Observe(pipeline.GuessedInVain{
			Job:      s.Job.ID,
			Page:     s.number,
			Requests: requests,
			At:       s.options.Now(),
		})
	}
}

// filtered are the items of a page that where leaves out.
type filtered struct {
	// count is how many there are, without those that came before. cut is how many until leaves out beside them.
	count, cut int
	// each tells of each item whether it is one, where pages overlap; nil: the page lacks
	// them already.
	each []bool
	// sorted tells that some item has all that where looks at, or that it holds for it.
	sorted bool
}

// Filtered is how many items where leaves out, and Cut how many until does.
func (s *Seen) Filtered() int { return s.filtered.count }

// Cut is told by [Seen.Filtered].
func (s *Seen) Cut() int { return s.filtered.cut }

// is tells whether the item of that number, from 1, is one that is still in the page.
func (f *filtered) is(number int) bool { return number <= len(f.each) && f.each[number-1] }

// beside returns which items leave the page, where those that came before do as well,
// which do not count; nil: none.
func (f *filtered) beside(dropped []bool) []bool {
	if f.each == nil {
		return dropped
	}
	f.count = 0
	all := slices.Clone(f.each)
	for i, isFiltered := range f.each {
		cameBefore := dropped != nil && dropped[i]
		switch {
		case cameBefore:
			all[i] = true
		case isFiltered:
			f.count++
		}
	}
	return all
}
