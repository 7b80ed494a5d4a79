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
	"strconv"
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

// renew sends the login request and makes a session of its answer. Its errors never show the answer.
func (l *login) renew(job string) (*session, error) {
	r, err := l.request(job)
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	l.renewKeep(r)
	var s *session
	err = l.env.Send(job, r, func(answer LoginAnswer) error {
		raw, err := io.ReadAll(io.LimitReader(answer.Body, maxResponse+1))
		if err != nil {
			return err
		}
		if cut := l.cut(raw, answer); cut != nil {
			return cut
		}
		response, err := l.read(raw)
		if err == nil {
			err = l.keep.take(newContents(response, answer.Header), l.env)
		}
		if err == nil {
			s, err = l.open(response, answer, r)
		}
		if err != nil {
			about := fmt.Sprintf("content type %q, %d bytes", answer.Header.Get("Content-Type"), len(raw))
			return fmt.Errorf("%w: %s", err, l.env.Secrets.Refusal(raw, about))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	return s, nil
}

// request builds the login request, with nothing of api.http.defaultOptions.
func (l *login) request(job string) (*request.Request, error) {
	r := &request.Request{
		Job:           job,
		Method:        l.method,
		Header:        l.env.Header,
		Shape:         l.env.Shape,
		Trusted:       true,
		Public:        l.public,
		AnswerHeaders: l.reads,
	}
	if err := l.at(r); err != nil {
		return nil, err
	}
	r.Renew = l.env.Renew
	if expr.AnyPerRequest(l.members()) {
		r.Renew = l.renewRequest
		return r, nil
	}
	return r, l.fill(r, l.env.Expr, l.env.Secrets.Add)
}

// fill evaluates the login request's own headers and parameters, which go to hide.
func (l *login) fill(r *request.Request, env expr.Env, hide func(...string)) error {
	for _, h := range l.loginHeaders {
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
	for _, of := range append([]loginPart{{members: l.params}}, l.parts...) {
		var own request.Params
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
func (l *loginRequest) members() []expr.NamedValue {
	all := slices.Concat(l.loginHeaders, l.params)
	for _, of := range l.parts {
		all = append(all, of.members...)
	}
	return all
}

// renewRequest evaluates, for each attempt, a login request that holds a token.
func (l *login) renewRequest(r *request.Request) error {
	if err := l.env.Renew(r); err != nil {
		return err
	}
	var secrets []string
	env := l.env.Expr
	env.Secret = func(_, text string) { secrets = append(secrets, text) }
	err := l.fill(r, env, func(texts ...string) { secrets = append(secrets, texts...) })
	l.env.Secrets.AddSignature(secrets...)
	return err
}

// texts lists the strings and numbers in a value.
func texts(value []byte) []string {
	var all []string
	for _, member := range item.Members(value) {
		all = append(all, texts(member)...)
	}
	for element := range item.Elements(value) {
		all = append(all, texts(element)...)
	}
	kind := item.Kind(value)
	if kind == '"' || kind == '0' {
		text, _ := item.Text(value)
		all = append(all, text)
	}
	return all
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

// open makes a session of a login response, which answers r.
func (l *login) open(response jsontext.Value, answer LoginAnswer, r *request.Request) (s *session, err error) {
	found := newContents(response, answer.Header)
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
	s.expires, err = l.expiry.of(response, now)
	if err != nil {
		return nil, err
	}
	expired := !s.expires.IsZero() && !now.Before(s.expires)
	if expired && !l.pairs {
		l.pairs = true
		l.env.Observer.Observe(pipeline.Warned{
			Job: r.Job,
			At:  now,
			Text: "the login response says that the session has expired already: " +
				"from now on there is a login before every request",
		})
	}
	s.paired = l.pairs
	l.env.Observer.Observe(pipeline.LoggedIn{Job: r.Job, Expires: s.expires, Kept: l.keep.names(), At: now})
	return s, nil
}

// contents are what a login response holds, or what stands for it in a plan.
type contents struct {
	// response finds the value at a path; nil: there is nothing.
	response func(path string) jsontext.Value

	// literal is the same for a plain string, and for the member of apiRequest that has it.
	literal func(member, path string) jsontext.Value
	header  func(name string) string

	// made is told what is taken, and what functions make of it.
	made func(function, text string)

	// instead stands for what cannot be made; nil: that is an error.
	instead func(name string) jsontext.Value

	// err is the first error.
	err error
}

// newContents are those of a login response and its headers, without made.
func newContents(response jsontext.Value, header http.Header) contents {
	find := func(path string) jsontext.Value {
		return item.Find(response, item.ParsePath(path, "."))
	}
	return contents{
		response: find,
		literal:  func(_, path string) jsontext.Value { return find(path) },
		header:   header.Get,
	}
}

// env is what expressions of apiRequest draw upon.
func (c *contents) env(env expr.Env) expr.Env {
	env = with(env, expr.Contexts{
		"response": func(path string) (expr.Value, bool) {
			found := c.response(path)
			for _, text := range texts(found) {
				c.made("", text)
			}
			return expr.Value{JSON: found, Secret: true}, found != nil
		},
		"responseHeader": func(name string) (expr.Value, bool) {
			text := c.header(name)
			c.made("", text)
			return expr.Value{JSON: item.Quote(text), Secret: true}, text != ""
		},
	})
	env.Secret = c.made
	return env
}

// value evaluates a value of apiRequest, whose place there messages name. A plain string is
// the value at that path if there is one, else the string itself.
func (c *contents) value(place, name string, e *expr.Expr, env expr.Env) jsontext.Value {
	path, ok := e.Literal()
	if !ok {
		v, err := e.Eval(env)
		if err != nil && c.instead != nil {
			return c.instead(name)
		}
		c.err = cmp.Or(c.err, err)
		return v.JSON
	}
	found := c.literal(place+name, path)
	if found == nil || path == "." {
		return item.Quote(path)
	}
	text, ok := item.Text(found)
	if !ok && c.err == nil {
		is := item.Noun(item.Kind(found))
		c.err = fmt.Errorf("api.authentication.apiRequest.%s: %q is %s in the login response, "+
			"want a string, a number or a boolean", place+name, path, is)
	}
	c.made("", text)
	return item.Quote(text)
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

// taken learns what a credential has become, though no part of it is of the login response. A plain string that
// is no path is known already.
func (c *contents) taken(m expr.NamedValue, all ...string) {
	_, plain := m.Value.Literal()
	if plain || !secret.Name(m.Name) {
		return
	}
	for _, text := range all {
		c.made("", text)
	}
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

// plan is the function of that name of [request.Signer].
func (l *login) plan(
	r *request.Request,
	unknown func(name, from string, bare bool) string,
	made func(function, text string),
) (*request.Request, http.Header, error) {
	if l.keep != nil {
		l.keep.unknown = func(name string) string { return unknown("kept_"+name, l.keep.whence(name), false) }
	}
	first, err := l.request(r.Job)
	if err == nil {
		err = l.fill(first, l.env.Expr, l.env.Secrets.Add)
	}
	if err != nil {
		return nil, nil, err
	}
	encoded := func(name, from string) string { return unknown(name, from, false) }
	values := l.planned("", encoded, made)
	s := &session{}
	s.header, s.query, err = l.values(values)
	if err == nil {
		err = s.sign(r)
	}
	if err != nil {
		return nil, nil, err
	}
	// A login that gives nothing else is for its cookies.
	gives := len(l.headers)+len(l.query) > 0 || l.base != nil
	if !gives && r.Header.Get("Cookie") == "" {
		cookies := unknown("login_cookies", "the cookies that the login response sets", false)
		r.SetHeader("Cookie", cookies)
	}
	if l.base == nil {
		return first, l.env.Header, nil
	}
	besides := ""
	if onlyHost(r) {
		besides = ", scheme and host of it only"
	}
	bare := func(name, from string) string { return unknown(name, from, true) }
	r.URL, err = l.plannedBase(r, l.planned(besides, bare, func(_, _ string) {}))
	return first, l.env.Header, err
}

// planned stands for the login response in a plan: unknown names a value of it that a variable has, and of
// which besides says more.
func (l *login) planned(
	besides string,
	unknown func(name, from string) string,
	made func(function, text string),
) *contents {
	return &contents{
		response: func(path string) jsontext.Value {
			return item.Quote(unknown("login_"+path, l.whence(path)+besides))
		},
		literal: func(member, path string) jsontext.Value {
			_, name, _ := strings.Cut(member, ".")
			if secret.Literal(name, path) {
				from := "what apiRequest." + member + " says: a path in the login response, or that text itself"
				return item.Quote(unknown("login_"+name, from))
			}
			from := l.whence(path) + ", or the text " + strconv.Quote(path) + " if there is nothing"
			return item.Quote(unknown("login_"+path, from+besides))
		},
		header: func(name string) string {
			return unknown("login_"+name, "the header "+name+" of the login response"+besides)
		},
		made: func(function, text string) {
			if function != "" {
				made(function, text)
			}
		},
		// A function needs the value itself, such as a number.
		instead: func(name string) jsontext.Value {
			return item.Quote(unknown(name, "what a function makes of the login response for "+name))
		},
	}
}

// whence says in a plan where a value of the login response is.
func (l *login) whence(path string) string {
	if l.text && path == "data" {
		return "the login response"
	}
	return "at " + path + " in the login response"
}

// plannedBase is the address of r where apiRequest.baseUrl, mostly a variable, has taken the place of
// api.baseUrl.
func (l *login) plannedBase(r *request.Request, c *contents) (*url.URL, error) {
	text, _ := item.Text(c.value("", "baseUrl", l.base, c.env(l.env.Expr)))
	// Without one, the variable has the scheme.
	if !strings.Contains(text, "://") {
		text = "//" + text
	}
	base, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(base.Path, "/") {
		base = base.JoinPath("/")
	}
	return r.Rebase(base)
}

// onlyHost tells whether r takes scheme and host of a base, and not its path.
func onlyHost(r *request.Request) bool {
	at, err := r.Rebase(&url.URL{Host: "host", Path: "/path/"})
	if err != nil || at.Host != "host" {
		return false
	}
	return !strings.HasPrefix(at.Path, "/path/")
}
