package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/transport/record"
)

// At most so much is read of the rest of an answer that is not needed, so that its connection can be used again.
const (
	restBytes = 64 << 10
	restTime  = 5 * time.Second
)

var (
	errUnwanted = errors.New("the rest of the body is not needed")
	errGivenUp  = &record.Error{Text: "the answer was given up before its whole body was read", Lasting: true}
)

// An exchange is one HTTP request and its answer.
type exchange struct {
	record.ExchangeDetails

	c *Client

	// ctx is that of the request that goes to the network.
	ctx context.Context

	cancel context.CancelCauseFunc

	// watch belongs to the client, and is given back to it; nil: the exchange is over.
	watch *watch

	// foreign: a redirect has led to another origin than that of the first request.
	foreign bool

	// redirectedFrom is the address that was asked for, for people, if a redirect led elsewhere; else empty.
	redirectedFrom string

	// unreached is the host to which no connection could be made.
	unreached string

	admission admission
	sent      time.Time
	firstByte time.Duration

	// answer is nil if none came.
	answer *http.Response

	// body is that of answer, if it came from the network and not from a recording or a journal.
	body decodedBody

	// response is what the reader of a successful answer gets.
	response Response

	// received is what was read of the body of the answer.
	received received

	// err is why the exchange itself failed, whatever the status of the answer.
	err error
}

// A Response is an answer whose status is a success.
type Response struct {
	Status int
	Header http.Header

	// Cookies are those that the answers to a login set, redirects included.
	Cookies http.CookieJar

	// URL is the address that was asked for, before redirects.
	URL *url.URL

	// Body is decoded, and must not be used after read has returned. An error of it repeats the attempt.
	Body io.Reader

	// Again quotes an answer that did not come from the network; nil for one that did.
	Again func() string

	x *exchange
}

// Quote is the beginning of the body for a message, without secrets, after a colon; empty of an empty body, and after
// read has returned.
func (r *Response) Quote() string {
	if r.x == nil {
		return r.Again()
	}
	return r.x.quote()
}

// RedirectedFrom is the address that was asked for, for people, if a redirect led elsewhere; else empty, as of an answer
// that is not of the network.
func (r *Response) RedirectedFrom() string {
	if r.x == nil {
		return ""
	}
	return r.x.redirectedFrom
}

// Later returns a function that gives Quote when read has returned. It quotes what was read before the call of Later.
func (r *Response) Later() (quote func() string) {
	if r.x == nil {
		return r.Again
	}
	return r.x.later()
}

// A fetch is one request on its way, through all its attempts.
type fetch struct {
	c *Client

	// The exchange under way, or the last one: one ends before another begins.
	call     pipeline.Call
	exchange exchange

	request *request.Request

	// The request as it is signed in the current attempt.
	signed request.Request

	signer request.Signer
	read   func(*Response) error

	// unheard is how many attempts an address refused that has accepted no connection since the run began.
	unheard int

	// renewed: there was a new login because of a 401. A second one is not tried.
	renewed bool

	// lost: the answer to an attempt was lost, see [life.loses].
	lost bool
}

// An admission is a place among the requests that a host has in flight.
type admission struct {
	host string

	// gate is that of the host.
	gate *gate

	// place is the one that the gate gave.
	place permit

	// left: the place was given back.
	left bool
}

// received is what was read of a body so far.
type received struct {
	bytes int64

	// err ended the body before its proper end; nil: nothing did.
	err error

	// start is what was read at once, see beginning.
	start []byte

	// seen is the beginning of what was read, see quote; nil: nothing was read. It belongs to the client, and is given
	// back to it.
	seen *bytes.Buffer

	// whole: seen has all of the body.
	whole bool
}

// keep appends what was read to seen, as far as there is room. ended says that the body ends with it.
func (r *received) keep(p []byte, ended bool) {
	room := seenBytes - r.seen.Len()
	if room <= 0 {
		return
	}
	r.seen.Write(p[:min(len(p), room)])
	r.whole = ended && len(p) <= room
}

// quotable tells whether seen has all that a quote may have.
func (r *received) quotable() bool {
	if r.seen == nil {
		return false
	}
	return r.whole || r.seen.Len() >= seenBytes
}

// A decodedBody is the decoded body of an answer, read under the idle timer of its exchange. Its errors are [*record.Error].
type decodedBody struct {
	raw raw

	// coding is the Content-Encoding; empty: none.
	coding string

	// optional: an answer of this status may have no body.
	optional bool

	// decoded is nil before the first read.
	decoded io.Reader

	// decoder belongs to the client, and is given back to it; nil before the first read.
	decoder *contentDecoder

	// n is how many decoded bytes were read so far.
	n int64

	failed bool
}

