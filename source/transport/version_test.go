package transport_test

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"sluice/fixtures/proxyserver"
	"sluice/pipeline"
	"sluice/source/transport"
)

func TestTheVersionOfHTTPIsTheOneThatWasAskedFor(t *testing.T) {
	for _, test := range []struct{ version, address, want string }{
		{"", "https://api.test/x", "HTTP/1.1"},
		{"auto", "https://api.test/x", "HTTP/2.0"},
		{"1.1", "https://api.test/x", "HTTP/1.1"},
		{"2", "https://api.test/x", "HTTP/2.0"},
		{"", "http://api.test/x", "HTTP/1.1"},
		{"1.1", "http://api.test/x", "HTTP/1.1"},
		{"2", "http://api.test/x", "HTTP/2.0"},
	} {
		o := retries(0)
		o.TLS, o.Version = certified(t), test.version
		bubble(t, o, answers(200), func(w *world) {
			if _, err := w.do(ask(test.address), nil); err != nil || w.hits[0].Proto != test.want {
				t.Errorf("%q to %s: %v, %+v", test.version, test.address, err, w.hits)
			}
		})
	}
}

// A speaker is a real server that notes what it is asked.
type speaker struct {
	*httptest.Server
	asked atomic.Int32
}

// speaks starts a server over TLS that offers these protocols; without one it is silent about them.
func speaks(t *testing.T, protocols ...string) *speaker {
	s := &speaker{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "[]")
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = slices.Contains(protocols, "h2")
	certificate := certified(t).Certificates
	s.TLS = &tls.Config{Certificates: certificate, NextProtos: protocols, MinVersion: tls.VersionTLS12}
	s.TLS.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		config := &tls.Config{Certificates: certificate, MinVersion: tls.VersionTLS12}
		switch {
		// httptest names one itself.
		case len(protocols) == 0:
			return config, nil
		// Go lets HTTP/1.1 in beside h2 alone, which no other server does.
		case len(protocols) == 1 && !slices.Contains(hello.SupportedProtos, protocols[0]):
			config.NextProtos = []string{"another"}
			return config, nil
		}
		return nil, nil
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// asks asks for an address once, trusting everybody.
func asks(t *testing.T, version, address, proxy string) error {
	o := retries(3)
	o.Version = version
	o.TLS = &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}
	if proxy != "" {
		o.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
	}
	c := transport.New(o)
	defer c.Close()
	return c.Do(t.Context(), pipeline.Call{Page: 1}, ask(address), nil, func(r *transport.Response) error {
		_, err := io.Copy(io.Discard, r.Body)
		return err
	})
}

// The connection has ended before the request could be sent: net/http does not say by what.
func TestAConnectionOfHTTP2ThatEndsAtOnceSaysWhatWasHeard(t *testing.T) {
	for name, c := range map[string]struct {
		answer, says string
		isTemporary  bool
	}{
		"HTTP/1.1": {
			"HTTP/1.1 505 HTTP Version Not Supported\r\n\r\n",
			`api.test does not speak HTTP/2 without TLS: set api.http.version to "1.1", or leave it out`,
			false,
		},
		"nothing": {
			"",
			"the connection was closed before an answer came (if this is a port for TLS, the address must begin with https://) after 1 attempt",
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := retries(0)
			o.Version = "2"
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				go func() {
					// What a client of HTTP/2 begins with.
					_, _ = io.CopyN(io.Discard, theirs, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
					go func() { _, _ = io.Copy(io.Discard, theirs) }()
					_, _ = io.WriteString(theirs, c.answer)
					_ = theirs.Close()
				}()
				return ours, nil
			}
			bubble(t, o, answers(200), func(w *world) {
				isClosed := httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { synctest.Wait() }}
				ctx := httptrace.WithClientTrace(w.t.Context(), &isClosed)
				_, err := w.call(ctx, pipeline.Call{Job: "users", Page: 7}, ask("http://api.test/x"), nil)
				if err == nil || err.Error() != "GET http://api.test/x: "+c.says || pipeline.IsTemporary(err) != c.isTemporary {
					t.Error(err)
				}
			})
		})
	}
}

func TestAServerWithoutHTTP2IsNamedWithTheOption(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "[]") }))
	defer plain.Close()
	old, silent, both := speaks(t, "http/1.1"), speaks(t), speaks(t, "h2", "http/1.1")
	tunnel := httptest.NewServer(&proxyserver.Server{To: silent.Listener.Addr().String()})
	defer tunnel.Close()
	as := func(s *httptest.Server) string { return s.Listener.Addr().String() }
	const lacks = ` does not offer HTTP/2: set api.http.version to "1.1", or leave it out`
	const openly = ` does not speak HTTP/2 without TLS: set api.http.version to "1.1", or leave it out`
	for name, c := range map[string]struct{ address, proxy, want string }{
		"another protocol":                    {old.URL + "/x", "", as(old.Server) + lacks},
		"silence":                             {silent.URL + "/x", "", as(silent.Server) + lacks},
		"in plain text":                       {plain.URL + "/x", "", as(plain) + openly},
		"in plain text, by way of a proxy":    {"http://api.invalid/x", plain.URL, "the proxy " + as(plain) + openly},
		"in a tunnel":                         {"https://api.invalid/x", strings.Replace(tunnel.URL, "//", "//joe:canary@", 1), "api.invalid" + lacks},
		"behind a redirect":                   {both.URL + "/x?to=" + url.QueryEscape(silent.URL+"/y"), "", as(silent.Server) + lacks},
		"behind a redirect, another protocol": {both.URL + "/x?to=" + url.QueryEscape(old.URL+"/y"), "", as(old.Server) + lacks},
	} {
		t.Run(name, func(t *testing.T) {
			err := asks(t, "2", c.address, c.proxy)
			contains(t, err, c.want)
			if pipeline.IsTemporary(err) {
				t.Errorf("it is tried again: %v", err)
			}
		})
	}
	if n := silent.asked.Load() + old.asked.Load(); n != 0 {
		t.Errorf("%d requests were sent to servers that do not speak HTTP/2", n)
	}
	if err := asks(t, "auto", silent.URL+"/x", ""); err != nil {
		t.Errorf("auto: %v", err)
	}
}

func TestAServerWithNothingButHTTP2IsNamedWithTheOption(t *testing.T) {
	only := speaks(t, "h2")
	err := asks(t, "", only.URL+"/x", "")
	contains(t, err, only.Listener.Addr().String()+` does not offer HTTP/1.1: set api.http.version to "2"`)
	for _, version := range []string{"2", "auto"} {
		if err := asks(t, version, only.URL+"/x", ""); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}
