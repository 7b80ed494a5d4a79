package transport

import (
	"context"
	"sync/atomic"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
)

// lastAnswer is how long an answer that is good once is waited for when the run is over. A signal leaves a few seconds
// more, to keep what came.
const lastAnswer = 20 * time.Second

// A life is how long a request lives, with all the redirects that follow it.
type life struct {
	ctx context.Context

	// Asked when there is a connection: whether the request may go out. nil: it may.
	mayGo func() bool

	// Tells whether it may have gone out; nil: that does not matter.
	isSent func() bool
}

// What becomes of a request whose answer is good once.
const (
	unsent = iota
	sent
	givenUp
)

// lifeOf returns the life of r in an attempt under ctx. With ctx ends what has not gone out yet, and what has, unless
// its answer is good once. end must be called.
func (f *fetch) lifeOf(ctx context.Context, r *request.Request) (l life, end func()) {
	if !r.GoodOnce {
		return life{ctx: ctx}, func() {}
	}
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	var state atomic.Int32
	told := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(told)
		if state.CompareAndSwap(unsent, givenUp) {
			cancel(context.Cause(ctx))
			return
		}
		now := time.Now()
		last := time.AfterFunc(lastAnswer, func() { cancel(context.Cause(ctx)) })
		context.AfterFunc(own, func() { last.Stop() })
		text := "the run ends when the login has an answer, since what that gives is good once: " +
			lastAnswer.String() + " at most"
		f.c.Observer.Observe(pipeline.Outlives{Call: f.call, Until: now.Add(lastAnswer)})
		f.c.Observer.Observe(pipeline.Warned{Job: r.Job, Text: text, At: now})
	})
	isSent := func() bool { return state.Load() == sent }
	mayGo := func() bool { return state.CompareAndSwap(unsent, sent) || isSent() }
	return life{own, mayGo, isSent}, func() {
		if !forget() {
			<-told
		}
		cancel(nil)
	}
}

// loses tells whether the answer is lost to an attempt that ended with err: it was sent, and what the API has made of it
// did not come.
func (l life) loses(err error) bool {
	return l.isSent != nil && l.isSent() && err != nil && StatusOf(err) == 0
}

// A lostError is what has ended a run while the answer to a request was lost that is good once.
type lostError struct{ error }

func (l lostError) Unwrap() error { return l.error }

// Lost tells it to whoever asks by an interface.
func (l lostError) Lost() bool { return true }

// over is what a request ends with that cause, the end of the run, has ended.
func (f *fetch) over(cause error) error {
	if f.lost {
		return lostError{cause}
	}
	return cause
}
