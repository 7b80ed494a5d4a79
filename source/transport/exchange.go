package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
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

// An exchange is one HTTP request and its answer.
type exchange struct {
	record.Exchange

	c *Client

	// Of the network.
	ctx context.Context

	cancel context.CancelCauseFunc

	// Of the client, which gets it back; nil: the exchange is over.
	watch *watch

	// Of another origin than the request that led here.
	foreign bool

	// The host that no connection was got to.
	unreached string

	admission admission
	sent      time.Time
	firstByte time.Duration

	// nil if none came.
	answer *http.Response

	// That of answer, if it is of the network.
	body decodedBody

	// What of answer is read, if it is.
	response Response

	// Of the body of the answer.
	received received

	// What was wrong with the exchange itself.
	err error
}

// An admission is a place among the requests that a host has in flight.
type admission struct {
	host string

	// Of the host.
	gate *gate

	// At the gate.
	place permit

	// The place was given back.
	left bool
}

// received is what was read of a body so far.
type received struct {
	bytes int64

	// What ended the body but its proper end.
	err error

	// What was read at once, see beginning.
	start []byte

	// What its readers read first, see quote; of the client, which gets it back. nil: nothing was read.
	seen *bytes.Buffer

	// Seen is all of the body.
	whole bool
}

// keep keeps what was read last for quote, as far as there is room; ended says that
// it was the last of the body.
func (r *received) keep(p []byte, ended bool) {
	room := seenBytes - r.seen.Len()
	if room <= 0 {
		return
	}
	r.seen.Write(p[:min(len(p), room)])
	r.whole = ended && len(p) <= room
}

// quotable tells whether there is nothing to add to what is kept.
func (r *received) quotable() bool {
	if r.seen == nil {
		return false
	}
	return r.whole || r.seen.Len() >= seenBytes
}

// begin begins an exchange under ctx that r has led to. Whoever began it must end it.
func (f *fetch) begin(ctx context.Context, r *request.Request) *exchange {
	x := &f.exchange
	*x = exchange{
		Exchange: record.Exchange{Request: r, Headers: f.c.Headers, Also: f.c.Also},
		c:        f.c,
	}
	ctx, x.cancel = context.WithCancelCause(ctx)
	x.watch = f.c.watch(x.cancel)
	x.ctx = httptrace.WithClientTrace(ctx, &x.watch.trace)
	return x
}

// end ends an exchange that may have no answer. A second time it does nothing.
func (x *exchange) end() {
	x.cancel(nil)
	if x.watch != nil {
		x.c.putWatch(x.watch)
		x.watch = nil
	}
}

// send is the layer log: it waits for the host and the budget, sends h, which finish, which may be nil, signs last,
// and returns with the header of the answer. Without an error the exchange must be closed, once.
func (x *exchange) send(ctx context.Context, h *http.Request, finish func(*http.Request) error) error {
	host := h.URL.Host
	x.admission = admission{host: host, gate: x.c.gate(host)}
	if err := x.enter(ctx); err != nil {
		return err
	}
	if finish != nil {
		h.Header = h.Header.Clone()
		if err := finish(h); err != nil {
			x.admission.leave(false)
			return err
		}
	}
	var network http.RoundTripper = x
	if x.c.Wrap != nil {
		network = x.c.Wrap(x, &x.Exchange)
	}
	if x.Request.Sent != nil {
		x.Request.Sent.Add(1)
	}
	x.sent = time.Now()
	x.c.Observer.Observe(pipeline.RequestSent{Call: x.Call, Patience: x.c.IdleTimeout, At: x.sent})
	//nolint:bodyclose // close does
	answer, err := network.RoundTrip(h)
	if err != nil {
		defer x.close()
		return x.failed(x.Where(), err)
	}
	x.firstByte = time.Since(x.sent)
	x.answer = answer
	x.tellBudget()
	return nil
}

// enter waits until the exchange may begin.
func (x *exchange) enter(ctx context.Context) error {
	gate := x.admission.gate
	for {
		place, err := gate.enter(ctx)
		if err != nil {
			return err
		}
		x.admission.place = place
		err = x.waitForBudget(ctx)
		if err == nil && gate.wait() <= 0 {
			return nil
		}
		// It may have been closed while the budget was waited for.
		gate.leave(false)
		if err != nil {
			return err
		}
	}
}

