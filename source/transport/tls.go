package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
)

// A showing is what became of a server's wish to see a client certificate.
type showing int

const (
	unasked showing = iota // it had none
	none                   // there is none to show
	unfit                  // the one there is comes from no authority that the server names
	shown
)

// handshakes remembers the showings by host and port.
type handshakes struct {
	mu       sync.Mutex
	showings map[string]showing
}

func (a *handshakes) of(host string) showing {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.showings[host]
}

func (a *handshakes) note(host string, s showing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.showings == nil {
		a.showings = map[string]showing{}
	}
	a.showings[host] = s
}

// hostKey is the key under which a context has the host that is connected to.
type hostKey struct{}

// watched returns t with a note of what servers ask for.
func (a *handshakes) watched(t *tls.Config) *tls.Config {
	if t == nil {
		t = &tls.Config{}
	}
	t = t.Clone()
	certificates := t.Certificates
	t.GetClientCertificate = func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		s, certificate := none, &tls.Certificate{}
		for i := range certificates {
			s = unfit
			if asked.SupportsCertificate(&certificates[i]) == nil {
				s, certificate = shown, &certificates[i]
				break
			}
		}
		if host, ok := asked.Context().Value(hostKey{}).(string); ok {
			a.note(host, s)
		}
		return certificate, nil
	}
	return t
}

// untrusted says what is wrong with a server's certificate, and what to do.
func (c *Client) untrusted(err error) (string, bool) {
	var certificate *tls.CertificateVerificationError
	if !errors.As(err, &certificate) {
		return "", false
	}
	text := "the server's certificate is not trusted: " + quotation.ReplaceAllString(c.Secrets.Redact(certificate.Err.Error()), "…")
	text = oneLine(text)
	var authority x509.UnknownAuthorityError
	switch {
	case !errors.As(err, &authority):
	case c.TLS != nil && c.TLS.RootCAs != nil:
		text += ": it comes from none of the authorities in api.caCertificate"
	default:
		text += ": set api.caCertificate to the certificate of that authority"
	}
	return text, true
}

// refusals are the alerts with which a server refuses a client for good.
var refusals = []tls.AlertError{
	40,                         // handshake failure
	42, 43, 44, 45, 46, 48, 49, // something about a certificate, access denied
	70, 71, // protocol version, insufficient security
	112, 116, 120, // unrecognized name, certificate required, no application protocol
}

// refusal returns the alert in err, if the server refuses the client for good.
func refusal(err error) (text string, ok bool) {
	var from *net.OpError
	if !errors.As(err, &from) || from.Op != "remote error" {
		return "", false
	}
	text = from.Err.Error()
	return text, slices.ContainsFunc(refusals, func(a tls.AlertError) bool { return a.Error() == text })
}

// refused says why a server does not let the client in, and what to do.
func (x *exchange) refused(err error, h *http.Request) (string, bool) {
	alert, ok := refusal(err)
	if !ok {
		return "", false
	}
	switch x.c.handshakes.of(h.URL.Host) {
	case none:
		return "the server asks for a client certificate: set api.#clientCertificate (" + alert + ")", true
	case unfit:
		return "the server asks for a client certificate, and that of api.#clientCertificate is from no authority that it accepts: set another, or add the certificates between the two (" + alert + ")", true
	case shown:
		return "the server refuses the client certificate in api.#clientCertificate (" + alert + ")", true
	}
	return "the server refuses the connection: " + alert, true
}
