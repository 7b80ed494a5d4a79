package transport

import (
	"context"
	"sync/atomic"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
)

// lastAnswer is how long an answer that cannot be requested again is waited for when the run is over. A signal leaves a few seconds
// more, to keep what came.
const lastAnswer = 20 * time.Second

// A life says until when a request, with all the redirects that follow it, may wait for its answer.
type life struct {
	ctx context.Context

	// Asked when there is a connection: whether the request may go out. nil: it may.
	mayGo func() bool

	// Tells whether it may have gone out; nil: that does not matter.
	isSent func() bool
}

// What becomes of a request whose answer cannot be requested again.
const (
	unsent = iota
	sent
	givenUp
)

// lifeOf returns the life of r in an attempt under ctx. When ctx ends, a request that was not sent yet is given up. One
// that was sent is given up too, unless its answer cannot be requested again. end must be called.
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
		text := "the run ends only when the login is answered, since its answer may have a token that cannot " +
			"be requested again: " +
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

// A lostError is what ended a run, when the answer to a request was lost that cannot be sent again.
type lostError struct{ error }

func (l lostError) Unwrap() error { return l.error }

// Lost tells it to whoever asks by an interface.
func (l lostError) Lost() bool { return true }

// over returns the error of a request that ended because the run did, for the given cause.
func (f *fetch) over(cause error) error {
	if f.lost {
		return lostError{cause}
	}
	return cause
}