// raw is the body as it comes, each read under the idle timer.
type raw struct {
	x    *exchange
	body io.ReadCloser

	// n is how many bytes were read so far.
	n int64

	// err is the first error of body other than io.EOF.
	err error

	// ended: body was read to its proper end.
	ended bool
}

// begin begins an exchange under ctx, for r or for an address to which r was redirected. The caller must end it.
func (f *fetch) begin(ctx context.Context, r *request.Request) *exchange {
	x := &f.exchange
	*x = exchange{
		ExchangeDetails: record.ExchangeDetails{Request: r, Headers: f.c.Headers, Also: f.c.Also},
		c:               f.c,
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

// send is the layer log. It waits until the host and the budget allow a request, lets finish (nil: nothing) sign h, sends h,
// and returns when the header of the answer has come. Without an error the exchange must be closed, once.
func (x *exchange) send(ctx context.Context, h *http.Request, finish func(*http.Request) error) error {
	host := h.URL.Host
	x.admission = admission{host: host, gate: x.c.gate(host)}
	if err := x.enter(ctx, h.URL); err != nil {
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
		network = x.c.Wrap(x, &x.ExchangeDetails)
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
	if answer.StatusCode/100 == 2 {
		x.admission.gate.answered(x.firstByte)
	}
	x.tellBudget()
	return nil
}

// enter waits until the exchange, a request to u, may begin.
func (x *exchange) enter(ctx context.Context, u *url.URL) error {
	gate := x.admission.gate
	for {
		place, err := gate.enter(ctx)
		if err != nil {
			return err
		}
		x.admission.place = place
		if err := x.waitForBudget(ctx); err != nil {
			gate.leave(false)
			return err
		}
		// It may have been closed while the budget was waited for.
		if gate.wait() > 0 {
			gate.leave(false)
			continue
		}
		wait, text := x.c.Quotas.Take(u, time.Now())
		if wait <= 0 {
			return nil
		}
		// Requests that another rule is about may go meanwhile.
		gate.leave(false)
		x.tellWait("rate "+text, wait)
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// tellWait says that no request is sent for a time, if that is a second at least.
func (x *exchange) tellWait(reason string, wait time.Duration) {
	if wait < time.Second {
		return
	}
	now := time.Now()
	x.c.Observer.Observe(pipeline.BudgetSpent{Reason: reason, Until: now.Add(wait), At: now})
}

// waitForBudget waits until --rate lets one more request begin.
func (x *exchange) waitForBudget(ctx context.Context) error {
	l := x.c.Limiter
	if l == nil {
		return context.Cause(ctx)
	}
	lacking := 1 - l.Tokens()
	wait := time.Duration(lacking / float64(l.Limit()) * float64(time.Second))
	x.tellWait("--rate", wait)
	if err := l.Wait(ctx); err != nil {
		return x.c.failure(x.Where(), fmt.Errorf("waiting for the budget of requests: %w", err))
	}
	return context.Cause(ctx)
}

// tellBudget tells the gate what the answer says of the budget, and people if that closes the gate.
func (x *exchange) tellBudget() {
	status := x.answer.StatusCode
	// These say it otherwise.
	if x.c.Instant || status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
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
		// It is negative where no length was announced.
		length := max(x.answer.ContentLength, 0)
		got.seen.Grow(int(min(length, seenBytes)))
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
	if x.isGivenUp() {
		x.admission.leaveUnanswered(x.sent)
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

// leaveUnanswered gives the place of a request that was given up back when the host is likely to have done with it: so no
// more requests are in flight as the host counts them.
func (a *admission) leaveUnanswered(sent time.Time) {
	rest := a.gate.busy(sent)
	if rest <= 0 || a.left {
		a.leave(false)
		return
	}
	a.left = true
	// The next attempt takes the admission over.
	gate := a.gate
	time.AfterFunc(rest, func() { gate.leave(false) })
}

// isGivenUp tells whether nobody waits any more for the answer to a request that went out on a connection of its own. On
// one that it shares the host is told.
func (x *exchange) isGivenUp() bool {
	if x.answer != nil || x.watch == nil || x.watch.conn == nil {
		return false
	}
	return context.Cause(x.ctx) != nil && !isShared(x.watch.conn)
}

// limit ends the exchange after d, unless the timer is stopped.
func (x *exchange) limit(d time.Duration) *time.Timer {
	cancel := x.cancel
	return time.AfterFunc(d, func() { cancel(errUnwanted) })
}
