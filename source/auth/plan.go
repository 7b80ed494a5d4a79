package auth

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/request"
)

// plan is the function of that name of [request.Signer].
func (l *login) plan(r *request.Request, unknown func(name, from string, bare bool) string, made func(function, text string)) (*request.Request, http.Header, error) {
	first, err := l.request(r.Job)
	if err != nil {
		return nil, nil, err
	}
	if err := l.fill(first, l.env.Expr, l.env.Secrets.Add); err != nil {
		return nil, nil, err
	}
	bare, besides := false, "" // nothing is encoded; what else is said of a value
	c := &contents{
		response: func(path string, literal bool) jsontext.Value {
			from := "at " + path + " in the login response"
			if l.text && path == "data" {
				from = "the login response"
			}
			if literal {
				from += ", or the text " + strconv.Quote(path) + " if there is nothing"
			}
			return item.Quote(unknown("login_"+path, from+besides, bare))
		},
		header: func(name string) string {
			return unknown("login_"+name, "the header "+name+" of the login response"+besides, bare)
		},
		made: func(function, text string) {
			if function != "" && !bare {
				made(function, text)
			}
		},
		instead: func(name string) jsontext.Value { // a function needs the value itself, such as a number
			return item.Quote(unknown(name, "what a function makes of the login response for "+name, bare))
		},
	}
	s := &session{}
	if s.header, s.query, err = l.values(c); err == nil {
		err = s.sign(r)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(l.headers)+len(l.query) == 0 && l.base == nil && r.Header.Get("Cookie") == "" { // else the login would be of no use
		r.Header.Set("Cookie", unknown("login_cookies", "the cookies that the login response sets", false))
	}
	if l.base == nil {
		return first, l.env.Header, nil
	}
	if at, err := r.Rebase(&url.URL{Host: "host", Path: "/path/"}); err == nil && at.Host == "host" && !strings.HasPrefix(at.Path, "/path/") {
		besides = ", scheme and host of it only"
	}
	bare = true
	v, err := c.value("", "baseUrl", l.base, c.env(l.env.Expr))
	if err != nil {
		return nil, nil, err
	}
	text, _ := item.Text(v)
	if !strings.Contains(text, "://") { // a variable says it
		text = "//" + text
	}
	base, err := url.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	if !strings.HasSuffix(base.Path, "/") {
		base = base.JoinPath("/")
	}
	r.URL, err = r.Rebase(base)
	return first, l.env.Header, err
}
