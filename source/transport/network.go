package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"sluice/source/transport/record"
)

// RoundTrip implements [http.RoundTripper]: it sends h over the network; the body is decoded when it is read.
func (x *exchange) RoundTrip(h *http.Request) (*http.Response, error) {
	if h.Context() != x.ctx {
		h = h.WithContext(x.ctx)
	}
	x.watch.transport = x.c.pool.transport()
	answer, err := x.watch.transport.RoundTrip(h)
	x.watch.pause()
	if err != nil {
		cause := context.Cause(x.ctx)
		if cause != nil {
			err = cause
		} else if !x.watch.connected && errors.Is(err, os.ErrDeadlineExceeded) {
			err = late("no connection to "+x.c.way(h), x.c.ConnectTimeout)
		}
		isReached := x.watch.connected || !x.watch.accepted
		if cause == nil && !isReached {
			x.unreached = h.URL.Host
		}
		e := x.c.explain(h, err)
		// net/http refuses the request itself.
		e.Lasting = e.Lasting || !x.watch.accepted
		return nil, e
	}
	x.c.answered.Store(true)
	tellEnd(answer)
	x.body = newBody(x, answer)
	answer.Body = &x.body
	return answer, nil
}

// way is the host of h, and the proxy on the way there.
func (c *Client) way(h *http.Request) string {
	if proxy := c.proxy(h); proxy != "" {
		return h.URL.Host + " through the proxy " + proxy
	}
	return h.URL.Host
}

// proxy is the host of the proxy on the way of h; empty: there is none.
func (c *Client) proxy(h *http.Request) string {
	if c.Proxy == nil {
		return ""
	}
	proxy, err := c.Proxy(h)
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Host
}

// explain says why h got no answer, and whether it would get none at the next attempt either.
func (c *Client) explain(h *http.Request, err error) *record.Error {
	var certificate *tls.CertificateVerificationError
	var dns *net.DNSError
	var proxy *proxyError
	isPlain := h.URL.Scheme == "http"
	refusal := c.refused(err, h)
	e := &record.Error{Lasting: true, Err: err}
	switch {
	case errors.As(err, &certificate):
		e.Text = c.untrusted(certificate)
	case refusal != "":
		e.Text = c.clean(refusal)
	case errors.Is(err, errNoHTTP2):
		e.Text = h.URL.Host + noHTTP2
	case c.Version == onlyHTTP2 && (isFrameOfHTTP1(err) || isPlain && isClosedAtOnce(err) && c.heardHTTP1.Load()):
		e.Text = c.withoutTLS(h)
	case errors.As(err, new(tls.RecordHeaderError)):
		e.Text = "the server does not speak TLS: check whether the address begins with http:// and not https://"
	case isPlain && isRecordOfTLS(err):
		e.Text = "the server speaks TLS: the address must begin with https:// and not http://"
	case errors.As(err, &proxy):
		e.Text = c.clean(proxy.Error())
		e.Lasting = proxy.isLasting()
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Text = c.clean(fmt.Sprintf("there is no host named %.200q: check the address", dns.Name))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), isClosedAtOnce(err):
		e.Text = "the connection was closed before an answer came"
		e.Lasting = false
		if isPlain && !c.answered.Load() {
			e.Text += mayBeTLS
		}
	case isNotHTTP(err), isUnasked(err):
		e.Text = "what answers at " + c.way(h) + " does not speak HTTP: check host and port of the address"
		e.Lasting = false
	default:
		e.Text = c.unquoted(err)
		if isPlain && !c.answered.Load() && errors.Is(err, syscall.ECONNRESET) {
			e.Text += mayBeTLS
		}
		// A port that there cannot be.
		e.Lasting = errors.As(err, new(*net.AddrError))
		e.Unheard = errors.As(err, new(unheard))
	}
	return e
}

// mayBeTLS is what a connection means that ends before any answer has come.
const mayBeTLS = " (if this is a port for TLS, the address must begin with https://)"

// noHTTP2 is what is wrong with a server over TLS.
const noHTTP2 = ` does not offer HTTP/2: set api.http.version to "1.1", or leave it out`

