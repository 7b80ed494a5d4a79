package auth

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
)

// loginAnswers are those to the login requests of one login, so far.
type loginAnswers struct {
	// numbered is that of the login.
	numbered bool

	// began is when the first one came: nothing that a login gives is good for less than it says from then on.
	began time.Time

	responses []jsontext.Value
	last      LoginAnswer
	headers   []http.Header
}

// enter adds the answer to the i-th request. A later attempt at it takes the place of an earlier one.
func (a *loginAnswers) enter(i int, response jsontext.Value, answer LoginAnswer, now time.Time) {
	if i == 0 {
		a.began = now
	}
	a.responses = append(a.responses[:i], response)
	a.headers = append(a.headers[:i], answer.Header)
	a.last = answer
}

// cookies are those that were set so far; nil: none.
func (a *loginAnswers) cookies() http.CookieJar { return a.last.Cookies }

// find returns what a path leads to; nil: nothing.
func (a *loginAnswers) find(path string) jsontext.Value {
	at, path, ok := split(a.numbered, path)
	if !ok || at >= len(a.responses) {
		return nil
	}
	return item.Find(a.responses[at], item.ParsePath(path, "."))
}

// header returns a header of an answer; empty: it has none.
func (a *loginAnswers) header(name string) string {
	at, name, ok := split(a.numbered, name)
	if !ok || at >= len(a.headers) {
		return ""
	}
	return a.headers[at].Get(name)
}

// split divides the number of an answer from what is wanted of it.
func split(numbered bool, path string) (at int, rest string, ok bool) {
	if !numbered {
		return 0, path, true
	}
	number, rest, ok := strings.Cut(path, ".")
	at, err := strconv.Atoi(number)
	return at, rest, ok && err == nil && at >= 0
}

// numberOf is [split] for the login.
func (l *login) numberOf(path string) (at int, rest string, ok bool) { return split(l.numbered, path) }

// of says which login request an error is about, if there are several.
func (l *login) of(i int, err error) error {
	if !l.numbered {
		return err
	}
	return fmt.Errorf("loginRequest[%d]: %w", i, err)
}

// listed are the login requests of a configuration, which has one or a list of them.
func (l *login) listed(o *config.ObjectDecoder, p *config.Problems) []*config.Node {
	const doc = "The login request; or a list of several, each of which may use the answers before it."
	n := o.Any("loginRequest", doc, "loginRequest", "[loginRequest]")
	if n == nil || n.Kind != '[' {
		return []*config.Node{n}
	}
	l.numbered = true
	if len(n.Elems) == 0 {
		p.Errorf(n, "must have a login request")
		return []*config.Node{nil}
	}
	return n.Elems
}

// answered are the contexts of what draws upon the answers to the first n login requests, none of which has come.
// The function public, if set, is told the paths that are referred to: what is there is no secret, and no header is
// either.
func (l *login) answered(n int, public func(path string)) expr.Contexts {
	return expr.Contexts{
		"response": func(path string) (expr.Value, bool) {
			if fault := l.misnumbered(n, path); fault != "" {
				return expr.Value{Fault: fault}, false
			}
			if public != nil {
				public(path)
			}
			return expr.Value{}, true
		},
		"responseHeader": func(name string) (expr.Value, bool) {
			if fault := l.misnumbered(n, name); fault != "" {
				return expr.Value{Fault: fault}, false
			}
			at, name, _ := l.numberOf(name)
			if name == "" || strings.ContainsAny(name, " :,") {
				fault := fmt.Sprintf("%q cannot be the name of a header of the login response", name)
				return expr.Value{Fault: fault}, false
			}
			name = http.CanonicalHeaderKey(name)
			reads := l.requests[at].reads
			reads[name] = reads[name] || public != nil
			return expr.Value{}, true
		},
	}
}

// misnumbered says why a path leads into none of the answers to the first n login requests; empty: it does.
func (l *login) misnumbered(n int, path string) string {
	at, _, ok := l.numberOf(path)
	switch {
	case !ok:
		return fmt.Sprintf("%q must begin with the number of an answer, such as 0.%s, since loginRequest is a list", path, path)
	case at < n:
		return ""
	case n == 0:
		return fmt.Sprintf("%q: there is no answer before the first login request", path)
	case n == 1:
		return fmt.Sprintf("%q: there is only the answer 0 here", path)
	}
	return fmt.Sprintf("%q: there are only the answers 0 to %d here", path, n-1)
}

// publish lets recordings show what a path leads to.
func (l *login) publish(path string) {
	at, path, ok := l.numberOf(path)
	if ok && at < len(l.requests) {
		q := l.requests[at]
		q.public = append(q.public, places(item.ParsePath(path, "."))...)
	}
}

// learnExpiry checks the path of the time when a session ends, and lets recordings show it.
func (l *login) learnExpiry(n *config.Node, p *config.Problems) {
	path := strings.Join(l.expiry.response, ".")
	if fault := l.misnumbered(len(l.requests), path); fault != "" {
		p.Errorf(n, "%s", fault)
		return
	}
	l.publish(path)
}

// keepLater is [login.later] for keep at n, all of which must be in one answer: what that gives is stored before the
// next request is sent.
func (l *login) keepLater(n *config.Node, p *config.Problems) expr.Env {
	env := l.later(nil)
	if !l.numbered {
		return env
	}
	found := -1
	all := maps.Clone(env.Contexts)
	for _, name := range []string{"response", "responseHeader"} {
		find := env.Contexts[name]
		all[name] = func(path string) (expr.Value, bool) {
			v, ok := find(path)
			at, _, _ := l.numberOf(path)
			if ok && found >= 0 && found != at {
				p.Errorf(n, "names the answers %d and %d, where one must have all that is kept", found, at)
			}
			if ok {
				found, l.keepAt = at, at
			}
			return v, ok
		}
	}
	env.Contexts = all
	return env
}

// drawing is what a login request draws upon: the answers that came before it, whose values go to hide.
func (l *login) drawing(came *loginAnswers, hide func(...string)) expr.Env {
	found := newContents(came)
	found.made = func(_, text string) { hide(text) }
	env := l.env.Expr
	if len(came.responses) > 0 {
		env = with(env, found.contexts())
	}
	env.Secret = found.made
	return env
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

// newContents are those of login responses, without made.
func newContents(a *loginAnswers) contents {
	return contents{
		response: a.find,
		literal:  func(_, path string) jsontext.Value { return a.find(path) },
		header:   a.header,
	}
}

// env is what expressions of apiRequest draw upon.
func (c *contents) env(env expr.Env) expr.Env {
	env = with(env, c.contexts())
	env.Secret = c.made
	return env
}

// contexts are what expressions find of login responses.
func (c *contents) contexts() expr.Contexts {
	return expr.Contexts{
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
	}
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
