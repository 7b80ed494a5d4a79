package transport_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/request"
	"sluice/source/transport"
)

// A listener hands out the server's ends of pipes, so that HTTP works within a
// synctest bubble.
type listener struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newListener() *listener {
	return &listener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

func (l *listener) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A hit is a request as the server saw it.
type hit struct {
	Method, URL, Host, Body, Proto string
	Query                          url.Values
	Header                         http.Header
	At                             time.Duration // since the world began
}

// A world is a client, and a server that answers for every host: on port 443
// over TLS, on all others in plain text.
type world struct {
	t       *testing.T
	client  *transport.Client
	secrets *secret.Set
	began   time.Time

	handling sync.WaitGroup

	mu     sync.Mutex
	events []pipeline.Event
	hits   []hit
	dials  int
}

// bubble runs f in a world with virtual time. Everything is closed before it ends.
func bubble(t *testing.T, o transport.Options, serve http.HandlerFunc, f func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		w := newWorld(t, o, serve)
		f(w)
	})
}

func newWorld(t *testing.T, o transport.Options, serve http.HandlerFunc) *world {
	w := &world{t: t, secrets: &secret.Set{}, began: time.Now()}
	plain, secure := newListener(), newListener()
	config := &tls.Config{}
	if o.TLS != nil {
		config = o.TLS.Clone()
		o.TLS = &tls.Config{RootCAs: o.TLS.RootCAs}
	}
	config.NextProtos = []string{"h2", "http/1.1"}
	server := &http.Server{
		Handler: w.record(serve), TLSConfig: config, ErrorLog: log.New(io.Discard, "", 0), Protocols: &http.Protocols{},
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetHTTP2(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(plain) })
	if len(config.Certificates) > 0 {
		serving.Go(func() { _ = server.ServeTLS(secure, "", "") })
	} else {
		_ = secure.Close()
	}
	if o.Dial == nil {
		o.Dial = func(ctx context.Context, _, address string) (net.Conn, error) {
			w.mu.Lock()
			w.dials++
			w.mu.Unlock()
			if strings.HasSuffix(address, ":443") {
				return secure.dial(ctx)
			}
			return plain.dial(ctx)
		}
	}
	o.Observer, o.Secrets, o.UserAgent = w, w.secrets, "sluice/test"
	w.client = transport.New(o)
	t.Cleanup(func() {
		w.client.Close()
		_ = server.Close()
		serving.Wait()
		w.handling.Wait()
	})
	return w
}

func (w *world) record(serve http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.handling.Add(1)
		defer w.handling.Done()
		body, _ := io.ReadAll(r.Body)
		scheme := "http://"
		if r.TLS != nil {
			scheme = "https://"
		}
		w.mu.Lock()
		w.hits = append(w.hits, hit{
			Method: r.Method, URL: scheme + r.Host + r.URL.String(), Host: r.Host, Body: string(body), Proto: r.Proto,
			Query: r.URL.Query(), Header: r.Header.Clone(), At: time.Since(w.began),
		})
		w.mu.Unlock()
		serve(rw, r)
	})
}

// Observe implements pipeline.Observer.
func (w *world) Observe(e pipeline.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// events of one type, in order.
func events[E pipeline.Event](w *world) []E {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []E
	for _, e := range w.events {
		if e, ok := e.(E); ok {
			all = append(all, e)
		}
	}
	return all
}

// do sends a request for page 7 of the job users, and returns the body of its answer.
func (w *world) do(r *request.Request, s *request.Signer) (string, error) {
	return w.call(w.t.Context(), pipeline.Call{Job: "users", Page: 7}, r, s)
}

func (w *world) call(ctx context.Context, call pipeline.Call, r *request.Request, s *request.Signer) (string, error) {
	var got string
	err := w.client.Do(ctx, call, r, s, func(resp *transport.Response) error {
		body, err := io.ReadAll(resp.Body)
		got = string(body)
		return err
	})
	return got, err
}

// ask makes a GET request; its query becomes parameters.
func ask(address string) *request.Request {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	params := request.ParseQuery(u.RawQuery)
	u.RawQuery = ""
	return &request.Request{Method: request.Get, URL: u, Params: params, Header: http.Header{}}
}

// post makes a request with the body {"limit":2}, or limit=2 as a form.
func post(method request.Method, address string) *request.Request {
	r := ask(address)
	r.Method = method
	r.Endpoint, r.Params = r.Params, request.Params{{Name: "limit", Value: []byte("2")}}
	return r
}

// answers gives one status after the other, and the last one for ever.
func answers(statuses ...int) http.HandlerFunc {
	var mu sync.Mutex
	return func(rw http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		rw.WriteHeader(statuses[0])
		_, _ = io.WriteString(rw, "[1]")
		if len(statuses) > 1 {
			statuses = statuses[1:]
		}
	}
}

// certified is what a server named api.test needs to speak TLS, and a client to
// trust it.
func certified(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		DNSNames:     []string{"api.test", "other.test"},
		NotBefore:    time.Unix(0, 0),
		NotAfter:     time.Unix(1<<33, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// contains fails the test unless the error says all of the texts.
func contains(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not say %q", err, text)
		}
	}
}
