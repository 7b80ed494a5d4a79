// Package request is an HTTP request before it is sent, and the one place that turns it into bytes. It does no
// I/O.
package request

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// A Request is all that is needed to send one HTTP request. A page's request is
// built once; each attempt works on a [Request.Clone] to which authentication adds what it must.
// Copies share their parts: who changes one puts another in its place.
type Request struct {
	// Id of the job that it is for.
	Job string

	Method Method

	// Absolute, without query and fragment.
	URL *url.URL

	// The query of the endpoint: comes first, always in the URL.
	Endpoint Params

	// Default, job and paging parameters: where Method puts them, but for those that name a part.
	Params Params

	// apiRequest.query: always in the URL, pairs on a clash.
	Login Params

	Header http.Header

	// Of queries and forms.
	Shape ValueStyle

	// The URL is of an origin that may see credentials.
	Trusted bool

	// Stripped: credentials or headers were left out, since it goes to another origin.
	Stripped bool

	// Names of the attributes of config by which the API knows who asks; one may be there twice.
	Attributes []string

	// Counts how often it is sent, each attempt and redirect; nil: nobody does.
	Sent *atomic.Int32

	// Of the session, for the origin of URL; the answers to a login request put theirs there.
	Cookies http.CookieJar

	// What authentication notes about itself; others leave it alone.
	Session any

	// Of a login request: the values in its answer, times and addresses, that are no secrets, and the
	// headers of it that are read; true: the value is no secret.
	Public        []item.Path
	AnswerHeaders map[string]bool

	// The answer may have a token that cannot be requested again: a request that was sent waits for it a while, also
	// when the run is over.
	GoodOnce bool

	Hooks
}

// Hooks are what the maker of a request does for it while it is sent. Each may be nil.
type Hooks struct {
	// Renew evaluates anew what is good for a short time only, on the clone of each attempt.
	Renew func(r *Request) error

	// Judge sees the beginning of each answer that is no success, and may make another error of it.
	Judge func(status int, header http.Header, text []byte) error

	// Rebase is the URL for another base than api.baseUrl.
	Rebase func(base *url.URL) (*url.URL, error)

	// Hide hides what is secret in the path of the URL, also where a redirect has it.
	Hide Hider
}

// Clone returns a copy whose parts are those of r: none of them is to be changed, but replaced.
func (r *Request) Clone() *Request {
	c := *r
	return &c
}

// SetHeader sets a header of r, and of none of its copies.
func (r *Request) SetHeader(name, value string) {
	// Others have the values, too, which nobody changes.
	header := make(http.Header, len(r.Header)+1)
	maps.Copy(header, r.Header)
	header.Set(name, value)
	r.Header = header
}

// Address is the URL with its query, as it is sent.
func (r *Request) Address() string {
	u := *r.URL
	u.RawQuery = r.query().encode(r.Shape, false)
	return u.String()
}

// Redacted is [Request.Address] for people: without secret parameters, and what s knows as secrets.
func (r *Request) Redacted(s *secret.Set) string {
	_, shown := r.Addresses(s)
	return shown
}

// Addresses are [Request.Address] and [Request.Redacted].
func (r *Request) Addresses(s *secret.Set) (sent, shown string) {
	query := r.query()
	u := *r.URL
	u.RawQuery = query.encode(r.Shape, false)
	sent = u.String()
	shown = sent
	if u.User != nil || query.hide() {
		u.User = nil
		u.RawQuery = query.encode(r.Shape, true)
		shown = u.String()
	}
	return sent, r.redact(&u, sent, shown, s)
}

// Shown is an address of r, or of an answer to it, for people: without what s knows as secrets, and without those of
// its path.
func (r *Request) Shown(u *url.URL, s *secret.Set) string {
	return r.redact(u, u.String(), u.String(), s)
}

// redact returns an address without secrets, of which shown has the same text without those of its query.
func (r *Request) redact(u *url.URL, sent, shown string, s *secret.Set) string {
	if r.Hide == nil {
		return s.Redact(shown)
	}
	origin := u.Scheme + "://" + u.Host
	hidden := r.Hide(u, func(_, shown string) string { return shown })
	redacted := s.Redact(hidden.String())
	rest, hasOrigin := strings.CutPrefix(redacted, origin)
	if hasOrigin && !strings.HasPrefix(s.Redact(sent), origin) {
		// All of the address is a secret.
		return secret.Hidden + rest
	}
	return redacted
}

