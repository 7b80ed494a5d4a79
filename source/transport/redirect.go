package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/verdict"
)

// maxRedirects is how many are followed of one request.
const maxRedirects = 5

// follow sends r, which waits under ctx until it is sent and has a life then, and what its answers redirect to. A hop is
// not signed again.
func (f *fetch) follow(ctx context.Context, l life, r *request.Request) (*exchange, error) {
	address, shown := r.Addresses(f.c.Secrets)
	chain := &redirectChain{f: f, r: r, life: l, shown: shown}
	finish := f.signer.Finish
	for hop := r; ; address = hop.Address() {
		x, err := chain.send(ctx, hop, address, finish)
		if err != nil {
			return nil, err
		}
		// A request whose answer cannot be requested again is not ended in the middle of its redirects.
		ctx = l.ctx
		finish = nil
		x.foreign = chain.foreign
		x.redirectedFrom = chain.from()
		if !slices.Contains([]int{301, 302, 303, 307, 308}, x.answer.StatusCode) {
			return x, nil
		}
		hop, err = chain.next(hop, x.answer)
		x.Location = chain.shown
		x.close()
		if err != nil {
			return nil, f.c.failure(x.Where(), err)
		}
	}
}

// send sends a hop of the chain to its address, which finish, which may be nil, signs last. Who gets the exchange
// must close it, once.
func (chain *redirectChain) send(
	ctx context.Context,
	hop *request.Request,
	address string,
	finish func(*http.Request) error,
) (_ *exchange, err error) {
	f := chain.f
	x := f.begin(chain.life.ctx, chain.r)
	x.watch.mayGo = chain.life.mayGo
	defer func() {
		if err != nil {
			x.end()
		}
	}()
	h, err := f.encode(chain.life.ctx, x, hop, address)
	if err != nil {
		return nil, err
	}
	f.call.ID = f.c.ids.Add(1)
	f.call.Method, f.call.URL = h.Method, chain.shown
	x.Call = f.call
	if f.c.Allow != nil {
		if err := f.c.Allow(h.URL); err != nil {
			return nil, f.c.failure(x.Method+" "+x.URL, err)
		}
	}
	addCookies(chain.r, h)
	if err := x.send(ctx, h, finish); err != nil {
		return nil, err
	}
	f.keepCookies(x, chain.r, h)
	return x, nil
}

// addCookies adds the cookies of the session for the origin of r, unless the configuration sets some.
func addCookies(r *request.Request, h *http.Request) {
	if r.Cookies == nil || r.Header.Get("Cookie") != "" {
		return
	}
	if request.Origin(h.URL) != request.Origin(r.URL) {
		return
	}
	cookies := r.Cookies.Cookies(h.URL)
	if len(cookies) == 0 {
		return
	}
	h.Header = h.Header.Clone()
	for _, cookie := range cookies {
		h.AddCookie(cookie)
	}
}

// keepCookies keeps those of a login: what others do depends on the order of the requests.
func (f *fetch) keepCookies(x *exchange, r *request.Request, h *http.Request) {
	if !f.call.Login() {
		return
	}
	cookies := x.answer.Cookies()
	if len(cookies) == 0 {
		return
	}
	var secrets []string
	for _, cookie := range cookies {
		secrets = append(secrets, cookie.Value)
	}
	f.c.Secrets.AddSession(secrets...)
	r.Cookies.SetCookies(h.URL, cookies)
}

// A redirectChain is one request and the redirects that follow it.
type redirectChain struct {
	f *fetch
	r *request.Request

	life life

	// Where it leads to, and where it went before, for people.
	shown  string
	before []string

	// It has left the API's own origin, and what was dropped stays dropped.
	foreign bool
}

// from is the address that was asked for in a message; empty: no redirect has led elsewhere.
func (chain *redirectChain) from() string {
	if len(chain.before) == 0 {
		return ""
	}
	return pipeline.Shorten(chain.before[0], 300)
}

// to is where it leads to in a message.
func (chain *redirectChain) to() string { return pipeline.Shorten(chain.shown, 300) }

// next makes the request that answer redirects a hop to.
func (chain *redirectChain) next(hop *request.Request, answer *http.Response) (*request.Request, error) {
	status := statusText(answer.StatusCode)
	u, err := location(hop.URL, answer)
	if err != nil {
		return nil, fmt.Errorf("%s %w", status, err)
	}
	next := redirected(hop, answer.StatusCode, u)
	chain.before = append(chain.before, chain.shown)
	chain.shown = chain.show(next)
	elsewhere := request.Origin(u) != request.Origin(hop.URL)
	repeated := next.HasBody()
	switch {
	case len(chain.before) > maxRedirects:
		all := pipeline.Shorten(strings.Join(append(chain.before, chain.shown), " → "), 500)
		return nil, fmt.Errorf("more than %d redirects: %s", maxRedirects, all)
	case hop.URL.Scheme == "https" && u.Scheme == "http":
		const text = "%s redirects from https to %s, which anybody could read: not followed"
		return nil, fmt.Errorf(text, status, chain.to())
	case repeated && elsewhere:
		const text = "%s redirects to another origin, %s, which must not see the body of the request: " +
			"if it is the API's new address, put it into the configuration"
		return nil, fmt.Errorf(text, status, chain.to())
	}
	chain.foreign = chain.foreign || elsewhere
	if chain.foreign {
		chain.strip(next)
	}
	return next, nil
}

