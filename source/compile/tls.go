package compile

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
		roots, whole := authorities(text)
		t.RootCAs = roots
		if !whole {
			c.problems.Errorf(c.doc.CACertificate,
				"must be certificates in PEM, "+
					"from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----")
		}
	}
	if text, ok := c.text(c.doc.ClientCertificate, "must be a string in PEM"); ok {
		c.api.Secrets.Add(text)
		pair, err := tls.X509KeyPair([]byte(text), []byte(text))
		if err != nil {
			c.problems.Errorf(c.doc.ClientCertificate,
				"must be a certificate and its unencrypted key in PEM, "+
					"one behind the other: %v", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t
}

// authorities reads certificates in PEM. It is not whole if anything between the
// lines of a block is none: a block that is cut is skipped by the decoder.
func authorities(text string) (pool *x509.CertPool, whole bool) {
	pool = x509.NewCertPool()
	read := 0
	block, rest := pem.Decode([]byte(text))
	for ; block != nil; block, rest = pem.Decode(rest) {
		if pool.AppendCertsFromPEM(pem.EncodeToMemory(block)) {
			read++
		}
	}
	begun := strings.Count(text, "-----BEGIN ")
	ended := strings.Count(text, "-----END ")
	return pool, read > 0 && read == begun && read == ended
}
