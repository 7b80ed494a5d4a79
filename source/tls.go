package source

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// tls is what the configuration says about certificates; nil if it says nothing.
func (c *compiler) tls() *tls.Config {
	t := &tls.Config{}
	if text, ok := c.text(c.doc.CACertificate, "must be a string in PEM"); ok {
		roots, err := certificates(text)
		if err != nil {
			c.problems.Errorf(c.doc.CACertificate, "%v", err)
		}
		t.RootCAs = roots
	}
	if text, ok := c.text(c.doc.ClientCertificate, "must be a string in PEM"); ok {
		c.iteration.o.Secrets.Add(text)
		pair, err := tls.X509KeyPair([]byte(text), []byte(text))
		if err != nil {
			c.problems.Errorf(c.doc.ClientCertificate, "must be a certificate and its unencrypted key in PEM, one behind the other: %v", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	if t.RootCAs == nil && t.Certificates == nil {
		return nil
	}
	return t
}

// certificates reads a PEM bundle. Text between the certificates is fine, anything else in PEM is not.
func certificates(text string) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	n := 0
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		n++
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("block %d of the bundle (%s) is no certificate: %w", n, block.Type, err)
		}
		pool.AddCert(certificate)
	}
	if n == 0 || strings.Count(text, "-----BEGIN ") != n {
		return nil, errors.New("must be certificates in PEM, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----")
	}
	return pool, nil
}