// redirected is the request that an answer of the status redirects hop to: a GET without a body unless the status
// forbids to change the method.
func redirected(hop *request.Request, status int, u *url.URL) *request.Request {
	next := hop.Clone()
	next.Header = hop.Header.Clone()
	next.URL = u
	next.Endpoint = request.ParseQuery(u.RawQuery)
	next.Login = nil
	if status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect {
		// The address has its query.
		next.Params = hop.Body()
	} else {
		next.Method, next.Params = request.Get, nil
	}
	if hop.HasBody() && !next.HasBody() {
		next.Header.Del("Content-Type")
	}
	return next
}

// strip removes headers and parameters that another origin must not see from a request to it. It warns of that once for
// a job and an origin.
func (chain *redirectChain) strip(next *request.Request) {
	call := chain.f.call
	client := chain.f.c
	theirs := chain.r.Foreign(next.Endpoint, client.Secrets)
	lost := len(theirs) < len(next.Endpoint)
	isHarmless := !lost || call.Login()
	for name := range next.Header {
		// What the program sends by itself goes to any origin.
		if _, own := client.own[name]; !own {
			next.Header.Del(name)
			lost = true
		}
	}
	if !lost {
		return
	}
	next.Endpoint = theirs
	chain.shown = chain.show(next)
	key := [3]string{call.Job, request.Origin(next.URL), strconv.FormatBool(isHarmless)}
	if _, warned := client.warned.LoadOrStore(key, true); warned {
		return
	}
	raised := verdict.Redirected.Raise(call.Where(), chain.to())
	if isHarmless {
		raised = raised.Harmless()
	}
	_, told := verdict.Weigh(verdict.Trust{}, raised)
	for _, r := range told {
		r.Text = client.clean(r.Text)
		client.Observer.Observe(pipeline.Warning(call.Job, r, time.Now()))
	}
}

// show is an address for people; where a login leads all values may be what the login gives.
func (chain *redirectChain) show(next *request.Request) string {
	secrets, to := chain.f.c.Secrets, next.Clone()
	_, query, _ := strings.Cut(next.Address(), "?")
	// A secret may have an & in it.
	to.Endpoint = request.ParseQuery(secrets.Redact(query))
	for i, q := range to.Endpoint {
		hidden := chain.f.call.Login() || chain.sendsSecret(q.Name)
		to.Endpoint[i].Secret = hidden && strings.Contains(q.Raw, "=")
	}
	return chain.f.c.clean(to.Redacted(secrets))
}

// sendsSecret tells whether the first request has a secret parameter of that name, or one that it is an element of.
func (chain *redirectChain) sendsSecret(name string) bool {
	sent := slices.Concat(chain.r.Endpoint, chain.r.Params, chain.r.Login)
	return slices.ContainsFunc(sent, func(q request.Param) bool {
		called := name == q.Name || strings.HasPrefix(name, q.Name+"[")
		return q.Secret && called
	})
}

// location is where an answer redirects to, as an absolute address.
func location(from *url.URL, answer *http.Response) (*url.URL, error) {
	text := answer.Header.Get("Location")
	if text == "" {
		return nil, errors.New("without a Location: it does not say where to")
	}
	u, err := from.Parse(text)
	if err != nil {
		return nil, errors.New("with a Location that is no address")
	}
	known := u.Scheme == "http" || u.Scheme == "https"
	if !known || u.Hostname() == "" {
		return nil, fmt.Errorf("with a Location that is no http or https address (scheme %.20q)", u.Scheme)
	}
	// Credentials come from the configuration only.
	u.User = nil
	u.Fragment = ""
	u.RawFragment = ""
	return u, nil
}

// encode makes the HTTP request of an exchange under ctx, with the program's own headers where there are none.
func (f *fetch) encode(
	ctx context.Context,
	x *exchange,
	r *request.Request,
	address string,
) (*http.Request, error) {
	if f.c.Wrap == nil {
		ctx = x.ctx
	}
	h, err := r.HTTP(ctx, address, f.c.own)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			// Without the address, secrets and all.
			err = wrapped.Err
		}
		return nil, f.c.failure(string(r.Method)+" "+r.Redacted(f.c.Secrets), err)
	}
	return h, nil
}
