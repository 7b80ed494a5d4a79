package transport

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// Without a frame from an HTTP/2 server, after which it is pinged.
	pingAfter = 30 * time.Second
	// That it has to answer.
	pingWithin = 15 * time.Second
)

// A pool has the connections of a client. One connection of HTTP/2 carries many requests: where one of them has timed
// out, the connection may be dead, and it gets no further request. Those that are under way on it may still be answered.
type pool struct {
	open func() *http.Transport

	mu sync.Mutex

	// For requests to come.
	current *http.Transport

	// Earlier ones.
	retired []*http.Transport
}

// transport is the one for the next request.
func (p *pool) transport() *http.Transport {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		p.current = p.open()
	}
	return p.current
}

// retire has no further request use a connection of t.
func (p *pool) retire(t *http.Transport) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != t {
		return
	}
	p.current = nil
	p.retired = append(p.retired, t)
	t.CloseIdleConnections()
}

// close closes idle connections.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != nil {
		p.current.CloseIdleConnections()
	}
	for _, t := range p.retired {
		t.CloseIdleConnections()
	}
}

// isShared tells whether a connection carries several requests at once. One of HTTP/1.1 ends with the attempt that timed
// out on it.
func isShared(conn net.Conn) bool {
	secure, ok := conn.(*tls.Conn)
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
}

// isOfHTTP1 tells whether a server over TLS has not chosen HTTP/2, not even by silence.
func isOfHTTP1(conn net.Conn) bool {
	secure, ok := conn.(*tls.Conn)
	return ok && secure.ConnectionState().NegotiatedProtocol != "h2"
}
