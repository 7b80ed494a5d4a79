package source_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source"
	"sluice/source/config"
)

// authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         string
}

// issue makes a certificate, of an authority of its own if a is nil, and returns
// certificate and key in PEM.
func issue(t *testing.T, a *authority) (certificate, key string, made *authority) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IsCA: a == nil, BasicConstraintsValid: true,
	}
	parent, signer := template, private
	if a != nil {
		parent, signer = a.certificate, a.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, private.Public(), signer)
	must(t, err)
	parsed, err := x509.ParseCertificate(raw)
	must(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	must(t, err)
	certificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}))
	key = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	return certificate, key, &authority{parsed, private, certificate}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// overTLS starts a server that only the authority vouches for, and that lets only
// those in for whom it vouches, too.
func overTLS(t *testing.T, ca *authority) string {
	t.Helper()
	certificate, key, _ := issue(t, ca)
	pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
	must(t, err)
	clients := x509.NewCertPool()
	clients.AddCert(ca.certificate)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "[%q]", r.Proto)
	}))
	server.TLS = &tls.Config{
		Certificates: []tls.Certificate{pair}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert,
		MaxVersion: tls.VersionTLS12, // from 1.3 on a client may learn only later that it was refused, or not at all
	}
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// fromNetwork runs a configuration over the real network and returns its items.
func fromNetwork(t *testing.T, text string) (string, error) {
	t.Helper()
	var p config.Problems
	var secrets pipeline.Secrets
	doc := config.Decode(config.Parse("test.json", []byte(text), &p), &secrets, &p)
	s := source.New(doc, source.Options{Secrets: &secrets}, &p)
	must(t, p.Err())
	var items bytes.Buffer
	err := s.Extract(context.Background(), func(b *pipeline.Batch) error {
		items.Write(b.Text)
		b.Release()
		return nil
	})
	return items.String(), err
}

func TestCertificatesOfTheConfigurationReachARealServer(t *testing.T) {
	_, _, ca := issue(t, nil)
	_, _, other := issue(t, nil)
	ours, ourKey, _ := issue(t, ca)
	theirs, theirKey, _ := issue(t, other)
	base := overTLS(t, ca)
	quoted := func(text string) string { return string(item.Quote(text)) }
	for name, c := range map[string]struct{ api, config, items, err string }{
		"both": {
			api:   `, "caCertificate": ` + quoted(other.pem+"\n# a bundle\n"+ca.pem) + `, "#clientCertificate": ` + quoted(ours+ourKey),
			items: `"HTTP/2.0"`,
		},
		"both from attributes, the key first": {
			api:    `, "caCertificate": {"attr": "ca"}, "#clientCertificate": {"attr": "#client"}`,
			config: `"ca": ` + quoted(ca.pem) + `, "#client": ` + quoted(ourKey+ours) + `, `,
			items:  `"HTTP/2.0"`,
		},
		"neither":               {err: "certificate signed by unknown authority"},
		"another authority":     {api: `, "caCertificate": ` + quoted(other.pem), err: "certificate signed by unknown authority"},
		"no client certificate": {api: `, "caCertificate": ` + quoted(ca.pem), err: "remote error: tls: "},
		"a client of another authority": {
			api: `, "caCertificate": ` + quoted(ca.pem) + `, "#clientCertificate": ` + quoted(theirs+theirKey), err: "remote error: tls: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			items, err := fromNetwork(t, `{"api": {"baseUrl": "`+base+`/", "retryConfig": {"maxRetries": 0}`+c.api+`}, "config": {`+c.config+`"jobs": [{"endpoint": "a"}]}}`)
			if strings.TrimSpace(items) != c.items {
				t.Errorf("got the items %q", items)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) && !hungUp(err, c.err) {
				t.Errorf("got the error %v, want one with %q", err, c.err)
			}
		})
	}
}

// hungUp tells whether a server that was to refuse a certificate closed the
// connection before its alert was read: which of the two shows is a race.
func hungUp(err error, want string) bool {
	refused := strings.HasPrefix(want, "remote error: tls")
	text := err.Error()
	return refused && (strings.Contains(text, "broken pipe") || strings.Contains(text, "connection reset") || strings.Contains(text, "could not be established"))
}
