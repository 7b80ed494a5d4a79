package transport

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// dial bounds the time until a connection can be used, after a proxy and TLS, too.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	deadline := time.Now().Add(c.ConnectTimeout)
	bounded, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	conn, err := c.Dial(bounded, network, address)
	switch {
	case err == nil:
		c.reached.Store(address, true)
		if c.Version == onlyHTTP2 {
			conn = &listening{Conn: conn, heardHTTP1: &c.heardHTTP1}
		}
		return conn, conn.SetDeadline(deadline)
	case bounded.Err() != nil && ctx.Err() == nil:
		return nil, late("no connection to "+address, c.ConnectTimeout)
	case isRefused(err):
		if _, is := c.reached.Load(address); !is {
			err = unheard{err}
		}
	}
	return nil, err
}

// listening is a connection that tells whether HTTP/1.1 was answered on it. The error of net/http does not say so where the
// connection ended before the first request was sent.
type listening struct {
	net.Conn
	isBegun    bool // something was read
	heardHTTP1 *atomic.Bool
}

// Read implements [io.Reader].
func (l *listening) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	if !l.isBegun && bytes.HasPrefix(p[:n], []byte("HTTP/1.")) {
		l.heardHTTP1.Store(true)
	}
	l.isBegun = true
	return n, err
}

// unheard is the error of an address that refuses connections, and has taken none so far.
type unheard struct{ error }

// Unwrap returns what says that the connection was refused.
func (u unheard) Unwrap() error { return u.error }

// isRefused tells whether nothing listens where a connection should lead.
func isRefused(err error) bool {
	// How Windows says it.
	const refusedByWindows = syscall.Errno(10061)
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, refusedByWindows)
}
