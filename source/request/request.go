// Package request is an HTTP request before it is sent: method, address, ordered
// parameters and headers, and the one place that turns them into bytes
// (docs/decisions.md, section 2). It does no I/O.
package request

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// A Method says how a request is sent and where its parameters travel.
type Method string

// The methods of the configuration.
const (
	Get  Method = "GET"  // parameters in the query
	Post Method = "POST" // parameters as a JSON body
	Form Method = "FORM" // an HTTP POST, parameters as a form
)

// ParseMethod reads a method without regard to case; empty is [Get].
func ParseMethod(text string) (Method, error) {
	switch m := Method(strings.ToUpper(cmp.Or(text, string(Get)))); m {
	case Get, Post, Form:
		return m, nil
	}
	return "", fmt.Errorf("unknown method %q (have GET, POST, FORM)", text)
}

// A Request is all that is needed to send one HTTP request. A page's request is
// built once; each attempt works on a [Request.Clone] to which authentication adds what it must.
type Request struct {
	Job      string // id of the job that it is for
	Method   Method
	URL      *url.URL // absolute, without query and fragment
	Endpoint Params   // the query of the endpoint: comes first, always in the URL
	Params   Params   // default, job and paging parameters: where Method puts them
	Login    Params   // apiRequest.query: always in the URL, pairs on a clash
	Header   http.Header
	Shape    Shape // of queries and forms

	// Renew, if set, evaluates anew what is good for a short time only. It is called
	// for each attempt, on a clone, before authentication.
	Renew func(r *Request) error

	// Judge, if set, is shown the beginning of each answer that is no success, and may say
	// with an error that it counts as something else.
	Judge func(status int, header http.Header, text []byte) error

	// Trusted says that the URL is of an origin that may see credentials.
	Trusted bool

	// Public lists the values in the answer to a login request that are no secrets:
	// times and addresses.
	Public []item.Path

	// Sent counts how often it is sent, each attempt and redirect; nil: nobody does.
	Sent *atomic.Int32

	// AnswerHeaders are the headers in the answer to a login request that are read;
	// true: the value is no secret.
	AnswerHeaders map[string]bool

	// Rebase, if set, is the URL for another base than api.baseUrl.
	Rebase func(base *url.URL) (*url.URL, error)

	// Cookies are those of the session, for the origin of URL. The answers to a login
	// request put theirs there.
	Cookies http.CookieJar

	// Session is what authentication notes about itself; others leave it alone.
	Session any
}

// Origin is scheme, host and port of an address, the port only where it is not
// the one that the scheme has anyway.
func Origin(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return u.Scheme + "://" + host
	}
	return u.Scheme + "://" + host + ":" + port
}

// Clone returns a copy whose parts can be changed without touching r.
func (r *Request) Clone() *Request {
	c := *r
	u := *r.URL
	c.URL = &u
	c.Endpoint = append(Params(nil), r.Endpoint...)
	c.Params = append(Params(nil), r.Params...)
	c.Login = append(Params(nil), r.Login...)
	if c.Header = r.Header.Clone(); c.Header == nil {
		c.Header = http.Header{}
	}
	return &c
}

// Address is the URL with its query, as it is sent.
func (r *Request) Address() string {
	u := *r.URL
	u.RawQuery = r.query().encode(r.Shape, false)
	return u.String()
}

// Redacted is [Request.Address] for people: secret parameters are hidden, and so is
// every secret that s finds in the rest.
func (r *Request) Redacted(s *secret.Set) string {
	u := *r.URL
	u.User = nil
	u.RawQuery = r.query().encode(r.Shape, true)
	return s.Redact(u.String())
}

// Foreign returns what another origin may see of the query of an address that an answer has:
// not what r sends itself, since the API may well send it back, and no secret.
func (r *Request) Foreign(query Params, s *secret.Set) Params {
	sent := r.Clone()
	sent.Method = Get // what a POST has in its body may come back in an address, too
	_, text, _ := strings.Cut(sent.Address(), "?")
	ours, shown := ParseQuery(text), ParseQuery(s.Redact(query.encode(Shape{}, false)))
	if len(shown) != len(query) { // a secret with an & in it
		return nil
	}
	var rest Params
	for i, q := range query {
		sent := slices.ContainsFunc(ours, func(o Param) bool { return Unescape(o.Raw) == Unescape(q.Raw) })
		if !sent && q.Raw == shown[i].Raw {
			rest = append(rest, q)
		}
	}
	return rest
}

