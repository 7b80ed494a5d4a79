// Package check asks for the first pages of jobs, and says what they show.
package check

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/walk"
)

// A JobResult is what the first page of a job showed, without secrets.
type JobResult struct {
	About
	// Error is why there is no page; all below is empty then.
	Error string `json:"error,omitempty"`
	// Skipped is why nothing was asked.
	Skipped string `json:"skipped,omitempty"`
	FirstExchange
	Page *FirstPage `json:"page,omitempty"`
	// Stop is nil if the walk would go on with Next.
	Stop     *report.Stop `json:"stop,omitempty"`
	Next     string       `json:"next,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
	// Overlap is nil where it was not tried.
	Overlap *TriedOverlap `json:"overlap,omitempty"`
	// Nothing is nil where no answer below an item is 403 or 404.
	Nothing *Nothing `json:"nothing,omitempty"`
	Suggestion

	// Err is what Error tells, or why a run would fail that has no other page.
	Err error `json:"-"`
	// Unreached tells that Err is that there was no connection to the host.
	Unreached bool `json:"-"`
}

// Suggestion is how the pages may follow each other.
type Suggestion struct {
	// Pagination follows what the answer says, or is usual: it was tried, and its
	// second page has other items.
	Pagination json.RawMessage `json:"pagination,omitempty"`
	// Sure tells that the first page came again as it was, or is asked for as it was,
	// and that no item of the second stands on it.
	Sure bool `json:"sure,omitempty"`
	// Tries are the paginations that were tried, the last one is Pagination if there
	// is one.
	Tries []Try `json:"tries,omitempty"`
}

// About says what a result is about.
type About struct {
	Job      string `json:"job,omitempty"`
	DataType string `json:"dataType,omitempty"`
	// Above is the id of the job that it is a child of.
	Above string `json:"above,omitempty"`
	// Login tells that it is about the login request, not a job.
	Login bool `json:"login,omitempty"`
}

// FirstExchange is the request and its answer.
type FirstExchange struct {
	Method string `json:"method,omitempty"`
	URL    string `json:"url,omitempty"`
	Status int    `json:"status,omitempty"`
	// Seconds are those of the last attempt, body included.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
	// Expires is when the session does, in RFC 3339.
	Expires string `json:"expires,omitempty"`
	// Kept is what the login gave for the next one, by name: what it was sent with may be
	// used up.
	Kept []string `json:"kept,omitempty"`
}

// FirstPage is what a page holds.
type FirstPage struct {
	Items int `json:"items"`
	// Filtered are those of Items that where leaves out.
	Filtered int `json:"filtered,omitempty"`
	// Array is where they are: dataField, or the member that was detected, or ".".
	Array string `json:"array"`
	// Detected tells that there is no dataField.
	Detected bool `json:"detected"`
	// First is the kind of the first item.
	First   string       `json:"first,omitempty"`
	Members []ItemMember `json:"members,omitempty"`
	// Looks are what the stop rule looks at.
	Looks []paginate.Look `json:"looks"`
	// Arrays are those of a response that is taken whole, the likeliest items first.
	Arrays   []string           `json:"arrays,omitempty"`
	Evidence []evidence.Finding `json:"evidence,omitempty"`
	// Verdict is that of a run that ended with this page, or of what it
	// holds so far.
	Verdict report.Verdict `json:"verdict"`

	// Item is the first one.
	Item []byte `json:"-"`
	// DataField makes objects of rows without names, of which the page seems to be; nil:
	// it does not.
	DataField json.RawMessage `json:"dataField,omitempty"`

	// Object tells that what the items were looked for in is an object.
	Object bool `json:"-"`
	// Envelope tells that there are two items, an object and an array.
	Envelope bool `json:"-"`
}

// ItemMember is a member of the first item.
type ItemMember struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// All logs in, and tells found what the first page of each job showed, and which
// pagination brings the page after it: with guess also where nothing says that there
// is one. A page that cannot be had is no error. What is not there is asked once.
func All(
	ctx context.Context, run *walk.Run, guess bool, found func(JobResult) error,
) error {
	k := &checker{run: run, options: run.Options(), guess: guess, found: found, unreached: map[string]bool{}}
	k.options.Client.Retry.IfAsked = true
	k.options.Client.Retry.MostWait = mostWait
	for _, j := range job.Tree(k.options.API.Jobs) {
		// What stands beside the items may tell how they are paged by any name.
		j.Spec.Notable = func([]byte) bool { return true }
	}
	defer k.options.Client.Close()
	k.options.Client.Begin(ctx)
	for i, j := range k.options.API.Jobs {
		if err := k.root(ctx, j, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// mostWait is the most that an answer may ask to wait: somebody looks on.
const mostWait = time.Minute

type checker struct {
	run     *walk.Run
	options *walk.Options
	// guess: usual paginations are tried where nothing says that there is more.
	guess bool
	found func(JobResult) error
	// unreached are the hosts that a job got no connection to.
	unreached map[string]bool
}

// root checks a job below no other, and those below it. The first one logs in.
func (k *checker) root(ctx context.Context, j *job.Job, first bool) error {
	if j.Windows == nil {
		about := About{Job: j.ID, DataType: j.DataType}
		return k.found(JobResult{About: about, Skipped: "it has no window of time"})
	}
	w, err := k.run.Begin(j, nil, job.Ancestors{}, &j.Windows[0])
	if err == nil && first {
		if err := k.login(ctx, w); err != nil {
			return err
		}
	}
	only := func(yield func(*walk.Walk, error) bool) { yield(w, err) }
	return k.check(ctx, j, only)
}

// login makes the session that the walk's first request needs.
func (k *checker) login(ctx context.Context, w *walk.Walk) error {
	r, err := w.Request(w.First)
	if err != nil {
		return err
	}
	s := k.options.API.SignerOf(r)
	if s == nil || s.Apply == nil {
		return nil
	}
	r = r.Clone()
	if err := s.Apply(ctx, r); err != nil {
		return err
	}
	if s.Done != nil {
		s.Done(r)
	}
	return nil
}

// check tells of a job what the first pages of its walks show, and then of what
// is below it.
func (k *checker) check(
	ctx context.Context, j *job.Job, walks iter.Seq2[*walk.Walk, error],
) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	result, last, parents := k.first(ctx, j, walks)
	if err := k.found(result); err != nil {
		return err
	}
	isLeftOut := result.Unreached || errors.Is(result.Err, ErrUnasked)
	if isLeftOut {
		return k.leaveOut(j)
	}
	for _, child := range j.Children {
		below := func(yield func(*walk.Walk, error) bool) {
			// There may be no walk that they are below.
			if len(parents) == 0 {
				return
			}
			k.run.Below(last, 1, parents, child)(yield)
		}
		if err := k.check(ctx, child.Job, below); err != nil {
			return err
		}
	}
	return nil
}

// mostParents is below how many items a child job is asked for until one has items.
const mostParents = 20

// first asks for the first pages of walks until one has items. parents is what the
// jobs below last need of these.
func (k *checker) first(
	ctx context.Context, j *job.Job, walks iter.Seq2[*walk.Walk, error],
) (result JobResult, last *walk.Walk, parents []byte) {
	about := About{Job: j.ID, DataType: j.DataType}
	if j.Parent != nil {
		about.Above = j.Parent.ID
	}
	result = JobResult{
		About:   about,
		Skipped: "no item on the first page of " + about.Above + " leads here",
	}
	asked := 0
	var without denied
	for w, err := range walks {
		result, last, parents = JobResult{About: about}, w, nil
		if err == nil {
			parents, err = k.reach(ctx, w, &result)
		}
		if err != nil {
			result = JobResult{About: about, Err: err, Error: k.message(err.Error()), Unreached: result.Unreached}
			if without.mayGoOn(&result) {
				continue
			}
			break
		}
		asked++
		showsEnough := result.Page.Items > 0 || result.Stop == nil
		if showsEnough || asked == mostParents {
			break
		}
	}
	return without.judge(result), last, parents
}

// message is a text as a message may have it.
func (k *checker) message(text string) string { return pipeline.Brief(k.redact(text)) }

func (k *checker) redact(text string) string {
	return k.options.API.Secrets.Redact(text)
}
