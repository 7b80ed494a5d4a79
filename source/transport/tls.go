package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"slices"
)

// untrusted says what is wrong with a server's certificate, and what to do.
func (c *Client) untrusted(err *tls.CertificateVerificationError) string {
	text := "the server's certificate is not trusted: " + c.unquoted(err.Err)
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
	case !errors.As(err, new(x509.UnknownAuthorityError)):
		return text
	case c.TLS != nil && c.TLS.RootCAs != nil:
		return text + ": it comes from none of the authorities in api.caCertificate"
	}
	return text + ": set api.caCertificate to the certificate of that authority"
}

// The alerts with which a server refuses a client for good.
var (
	aboutCertificates = []tls.AlertError{40, 42, 43, 44, 45, 46, 48, 49, 116} // handshake failure, something about a certificate, access denied
	aboutTLS          = []tls.AlertError{70, 71, 112, 120}                    // protocol version, security, unrecognized name, application protocol
)

// refused says why a server does not let the client in for good, if the error tells so.
func (c *Client) refused(err error) string {
	var from *net.OpError
	if !errors.As(err, &from) || from.Op != "remote error" {
		return ""
	}
	alert := from.Err.Error()
	is := func(a tls.AlertError) bool { return a.Error() == alert }
	text := "the server refuses the connection: " + alert
	switch {
	case slices.ContainsFunc(aboutTLS, is):
		return text
	case !slices.ContainsFunc(aboutCertificates, is):
		return ""
	case c.TLS == nil || c.TLS.Certificates == nil:
		return text + ": if it asks for a client certificate, set api.#clientCertificate"
	}
	return text + ": api.#clientCertificate must be valid, and lead to an authority that the server accepts"
}
