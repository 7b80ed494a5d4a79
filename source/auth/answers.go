package auth

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
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
func (l *login) listed(o *config.Object, p *config.Problems) []*config.Node {
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