// withoutTLS says who has answered HTTP/2 by HTTP/1.1: a proxy gets requests to http itself.
func (c *Client) withoutTLS(h *http.Request) string {
	who := h.URL.Host
	if proxy := c.proxy(h); proxy != "" {
		who = "the proxy " + proxy
	}
	return who + ` does not speak HTTP/2 without TLS: set api.http.version to "1.1", or leave it out`
}

// isFrameOfHTTP1 tells whether a server has answered HTTP/2 by HTTP/1.1. net/http has no error of a type for it.
func isFrameOfHTTP1(err error) bool {
	return strings.Contains(err.Error(), "frame header looked like an HTTP/1.1 header")
}

// isClosedAtOnce tells whether a connection of HTTP/2 ended before the first request was sent on it. net/http keeps no cause then.
func isClosedAtOnce(err error) bool {
	return strings.Contains(err.Error(), "http2: client conn could not be established")
}

// notHTTP is how net/http begins to say that an answer is not HTTP. It quotes the answer then, and has no error of a type for it.
const notHTTP = "malformed HTTP response "

// isNotHTTP tells whether a server has answered by something whose first line is not that of HTTP.
func isNotHTTP(err error) bool {
	for _, words := range []string{notHTTP, "malformed HTTP version ", "malformed HTTP status code "} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// isUnasked tells whether a connection was given up because something came before a request was sent: a greeting, as SSH and mail have one.
// net/http has no error of a type for it, and its text misses the reason.
func isUnasked(err error) bool {
	return strings.Contains(err.Error(), "readLoopPeekFailLocked: %!w(<nil>)")
}

// isRecordOfTLS tells whether a server has answered HTTP by an alert of TLS.
func isRecordOfTLS(err error) bool { return strings.Contains(err.Error(), notHTTP+`"\x15\x03`) }

// unquoted is the text of err without what net/http quotes, which may be a part of a secret.
func (c *Client) unquoted(err error) string {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(c.clean(err.Error()), "…")
}

// untrusted says what is wrong with a server's certificate, and what to do.
func (c *Client) untrusted(err *tls.CertificateVerificationError) string {
	text := "the server's certificate is not trusted: " + c.unquoted(err.Err)
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return text + ": if the clock of this machine is right, whoever runs the server must renew it"
	case errors.As(err, new(x509.HostnameError)):
		return text + ": check the host of the address"
	case !errors.As(err, new(x509.UnknownAuthorityError)):
		return text
	case c.TLS != nil && c.TLS.RootCAs != nil:
		return text + ": it comes from none of the authorities in api.caCertificate"
	}
	return text + ": set api.caCertificate to the certificate of that authority"
}

// The alerts with which a server refuses a client for good.
var (
	// Handshake failure, something about a certificate, access denied.
	aboutCertificates = []tls.AlertError{40, 42, 43, 44, 45, 46, 48, 49, 116}
	// Protocol version, security, unrecognized name, application protocol.
	aboutTLS = []tls.AlertError{70, 71, 112}
)

// noProtocol is the alert of a server that speaks no version of HTTP which it was offered.
const noProtocol = tls.AlertError(120)

// refused says why the server of h does not let the client in for good, if the error tells so.
func (c *Client) refused(err error, h *http.Request) string {
	var from *net.OpError
	if !errors.As(err, &from) || from.Op != "remote error" {
		return ""
	}
	alert := from.Err.Error()
	is := func(a tls.AlertError) bool { return a.Error() == alert }
	text := "the server refuses the connection: " + alert
	switch {
	case is(noProtocol) && c.Version == onlyHTTP2:
		return h.URL.Host + noHTTP2
	case is(noProtocol):
		return h.URL.Host + ` does not offer HTTP/1.1: set api.http.version to "2"`
	case slices.ContainsFunc(aboutTLS, is):
		return text
	case !slices.ContainsFunc(aboutCertificates, is):
		return ""
	case c.TLS == nil || c.TLS.Certificates == nil:
		return text + ": if it asks for a client certificate, set api.#clientCertificate"
	}
	return text + ": api.#clientCertificate must be valid, and lead to an authority that the server accepts"
}
