package transport

import (
	"context"
	"errors"
	"net"
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
