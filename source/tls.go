package source

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"strings"
)

// tls is what the configuration says about certificates.
func (c *compiler) tls() *tls.Config {
	t := &tls.Config{}
	if text, ok := c.text(c.doc.CACertificate, "must be a string in PEM"); ok {
		t.RootCAs = x509.NewCertPool()
		n := 0
		for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
			if t.RootCAs.AppendCertsFromPEM(pem.EncodeToMemory(block)) {
				n++
			}
		}
		// A block that is cut is skipped by the decoder.
		if n == 0 || n != strings.Count(text, "-----BEGIN ") || n != strings.Count(text, "-----END ") {
			c.problems.Errorf(c.doc.CACertificate, "must be certificates in PEM, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----")
		}
	}
	if text, ok := c.text(c.doc.ClientCertificate, "must be a string in PEM"); ok {
		c.iteration.o.Secrets.Add(text)
		pair, err := tls.X509KeyPair([]byte(text), []byte(text))
		if err != nil {
			c.problems.Errorf(c.doc.ClientCertificate, "must be a certificate and its unencrypted key in PEM, one behind the other: %v", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t
}
