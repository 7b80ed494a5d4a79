package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"slices"
)

// certificateUse is what became of a server's wish to see a client certificate.
type certificateUse int

const (
	notAsked      certificateUse = iota // it had none
	noCertificate                       // there is none to show
	notAccepted                         // the one there is comes from no authority that the server names
	shown
)

// hostKey is the key under which a context has the host that is connected to.
type hostKey struct{}

// watched returns t, which remembers which servers ask for a certificate.
func (c *Client) watched(t *tls.Config) *tls.Config {
	if t == nil {
		t = &tls.Config{}
	}
	t = t.Clone()
	certificates := t.Certificates
	t.GetClientCertificate = func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		use, certificate := noCertificate, &tls.Certificate{}
		for i := range certificates {
			use = notAccepted
			if asked.SupportsCertificate(&certificates[i]) == nil {
				use, certificate = shown, &certificates[i]
				break
			}
		}
		c.certificates.Store(asked.Context().Value(hostKey{}), use)
		return certificate, nil
	}
	return t
}

func (c *Client) usedAt(host string) certificateUse {
	known, _ := c.certificates.Load(host)
	use, _ := known.(certificateUse)
	return use
}

// untrusted says what is wrong with a server's certificate, and what to do.
func (c *Client) untrusted(err *tls.CertificateVerificationError) string {
	text := "the server's certificate is not trusted: " + c.unquoted(err.Err)
	var authority x509.UnknownAuthorityError
	switch {
	case !errors.As(err, &authority):
		return text
	case c.TLS != nil && c.TLS.RootCAs != nil:
		return text + ": it comes from none of the authorities in api.caCertificate"
	}
	return text + ": set api.caCertificate to the certificate of that authority"
}

// refusals are the alerts with which a server refuses a client for good.
var refusals = []tls.AlertError{
	40,                         // handshake failure
	42, 43, 44, 45, 46, 48, 49, // something about a certificate, access denied
	70, 71, // protocol version, insufficient security
	112, 116, 120, // unrecognized name, certificate required, no application protocol
}

// refused says why a server does not let the client in for good, and what to do.
func (c *Client) refused(err error, host string) (text string, ok bool) {
	var from *net.OpError
	if !errors.As(err, &from) || from.Op != "remote error" {
		return "", false
	}
	alert := from.Err.Error()
	if !slices.ContainsFunc(refusals, func(a tls.AlertError) bool { return a.Error() == alert }) {
		return "", false
	}
	switch use := c.usedAt(host); use {
	case shown:
		return "the server refuses the client certificate in api.#clientCertificate (" + alert + ")", true
	case notAsked:
		return "the server refuses the connection: " + alert, true
	default:
		return wishes[use] + " (" + alert + ")", true
	}
}

// wishes say what a server misses, and what to do.
var wishes = map[certificateUse]string{
	noCertificate: "the server asks for a client certificate: set api.#clientCertificate",
	notAccepted:   "the server asks for a client certificate, and that of api.#clientCertificate is from no authority that it accepts: set another, or add the certificates between the two",
}
