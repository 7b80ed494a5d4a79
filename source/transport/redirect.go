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

// maxRedirects is how many are followed (decisions.md, section 7).
const maxRedirects = 5

// follow sends h, and what its answers redirect to. A hop is not signed again.
func (f *fetch) follow(ctx context.Context, r *request.Request, h *http.Request) (*exchange, error) {
	t := &trail{f: f, urls: []string{r.Redacted(f.c.Secrets)}}
	finish := f.signer.Finish
	for {
		f.call.ID = f.c.ids.Add(1)
		f.call.Method, f.call.URL = h.Method, t.urls[len(t.urls)-1]
		x, err := f.c.send(ctx, f.call, r, h, finish)
		if err != nil {
			return nil, err
		}
		finish = nil
		x.foreign = t.foreign
		if !redirects(x.answer.StatusCode) {
			return x, nil
		}
		if t.sent == nil {
			t.begin(r, h)
		}
		h, err = t.next(h, x.answer)
		x.tape.redirected(t.urls[len(t.urls)-1])
		x.close()
		if err != nil {
			return nil, f.c.failure(x.where(), err)
		}
	}
}

func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// A trail is the way of one request through redirects.
type trail struct {
	f       *fetch
	urls    []string           // where it went, for people
	secret  []string           // names of parameters that are not shown
	sent    map[[2]string]bool // names and values that went to the API's own origin, or would have; nil until it begins
	foreign bool               // it has left that origin, and what was dropped stays dropped
}

// begin remembers what the request carries, once it is redirected: most are not.
func (t *trail) begin(r *request.Request, h *http.Request) {
	t.sent = map[[2]string]bool{}
	for _, q := range slices.Concat(r.Endpoint, r.Params, r.Login) {
		if q.Secret {
			t.secret = append(t.secret, q.Name)
		}
	}
	t.note(h.URL)
	// What a POST has in its body may come back in an address, too.
	inURL := r.Clone()
	inURL.Method = request.Get
	if u, err := url.Parse(inURL.Address()); err == nil {
		t.note(u)
	}
}

// note remembers the parameters of an address of the API's own origin.
func (t *trail) note(u *url.URL) {
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		t.sent[pair(part)] = true
	}
}

// pair is a part of a query as name and value.
func pair(part string) [2]string {
	name, value, _ := strings.Cut(part, "=")
	return [2]string{request.Unescape(name), request.Unescape(value)}
}

// next makes the request that answer redirects h to.
func (t *trail) next(h *http.Request, answer *http.Response) (*http.Request, error) {
	status := statusText(answer.StatusCode)
	u, err := location(h.URL, answer)
	if err != nil {
		return nil, fmt.Errorf("%s %w", status, err)
	}
	t.urls = append(t.urls, t.shown(u))
	to := t.urls[len(t.urls)-1]
	if len(t.urls) > maxRedirects+1 {
		return nil, fmt.Errorf("more than %d redirects: %s", maxRedirects, strings.Join(t.urls, " → "))
	}
	if h.URL.Scheme == "https" && u.Scheme == "http" {
		return nil, fmt.Errorf("%s redirects from https to %s, which anybody could read: not followed", status, to)
	}
	elsewhere := request.Origin(u) != request.Origin(h.URL)
	method, repeat := h.Method, false
	if h.Method == http.MethodPost {
		repeat = answer.StatusCode == http.StatusTemporaryRedirect || answer.StatusCode == http.StatusPermanentRedirect
		if !repeat {
			method = http.MethodGet
		}
	}
	if repeat && elsewhere {
		return nil, fmt.Errorf("%s redirects to another origin, %s, which must not see the body of the request: if it is the API's new address, put it into the configuration", status, to)
	}
	if elsewhere {
		t.foreign = true
	}
	return t.build(h, method, u, repeat)
}

