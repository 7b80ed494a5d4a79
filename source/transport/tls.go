package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"slices"
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
		wish, certificate := "the server asks for a client certificate: set api.#clientCertificate", &tls.Certificate{}
		for i := range certificates {
			wish = "the server asks for a client certificate, and that of api.#clientCertificate is from no authority that it accepts: set another, or add the certificates between the two"
			if asked.SupportsCertificate(&certificates[i]) == nil {
				wish, certificate = "", &certificates[i]
				break
			}
		}
		c.wishes.Store(asked.Context().Value(hostKey{}), wish)
		return certificate, nil
	}
	return t
}

// wish is what a server misses that asks for a client certificate, and what to do;
// empty: nothing.
func (c *Client) wish(host string) (text string, asked bool) {
	wish, asked := c.wishes.Load(host)
	text, _ = wish.(string)
	return text, asked
}

// untrusted says what is wrong with a server's certificate, and what to do.
func (c *Client) untrusted(err *tls.CertificateVerificationError) string {
	text := "the server's certificate is not trusted: " + c.unquoted(err.Err)
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.As(err, &host) && len(host.Certificate.DNSNames)+len(host.Certificate.IPAddresses) == 0:
		name := "DNS:" + host.Host
		if net.ParseIP(host.Host) != nil {
			name = "IP:" + host.Host
		}
		return "the server's certificate names its host only as common name, which counts no more, and not as subject alternative name (SAN): " +
			"make another, for example with openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=sluice -addext subjectAltName=" + name +
			" -keyout key.pem -out certificate.pem, and set api.caCertificate to it"
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
	switch wish, asked := c.wish(host); {
	case wish != "":
		return wish + " (" + alert + ")", true
	case asked:
		return "the server refuses the client certificate in api.#clientCertificate (" + alert + ")", true
	}
	return "the server refuses the connection: " + alert, true
}
