// Package check asks for the first pages of jobs, and says what they show.
package check

import (
	"context"
	"errors"
	"iter"
	"time"

	"sluice/source/job"
	"sluice/source/walk"
)

// All logs in, and tells found what the first page of each job showed, and which
// pagination brings the page after it: with guess also where nothing says that there
// is one. A page that cannot be had is no error. What is not there is asked once.
func All(
	ctx context.Context, run *walk.Run, guess bool, found func(JobResult) error,
) error {
	k := newChecker(run, found)
	k.guess = guess
	defer k.options.Client.Close()
	k.options.Client.Begin(ctx)
	for i, j := range k.options.API.Jobs {
		if err := k.root(ctx, j, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// First logs in, and tells found what the first page of the first job showed. That page is the only one that is asked
// for.
func First(ctx context.Context, run *walk.Run, found func(JobResult) error) error {
	k := newChecker(run, found)
	k.once = true
	defer k.options.Client.Close()
	k.options.Client.Begin(ctx)
	return k.root(ctx, k.options.API.Jobs[0], true)
}

func newChecker(run *walk.Run, found func(JobResult) error) *checker {
	k := &checker{run: run, options: run.Options(), found: found, unreached: map[string]bool{}}
	k.options.Client.Retry.IfAsked = true
	k.options.Client.Retry.MostWait = mostWait
	for _, j := range job.Tree(k.options.API.Jobs) {
		// What stands beside the items may tell how they are paged by any name.
		j.Spec.Notable = func([]byte) bool { return true }
	}
	return k
}

// mostWait is the most that an answer may ask to wait: somebody looks on.
const mostWait = time.Minute

// root checks a job below no other, and those below it. The first one logs in.
func (k *checker) root(ctx context.Context, j *job.Job, first bool) error {
	if j.Windows == nil {
		about := About{Job: j.ID, DataType: j.DataType}
		return k.found(JobResult{About: about, Skipped: "not requested: there is no window, since from of windows is not before to"})
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
	if result.Unreached || errors.Is(result.Err, ErrUnasked) {
		return k.leaveOut(j)
	}
	if k.once {
		return nil
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
		Skipped: "not requested: no item on the first page of " + about.Above + " has this job below it",
	}
	asked := 0
	var without deniedAnswers
	for w, err := range walks {
		result, last, parents = JobResult{About: about}, w, nil
		if err == nil {
			parents, err = k.reach(ctx, w, &result)
		}
		if err != nil {
			result = JobResult{About: about, Err: err, Error: k.message(err.Error()), Unreached: result.Unreached}
			result.Status, result.Format = walk.Refusal(err)
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
