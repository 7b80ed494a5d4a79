package transport_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/source/transport"
)

// A swallower is a TCP proxy on the loopback. What its connections carry is swallowed once they are silenced; later
// ones are good again.
type swallower struct {
	address string

	mu    sync.Mutex
	conns []*atomic.Bool
}

func newSwallower(t *testing.T, to string) *swallower {
	s := &swallower{}
	s.address = listen(t, func(conn net.Conn) {
		server, err := new(net.Dialer).DialContext(t.Context(), "tcp", to)
		if err != nil {
			return
		}
		defer func() { _ = server.Close() }()
		silent := &atomic.Bool{}
		s.mu.Lock()
		s.conns = append(s.conns, silent)
		s.mu.Unlock()
		go func() { _, _ = io.Copy(unlessSilent{conn, silent}, server) }()
		_, _ = io.Copy(unlessSilent{server, silent}, conn)
	})
	return s
}

// silence makes the connections that there are silent.
func (s *swallower) silence() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, silent := range s.conns {
		silent.Store(true)
	}
}

func (s *swallower) dials() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

type unlessSilent struct {
	io.Writer
	silent *atomic.Bool
}

func (w unlessSilent) Write(p []byte) (int, error) {
	if w.silent.Load() {
		return len(p), nil
	}
	return w.Writer.Write(p)
}

func TestAConnectionThatFallsSilentCostsOneAttempt(t *testing.T) {
	for proto, isH2 := range map[string]bool{"HTTP/2.0": true, "HTTP/1.1": false} {
		t.Run(proto, func(t *testing.T) {
			var seen sync.Map
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen.Store(r.Proto, true)
				_, _ = io.WriteString(w, "[1]")
			}))
			server.EnableHTTP2 = isH2
			server.StartTLS()
			defer server.Close()
			proxy := newSwallower(t, server.Listener.Addr().String())
			roots := x509.NewCertPool()
			roots.AddCert(server.Certificate())
			var repeated atomic.Int32
			c := transport.New(transport.Options{
				Version:     "auto",
				IdleTimeout: time.Second,
				TLS:         &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
				Retry:       transport.Retry{MaxRetries: 10},
				Recording:   transport.Recording{Instant: true},
				Observer:    counted{&repeated},
			})
			defer c.Close()
			for page := range 3 {
				err := c.Do(t.Context(), pipeline.Call{Page: page + 1}, ask("https://"+proxy.address+"/"), nil, func(r *transport.Response) error {
					_, err := io.ReadAll(r.Body)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				if page == 1 {
					proxy.silence()
				}
			}
			_, is := seen.Load(proto)
			// More than one of each only where this machine was too slow for the time-out.
			if n := repeated.Load(); !is || n < 1 || n > 3 || proxy.dials() < 2 {
				t.Errorf("spoken: %t, %d repetitions, %d connections", is, n, proxy.dials())
			}
		})
	}
}

// counted counts repetitions.
type counted struct{ repeated *atomic.Int32 }

func (c counted) Observe(e pipeline.Event) {
	if _, ok := e.(pipeline.Retrying); ok {
		c.repeated.Add(1)
	}
}

// A muted connection is one that swallows what is written once it is silent.
type muted struct {
	net.Conn
	silent *atomic.Bool
}

func (m muted) Write(p []byte) (int, error) {
	if m.silent.Load() {
		return len(p), nil
	}
	return m.Conn.Write(p)
}

func TestAnHTTP2ConnectionThatDoesNotAnswerAPingIsGivenUpBeforeTheTimeOut(t *testing.T) {
	secure := newListener()
	var silent atomic.Bool
	o := retries(1)
	o.TLS, o.Version = certified(t), "auto"
	dials := 0
	o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		dials++
		conn, err := secure.dial(ctx)
		if dials > 1 {
			return conn, err
		}
		return muted{conn, &silent}, err
	}
	bubble(t, o, answers(200), func(w *world) {
		secure = newListener()
		server := &http.Server{Handler: answers(200), TLSConfig: certifiedServer(o.TLS)}
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.ServeTLS(secure, "", "") })
		w.t.Cleanup(func() {
			w.client.Close()
			_ = server.Close()
			serving.Wait()
		})
		for i := range 2 {
			if got, err := w.do(ask("https://api.test/x"), nil); got != "[1]" || err != nil {
				t.Fatalf("%q, %v", got, err)
			}
			silent.Store(i == 0)
		}
		if took := time.Since(w.began); took > 2*time.Minute || dials != 2 {
			t.Errorf("%s, %d connections", took, dials)
		}
	})
}

// certifiedServer is for a server of HTTP/2.
func certifiedServer(c *tls.Config) *tls.Config {
	return &tls.Config{Certificates: c.Certificates, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12}
}

// A request that takes long is no reason to take the connection from others that are answered on it.
func TestATimeOutDoesNotEndWhatElseIsUnderWayOnItsConnection(t *testing.T) {
	o := retries(0)
	o.TLS, o.Version = certified(t), "auto"
	o.IdleTimeout = 20 * time.Second
	o.Connections = 2
	bubble(t, o, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stalled" {
			<-r.Context().Done()
			return
		}
		for range 4 {
			time.Sleep(15 * time.Second)
			_, _ = io.WriteString(rw, "1")
			_ = http.NewResponseController(rw).Flush()
		}
	}, func(w *world) {
		if _, err := w.do(ask("https://api.test/first"), nil); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(func() {
			if got, err := w.do(ask("https://api.test/slow"), nil); got != "1111" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
		all.Go(func() {
			_, err := w.do(ask("https://api.test/stalled"), nil)
			contains(t, err, "no byte came within 20s")
		})
		all.Wait()
		if w.dials != 1 {
			t.Errorf("%d connections before the time-out, want 1", w.dials)
		}
		if _, err := w.do(ask("https://api.test/after"), nil); err != nil || w.dials != 2 {
			t.Errorf("%v, %d connections after the time-out, want 2", err, w.dials)
		}
	})
}