// build makes the request for u out of h, the one before it.
func (t *trail) build(h *http.Request, method string, u *url.URL, repeat bool) (*http.Request, error) {
	next := h.Clone(h.Context())
	next.Method, next.URL, next.Host = method, u, u.Host
	if repeat {
		body, err := h.GetBody()
		if err != nil {
			return nil, err
		}
		next.Body = body
	} else if method != h.Method {
		next.Body, next.GetBody, next.ContentLength = nil, nil, 0
		next.Header.Del("Content-Type")
		next.Header.Del("Content-Length")
	}
	if !t.foreign {
		if h.Host != h.URL.Host {
			next.Host = h.Host // the configuration has set it
		}
		t.note(u)
		return next, nil
	}
	t.strip(h, next)
	return next, nil
}

// strip takes from a request to another origin what the configuration or a login
// has put into it, and warns of it.
func (t *trail) strip(from, next *http.Request) {
	var headers, parameters, kept []string
	for name := range next.Header {
		if !slices.Contains(own[:], name) {
			headers = append(headers, name)
			next.Header.Del(name)
		}
	}
	slices.Sort(headers)
	for part := range strings.SplitSeq(next.URL.RawQuery, "&") {
		if p := pair(part); part != "" && t.sent[p] {
			parameters = append(parameters, p[0])
			continue
		}
		kept = append(kept, part)
	}
	if len(parameters) > 0 {
		next.URL.RawQuery = strings.Join(kept, "&")
		t.urls[len(t.urls)-1] = t.shown(next.URL)
	}
	t.warn(crossing{t.f.call.Job, request.Origin(from.URL), request.Origin(next.URL), len(parameters) > 0}, headers, parameters)
}

// A crossing is what is warned of once: a job led from one origin to another.
type crossing struct {
	job, from, to string
	parameters    bool // and its parameters did not come with it
}

// warn says what another origin did not get. Without the parameters it may have
// answered something else than was asked.
func (t *trail) warn(k crossing, headers, parameters []string) {
	var lost []string
	if len(headers) > 0 {
		lost = append(lost, "the headers "+strings.Join(headers, ", "))
	}
	if len(parameters) > 0 {
		lost = append(lost, "the parameters "+strings.Join(parameters, ", "))
	}
	if len(lost) == 0 || !t.f.c.first(k) {
		return
	}
	text := fmt.Sprintf("%s %s redirects to another origin, %s, which did not get %s: if it is the API's new address, put it into the configuration",
		t.f.call.Method, t.f.call.URL, t.urls[len(t.urls)-1], strings.Join(lost, " and "))
	verdict := pipeline.Complete
	if k.parameters && !t.f.call.Login() {
		verdict = pipeline.Unverified
	}
	t.f.c.observe(pipeline.Warned{Job: k.job, Text: t.f.c.Secrets.Redact(oneLine(text)), Verdict: verdict, At: time.Now()})
}

// first tells whether the crossing was not seen before.
func (c *Client) first(k crossing) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.warned[k]
	c.warned[k] = true
	return !seen
}

// shown is an address for people. Whoever made it may have encoded it in odd
// ways: secrets are looked for in what it means, too.
func (t *trail) shown(u *url.URL) string {
	secrets := t.f.c.Secrets
	path := u.EscapedPath()
	if plain := secrets.Redact(u.Path); plain != u.Path {
		path = plain
	}
	text := u.Scheme + "://" + u.Host + path
	if u.RawQuery != "" {
		parts := strings.Split(secrets.Redact(u.RawQuery), "&") // a secret may have an & in it
		for i, part := range parts {
			p := pair(part)
			if name, _, valued := strings.Cut(part, "="); valued && (t.hides(p[0]) || secrets.Redact(p[1]) != p[1]) {
				parts[i] = name + "=" + secret.Hidden
			}
		}
		text += "?" + strings.Join(parts, "&")
	}
	return oneLine(secrets.Redact(text))
}

// hides tells whether the value of a parameter is hidden by its position. Of
// where a login leads all are: they may well be what the login gives.
func (t *trail) hides(name string) bool {
	return t.f.call.Login() || slices.ContainsFunc(t.secret, func(s string) bool {
		return name == s || strings.HasPrefix(name, s+"[")
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
		return nil, fmt.Errorf("with a Location that is no http or https address (scheme %q)", u.Scheme)
	}
	u.User, u.Fragment, u.RawFragment = nil, "", "" // credentials come from the configuration only
	return u, nil
}
