// Package transport is everything between "this request" and "this body": what is tried again, redirects,
// time-outs, the rate, secrets in messages. The layers: retry (of all, body included) › session › redirects ›
// log › a recording › decompression › net/http.
package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/transport/quota"
	"sluice/source/transport/record"
)

// Options of a [Client]; the zero value is useful.
type Options struct {
	// Gives up when its context ends; nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Of HTTP: 2; auto: HTTP/2 where a server offers it; any other word: 1.1, which takes less CPU, and whose connections do
	// not wait for one another.
	Version string

	// Until a request can be sent: to connect, for a proxy and TLS; 0: 30 s.
	ConnectTimeout time.Duration

	// Without a byte, waiting for the header included; 0: 300 s.
	IdleTimeout time.Duration

	// nil: none.
	Proxy func(*http.Request) (*url.URL, error)

	// nil: the system's roots.
	TLS *tls.Config

	Retry Retry

	// Requests in flight: so many idle connections are kept for a host.
	Connections int

	// Waited for before each request on the wire, redirects and logins included; nil: no limit.
	Limiter *rate.Limiter

	// What the API allows in windows of time, of all clients of a run; nil: nothing is known.
	Quotas *quota.Rules

	Observer pipeline.Observer
	Secrets  *secret.Set

	// Sent unless the configuration sets another.
	UserAgent string

	// Tells which statuses beside 2xx are read once nothing is left to try, but for logins; nil: none.
	Accept func(status int) bool

	// What to do where a request without credentials is refused; empty: it says what to set in a configuration.
	AddCredentials string

	// Refuses addresses that no request may go to, a redirect neither; nil: none.
	Allow func(*url.URL) error

	Recording
}

// Recording is what a client does for a recording, to write one or to answer from it; the zero value is none.
type Recording struct {
	// Of an answer that are read: a recording has them.
	Headers []string

	// Tells by its name and value whether another one is read, but of logins; nil: none is.
	Also func(header, value string) bool

	// Nothing is waited for before a request, since its answer is there already.
	Instant bool

	// Wrap puts a round tripper around the network that records, or answers itself. nil: nothing.
	Wrap func(network http.RoundTripper, e *record.ExchangeDetails) http.RoundTripper
}

// A Client sends requests. It is safe for concurrent use.
type Client struct {
	Options
	pool pool

	// Addresses that a connection was got to.
	reached sync.Map

	// Some server has answered.
	answered atomic.Bool

	// Something has answered HTTP/2 by HTTP/1.1, be it only a proxy that makes a tunnel.
	heardHTTP1 atomic.Bool

	// Some request that was no login had a good answer.
	granted atomic.Bool

	// The last Call.ID.
	ids atomic.Uint64

	// Of *decoder.
	decoders sync.Pool

	// Of *bytes.Buffer, for what is kept of a body.
	buffers sync.Pool

	// Of *watch.
	watches sync.Pool

	// Headers that the program sends by itself, the same with each request: nobody changes them.
	own http.Header

	// Redirects to other origins that were warned of.
	warned sync.Map

	run context.Context

	mu sync.Mutex

	// By host and port.
	gates map[string]*gate
}

// Begin says which context logins are sent under: it is called before the first request.
func (c *Client) Begin(run context.Context) { c.run = run }

// gate returns the gate of a host, with its port.
func (c *Client) gate(host string) *gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.gates[host]
	if g == nil {
		n := max(c.Connections, 1)
		g = &gate{turn: make(chan struct{}, 1), changed: make(chan struct{}, 1), maximum: n, limit: n, left: -1}
		c.gates[host] = g
	}
	return g
}

// Limited tells whether one more request would wait now, of so many in flight and so many not sent yet.
func (c *Client) Limited(inFlight, unsent int) bool {
	// 10 ms do not matter.
	if l := c.Limiter; l != nil && (float64(unsent+1)-l.Tokens())/float64(l.Limit()) > 0.01 {
		return true
	}
	if c.Quotas.Lacks(unsent+1, time.Now()) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range c.gates {
		g.mu.Lock()
		limited := g.closed() > 0 || (g.limit < g.maximum || g.left >= 0) && g.full(inFlight)
		g.mu.Unlock()
		if limited {
			return true
		}
	}
	return false
}

// onlyHTTP2 is the version of a client that speaks no other.
const onlyHTTP2 = "2"
