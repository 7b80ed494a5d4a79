package walk

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// An Assignment is what a walk is about. Nothing changes it, so that workers may read it.
type Assignment struct {
	options *Options
	Job     *job.Job
	// Child is what the parent says of the job; nil for a root walk.
	Child *job.Child
	Above job.Ancestors
	// Window is that of the job, which says nothing if it has none.
	Window *job.Window
	Pages  *paginate.Job
	// own is the endpoint of Pages, resolved.
	own resolved
	// place is that among all walks, for the journal.
	place  string
	shared *jobShared
	values *walkValues
}

// resolved is an endpoint at a base. Nothing changes it.
type resolved struct {
	base  *url.URL
	url   *url.URL
	query request.Params
	// hide hides what is secret in the path; nil: nothing is.
	hide request.Hider
}

// A Collector sees the items of one attempt at a page, numbered from 1. It must not
// keep their text.
type Collector interface {
	Item(number int, text []byte) error
}

// A newCollector makes what looks at the items of one attempt, and puts what it sees
// into came; nil: nothing does.
type newCollector func(a *ask, came *Fetched) Collector

// jobShared has what all walks of a job have in common.
type jobShared struct {
	// collectors look at the items.
	collectors []newCollector
	// foreign is for the warning of another origin.
	foreign sync.Once
}

// walkValues are what was evaluated: once for all walks of a job, or for one walk. Nothing
// changes them.
type walkValues struct {
	*job.Evaluated
	// renew gives headers and parameters of a request their values of now; nil: none has
	// another one.
	renew func(*request.Request) error
}

// newWalkValues returns the values, and hides their secrets in all texts from now on.
func newWalkValues(o *Options, e *job.Evaluated) *walkValues {
	if len(e.Secrets) > 0 {
		o.API.Secrets.AddSignature(e.Secrets...)
	}
	v := &walkValues{Evaluated: e}
	renewed := slices.Concat(e.Renewed, o.API.Renewed)
	if len(renewed) > 0 || len(e.Secrets) > 0 {
		v.renew = func(r *request.Request) error {
			return o.API.Renew(r, renewed, e.Secrets...)
		}
	}
	return v
}

// progress is what the walks of a job have seen so far. It is the coordinator's.
type progress struct {
	options *Options
	job     *job.Job
	shared  *jobShared
	// values are those of the walk that began last; nil until one has.
	values *walkValues
	ended  lengths
	// lasts are what the function last follows.
	lasts []job.Greatest
	// parents are those that the run has below which the function last follows something;
	// nil: it follows nothing below items.
	parents *job.Parents
	// most is the greatest number of items that the first page of a walk had, where it was not doubtful.
	most int
	// found is what means something only beside all pages.
	found report.Findings
	// windows are those of a root job.
	windows endedWindows
	// facts are those of the walks that have ended, and isJudged tells that they were judged.
	facts    verdict.JobFacts
	isJudged bool
}

// longestWalk is up to how many pages lengths are told apart.
const longestWalk = 1 << 14

// lengths are those of walks that have ended: how many have more than so many pages.
type lengths []int

func (l *lengths) add(pages int) {
	for p := range min(pages, longestWalk) {
		if p == len(*l) {
			*l = append(*l, 0)
		}
		(*l)[p]++
	}
}

// A Walk is a job that goes over pages. What lasts from one page to the next is in
// State and Above: plain data. It is the coordinator's.
type Walk struct {
	*Assignment
	State paginate.State
	First *paginate.Request

	// progress is that of all walks of the job.
	progress *progress
	// windows are those of the job that the walk is one of.
	windows *endedWindows
	// slots are what is asked for or to be asked for, in page order; the first is
	// the next to be judged.
	slots []*slot
	// certainOnly tells that no page is known before the one before it.
	certainOnly bool
	// confirm is how the walk ended, while --confirm-end or --proof looks at the page
	// after the end; asked is how many such pages were asked for.
	confirm *report.Stop
	asked   int
	// isAhead: the page before the first one is asked for, after the end.
	isAhead bool
	// more is what the last answer said against the end; nil: nothing.
	more *evidence.Sign
	// suspicion is about the end. It is dropped if a page beyond proves that.
	suspicion paginate.Suspicion
	// hollow are pages without items to be asked for again if items follow; isHollow: one of them had none again.
	hollow   []hollow
	isHollow bool
	// told is what a root walk tells of itself, for publishing.
	told report.WalkEnd
	// filtered is how many items where and until have left out.
	filtered int64
	// recorded is what is kept of the last answer.
	recorded verdict.Record
	// isAddressed: a value of the item above stands in its address.
	isAddressed bool
	ended       bool
}

// hollow is a page without items after which the walk has gone on.
type hollow struct {
	number  int
	request *paginate.Request
}

// endedWindows are those of a root job, or of a child job for one set of placeholders'
// values, whose walks have ended.
type endedWindows struct {
	// of is how many there are.
	of           int
	walks, pages int
	items        int64
	worst        report.Stop
	// opening is a hash of what all begin with; 0: it differs, or says nothing.
	opening uint64
}

// isAlone tells whether the job has no other walk.
func (w *Walk) isAlone() bool { return w.Child == nil && !w.Job.Windowed() }

// isOnly tells whether the job has no other walk, and the run no other document.
func (w *Walk) isOnly() bool {
	return w.isAlone() && w.options.Documents == 1
}

// isDivided tells whether the walk is at the root of a run of shards: publishing judges it.
func (w *Walk) isDivided() bool { return w.options.Shards > 0 && w.Child == nil }

// wrap says which job, item above and page an error belongs to.
func (s *Assignment) wrap(number int, err error) error {
	where := ""
	if s.Job.Windowed() {
		where = ", " + s.Window.Name()
	}
	for i, j := 0, s.Job.Parent; j != nil; i, j = i+1, j.Parent {
		where += fmt.Sprintf(" below item %d of %s", s.Above.Item[i], j.ID)
	}
	return fmt.Errorf("job %s%s: page %d: %w%s", s.Job.ID, where, number, err, s.cure(number, err))
}

// cure says what to do about an error that may mean that there is nothing: of the first answer of one of many walks, and of a later
// page that was counted to.
func (s *Assignment) cure(number int, err error) string {
	if number > 1 && s.Job.Paging.ComparesTotals() && errors.Is(err, transport.ErrRefused) {
		return " (if it says that there are no more pages, name it by endOn)"
	}
	isOneOfMany := s.Child != nil || s.Job.Windowed()
	if number > 1 || !isOneOfMany {
		return ""
	}
	switch transport.StatusOf(err) {
	case http.StatusForbidden, http.StatusNotFound:
		return " (if it says that there is nothing, name it by emptyOn)"
	}
	return ""
}
