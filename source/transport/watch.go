package transport

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"time"

	"sluice/source/transport/record"
)

// A watch ends an exchange when no byte comes, and sees how far net/http is with it. It is used for one exchange
// after the other.
type watch struct {
	// Without a byte.
	within time.Duration

	// Of the exchange.
	cancel context.CancelCauseFunc

	// Runs only while a byte is waited for.
	idle *time.Timer

	// It has come to its end, so that nobody can tell for how long it will use cancel.
	spent bool

	// That of a [life].
	mayGo func() bool

	// No other version of HTTP is spoken over TLS.
	onlyHTTP2 bool

	// Of the client.
	pool *pool

	// That the request is sent with.
	transport *http.Transport

	// That it is sent on.
	conn net.Conn

	// For each request.
	trace httptrace.ClientTrace

	// The request was not refused by net/http itself.
	accepted bool

	// It has a connection.
	connected bool
}

// watch returns one that nobody uses for an exchange that cancel ends.
func (c *Client) watch(cancel context.CancelCauseFunc) *watch {
	w, ok := c.watches.Get().(*watch)
	if !ok {
		w = newWatch(c.IdleTimeout, &c.pool)
		w.onlyHTTP2 = c.Version == onlyHTTP2
	}
	w.cancel = cancel
	return w
}

// putWatch gives a watch back.
func (c *Client) putWatch(w *watch) {
	if w.spent {
		return
	}
	w.cancel = nil
	w.mayGo = nil
	w.transport = nil
	w.conn = nil
	w.accepted = false
	w.connected = false
	c.watches.Put(w)
}

func newWatch(within time.Duration, p *pool) *watch {
	w := &watch{within: within, pool: p}
	w.idle = time.AfterFunc(within, func() {
		if isShared(w.conn) {
			w.pool.retire(w.transport)
		}
		w.cancel(late("no byte came", within))
	})
	// Connecting has a time-out of its own.
	w.pause()
	w.trace.GetConn = func(string) { w.accepted = true }
	w.trace.GotConn = func(got httptrace.GotConnInfo) {
		w.connected = true
		w.conn = got.Conn
		// That of dial ends.
		_ = got.Conn.SetDeadline(w.deadline())
		w.wait()
	}
	return w
}

// deadline is that of what is written now: none, or one that has passed, so that nothing goes out. It ends the exchange
// where the connection is of the wrong version.
func (w *watch) deadline() time.Time {
	passed := time.Unix(1, 0)
	if w.onlyHTTP2 && isOfHTTP1(w.conn) {
		w.cancel(errNoHTTP2)
		return passed
	}
	if w.mayGo == nil || w.mayGo() {
		return time.Time{}
	}
	return passed
}

// wait begins to wait for a byte.
func (w *watch) wait() { w.idle.Reset(w.within) }

// pause tells that no byte is waited for.
func (w *watch) pause() {
	stopped := w.idle.Stop()
	w.spent = w.spent || !stopped
}

// late is the error of what took longer than a bound of ours.
func late(what string, bound time.Duration) *record.Error {
	return &record.Error{Text: what + " within " + bound.String()}
}

// errNoHTTP2 ends a request before it is sent.
var errNoHTTP2 = errors.New("the connection is none of HTTP/2")
