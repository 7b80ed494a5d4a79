package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sluice/fixtures/api"
)

// A plan says what goes wrong on the way to an API. All of it follows from the
// seed, and not from when a request comes: with any concurrency the same goes
// wrong.
type plan struct {
	seed    int
	items   int
	limit   int
	retries int  // retryConfig.maxRetries
	login   bool // expires after each page, instead of after an hour
}

func newPlan(seed int) *plan {
	p := &plan{seed: seed}
	p.limit = 1 + p.draw(12, "limit")
	p.items = 1 + p.draw(4*p.limit, "items")
	p.retries = p.draw(4, "retries")
	p.login = p.draw(8, "login") == 0
	return p
}

// draw is a number below n that the seed and text decide.
func (p *plan) draw(n int, text string) int {
	h := fnv.New64a()
	fmt.Fprint(h, p.seed, text)
	return int(h.Sum64() >> 8 % uint64(n))
}

// A trouble is one way in which an answer goes wrong. harm says what the program
// has to make of it.
type trouble struct {
	name string
	harm harm
	send func(*conversation)
}

type harm int

const (
	none    harm = iota // the answer is good all the same
	passing             // to be tried again
	void                // 401: to be tried again once, with a new login
	lasting             // the run must fail
)

// A conversation is a request and the right answer to it.
type conversation struct {
	w      http.ResponseWriter
	r      *http.Request
	right  *httptest.ResponseRecorder
	draw   func(n int, text string) int
	expire func() // ends the sessions of the API
}

func (c *conversation) body() []byte { return c.right.Body.Bytes() }

// raw sends text as it is, and closes the connection.
func (c *conversation) raw(text string) {
	conn, _, err := http.NewResponseController(c.w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, text)
	_ = conn.Close()
}

// stall sends text and then nothing more, until the client goes away.
func (c *conversation) stall(text string) {
	conn, _, err := http.NewResponseController(c.w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, text)
	_, _ = io.Copy(io.Discard, conn)
	_ = conn.Close()
}

func (c *conversation) status(status int, header, value, body string) {
	if header != "" {
		c.w.Header().Set(header, value)
	}
	c.w.WriteHeader(status)
	_, _ = io.WriteString(c.w, body)
}

// part is how much of the body comes: less than all of it.
func (c *conversation) part() int { return c.draw(len(c.body()), "part") }

func head(length int) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", length)
}

const chunkedHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"

func chunk(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return fmt.Sprintf("%x\r\n%s\r\n", len(b), b)
}

const errorPage = "<!DOCTYPE html>\n<html><body><h1>We are sorry</h1>[]</body></html>\n"

