package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/transport/record"
)

// What is read of an answer that nobody wants, so that its connection can be used again.
const (
	restBytes = 64 << 10
	restTime  = 5 * time.Second
)

var (
	errUnwanted = errors.New("the rest is not wanted")
	errGivenUp  = &record.Error{Text: "the body was read after the answer had been given up", Lasting: true}
)

// An exchange is one HTTP request and its answer. Who got it from send must close it, once.
type exchange struct {
	record.Exchange

	c *Client

	// Of the network.
	ctx context.Context

	cancel context.CancelCauseFunc

	// Ends ctx when no byte comes; runs only while one is waited for.
	idle *time.Timer

	// Of another origin than the request that led here.
	foreign bool

	host string

	// Of the host.
	gate *gate

	// At the gate.
	place place

	// The place was given back.
	left bool

	sent      time.Time
	firstByte time.Duration

	// nil if none came.
	answer *http.Response

	// Of the body, read so far.
	bytes int64

	// What ended the body but its proper end.
	bodyErr error

	// Of the body, see beginning.
	start []byte

	// Of the body: what its readers read first, see quote.
	seen []byte

	// Seen is all of the body.
	whole bool

	// What was wrong with the exchange itself.
	err error
}

// send is the layer log: it waits for the host and the budget, sends h, which r has become and finish, which may be
// nil, signs last, and returns with the header of the answer.
func (c *Client) send(
	ctx context.Context,
	call pipeline.Call,
	r *request.Request,
	h *http.Request,
	finish func(*http.Request) error,
) (*exchange, error) {
	x := &exchange{
		Exchange: record.Exchange{Call: call, Request: r, Headers: c.Headers},
		c:        c,
		host:     h.URL.Host,
		gate:     c.gate(h.URL.Host),
	}
	if err := x.enter(ctx); err != nil {
		return nil, err
	}
	if finish != nil {
		if err := finish(h); err != nil {
			x.leave(false)
			return nil, err
		}
	}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	var network http.RoundTripper = x
	if c.Wrap != nil {
		network = c.Wrap(x, &x.Exchange)
	}
	if r.Sent != nil {
		r.Sent.Add(1)
	}
	x.sent = time.Now()
	c.Observer.Observe(pipeline.RequestSent{Call: call, Patience: c.IdleTimeout, At: x.sent})
	answer, err := network.RoundTrip(h) //nolint:bodyclose // close does
	if err != nil {
		defer x.close()
		return nil, x.failed(x.Where(), err)
	}
	x.firstByte = time.Since(x.sent)
	x.answer = answer
	// These say it otherwise.
	if s := answer.StatusCode; !c.Instant && s != http.StatusTooManyRequests &&
		s != http.StatusServiceUnavailable {
		left, wait := budget(answer.Header, time.Now())
		if until := x.gate.tell(x.place, left, wait); !until.IsZero() {
			c.Observer.Observe(
				pipeline.BudgetSpent{Reason: "rate limit of the API", Until: until, At: time.Now()},
			)
		}
	}
	return x, nil
}

// enter waits until the exchange may begin.
func (x *exchange) enter(ctx context.Context) (err error) {
	for {
		if x.place, err = x.gate.enter(ctx); err != nil {
			return err
		}
		if l := x.c.Limiter; l != nil {
			if wait := time.Duration((1 - l.Tokens()) / float64(l.Limit()) * float64(time.Second)); wait >= time.Second {
				x.c.Observer.Observe(
					pipeline.BudgetSpent{Reason: "--rate", Until: time.Now().Add(wait), At: time.Now()},
				)
			}
			if err = x.c.Limiter.Wait(ctx); err != nil {
				err = x.c.failure(x.Where(), fmt.Errorf("waiting for the budget of requests: %w", err))
			}
		}
		if err = cmp.Or(err, context.Cause(ctx)); err == nil && x.gate.wait() <= 0 {
			return nil
		}
		// It may have been closed while the budget was waited for.
		x.gate.leave(false)
		if err != nil {
			return err
		}
	}
}

// whereAndStatus is where, and the status of the answer.
func (x *exchange) whereAndStatus() string { return x.Where() + ": " + statusText(x.answer.StatusCode) }

// Read reads the body of the answer, and remembers its error, whatever is made of that.
func (x *exchange) Read(p []byte) (int, error) {
	if x.bodyErr != nil {
		return 0, x.bodyErr
	}
	n, err := x.answer.Body.Read(p)
	x.bytes += int64(n)
	if room := seenBytes - len(x.seen); room > 0 {
		x.seen = append(x.seen, p[:min(n, room)]...)
		x.whole = err == io.EOF && n <= room
	}
	if err != nil && err != io.EOF {
		x.bodyErr = err
	}
	return n, err
}

// quote is the beginning of the body for a message, after a colon; nothing of an empty one.
func (x *exchange) quote() string {
	if len(x.seen) < seenBytes && !x.whole {
		defer x.limit(restTime).Stop()
		// What came is shown, whatever ended it.
		_, _ = io.CopyN(io.Discard, x, seenBytes)
	}
	return x.c.Quote(string(x.seen), !x.whole)
}

// failed is the error of an exchange that has no answer, or not all of one.
func (x *exchange) failed(where string, err error) error {
	f := x.c.failure(where, err)
	known, ok := errors.AsType[*record.Error](err)
	f.retryable = !ok || !known.Lasting
	x.err = f
	return f
}

// close ends the exchange and says that it is over.
func (x *exchange) close() {
	status := 0
	if x.answer != nil {
		status = x.answer.StatusCode
		// What was wanted has been read.
		_ = x.answer.Body.Close()
		x.bodyErr = errGivenUp
	}
	x.cancel(nil)
	x.leave(status/100 == 2 && x.err == nil)
	now := time.Now()
	if x.Warning != "" {
		x.c.Observer.Observe(pipeline.Warned{Job: x.Job, Text: x.Warning, At: now})
	}
	x.c.Observer.Observe(pipeline.ResponseDone{
		Call: x.Call, Status: status, Bytes: x.bytes, FirstByte: x.firstByte, Total: now.Sub(x.sent), Err: x.err, At: now,
	})
}

// leave gives the place at the gate back, once.
func (x *exchange) leave(good bool) {
	if !x.left {
		x.left = true
		x.gate.leave(good)
	}
}

// limit ends the exchange after d, unless the timer is stopped.
func (x *exchange) limit(d time.Duration) *time.Timer {
	return time.AfterFunc(d, func() { x.cancel(errUnwanted) })
}