// Foreign returns what another origin may see of the query of an address that an answer has:
// not what r sends itself, since the API may well send it back, and no secret.
func (r *Request) Foreign(query Params, s *secret.Set) Params {
	asGet := r.Clone()
	// What has a body may come back in an address, too.
	asGet.Method, asGet.Params = Get, r.Params.Into("")
	_, text, _ := strings.Cut(asGet.Address(), "?")
	ours := ParseQuery(text)
	shown := ParseQuery(s.Redact(query.encode(ValueStyle{}, false)))
	// A secret with an & in it.
	if len(shown) != len(query) {
		return nil
	}
	var rest Params
	for i, q := range query {
		sent := slices.ContainsFunc(ours, func(o Param) bool { return Unescape(o.Raw) == Unescape(q.Raw) })
		if q.Raw == shown[i].Raw && !sent {
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
		if p.hidden() {
			p = Param{Name: p.Name, In: p.In, Value: item.Quote(secret.Hidden), Text: p.Text}
		}
		shown.Params[i] = p
	}
	return s.Redact(string(shown.body()))
}

// query merges the endpoint's own query, the parameters that stand in it, and the login parameters.
func (r *Request) query() Params {
	return r.Endpoint.Merge(r.standing(InQuery).Into("")).pair(r.Login)
}

// Override puts parameters into the query as it stands now: each in the place of
// the one of its name, or at the end. It never makes a pair.
func (r *Request) Override(over Params) {
	r.Endpoint = r.query().Merge(over)
	r.Login = nil
	r.Params = r.Body()
}

// body is what the parameters make that stand in it; nil: there is none.
func (r *Request) body() []byte {
	if !r.HasBody() {
		return nil
	}
	if text := r.Body().whole(); text != nil {
		return text.text()
	}
	if r.Method == Form || r.Method == Get && IsForm(r.Header.Get("Content-Type")) {
		return []byte(r.Body().encode(r.Shape, false))
	}
	return r.Body().json()
}

// contentType is that of the body; empty: there is none.
func (r *Request) contentType() string {
	switch {
	case !r.HasBody():
		return ""
	case r.Method == Form:
		return formType
	}
	return "application/json"
}

// HTTP returns the request as net/http sends it to an address, with those headers of own that it does not have
// itself. A configured Content-Type wins over the method's. The headers may be those of own, so that they are
// to be replaced, not changed.
func (r *Request) HTTP(ctx context.Context, address string, own http.Header) (*http.Request, error) {
	if err := r.roomless(); err != nil {
		return nil, err
	}
	contentType := r.contentType()
	var body io.Reader
	if contentType != "" {
		body = bytes.NewReader(r.body())
	}
	h, err := http.NewRequestWithContext(ctx, r.Method.HTTP(), address, body)
	if err != nil {
		return nil, err
	}
	h.Header = own
	if contentType == "" && len(r.Header) == 0 {
		return h, nil
	}
	h.Header = make(http.Header, len(own)+len(r.Header)+1)
	maps.Copy(h.Header, own)
	maps.Copy(h.Header, r.Header)
	if contentType != "" && h.Header.Get("Content-Type") == "" {
		h.Header.Set("Content-Type", contentType)
	}
	// net/http takes it from elsewhere.
	if host := h.Header.Get("Host"); host != "" {
		h.Host = host
		h.Header.Del("Host")
	}
	return h, nil
}

// A Signer makes requests that an API accepts. All requests of a run share it, concurrently.
// A function that is nil has nothing to do. Errors are final for the run.
type Signer struct {
	// Apply adds to r what the API wants to see, on the clone of each attempt. It may log in first, for
	// which a caller whose ctx has ended does not wait: the error is the cause then.
	Apply func(ctx context.Context, r *Request) error

	// Locate logs in for a job, so that it is known where the API is; nil: no login says that.
	Locate func(ctx context.Context, job string) error

	// Finish signs h, the finished request of an attempt, but not of the redirects that follow. It may
	// change headers, and the way in which the address is written, not what it means.
	Finish func(h *http.Request) error

	// Rejected is told once, before Done, that r was answered with 401, and says whether it is
	// worth while to sign and send it once more.
	Rejected func(r *Request) bool

	// Done is called once for each request that Apply signed, when its body has been read or given up.
	Done func(r *Request)

	// Plan signs r, and returns the requests that Apply would send first, which are not sent, and
	// the headers in them that every request has. unknown gives the text that stands for a value of
	// the answer, bare where nothing of it is encoded; made is told what functions make of it.
	Plan func(
		r *Request,
		unknown func(name, from string, bare bool) string,
		made func(function, text string),
	) (first []*Request, shared http.Header, err error)

	// PlanNote says what a person should know who sends the request of Plan by hand; it may be empty.
	PlanNote string
}

// standing are the parameters that stand in a part of the request.
func (r *Request) standing(part RequestPart) Params {
	isPlain := !r.Params.anyIn()
	switch {
	case isPlain && r.Method.part() == part:
		return r.Params
	case isPlain:
		return nil
	}
	return r.Params.For(r.Method).Naming(r.Method.Of(part))
}

// Body are the parameters that stand in the body.
func (r *Request) Body() Params { return r.standing(InBody) }

// HasBody tells whether the request has a body: a GET has one only by its parameters.
func (r *Request) HasBody() bool { return r.Method != Get || len(r.Body()) > 0 }