// troubles are all that is known; a plan picks from them.
var troubles = []trouble{
	{"unavailable", passing, func(c *conversation) {
		status := []int{408, 420, 429, 500, 502, 503, 504}[c.draw(7, "status")]
		c.status(status, "", "", errorPage)
	}},
	{"unavailable, wait", passing, func(c *conversation) {
		c.status(503, "Retry-After", strconv.Itoa(c.draw(300, "wait")), `{"error":"busy"}`)
	}},
	{"unavailable, its body cut", passing, func(c *conversation) {
		c.raw("HTTP/1.1 503 Busy\r\nContent-Length: 50\r\n\r\n[")
	}},
	{"closed before a byte", passing, func(c *conversation) { c.raw("") }},
	{"closed in the header", passing, func(c *conversation) { c.raw("HTTP/1.1 200 OK\r\nContent-Ty") }},
	{"no HTTP", passing, func(c *conversation) { c.raw("SSH-2.0-OpenSSH_9.9\r\n") }},
	{"body cut", passing, func(c *conversation) { c.raw(head(len(c.body())) + string(c.body()[:c.part()])) }},
	{"body longer than announced", lasting, func(c *conversation) {
		c.raw(head(1+c.draw(len(c.body())-1, "length")) + string(c.body()))
	}},
	{"body shorter than announced", passing, func(c *conversation) { c.raw(head(len(c.body())+1+c.draw(9, "more")) + string(c.body())) }},
	{"chunks cut", passing, func(c *conversation) { c.raw(chunkedHead + chunk(c.body()[:c.part()])) }},
	{"chunks without their end", passing, func(c *conversation) { c.raw(chunkedHead + chunk(c.body())) }},
	{"chunks cut within", passing, func(c *conversation) {
		whole := chunk(c.body())
		c.raw(chunkedHead + whole[:c.draw(len(whole), "within")])
	}},
	{"chunks broken", passing, func(c *conversation) { c.raw(chunkedHead + chunk(c.body()[:c.part()]) + "zz\r\n") }},
	{"gzip cut", passing, func(c *conversation) {
		text := zipped(c.body())
		text = text[:1+c.draw(len(text)-1, "within")]
		c.raw(strings.Replace(head(len(text)), "\r\n", "\r\nContent-Encoding: gzip\r\n", 1) + text)
	}},
	{"gzip with a bit turned", passing, func(c *conversation) {
		text := []byte(zipped(c.body()))
		text[len(text)-8] ^= 1 // of the checksum
		c.raw(strings.Replace(head(len(text)), "\r\n", "\r\nContent-Encoding: gzip\r\n", 1) + string(text))
	}},
	{"silence", passing, func(c *conversation) { c.stall("") }},
	{"silence behind the header", passing, func(c *conversation) { c.stall(head(len(c.body()))) }},
	{"silence within the body", passing, func(c *conversation) { c.stall(head(len(c.body())) + string(c.body()[:c.part()])) }},
	{"silence before the end", passing, func(c *conversation) { c.stall(chunkedHead + chunk(c.body())) }},
	{"an error page", lasting, func(c *conversation) { c.status(200, "Content-Type", "text/html", errorPage) }},
	{"JSON cut by the server", lasting, func(c *conversation) {
		c.status(200, "", "", string(c.body()[:1+c.draw(len(c.body())-1, "length")]))
	}},
	{"not found", lasting, func(c *conversation) { c.status(404, "", "", errorPage) }},
	{"forbidden", lasting, func(c *conversation) { c.status(403, "", "", "") }},
	{"session ended", void, func(c *conversation) {
		c.expire()
		c.status(401, "", "", `{"error":"log in again"}`)
	}},
	{"byte by byte", none, func(c *conversation) {
		for i := range c.body() {
			_, _ = c.w.Write(c.body()[i : i+1])
			_ = http.NewResponseController(c.w).Flush()
		}
	}},
	{"slow", none, func(c *conversation) {
		for i := 0; i < len(c.body()); i += 100 {
			time.Sleep(9 * time.Second)
			_, _ = c.w.Write(c.body()[i:min(i+100, len(c.body()))])
			_ = http.NewResponseController(c.w).Flush()
		}
	}},
	{"gzip", none, func(c *conversation) { c.status(200, "Content-Encoding", "gzip", zipped(c.body())) }},
	{"an early hint", none, func(c *conversation) {
		c.w.WriteHeader(http.StatusEarlyHints)
		_, _ = c.w.Write(c.body())
	}},
	{"closed behind the answer", none, func(c *conversation) {
		c.status(200, "Connection", "close", string(c.body()))
	}},
	{"redirected", none, func(c *conversation) {
		u := *c.r.URL
		q := u.Query()
		q.Set("moved", "1")
		u.RawQuery = q.Encode()
		c.status(http.StatusTemporaryRedirect, "Location", u.String(), "")
	}},
}

func zipped(text []byte) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text)
	_ = z.Close()
	return b.String()
}

// A faulty network leads to an API and breaks by plan.
type faulty struct {
	plan    *plan
	network *api.Network
	server  *api.Server
	ended   bool // the next request finds every session ended
	mu      sync.Mutex
	visits  map[string]int  // how often each request came
	harmed  map[string]harm // the worst that was done to each
	passed  map[string]int  // how often each met what passes, or a 401
	dials   int
	refused int // connections that did not come about, or broke
	story   []string
}

// What of a network answers for the API.
const faultyHost = "api.test"

func newFaulty(p *plan) *faulty {
	f := &faulty{plan: p, network: api.NewNetwork(), visits: map[string]int{}, harmed: map[string]harm{}, passed: map[string]int{}}
	f.server = api.New(api.Options{Items: p.items, NoLog: true, Faults: func(int, *http.Request) api.Fault {
		f.mu.Lock()
		defer f.mu.Unlock()
		ended := f.ended
		f.ended = false
		return api.Fault{Expire: ended}
	}})
	return f
}

// ServeHTTP gives the right answer, or breaks it as the plan says.
func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	moved := query.Has("moved")
	query.Del("moved")
	inner := r.Clone(r.Context())
	inner.URL.RawQuery = query.Encode()
	right := httptest.NewRecorder()
	f.server.ServeHTTP(right, inner)

	key := r.Method + " " + r.URL.Path + "?" + inner.URL.RawQuery
	f.mu.Lock()
	f.visits[key]++
	n := f.visits[key]
	t := f.pick(key, n)
	if right.Code != http.StatusOK && t != nil && t.harm != passing || moved && t != nil && t.name == "redirected" {
		t = nil
	}
	if t != nil {
		harm := t.harm
		if harm == void && r.URL.Path == "/login" {
			harm = lasting
		}
		f.harmed[key] = max(f.harmed[key], harm)
		if t.harm == passing || t.harm == void {
			f.passed[key]++
		}
		f.story = append(f.story, fmt.Sprintf("%s, visit %d: %s", key, n, t.name))
	} else if right.Code == http.StatusUnauthorized {
		f.passed[key]++
	}
	f.mu.Unlock()

	maps.Copy(w.Header(), right.Header())
	if t == nil {
		w.WriteHeader(right.Code)
		_, _ = w.Write(right.Body.Bytes())
		return
	}
	w.Header().Del("Content-Length")
	t.send(&conversation{w: w, r: r, right: right, draw: func(n int, text string) int {
		return f.plan.draw(max(n, 1), fmt.Sprint(key, n, text))
	}, expire: func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ended = true
	}})
}

