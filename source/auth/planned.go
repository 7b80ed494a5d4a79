package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/request"
)

// plan is the function of that name of [request.Signer].
func (l *login) plan(
	r *request.Request,
	unknown func(name, from string, bare bool) string,
	made func(function, text string),
) (first []*request.Request, shared http.Header, err error) {
	if l.keep != nil {
		l.keep.unknown = func(name string) string { return unknown("kept_"+name, l.keep.whence(name), false) }
	}
	for i, q := range l.requests {
		planned, err := l.planRequest(i, q, r.Job, unknown, made)
		if err != nil {
			return nil, nil, l.of(i, err)
		}
		first = append(first, planned)
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

// planRequest is the i-th login request of a plan: variables stand for what the answers before it hold.
func (l *login) planRequest(
	i int,
	q *loginRequest,
	job string,
	unknown func(name, from string, bare bool) string,
	made func(function, text string),
) (*request.Request, error) {
	env := l.env.Expr
	if i > 0 {
		// Of an address only a part that is not encoded could be replaced.
		bare := func(name, from string) string { return unknown(name, from, true) }
		env = with(env, l.planned("", bare, made).contexts())
	}
	r := &request.Request{Job: job, Method: q.method, Header: l.env.Header, Shape: l.env.Shape, Trusted: true}
	if err := l.at(r, q, env); err != nil {
		return nil, err
	}
	r.Renew = l.env.Renew
	if i > 0 {
		encoded := func(name, from string) string { return unknown(name, from, false) }
		env = with(l.env.Expr, l.planned("", encoded, made).contexts())
	}
	return r, q.fill(r, env, l.env.Secrets.Add)
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
			at, of, _ := l.numberOf(name)
			return unknown("login_"+name, "the header "+of+" of "+l.response(at)+besides)
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
	at, path, _ := l.numberOf(path)
	if l.text && path == "data" {
		return l.response(at)
	}
	return "at " + path + " in " + l.response(at)
}

// response is what a plan calls an answer to a login request.
func (l *login) response(at int) string {
	if !l.numbered {
		return "the login response"
	}
	return fmt.Sprintf("the response to loginRequest[%d]", at)
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
