package convert

import (
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
)

// scheme is what an address may begin with.
var scheme = pattern.Lazy("^[a-zA-Z][a-zA-Z0-9+.-]*:")

// address reads where a requester asks, as that platform joins it: a path is relative to what stands before it, which
// ends with a slash then, and one that is an address replaces it.
func (s *Stream) address(n *manifest.Node, sc template.Scope, j *write.Job) {
	base, path := s.part(n.Get("url_base"), sc), s.part(n.Get("path"), sc)
	url := s.part(n.Get("url"), sc)
	if len(base) == 0 {
		base = url
	}
	if strings.ContainsAny(path.First()+base.First(), "{}") {
		s.Refuse(n, "an address with braces is not understood")
		return
	}
	if first := path.First(); first != "" {
		path = path.From(len(first) - len(strings.TrimLeft(first, "/")))
	}
	isWhole := strings.Contains(path.First(), "://")
	if !isWhole && scheme().MatchString(path.First()) {
		s.Refuse(n, "a path that begins with a word and a colon is an address of another scheme for that platform")
	}
	switch {
	case len(base) == 0 && len(path) == 0:
		s.Refuse(n, "there is no address: url_base and path, or url, give nothing")
		return
	case isWhole || len(base) == 0:
		j.Base, j.Endpoint = divide(path)
	case len(path) == 0:
		j.Base, j.Endpoint = divide(base)
	case base.Changes():
		j.Base, j.Endpoint = divide(write.WithSlash(base).And(path...))
	default:
		j.Base, j.Endpoint = base, path
	}
}

// part is a member of an address as parts, without credentials.
func (s *Stream) part(n *manifest.Node, sc template.Scope) write.Parts {
	if n == nil {
		return nil
	}
	text, ok := s.text(n, sc)
	if !ok {
		return nil
	}
	p := write.PartsOf(text)
	if userInfo().MatchString(p.Shape()) {
		s.Refuse(n, "an address with a user name or a password cannot be said: take them out of it, "+
			"and give them by a BasicHttpAuthenticator")
	}
	return withheldIn(sc, n, p)
}

// userInfo is the beginning of an address with a user name or a password.
var userInfo = pattern.Lazy(`^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*@`)

// divide makes of an address its beginning, scheme and host, and what is relative to it. An address whose beginning is
// not known before the run has none.
func divide(p write.Parts) (base, endpoint write.Parts) {
	from := strings.Index(p.First(), "://")
	if from >= 0 {
		from += len("://")
	}
	before, after, hasPath := p.Cut(0, max(from, 0))
	switch {
	case before.Changes():
		return nil, p
	case from >= 0 && !hasPath:
		return p, write.Root
	case hasPath && len(after) == 0:
		return before, write.Root
	case hasPath:
		return before, after
	}
	return nil, p
}