// pick returns what goes wrong with visit n of a request, nil if nothing does.
func (f *faulty) pick(key string, n int) *trouble {
	p := f.plan
	if p.draw(6, "spared"+key) > 0 || n > 1+p.draw(p.retries+2, "times"+key) {
		return nil
	}
	t := &troubles[p.draw(len(troubles), fmt.Sprint("which", key, n))]
	if t.harm == lasting && p.draw(3, fmt.Sprint("lasting", key, n)) > 0 {
		return nil // else hardly any run would succeed
	}
	return t
}

// dial opens connections; some are refused, some never come, some break where
// they should end.
func (f *faulty) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if !strings.HasPrefix(address, faultyHost+":") {
		return f.network.Dial(ctx, network, address)
	}
	f.mu.Lock()
	f.dials++
	n := f.plan.draw(24, fmt.Sprint("dial", f.dials))
	if n < 2 {
		f.refused++
		f.story = append(f.story, fmt.Sprintf("dial %d: kind %d", f.dials, n))
	}
	f.mu.Unlock()
	switch n {
	case 0:
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	case 1:
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	conn, err := f.network.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &brittle{Conn: conn, tiny: n < 8, reset: n%2 == 0}, nil
}

// brittle is a connection that gives a byte at a time, or is reset where it
// should be closed.
type brittle struct {
	net.Conn
	tiny, reset bool
}

func (b *brittle) Read(p []byte) (int, error) {
	if b.tiny && len(p) > 1 {
		p = p[:1]
	}
	n, err := b.Conn.Read(p)
	if b.reset && errors.Is(err, io.EOF) {
		err = &net.OpError{Op: "read", Net: "memory", Err: syscall.ECONNRESET}
	}
	return n, err
}

// An outlook is what a plan that was carried out allows.
type outlook int

const (
	either outlook = iota
	good           // the run must have succeeded
	bad            // it must have failed
)

// outlook says how the run must have ended, as far as that can be known: what
// was asked for ahead and not needed harms nobody.
func (f *faulty) outlook(concurrency int) outlook {
	worst, most, voided := none, 0, 0
	for key, h := range f.harmed {
		worst = max(worst, h)
		if h == void {
			voided++
		}
		most = max(most, f.passed[key])
	}
	for _, n := range f.passed {
		most = max(most, n)
	}
	switch {
	case worst == lasting && concurrency == 1:
		return bad
	case worst < lasting && voided <= 1 && most+f.refused <= f.plan.retries:
		return good
	}
	return either
}

// config is the configuration that drains the API.
func (p *plan) config() string {
	expires := `{"response": "expiresIn", "relative": true}`
	if p.login {
		expires = "0"
	}
	return fmt.Sprintf(`{"api": {"baseUrl": "http://%s/",
  "http": {"requestTimeout": 10, "connectTimeout": 5},
  "retryConfig": {"maxRetries": %d},
  "authentication": {"type": "login",
    "loginRequest": {"endpoint": "login", "method": "POST", "params": {"user": {"attr": "user"}, "password": {"attr": "#password"}}},
    "apiRequest": {"headers": {"X-Api-Token": {"response": "token"}}}, "expires": %s},
  "pagination": {"method": "multiple", "scrollers": {
    "offsets": {"method": "offset", "limit": %d}, "pages": {"method": "pagenum", "limit": %d}}}},
 "config": {"user": %q, "#password": %q, "jobs": [
    {"endpoint": "v1/users", "dataField": "users", "dataType": "users", "scroller": "offsets", "children": [
      {"endpoint": "v1/users/{id}/orders", "dataField": "orders", "dataType": "details", "placeholders": {"id": "id"},
       "recursionFilter": "active==true&orders>0"}]},
    {"endpoint": "v1/orders", "dataField": "data.orders", "dataType": "orders", "scroller": "pages"}]}}`,
		faultyHost, p.retries, expires, p.limit, p.limit, api.User, api.Password)
}

// A weary bucket answers some requests not at all, loses the answer to others,
// and may stop for good.
type weary struct {
	plan   *plan
	within http.Handler

	mu     sync.Mutex
	asked  int
	visits map[string]int
}

func (s *weary) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked++
	key := r.Method + " " + r.URL.Path
	s.visits[key]++
	n := s.visits[key]
	stopped := s.plan.draw(3, "stops") == 0 && s.asked > s.plan.draw(30, "when it stops")
	s.mu.Unlock()

	c := &conversation{w: w, r: r}
	which := s.plan.draw(30, fmt.Sprint(key, n))
	switch {
	case stopped, which == 0:
		c.raw("")
	case which == 1:
		c.status(503, "", "", "<Error><Code>SlowDown</Code></Error>")
	case which == 2:
		c.stall("")
	case which == 3:
		s.within.ServeHTTP(httptest.NewRecorder(), r) // it is done, and nobody is told
		c.raw("HTTP/1.1 200 OK\r\nContent-Le")
	default:
		s.within.ServeHTTP(w, r)
	}
}
