package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
)

// New makes a client. It does no I/O.
func New(o Options) *Client {
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 30*time.Second)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 300*time.Second)
	if o.Instant {
		o.Limiter, o.Quotas = nil, nil
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
		TLSClientConfig: c.tls(),
		Proxy:           c.Proxy,
		// It has no other way to learn the status.
		OnProxyConnectResponse: proxyRefuses,
		Protocols:              c.protocols(),
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingWithin},
		// Bodies are decoded here, where a cut shows.
		DisableCompression:  true,
		MaxIdleConnsPerHost: max(c.Connections, 1),
		IdleConnTimeout:     90 * time.Second,
	}
}

// tls has HTTP/1.1 by name where nothing else is spoken: net/http would say nothing then.
func (c *Client) tls() *tls.Config {
	if c.protocols().HTTP2() {
		return c.TLS.Clone()
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	config.NextProtos = []string{"http/1.1"}
	return config
}

// protocols are those that a server may choose from. HTTP/2 alone goes without asking to one that has no TLS.
func (c *Client) protocols() *http.Protocols {
	p := &http.Protocols{}
	p.SetHTTP1(c.Version != onlyHTTP2)
	p.SetHTTP2(c.Version == onlyHTTP2 || c.Version == "auto")
	p.SetUnencryptedHTTP2(c.Version == onlyHTTP2)
	return p
}

// Close closes idle connections. Nothing must be in flight.
func (c *Client) Close() { c.pool.close() }

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

// Login sends a login request without a signer, under the run's context, since it serves all who wait.
func (c *Client) Login(job string, r *request.Request, read func(*Response) error) error {
	return c.Do(c.run, pipeline.Call{Job: job}, r, nil, read)
}

// retry is the outermost layer: the whole exchange, body included.
func (f *fetch) retry(ctx context.Context) error {
	for f.call.Attempt = 1; ; f.call.Attempt++ {
		err := f.attempt(ctx)
		if errors.Is(err, errRejected) {
			err = f.attempt(ctx)
		}
		if err == nil {
			return nil
		}
		if cause := context.Cause(ctx); cause != nil {
			return f.over(cause)
		}
		failed, ok := errors.AsType[*failure](err)
		if !ok || !failed.retryable {
			return err
		}
		wait := failed.asked
		if wait < 0 {
			wait = waitAfter(f.call.Attempt)
		}
		if err := f.giveUp(failed, wait); err != nil {
			return pipeline.Temporary(err)
		}
		if f.c.Instant {
			wait = 0
		}
		f.c.Observer.Observe(pipeline.Retrying{Call: f.call, Delay: wait, Reason: failed.what, At: time.Now()})
		if err := sleep(ctx, wait); err != nil {
			return f.over(err)
		}
	}
}

// giveUp returns the error of a request that is not tried again, also if it is a login within another one.
func (f *fetch) giveUp(failed *failure, wait time.Duration) error {
	final := *failed
	final.retryable = false
	most := cmp.Or(f.c.Retry.MostWait, maxAsked)
	if failed.unheard {
		f.unheard++
	}
	neverHeard := f.unheard == f.call.Attempt
	if neverHeard {
		final.detail = ": it has accepted no connection since the run began: is the port right?"
		if strings.HasPrefix(failed.what, "proxyconnect ") {
			final.detail = ": this is the proxy that HTTPS_PROXY or HTTP_PROXY of the environment names: is it right?"
		}
	}
	switch {
	case neverHeard && f.call.Attempt >= maxUnheard:
		final.attempts = f.call.Attempt
	case f.c.Retry.spent(f.call.Attempt, failed.countsAs, failed.asked):
		final.attempts = f.call.Attempt
	case wait > most:
		until := time.Now().Add(wait).UTC().Format(time.RFC3339)
		const text = ": the API asks to wait until %s, and a run waits for %s at most: start it again then"
		final.what += fmt.Sprintf(text, until, most)
		final.detail = ""
	default:
		return nil
	}
	return &final
}
