package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

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
	var s *session
	err = l.env.Send(job, r, func(contentType string, body io.Reader) error {
		raw, err := io.ReadAll(io.LimitReader(body, maxResponse+1))
		if err != nil {
			return err
		}
		response, err := l.read(raw)
		if err == nil {
			s, err = l.open(response, job)
		}
		if err != nil {
			return fmt.Errorf("%w: %s", err, l.env.Secrets.Refusal(raw, fmt.Sprintf("content type %q, %d bytes", contentType, len(raw))))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	return s, nil
}

// request builds the login request: its own headers over those of every
// request, and nothing of api.http.defaultOptions.
func (l *login) request(job string) (*request.Request, error) {
	u, query, err := l.env.Resolve(l.endpoint)
	if err != nil {
		return nil, err
	}
	r := &request.Request{Job: job, Method: l.method, URL: u, Endpoint: query, Header: l.env.Header.Clone(), Trusted: true, Public: l.expiry.places()}
	if r.Header == nil {
		r.Header = http.Header{}
	}
	for _, h := range l.loginHeaders {
		text, err := h.Header(l.env.Expr)
		if err != nil {
			return nil, err
		}
		if !secret.HarmlessHeader(h.Name) {
			l.env.Secrets.Add(text)
		}
		r.Header.Set(h.Name, text)
	}
	err = expr.EvalMembers(l.params, l.env.Expr, func(name string, v expr.Value) {
		secret := name != "grant_type"
		if secret {
			l.env.Secrets.Add(texts(v.JSON)...)
		}
		r.Params = r.Params.Set(request.Param{Name: name, Value: v.JSON, Secret: secret})
	})
	return r, err
}

// texts lists the strings and numbers in a value.
func texts(value []byte) []string {
	var all []string
	item.Scalars(value, func(_ item.Path, scalar []byte) {
		if kind := item.Kind(scalar); kind == '"' || kind == '0' {
			text, _ := item.Text(scalar)
			all = append(all, text)
		}
	})
	return all
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
		return nil, errors.New("the response is not JSON; if it is plain text, set api.authentication.format to text")
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

// open makes a session of a login response.
func (l *login) open(response jsontext.Value, job string) (*session, error) {
	var secrets []string
	env := with(l.env.Expr, expr.Contexts{
		"response": func(path string) (expr.Value, bool) {
			found := item.Find(response, item.ParsePath(path, "."))
			secrets = append(secrets, texts(found)...)
			return expr.Value{JSON: found, Secret: true}, found != nil
		},
	})
	env.Secret = func(_, text string) { secrets = append(secrets, text) }
	s, err := l.values(env, func(path string) (string, error) {
		found := item.Find(response, item.ParsePath(path, "."))
		if found == nil || path == "." {
			return path, nil
		}
		text, ok := item.Text(found)
		if !ok {
			return "", fmt.Errorf("%q is %s in the login response, want a string, a number or a boolean", path, item.Noun(item.Kind(found)))
		}
		secrets = append(secrets, text)
		return text, nil
	})
	if err != nil {
		return nil, err
	}
	l.env.Secrets.AddSession(secrets...)

	now := l.env.Now()
	expires, err := l.expiry.of(response, now)
	if err != nil {
		return nil, err
	}
	s.expires = expires
	if !l.pairs && !expires.IsZero() && !now.Before(expires) {
		l.pairs = true
		l.env.Observer.Observe(pipeline.Warned{Job: job, At: now,
			Text: "the login response says that the session has expired already: from now on there is a login before every request"})
	}
	s.paired = l.pairs
	l.env.Observer.Observe(pipeline.LoggedIn{Job: job, Expires: expires, At: now})
	return s, nil
}

// values evaluates apiRequest. plain is what a plain string there means: the value
// at that path in the login response if there is one, else the string itself.
func (l *login) values(env expr.Env, plain func(path string) (string, error)) (*session, error) {
	value := func(member string, m expr.Member) (jsontext.Value, error) {
		path, ok := m.Value.Literal()
		if !ok {
			v, err := m.Value.Eval(env)
			return v.JSON, err
		}
		text, err := plain(path)
		if err != nil {
			return nil, fmt.Errorf("api.authentication.apiRequest.%s.%s: %w", member, m.Name, err)
		}
		return item.Quote(text), nil
	}
	s := &session{header: http.Header{}}
	for _, h := range l.headers {
		v, err := value("headers", h)
		if err != nil {
			return nil, err
		}
		text, err := h.HeaderText(v)
		if err != nil {
			return nil, err
		}
		s.header.Set(h.Name, text)
	}
	for _, q := range l.query {
		v, err := value("query", q)
		if err != nil {
			return nil, err
		}
		s.query = append(s.query, request.Param{Name: q.Name, Value: v, Secret: true})
	}
	return s, nil
}