// RedactedBody is the body for people, as [Request.Redacted] is the address.
func (r *Request) RedactedBody(s *secret.Set) string {
	shown := *r
	shown.Params = make(Params, len(r.Params))
	for i, p := range r.Params {
		if p.Secret && !p.empty() {
			p = Param{Name: p.Name, Value: item.Quote(secret.Hidden)}
		}
		shown.Params[i] = p
	}
	return s.Redact(string(shown.body()))
}

// query merges what stands in the URL: the endpoint's own query, the parameters
// of a GET, and the login parameters.
func (r *Request) query() Params {
	q := r.Endpoint
	if r.Method == Get {
		q = q.Merge(r.Params)
	}
	return q.pair(r.Login)
}

// Override puts parameters into the query as it stands now: each in the place of
// the one of its name, or at the end. It never makes a pair.
func (r *Request) Override(over Params) {
	r.Endpoint, r.Login = r.query().Merge(over), nil
	if r.Method == Get {
		r.Params = nil
	}
}

// body is what the method makes of the parameters; nil for a GET.
func (r *Request) body() []byte {
	switch r.Method {
	case Post:
		return r.Params.json()
	case Form:
		return []byte(r.Params.encode(r.Shape, false))
	}
	return nil
}

// HTTP returns the request as net/http sends it. A Content-Type that the
// configuration sets wins over the method's.
func (r *Request) HTTP(ctx context.Context) (*http.Request, error) {
	method, contentType := http.MethodGet, ""
	var body io.Reader
	switch r.Method {
	case Post:
		method, contentType, body = http.MethodPost, "application/json", bytes.NewReader(r.body())
	case Form:
		method, contentType, body = http.MethodPost, "application/x-www-form-urlencoded", bytes.NewReader(r.body())
	}
	h, err := http.NewRequestWithContext(ctx, method, r.Address(), body)
	if err != nil {
		return nil, err
	}
	for name, values := range r.Header {
		h.Header[name] = slices.Clone(values)
	}
	if contentType != "" && h.Header.Get("Content-Type") == "" {
		h.Header.Set("Content-Type", contentType)
	}
	if host := h.Header.Get("Host"); host != "" { // net/http takes it from elsewhere
		h.Host = host
		h.Header.Del("Host")
	}
	return h, nil
}

// A Signer makes requests that an API accepts. It is shared by all requests of a
// run and safe for concurrent use. A function that is nil has nothing to do.
type Signer struct {
	// Apply adds to r what the API wants to see. It is called once for each
	// attempt, on a clone, before parameters are encoded, and may log in first. An
	// error is final for the run, unless it is the cause for which ctx has ended:
	// a caller that no longer wants the request does not wait for a login.
	Apply func(ctx context.Context, r *Request) error

	// Finish signs h, the finished request: address, headers and body are those of
	// the wire. It is called once for each attempt, and not for the redirects that
	// follow. It may change headers, and the way in which the address is written,
	// not what it means. An error is final for the run.
	Finish func(h *http.Request) error

	// Rejected is told that r, which Apply signed, was answered with 401, and says
	// whether it is worth while to sign and send it once more. It is asked once for
	// a request, before Done.
	Rejected func(r *Request) bool

	// Done is called once for each request that Apply signed without an error, when
	// its body has been read or given up, whatever became of it.
	Done func(r *Request)

	// Plan returns the request that Apply would send first, which is not sent, and
	// the headers in it that every request has; and it signs r. unknown gives the text
	// that stands for a value of the answer, bare where nothing of it is encoded, and made
	// is told what a function makes of it.
	Plan func(r *Request, unknown func(name, from string, bare bool) string, made func(function, text string)) (first *Request, shared http.Header, err error)
}
