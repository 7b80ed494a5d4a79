package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
)

// What is read of an answer that nobody wants, so that its connection can be
// used again: so many bytes, for so long.
const (
	restBytes = 64 << 10
	restTime  = 5 * time.Second
)

// An exchange is one HTTP request and its answer, as observers see it. Who got
// it from send must close it, once.
type exchange struct {
	c       *Client
	call    pipeline.Call
	ctx     context.Context
	cancel  context.CancelCauseFunc
	idle    *time.Timer // ends ctx when no byte comes; runs only while one is waited for
	asked   bool        // net/http took the request and asked for a connection
	foreign bool        // of another origin than the request that led here
	final   bool        // no answer came, and another attempt would get none either
	tape    *tape       // nil: nothing is recorded
	gate    *gate       // of the host; passed
	era     int         // when it was passed
	left    bool        // its place was given back

	sent      time.Time
	firstByte time.Duration
	answer    *http.Response // nil if none came
	body      *body          // of answer
	err       error          // what was wrong with the exchange itself
}

// send is the layers log and net/http: it waits for the host and for the budget,
// sends h, which r has become, and returns when the header of the answer is there.
// finish, which may be nil, signs h when nothing is waited for any more: a
// signature is good for some minutes only.
func (c *Client) send(ctx context.Context, call pipeline.Call, r *request.Request, h *http.Request, finish func(*http.Request) error) (*exchange, error) {
	x := &exchange{c: c, call: call, gate: c.gate(h.URL.Host)}
	if err := x.pass(ctx); err != nil {
		return nil, err
	}
	if finish != nil {
		if err := finish(h); err != nil {
			x.leave(false)
			return nil, err
		}
	}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	x.idle = time.AfterFunc(c.IdleTimeout, func() { x.cancel(&timeout{"no byte came", c.IdleTimeout}) })
	x.idle.Stop() // connecting has a time-out of its own
	named := context.WithValue(x.ctx, hostKey{}, h.URL.Host)
	traced := httptrace.WithClientTrace(named, &httptrace.ClientTrace{
		GetConn: func(string) { x.asked = true },
		GotConn: func(httptrace.GotConnInfo) { x.idle.Reset(c.IdleTimeout) },
	})

	x.tape = c.Record.begin(x, r, h)
	x.sent = time.Now()
	c.observe(pipeline.RequestSent{Call: call, At: x.sent})
	answer, err := x.roundTrip(r, h.WithContext(traced)) //nolint:bodyclose // close does
	x.idle.Stop()
	if err != nil {
		err = x.unsent(err, h)
		x.close()
		return nil, err
	}
	x.firstByte = time.Since(x.sent)
	x.answer = answer
	x.body = newBody(x)
	return x, nil
}

// pass waits until the exchange may begin.
func (x *exchange) pass(ctx context.Context) (err error) {
	for {
		if x.era, err = x.gate.pass(ctx); err != nil {
			return err
		}
		if err := x.budget(ctx); err != nil {
			x.gate.leave(false)
			return err
		}
		if !x.gate.closed() {
			return nil
		}
		x.gate.leave(false) // it was held while the budget was waited for
	}
}

// budget waits for --rate.
func (x *exchange) budget(ctx context.Context) error {
	if x.c.Limiter != nil {
		if err := x.c.Limiter.Wait(ctx); err != nil {
			return x.c.failure(x.where(), fmt.Errorf("waiting for the budget of requests: %w", err))
		}
	}
	return context.Cause(ctx)
}

// roundTrip asks the network, or a recording.
func (x *exchange) roundTrip(r *request.Request, h *http.Request) (*http.Response, error) {
	if x.c.Replay == nil {
		return x.c.transport.RoundTrip(h)
	}
	x.asked = true
	return x.c.Replay.answer(x, r, h)
}

// where says which request an error is about.
func (x *exchange) where() string { return x.call.Method + " " + x.call.URL }

// met is where, and the status of the answer.
func (x *exchange) met() string { return x.where() + ": " + statusText(x.answer.StatusCode) }

// quotation is what net/http shows of an answer that is no proper HTTP: pieces,
// and a piece of a secret cannot be told from any other text.
var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// unsent is the error of a request that got no answer.
func (x *exchange) unsent(err error, h *http.Request) error {
	if cause := context.Cause(x.ctx); cause != nil {
		err = cause
	}
	f := x.c.failure(x.where(), err)
	var dns *net.DNSError
	var record tls.RecordHeaderError
	distrust, untrusted := x.c.untrusted(err)
	refusal, refused := x.refused(err, h)
	switch {
	case untrusted:
		f.what = distrust
	case refused:
		f.what = refusal
	case errors.As(err, &record):
		f.what = "the server does not speak TLS: check whether the address begins with http:// and not https://"
	case errors.As(err, &dns) && dns.IsNotFound:
		f.what = x.c.Secrets.Redact(fmt.Sprintf("there is no host named %q: check the address", dns.Name))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f.what = "the connection was closed before an answer came"
	default:
		f.what = quotation.ReplaceAllString(f.what, "…")
	}
	x.err = f
	if x.final = !x.asked || refused || lasting(err); x.final {
		return f
	}
	return &passing{err: f, reason: f.what, asked: -1}
}

// broken is the error of an answer whose body failed.
func (x *exchange) broken(err *bodyError) error {
	f := x.c.failure(x.met(), err)
	x.err = f
	if err.lasting {
		return f
	}
	return &passing{err: f, reason: f.what, asked: -1}
}

// close reads a bounded rest of the body, so that the connection can be used
// again, and says that the exchange is over.
func (x *exchange) close() {
	var status int
	var bytes int64
	if x.answer != nil {
		status, bytes = x.answer.StatusCode, x.body.n
		if x.body.err == nil {
			defer x.limit(restTime).Stop()
			_, _ = io.CopyN(io.Discard, x.answer.Body, restBytes) // nobody wants it: an error has no bearing
		}
		x.body.release()
		_ = x.answer.Body.Close() // what was wanted has been read
	}
	x.tape.close()
	x.cancel(nil)
	x.leave(status/100 == 2 && x.err == nil)
	now := time.Now()
	x.c.observe(pipeline.ResponseDone{
		Call: x.call, Status: status, Bytes: bytes, FirstByte: x.firstByte, Total: now.Sub(x.sent), Err: x.err, At: now,
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

// unwanted tells whether the run gave the exchange up, and not a bound of ours.
func (x *exchange) unwanted() bool {
	cause := context.Cause(x.ctx)
	_, late := errors.AsType[*timeout](cause)
	return cause != nil && !late && !errors.Is(cause, errUnwanted)
}

var errUnwanted = errors.New("the rest is not wanted")
