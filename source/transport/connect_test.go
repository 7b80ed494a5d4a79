package transport_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/source/transport"
)

// Whatever is silent before the request can be sent is given up after the time to
// connect, on real sockets: a proxy, what a proxy leads to, a server of TLS.
func TestTheTimeToConnectBoundsEverythingBeforeTheRequest(t *testing.T) {
	silent := listen(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	greets := listen(t, func(conn net.Conn) { // a SOCKS5 proxy that takes the greeting only
		_, _ = conn.Read(make([]byte, 64))
		_, _ = conn.Write([]byte{5, 0})
		_, _ = io.Copy(io.Discard, conn)
	})
	tunnels := listen(t, func(conn net.Conn) { // a tunnel to nobody
		_, _ = conn.Read(make([]byte, 4096))
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn)
	})
	for name, c := range map[string]struct{ proxy, address, want string }{
		"socks":            {"socks5://" + silent, "http://api.test/", "api.test through the proxy " + silent},
		"socks over TLS":   {"socks5://" + silent, "https://api.test/", "api.test through the proxy " + silent},
		"socks greeting":   {"socks5h://" + greets, "http://api.test/", "api.test through the proxy " + greets},
		"connect":          {"http://" + silent, "https://api.test/", "api.test through the proxy " + silent},
		"connect over TLS": {"https://" + silent, "https://api.test/", "api.test through the proxy " + silent},
		"tunnel":           {"http://" + tunnels, "https://api.test/", "api.test through the proxy " + tunnels},
		"TLS":              {"", "https://" + silent + "/", silent},
	} {
		t.Run(name, func(t *testing.T) {
			o := transport.Options{ConnectTimeout: 50 * time.Millisecond, IdleTimeout: time.Hour}
			if c.proxy != "" {
				proxy, err := url.Parse(c.proxy)
				if err != nil {
					t.Fatal(err)
				}
				o.Proxy = http.ProxyURL(proxy)
			}
			err := transport.New(o).Do(t.Context(), pipeline.Call{Page: 1}, ask(c.address), nil, nil)
			if want := ": no connection to " + c.want + " within 50ms after 1 attempt"; err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// Once a request can be sent, the time to connect is over: a slow answer has its own bound.
func TestTheTimeToConnectDoesNotBoundTheAnswer(t *testing.T) {
	for _, address := range []string{"http://api.test/x", "https://api.test/x"} {
		o := retries(0)
		o.TLS, o.ConnectTimeout = certified(t), time.Second
		bubble(t, o, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Minute)
			_, _ = io.WriteString(w, "[1]")
		}, func(w *world) {
			for range 2 { // the second on the connection of the first
				if got, err := w.do(ask(address), nil); got != "[1]" || err != nil || w.dials != 1 {
					t.Errorf("%s: %q, %v, %d connections", address, got, err, w.dials)
				}
			}
		})
	}
}

// listen serves connections on the loopback until the test ends.
func listen(t *testing.T, serve func(net.Conn)) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				serve(conn)
				_ = conn.Close()
			}()
		}
	}()
	return l.Addr().String()
}
