package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/request"
)

// maxRedirects is how many are followed (docs/decisions.md, section 7).
const maxRedirects = 5

// follow sends h, and what its answers redirect to. A hop is not signed again.
func (f *fetch) follow(ctx context.Context, r *request.Request, h *http.Request) (*exchange, error) {
	chain := &redirectChain{f: f, r: r, urls: []string{r.Redacted(f.c.Secrets)}}
	finish := f.signer.Finish
	for {
		f.call.ID = f.c.ids.Add(1)
		f.call.Method, f.call.URL = h.Method, chain.last()
		if f.c.Allow != nil {
			if err := f.c.Allow(h.URL); err != nil {
				return nil, f.c.failure(h.Method+" "+chain.last(), err)
			}
		}
		addCookies(r, h)
		x, err := f.c.send(ctx, f.call, r, h, finish)
		if err != nil {
			return nil, err
		}
		finish = nil
		f.keepCookies(x, r, h)
		x.foreign = chain.foreign
		if !redirects(x.answer.StatusCode) {
			return x, nil
		}
		if !chain.foreign {
			chain.queries = append(chain.queries, h.URL.RawQuery)
		}
		h, err = chain.next(h, x.answer)
		x.Location = chain.last()
		x.close()
		if err != nil {
			return nil, f.c.failure(x.Where(), err)
		}
	}
}

// addCookies puts the cookies of the session into a request to the origin of r, unless
// the configuration sets that header.
func addCookies(r *request.Request, h *http.Request) {
	if r.Cookies == nil || r.Header.Get("Cookie") != "" || request.Origin(h.URL) != request.Origin(r.URL) {
		return
	}
	h.Header.Del("Cookie") // that of another path
	for _, cookie := range r.Cookies.Cookies(h.URL) {
		h.AddCookie(cookie)
	}
}

// keepCookies keeps what an answer to a login sets. Those of other answers are ignored:
// what they do depends on the order of the requests.
func (f *fetch) keepCookies(x *exchange, r *request.Request, h *http.Request) {
	cookies := x.answer.Cookies()
	if !f.call.Login() || len(cookies) == 0 {
		return
	}
	var secrets []string
	for _, cookie := range cookies {
		secrets = append(secrets, cookie.Value)
	}
	f.c.Secrets.AddSession(secrets...)
	r.Cookies.SetCookies(h.URL, cookies)
}

func redirects(status int) bool { return slices.Contains([]int{301, 302, 303, 307, 308}, status) }

// A redirectChain is one request and the redirects that follow it.
type redirectChain struct {
	f       *fetch
	r       *request.Request
	urls    []string // where it went, for people
	queries []string // of the addresses at the API's own origin
	foreign bool     // it has left that origin, and what was dropped stays dropped
}

// last is where the chain leads to, for people.
func (chain *redirectChain) last() string { return chain.urls[len(chain.urls)-1] }

// to is last in a message.
func (chain *redirectChain) to() string { return pipeline.Shorten(chain.last(), 300) }

// next makes the request that answer redirects h to.
func (chain *redirectChain) next(h *http.Request, answer *http.Response) (*http.Request, error) {
	status := statusText(answer.StatusCode)
	u, err := location(h.URL, answer)
	if err != nil {
		return nil, fmt.Errorf("%s %w", status, err)
	}
	chain.urls = append(chain.urls, chain.shown(u))
	if len(chain.urls) > maxRedirects+1 {
		return nil, fmt.Errorf("more than %d redirects: %s", maxRedirects, pipeline.Shorten(strings.Join(chain.urls, " → "), 500))
	}
	if h.URL.Scheme == "https" && u.Scheme == "http" {
		return nil, fmt.Errorf("%s redirects from https to %s, which anybody could read: not followed", status, chain.to())
	}
	elsewhere := request.Origin(u) != request.Origin(h.URL)
	repeat := h.Method == http.MethodPost && (answer.StatusCode == http.StatusTemporaryRedirect || answer.StatusCode == http.StatusPermanentRedirect)
	if repeat && elsewhere {
		return nil, fmt.Errorf("%s redirects to another origin, %s, which must not see the body of the request: if it is the API's new address, put it into the configuration", status, chain.to())
	}
	chain.foreign = chain.foreign || elsewhere
	return chain.build(h, u, repeat)
}

