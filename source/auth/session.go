package auth

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/expr"
	"sluice/source/request"
)

// maxResponse bounds a login response, in bytes.
const maxResponse = 16 << 20

// renew sends the login requests and makes a session of their answers. Its errors never show an answer.
func (l *login) renew(job string) (s *session, err error) {
	came := loginAnswers{numbered: l.numbered}
	for i := range l.requests {
		err := l.renewBy(i, job, &came, func(answer LoginAnswer, r *request.Request) (err error) {
			if i < len(l.requests)-1 {
				return nil
			}
			s, err = l.open(&came, answer, r)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("login: %w", l.of(i, err))
		}
	}
	return s, nil
}

// renewBy sends the i-th login request, enters its answer in those that came, and gives it to take.
func (l *login) renewBy(
	i int, job string, came *loginAnswers, take func(LoginAnswer, *request.Request) error,
) error {
	r, err := l.request(i, job, came)
	if err != nil {
		return err
	}
	l.renewKeep(r)
	return l.env.Send(job, r, func(answer LoginAnswer) error {
		raw, err := io.ReadAll(io.LimitReader(answer.Body, maxResponse+1))
		if err != nil {
			return err
		}
		if cut := l.cut(raw, answer); cut != nil {
			return cut
		}
		response, err := l.read(raw)
		if err == nil {
			came.enter(i, response, answer, l.env.Now())
		}
		if err == nil && i == l.keepAt {
			err = l.keep.take(newContents(came), l.env)
		}
		if err == nil {
			err = take(answer, r)
		}
		if err != nil {
			about := fmt.Sprintf("content type %q, %d bytes", answer.Header.Get("Content-Type"), len(raw))
			return fmt.Errorf("%w: %s", err, l.env.Secrets.Refusal(raw, about))
		}
		return nil
	})
}

// request builds the i-th login request, with nothing of api.http.defaultOptions.
func (l *login) request(i int, job string, came *loginAnswers) (*request.Request, error) {
	q := l.requests[i]
	r := &request.Request{
		Job:           job,
		Method:        q.method,
		Header:        l.env.Header,
		Shape:         l.env.Shape,
		Trusted:       true,
		Public:        q.public,
		AnswerHeaders: q.reads,
		Cookies:       came.cookies(),
	}
	env, hide := l.env.Expr, l.env.Secrets.Add
	if i > 0 {
		// Each login has others.
		var secrets []string
		hide = func(texts ...string) { secrets = append(secrets, texts...) }
		env = l.drawing(came, hide)
		defer func() { l.env.Secrets.AddSession(secrets...) }()
	}
	if err := l.at(r, q, env); err != nil {
		return nil, err
	}
	r.Renew = l.env.Renew
	if expr.AnyPerRequest(q.members()) {
		r.Renew = func(r *request.Request) error { return l.renewRequest(r, q, came) }
		return r, nil
	}
	return r, q.fill(r, env, hide)
}

// fill evaluates the login request's own headers and parameters, which go to hide.
func (q *loginRequest) fill(r *request.Request, env expr.Env, hide func(...string)) error {
	for _, h := range q.loginHeaders {
		text, err := h.Header(env)
		if err != nil {
			return err
		}
		if !secret.HarmlessHeader(h.Name) {
			hide(secret.Parts(text)...)
		}
		r.SetHeader(h.Name, text)
	}
	var all request.Params
	for _, of := range append([]loginPart{{members: q.params}}, q.parts...) {
		var own request.Params
		if escape := q.escape(of, r); escape != nil {
			text, err := loginText(of.members[0], env, escape, hide)
			if err != nil {
				return err
			}
			all = append(all, request.Params{text}.Into(of.in)...)
			continue
		}
		err := expr.EvalMembers(of.members, env, func(name string, v expr.Value) {
			secret := name != "grant_type"
			if secret {
				hide(texts(v.JSON)...)
			}
			own = append(own, request.Param{Name: name, Value: v.JSON, Secret: secret})
		})
		if err != nil {
			return err
		}
		all = append(all, own.Group(of.in)...)
	}
	r.Params = r.Params.Merge(all.For(r.Method))
	return nil
}

// members are headers and parameters of the login request's own.
func (q *loginRequest) members() []expr.NamedValue {
	all := slices.Concat(q.loginHeaders, q.params)
	for _, of := range q.parts {
		all = append(all, of.members...)
	}
	return all
}

// renewRequest evaluates, for each attempt, a login request that holds a token.
func (l *login) renewRequest(r *request.Request, q *loginRequest, came *loginAnswers) error {
	if err := l.env.Renew(r); err != nil {
		return err
	}
	var secrets []string
	hide := func(texts ...string) { secrets = append(secrets, texts...) }
	err := q.fill(r, l.drawing(came, hide), hide)
	l.env.Secrets.AddSignature(secrets...)
	return err
}

// cut is why a login response that is to be JSON was cut; nil: it was not.
func (l *login) cut(raw []byte, answer LoginAnswer) error {
	isTaken := l.text || answer.Cut == nil
	// What is longer was not read to its end.
	if isTaken || len(raw) > maxResponse || !item.EndsEarly(raw) {
		return nil
	}
	begun := len(bytes.TrimSpace(raw)) > 0
	return answer.Cut(int64(len(raw)), begun)
}

// read returns the login response as a JSON object.
func (l *login) read(raw []byte) (jsontext.Value, error) {
	if len(raw) > maxResponse {
		return nil, fmt.Errorf("the response is longer than %d MiB", maxResponse>>20)
	}
	if l.text {
		text := bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
		return append(item.AppendQuote([]byte(`{"data":`), string(text)), '}'), nil
	}
	value := jsontext.Value(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	if len(bytes.TrimSpace(value)) == 0 {
		return nil, errors.New("the response is empty, where JSON is expected")
	}
	if !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return nil, errors.New("the response is not JSON; " +
			"if it is plain text, set api.authentication.format to text")
	}
	compact, _ := item.Compact(nil, value)
	switch kind := item.Kind(compact); kind {
	case '{':
		return compact, nil
	case '[', 'n':
		return nil, fmt.Errorf("the response is %s, where an object is expected", item.Noun(kind))
	}
	return append(append([]byte(`{"data":`), compact...), '}'), nil
}

// open makes a session of login responses, the last of which answers r.
func (l *login) open(came *loginAnswers, answer LoginAnswer, r *request.Request) (s *session, err error) {
	found := newContents(came)
	values := func(keep func(...string)) (http.Header, request.Params, error) {
		var taken []string
		own := found
		own.made = func(_, text string) { taken = append(taken, secret.Parts(text)...) }
		header, query, err := l.values(&own)
		keep(taken...)
		return header, query, err
	}
	s = &session{cookies: answer.Cookies}
	s.header, s.query, err = values(l.env.Secrets.AddSession)
	if err != nil {
		return nil, err
	}
	if expr.AnyPerRequest(slices.Concat(l.headers, l.query)) {
		s.values = func() (http.Header, request.Params, error) {
			return values(l.env.Secrets.AddSignature)
		}
	}
	// An address is shown: nothing of it is a secret.
	found.made = func(_, _ string) {}
	s.base, err = l.baseOf(&found, r.URL)
	if err != nil {
		return nil, err
	}
	now := l.env.Now()
	s.expires, err = l.expiry.of(came.find, came.began)
	if err != nil {
		return nil, err
	}
	expired := !s.expires.IsZero() && !now.Before(s.expires)
	if expired && !l.pairs {
		l.pairs = true
		l.env.Observer.Observe(pipeline.Warned{
			Job: r.Job,
			At:  now,
			Text: "the login response says that the session has expired already: from now on the program logs " +
				"in before every request",
		})
	}
	s.paired = l.pairs
	l.env.Observer.Observe(pipeline.LoggedIn{Job: r.Job, Expires: s.expires, Kept: l.keep.names(), At: now})
	return s, nil
}

// values evaluates the headers and the query of apiRequest.
func (l *login) values(c *contents) (http.Header, request.Params, error) {
	env := c.env(l.env.Expr)
	header := http.Header{}
	for _, h := range l.headers {
		text, err := h.HeaderText(c.value("headers.", h.Name, h.Value, env))
		c.err = cmp.Or(c.err, err)
		c.taken(h, text)
		header.Set(h.Name, text)
	}
	var query request.Params
	for _, q := range l.query {
		value := c.value("query.", q.Name, q.Value, env)
		c.taken(q, texts(value)...)
		query = append(query, request.Param{Name: q.Name, Value: value, Secret: true})
	}
	return header, query, c.err
}

// baseOf evaluates apiRequest.baseUrl with the answer to the login at an address; nil: there is none.
func (l *login) baseOf(c *contents, login *url.URL) (*url.URL, error) {
	if l.base == nil {
		return nil, nil
	}
	text, _ := item.Text(c.value("", "baseUrl", l.base, c.env(l.env.Expr)))
	if c.err != nil {
		return nil, c.err
	}
	u, err := l.env.Base(text, login)
	if err != nil {
		return nil, fmt.Errorf("api.authentication.apiRequest.baseUrl: %w", err)
	}
	return u, nil
}

// renewKeep says, before each attempt of a login request, that it goes on. What was sent comes to its end.
func (l *login) renewKeep(r *request.Request) {
	if l.keep == nil || l.keep.keeper == nil {
		return
	}
	r.GoodOnce = true
	first := r.Renew
	r.Renew = func(r *request.Request) error {
		if err := l.keep.keeper.Renew(); err != nil || first == nil {
			return err
		}
		return first(r)
	}
}

// escape is what values in a body of a login request get that is a text; nil: it is JSON.
func (q *loginRequest) escape(of loginPart, r *request.Request) func(string) string {
	if of.in != request.InBody || len(of.members) != 1 {
		return nil
	}
	contentType := r.Header.Get("Content-Type")
	if !request.IsText(of.members[0].Name, contentType) {
		return nil
	}
	return request.EscapeFor(contentType)
}

// loginText evaluates a body that is a text. Its values go to hide.
func loginText(
	m expr.NamedValue, env expr.Env, escape func(string) string, hide func(...string),
) (request.Param, error) {
	pieces, err := m.Value.Pieces(env)
	if err != nil {
		return request.Param{}, err
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.Name == "" {
			b.WriteString(p.Text)
			continue
		}
		escaped := escape(p.Text)
		hide(p.Text, escaped)
		b.WriteString(escaped)
	}
	return request.Param{Name: m.Name, Value: item.Quote(b.String()), Secret: true, Text: true}, nil
}
