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
	"sluice/pipeline/secret"
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
func issue(t *testing.T, a *authority, change ...func(*x509.Certificate)) (certificate, key string, made *authority) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IsCA: a == nil, BasicConstraintsValid: true,
	}
	for _, c := range change {
		c(template)
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
func overTLS(t *testing.T, ca *authority, version uint16, http2 bool) string {
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
		MinVersion: version, MaxVersion: version,
	}
	server.EnableHTTP2 = http2
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Listener = lingering{server.Listener}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// lingering closes a connection when the client has: else what the client still sends may destroy the reason
// that it was sent, and it tries again, for seconds.
type lingering struct{ net.Listener }

func (l lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return lingeringConn{c}, err
}

type lingeringConn struct{ net.Conn }

func (c lingeringConn) Close() error {
	if t, ok := c.Conn.(*net.TCPConn); ok && t.CloseWrite() == nil {
		_ = t.SetReadDeadline(time.Now().Add(time.Second)) // at the latest
		_, _ = io.Copy(io.Discard, t)
	}
	return c.Conn.Close()
}

// fromNetwork runs a configuration over the real network and returns its items.
func fromNetwork(t *testing.T, text string) (string, error) {
	t.Helper()
	var p config.Problems
	var secrets secret.Set
	doc := config.Decode(config.Parse("test.json", []byte(text), &p), &secrets, &p)
	s := source.New([]*config.Document{doc}, source.Options{Network: source.Network{Secrets: &secrets}}, &p)
	must(t, p.Err())
	var items bytes.Buffer
	err := s.Extract(context.Background(), func(b *pipeline.Batch) error {
		items.Write(b.Text)
		b.Release()
		return nil
	})
	return items.String(), err
}

func TestACertificateThatIsCutIsAnErrorBesideAGoodOneToo(t *testing.T) {
	good, key, _ := issue(t, nil)
	for name, text := range map[string]string{"cut": good + good[:len(good)/2], "cut before": good[:len(good)/2] + "\n" + good, "cut between": good + good[:len(good)/2] + "\n" + good,
		"end cut": good[:len(good)-10] + "\n" + good, "dash lost": good + good[1:], "another": key + good, "of no use": good + "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"} {
		var p config.Problems
		var secrets secret.Set
		text = `{"api": {"baseUrl": "https://a.test/", "caCertificate": ` + string(item.Quote(text)) + `}, "config": {"jobs": [{"endpoint": "a"}]}}`
		source.New([]*config.Document{config.Decode(config.Parse("test.json", []byte(text), &p), &secrets, &p)}, source.Options{Network: source.Network{Secrets: &secrets}}, &p)
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), "must be certificates in PEM") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCertificatesOfTheConfigurationReachARealServer(t *testing.T) {
	_, _, ca := issue(t, nil)
	_, _, other := issue(t, nil, func(c *x509.Certificate) { c.Subject.CommonName = "other" })
	ours, ourKey, _ := issue(t, ca)
	theirs, theirKey, _ := issue(t, other)
	expired, expiredKey, _ := issue(t, ca, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
	quoted := func(text string) string { return string(item.Quote(text)) }
	trusted := `, "caCertificate": ` + quoted(ca.pem)
	cases := map[string]struct{ api, config, err string }{
		"both": {api: `, "caCertificate": ` + quoted(other.pem+"\n# a bundle\n"+ca.pem) + `, "#clientCertificate": ` + quoted(ours+ourKey)},
		"both from attributes, the key first": {
			api:    `, "caCertificate": {"attr": "ca"}, "#clientCertificate": {"attr": "#client"}`,
			config: `"ca": ` + quoted(ca.pem) + `, "#client": ` + quoted(ourKey+ours) + `, `,
		},
		"neither": {err: "the server's certificate is not trusted: x509: certificate signed by unknown authority: set api.caCertificate to the certificate of that authority"},
		"another authority": {
			api: `, "caCertificate": ` + quoted(other.pem),
			err: "the server's certificate is not trusted: x509: certificate signed by unknown authority: it comes from none of the authorities in api.caCertificate",
		},
		"no client certificate": {api: trusted, err: "the server refuses the connection: tls: …: if it asks for a client certificate, set api.#clientCertificate"},
		"a client of another authority": {
			api: trusted + `, "#clientCertificate": ` + quoted(theirs+theirKey),
			err: "the server refuses the connection: tls: …: api.#clientCertificate must be valid, and lead to an authority that the server accepts",
		},
		"an expired client certificate": {
			api: trusted + `, "#clientCertificate": ` + quoted(expired+expiredKey),
			err: "the server refuses the connection: tls: …: api.#clientCertificate must be valid, and lead to an authority that the server accepts",
		},
	}
	for _, server := range []struct {
		name    string
		version uint16
		http2   bool
		items   string
	}{
		{"1.2", tls.VersionTLS12, true, `"HTTP/2.0"`},
		{"1.3", tls.VersionTLS13, true, `"HTTP/2.0"`},
		{"1.3 without HTTP/2", tls.VersionTLS13, false, `"HTTP/1.1"`},
	} {
		base := overTLS(t, ca, server.version, server.http2)
		for name, c := range cases {
			t.Run(server.name+"/"+name, func(t *testing.T) {
				items, err := fromNetwork(t, `{"api": {"baseUrl": "`+base+`/", "http": {"version": "auto"}`+c.api+`}, "config": {`+c.config+`"jobs": [{"endpoint": "a"}]}}`)
				if c.err != "" {
					begin, end, _ := strings.Cut("job a: page 1: GET "+base+"/a: "+c.err, "…")
					if err == nil || !strings.HasPrefix(err.Error(), begin) || !strings.HasSuffix(err.Error(), end) || pipeline.IsTemporary(err) {
						t.Errorf("got the error %v, want %s…%s, and not a temporary one", err, begin, end)
					}
				} else if err != nil || strings.TrimSpace(items) != server.items {
					t.Errorf("got the items %q and the error %v", items, err)
				}
			})
		}
	}
}

func TestACertificateWithoutASANIsToldSo(t *testing.T) {
	certificate, key, made := issue(t, nil, func(c *x509.Certificate) { c.IPAddresses, c.Subject.CommonName = nil, "127.0.0.1" })
	pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
	must(t, err)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	_, err = fromNetwork(t, `{"api": {"baseUrl": "`+server.URL+`/", "caCertificate": `+string(item.Quote(made.pem))+`}, "config": {"jobs": [{"endpoint": "a"}]}}`)
	if err == nil || !strings.Contains(err.Error(), "the server's certificate is not trusted: ") || !strings.Contains(err.Error(), "SAN") || pipeline.IsTemporary(err) {
		t.Errorf("got the error %v", err)
	}
}

func TestAServerThatSpeaksOnlyAnOldTLSIsNotAskedAgain(t *testing.T) {
	_, _, ca := issue(t, nil)
	base := overTLS(t, ca, tls.VersionTLS11, false)
	_, err := fromNetwork(t, `{"api": {"baseUrl": "`+base+`/"}, "config": {"jobs": [{"endpoint": "a"}]}}`)
	if want := "the server refuses the connection: tls: protocol version not supported"; err == nil || !strings.HasSuffix(err.Error(), want) || pipeline.IsTemporary(err) {
		t.Errorf("got the error %v, want …%s", err, want)
	}
}