// build makes the request for u out of h, the one before it.
func (chain *redirectChain) build(h *http.Request, u *url.URL, repeat bool) (*http.Request, error) {
	next := h.Clone(h.Context())
	next.URL, next.Host = u, u.Host
	if repeat {
		body, err := h.GetBody()
		if err != nil {
			return nil, err
		}
		next.Body = body
	} else if h.Method == http.MethodPost {
		next.Method = http.MethodGet
		next.Body, next.GetBody, next.ContentLength = nil, nil, 0
		next.Header.Del("Content-Type")
		next.Header.Del("Content-Length")
	}
	if !chain.foreign {
		if h.Host != h.URL.Host {
			next.Host = h.Host // the configuration has set it
		}
		return next, nil
	}
	chain.strip(h, next)
	return next, nil
}

// strip takes from a request to another origin what the configuration or a login
// has put into it, and warns of it.
func (chain *redirectChain) strip(from, next *http.Request) {
	inURL := chain.r.Clone()
	inURL.Method = request.Get // what a POST has in its body may come back in an address, too
	_, query, _ := strings.Cut(inURL.Address(), "?")
	ours := request.ParseQuery(strings.Join(append(chain.queries, query), "&"))
	var headers, parameters, kept []string
	for name := range next.Header {
		if !slices.Contains(own[:], name) {
			headers = append(headers, name)
			next.Header.Del(name)
		}
	}
	slices.Sort(headers)
	for _, q := range request.ParseQuery(next.URL.RawQuery) {
		if ours.HasPair(q) {
			parameters = append(parameters, q.Name)
		} else {
			kept = append(kept, q.Raw)
		}
	}
	query = strings.Join(kept, "&")
	if chain.f.c.Secrets.Redact(query) != query { // a link in it may have one, and an & may stand in one
		parameters, query = []string{"(all of them, since there is a secret in some)"}, ""
	}
	if len(parameters) > 0 {
		next.URL.RawQuery = query
		chain.urls[len(chain.urls)-1] = chain.shown(next.URL)
	}
	chain.warn(request.Origin(from.URL), request.Origin(next.URL), headers, parameters)
}

// warn says, once for a job and two origins, what another origin did not get.
// Without the parameters it may have answered something else than was asked.
func (chain *redirectChain) warn(from, to string, headers, parameters []string) {
	var lost []string
	if len(headers) > 0 {
		lost = append(lost, "the headers "+strings.Join(headers, ", "))
	}
	verdict := pipeline.Complete
	call, client := chain.f.call, chain.f.c
	if len(parameters) > 0 {
		lost = append(lost, "the parameters "+strings.Join(parameters, ", "))
		if !call.Login() {
			verdict = pipeline.Unverified
		}
	}
	if len(lost) == 0 {
		return
	}
	key := [4]string{call.Job, from, to, fmt.Sprint(len(parameters) > 0)}
	if _, warned := client.warned.LoadOrStore(key, true); warned {
		return
	}
	text := fmt.Sprintf("%s redirects to another origin, %s, which did not get %s: if it is the API's new address, put it into the configuration",
		call.Where(), chain.to(), strings.Join(lost, " and "))
	client.Observer.Observe(pipeline.Warned{Job: call.Job, Text: client.clean(text), Verdict: verdict, At: time.Now()})
}

// shown is an address for people.
func (chain *redirectChain) shown(u *url.URL) string {
	text := u.Scheme + "://" + u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		pairs := strings.Split(chain.f.c.Secrets.Redact(u.RawQuery), "&") // a secret may have an & in it
		for i, pair := range pairs {
			if name, _, valued := strings.Cut(pair, "="); valued && chain.hides(request.Unescape(name)) {
				pairs[i] = name + "=" + secret.Hidden
			}
		}
		text += "?" + strings.Join(pairs, "&")
	}
	return chain.f.c.clean(text)
}

// hides tells whether the value of a parameter is hidden by its position. Of
// where a login leads all are: they may well be what the login gives.
func (chain *redirectChain) hides(name string) bool {
	r := chain.r
	return chain.f.call.Login() || slices.ContainsFunc(slices.Concat(r.Endpoint, r.Params, r.Login), func(q request.Param) bool {
		return q.Secret && (name == q.Name || strings.HasPrefix(name, q.Name+"["))
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
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fmt.Errorf("with a Location that is no http or https address (scheme %.20q)", u.Scheme)
	}
	u.User, u.Fragment, u.RawFragment = nil, "", "" // credentials come from the configuration only
	return u, nil
}
