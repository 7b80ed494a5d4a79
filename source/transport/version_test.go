package transport_test

import (
	"io"
	"net"
	"net/http"
	"testing"

	"sluice/pipeline"
	"sluice/source/transport"
)

func TestTheVersionOfHTTPIsTheOneThatWasAskedFor(t *testing.T) {
	for _, test := range []struct{ version, address, want string }{
		{"", "https://api.test/x", "HTTP/2.0"},
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

func TestAServerWithoutHTTP2IsSaid(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "[]")
	})}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	o := retries(3)
	o.Version = "2"
	err = transport.New(o).Do(t.Context(), pipeline.Call{Page: 1}, ask("http://"+listener.Addr().String()+"/x"), nil, nil)
	contains(t, err, `the server does not speak HTTP/2 without TLS: set api.http.version to "1.1", or leave it out`)
}
