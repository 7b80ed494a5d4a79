package auth

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/expr"
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
	p := &plannedLogin{l: l, unknown: unknown}
	env := p.env("")
	env.Secret = made
	for _, h := range l.headers {
		text, _ := item.Text(p.value(h, env))
		r.Header.Set(h.Name, text)
	}
	for _, q := range l.query {
		r.Login = append(r.Login, request.Param{Name: q.Name, Value: p.value(q, env), Secret: true})
	}
	if len(l.headers)+len(l.query) == 0 && l.base == nil && r.Header.Get("Cookie") == "" { // else the login would be of no use
		r.Header.Set("Cookie", unknown("login_cookies", "the cookies that the login response sets", false))
	}
	return first, l.env.Header, p.rebase(r)
}

// plannedLogin gives texts that stand for the values of a login response.
type plannedLogin struct {
	l       *login
	unknown func(name, from string, bare bool) string
	bare    bool // nothing of them is encoded
}

// env has the contexts of apiRequest. besides follows what is said of a value.
func (p *plannedLogin) env(besides string) expr.Env {
	return with(p.l.env.Expr, expr.Contexts{
		"response": func(path string) (expr.Value, bool) { return p.response(path, besides), true },
		"responseHeader": func(name string) (expr.Value, bool) {
			return p.stands("login_"+name, "the header "+name+" of the login response"+besides), true
		},
	})
}

func (p *plannedLogin) stands(name, from string) expr.Value {
	return expr.Value{JSON: item.Quote(p.unknown(name, from, p.bare)), Secret: true}
}

func (p *plannedLogin) response(path, besides string) expr.Value {
	from := "at " + path + " in the login response"
	if p.l.text && path == "data" {
		from = "the login response"
	}
	return p.stands("login_"+path, from+besides)
}

// value is what stands for a value of apiRequest.
func (p *plannedLogin) value(m expr.Member, env expr.Env) []byte {
	if path, ok := m.Value.Literal(); ok {
		return p.response(path, ", or the text "+strconv.Quote(path)+" if there is nothing").JSON
	}
	v, err := m.Value.Eval(env)
	if err != nil { // a function that needs the value itself, such as a number
		return p.stands(m.Name, "what a function makes of the login response for "+m.Name).JSON
	}
	return v.JSON
}

// rebase gives r the address that the login gives in place of api.baseUrl. It has no
// scheme where a variable says that.
func (p *plannedLogin) rebase(r *request.Request) error {
	if p.l.base == nil {
		return nil
	}
	part := ""
	if at, err := r.Rebase(&url.URL{Host: "host", Path: "/path/"}); err == nil && at.Host == "host" && !strings.HasPrefix(at.Path, "/path/") {
		part = ", scheme and host of it only"
	}
	p.bare = true
	text, _ := item.Text(p.value(expr.Member{Name: "baseUrl", Value: p.l.base}, p.env(part)))
	if !strings.Contains(text, "://") {
		text = "//" + text
	}
	base, err := url.Parse(text)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(base.Path, "/") {
		base = base.JoinPath("/")
	}
	r.URL, err = r.Rebase(base)
	return err
}
