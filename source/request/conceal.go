package request

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/secret"
)

// A Hider returns an address with what with makes of those segments of its path that hold secrets, of which it is
// told what people may see.
type Hider func(u *url.URL, with func(segment, shown string) string) *url.URL

// A Resolver makes an address of an endpoint, and its query.
type Resolver = func(endpoint string) (*url.URL, Params, error)

// PlainFailure is err, why an endpoint cannot be resolved, without the secrets in it: shown is what people may see of
// the endpoint, all if it is empty.
func PlainFailure(err error, shown string, resolve Resolver) error {
	if shown == "" {
		return err
	}
	if _, _, plain := resolve(shown); plain != nil {
		return plain
	}
	return errors.New("is not an address that requests can be sent to")
}

// Conceal marks secrets in the query of an address that was resolved, and returns what hides those in its path,
// however short they are. Shown is what people may see of the endpoint, which resolve resolves alike.
func Conceal(u *url.URL, query Params, shown string, resolve Resolver) (Params, Hider) {
	v, open, err := resolve(shown)
	if err != nil {
		v = &url.URL{}
	}
	marked := make(Params, len(query))
	for i, q := range query {
		isOpen := len(open) == len(query) && open[i].Raw == q.Raw
		q.Secret = q.Secret || !isOpen
		marked[i] = q
	}
	return marked, newSecretPath(u, v).hide
}

// secretPath is a path that holds secrets.
type secretPath struct {
	// The segments, and what people may see of them: as many.
	own, open []string

	// The latter by the former, of those that hold secrets.
	hidden map[string]string
}

// newSecretPath is the path of an address of which people may see what is shown.
func newSecretPath(u, shown *url.URL) *secretPath {
	p := &secretPath{own: segments(u), open: segments(shown), hidden: map[string]string{}}
	if len(p.open) != len(p.own) {
		p.open = slices.Repeat([]string{secret.Hidden}, len(p.own))
	}
	for i, s := range p.own {
		if s == "" {
			p.open[i] = ""
		}
		if p.open[i] != s {
			p.hidden[s] = p.open[i]
		}
	}
	return p
}

// hide is a [Hider].
func (p *secretPath) hide(u *url.URL, with func(segment, shown string) string) *url.URL {
	all := segments(u)
	isAlike := p.isAlike(all)
	for i, s := range all {
		shown, isSecret := p.hidden[s]
		switch {
		case isSecret:
			all[i] = with(s, shown)
		case isAlike && p.open[i] != p.own[i]:
			all[i] = with(s, p.open[i])
		}
	}
	return withPath(u, strings.Join(all, "/"))
}

// isAlike tells whether segments differ from the path in what is secret only: the answers of a recording lead to
// where the secrets of another run stand.
func (p *secretPath) isAlike(segments []string) bool {
	if len(segments) != len(p.own) {
		return false
	}
	for i, s := range segments {
		if p.open[i] == p.own[i] && s != p.own[i] {
			return false
		}
	}
	return true
}

func segments(u *url.URL) []string { return strings.Split(u.EscapedPath(), "/") }

// withPath is a copy of an address with another path, which is escaped.
func withPath(u *url.URL, path string) *url.URL {
	other := *u
	plain, err := url.PathUnescape(path)
	if err != nil {
		plain, path = secret.Hidden, ""
	}
	other.Path, other.RawPath = plain, path
	return &other
}