// waitForBudget waits until --rate lets one more request begin, and says so if that takes a second.
func (x *exchange) waitForBudget(ctx context.Context) error {
	l := x.c.Limiter
	if l == nil {
		return context.Cause(ctx)
	}
	lacking := 1 - l.Tokens()
	wait := time.Duration(lacking / float64(l.Limit()) * float64(time.Second))
	if wait >= time.Second {
		x.c.Observer.Observe(
			pipeline.BudgetSpent{Reason: "--rate", Until: time.Now().Add(wait), At: time.Now()},
		)
	}
	if err := l.Wait(ctx); err != nil {
		return x.c.failure(x.Where(), fmt.Errorf("waiting for the budget of requests: %w", err))
	}
	return context.Cause(ctx)
}

// tellBudget tells the gate what the answer says of the budget, and people if that closes the gate.
func (x *exchange) tellBudget() {
	status := x.answer.StatusCode
	// These say it otherwise.
	refused := status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
	if x.c.Instant || refused {
		return
	}
	left, wait := budget(x.answer.Header)
	until := x.admission.gate.tell(x.admission.place, left, wait)
	if until.IsZero() {
		return
	}
	x.c.Observer.Observe(
		pipeline.BudgetSpent{Reason: "rate limit of the API", Until: until, At: time.Now()},
	)
}

// whereAndStatus is where, and the status of the answer.
func (x *exchange) whereAndStatus() string { return x.Where() + ": " + statusText(x.answer.StatusCode) }

// Read reads the body of the answer, and remembers its error, whatever is made of that.
func (x *exchange) Read(p []byte) (int, error) {
	got := &x.received
	if got.err != nil {
		return 0, got.err
	}
	if got.seen == nil {
		got.seen = x.c.buffer()
	}
	n, err := x.answer.Body.Read(p)
	got.bytes += int64(n)
	got.keep(p[:n], err == io.EOF)
	if err != nil && err != io.EOF {
		got.err = err
	}
	return n, err
}

// quote is the beginning of the body for a message, after a colon; nothing of an empty one.
func (x *exchange) quote() string {
	got := &x.received
	if !got.quotable() {
		defer x.limit(restTime).Stop()
		// What came is shown, whatever ended it.
		_, _ = io.CopyN(io.Discard, x, seenBytes)
	}
	// The exchange is closed.
	if got.seen == nil {
		return ""
	}
	return x.c.Quote(got.seen.String(), !got.whole)
}

// later is quote for when the exchange is closed.
func (x *exchange) later() (quote func() string) {
	if x.received.seen == nil {
		return func() string { return "" }
	}
	seen := x.received.seen.String()
	isCut := !x.received.whole
	return func() string { return x.c.Quote(seen, isCut) }
}

// buffer returns an empty buffer that nobody uses.
func (c *Client) buffer() *bytes.Buffer {
	b, ok := c.buffers.Get().(*bytes.Buffer)
	if !ok {
		return new(bytes.Buffer)
	}
	b.Reset()
	return b
}

// failed is the error of an exchange that has no answer, or not all of one.
func (x *exchange) failed(where string, err error) error {
	f := x.c.failure(where, err)
	known, ok := errors.AsType[*record.Error](err)
	f.retryable = !ok || !known.Lasting
	f.unreached = x.unreached
	f.unheard = ok && known.Unheard
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
		x.received.err = errGivenUp
	}
	if x.received.seen != nil {
		x.c.buffers.Put(x.received.seen)
		x.received.seen = nil
	}
	x.end()
	x.admission.leave(status/100 == 2 && x.err == nil)
	now := time.Now()
	if x.Warning != "" {
		x.c.Observer.Observe(pipeline.Warned{Job: x.Job, Text: x.Warning, At: now})
	}
	x.c.Observer.Observe(pipeline.ResponseDone{
		Call:      x.Call,
		Status:    status,
		Bytes:     x.received.bytes,
		FirstByte: x.firstByte,
		Total:     now.Sub(x.sent),
		Err:       x.err,
		At:        now,
	})
}

// leave gives the place back, once. good says that the answer was a success.
func (a *admission) leave(good bool) {
	if !a.left {
		a.left = true
		a.gate.leave(good)
	}
}

// limit ends the exchange after d, unless the timer is stopped.
func (x *exchange) limit(d time.Duration) *time.Timer {
	cancel := x.cancel
	return time.AfterFunc(d, func() { cancel(errUnwanted) })
}
