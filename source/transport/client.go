// Package transport is everything between "this request" and "this body": what is tried again, redirects,
// time-outs, the rate, secrets in messages. The layers: retry (of all, body included) › session › redirects ›
// log › a recording › decompression › net/http.
package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/request"
	"sluice/source/transport/record"
)

// Options of a [Client]; the zero value is useful.
type Options struct {
	// Gives up when its context ends; nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

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

	Observer pipeline.Observer
	Secrets  *secret.Set

	// Sent unless the configuration sets another.
	UserAgent string

	// Tells which statuses beside 2xx are read once nothing is left to try, but for logins; nil: none.
	Accept func(status int) bool

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
	Wrap func(network http.RoundTripper, e *record.Exchange) http.RoundTripper
}

// A Client sends requests. It is safe for concurrent use.
type Client struct {
	Options
	pool pool

	// Addresses that a connection was got to.
	reached sync.Map

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

// New makes a client. It does no I/O.
func New(o Options) *Client {
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 30*time.Second)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 300*time.Second)
	if o.Instant {
		o.Limiter = nil
	}
	o.Observer = cmp.Or[pipeline.Observer](o.Observer, pipeline.Observers{})
	c := &Client{Options: o, gates: map[string]*gate{}}
	c.own = http.Header{
		"User-Agent":      {o.UserAgent},
		"Accept":          {"application/json"},
		"Accept-Encoding": {"gzip, zstd"},
	}
	c.pool.open = c.transport
	return c
}

// transport makes one that has no connections.
func (c *Client) transport() *http.Transport {
	return &http.Transport{
		DialContext:     c.dial,
		TLSClientConfig: c.TLS.Clone(),
		Proxy:           c.Proxy,
		// A dialer of one's own turns it off.
		ForceAttemptHTTP2: true,
		HTTP2:             &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingWithin},
		// Bodies are decoded here, where a cut shows.
		DisableCompression:  true,
		MaxIdleConnsPerHost: max(c.Connections, 1),
		IdleConnTimeout:     90 * time.Second,
	}
}

// Close closes idle connections. Nothing must be in flight.
func (c *Client) Close() { c.pool.close() }

// A Response is an answer whose status is a success.
type Response struct {
	Status int
	Header http.Header

	// That the answers to a login set, redirects included.
	Cookies http.CookieJar

	// That was asked for, before redirects.
	URL *url.URL

	// Body is decoded, and must not be used after read has returned. An error of it repeats the attempt.
	Body io.Reader

	// Again quotes an answer that is not of the network; else nil.
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

// Later returns Quote for when read has returned, of what was read by now.
func (r *Response) Later() (quote func() string) {
	if r.x == nil {
		return r.Again
	}
	return r.x.later()
}

// Do sends r, signed by s, which may be nil, and gives the answer of each attempt to read, which must start
// anew each time. Of call, Job and Page are set; page 0 is a login request, the body of whose answer is never
// shown. What was repeated in vain is an error of [pipeline.Temporary], one of s is returned as it is, and the
// error of a context that ends is its cause.
func (c *Client) Do(
	ctx context.Context,
	call pipeline.Call,
	r *request.Request,
	s *request.Signer,
	read func(*Response) error,
) error {
	f := &fetch{c: c, call: call, request: r, read: read}
	if s != nil {
		f.signer = *s
	}
	return f.retry(ctx)
}

// Begin says which context logins are sent under: it is called before the first request.
func (c *Client) Begin(run context.Context) { c.run = run }

// Login sends a login request without a signer, under the run's context, since it serves all who wait.
func (c *Client) Login(job string, r *request.Request, read func(*Response) error) error {
	return c.Do(c.run, pipeline.Call{Job: job}, r, nil, read)
}

// A fetch is one request on its way, through all its attempts.
type fetch struct {
	c *Client

	// The exchange under way, or the last one: one ends before another begins.
	call     pipeline.Call
	exchange exchange

	request *request.Request

	// What request is in the attempt under way.
	signed request.Request

	signer request.Signer
	read   func(*Response) error

	// Attempts for which nobody listened where nobody had listened before.
	unheard int

	// There was a new login because of a 401, and will be no other.
	renewed bool

	// An attempt has lost its answer, see [life.loses].
	lost bool
}
