package request

import (
	"errors"
	"net/url"
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
	return errors.New("is no address that requests can go to")
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
	hidden := secretSegments(u, v)
	return marked, func(u *url.URL, with func(segment, shown string) string) *url.URL {
		return replaceSegments(u, func(segment string) string {
			shown, isSecret := hidden[segment]
			if !isSecret {
				return segment
			}
			return with(segment, shown)
		})
	}
}

// secretSegments are those of the path of an address, with what people may see of them.
func secretSegments(u, shown *url.URL) map[string]string {
	hidden := map[string]string{}
	own, open := segments(u), segments(shown)
	for i, s := range own {
		see := secret.Hidden
		if len(open) == len(own) {
			see = open[i]
		}
		if s != "" && see != s {
			hidden[s] = see
		}
	}
	return hidden
}

func segments(u *url.URL) []string { return strings.Split(u.EscapedPath(), "/") }

// replaceSegments is a copy of an address with other segments.
func replaceSegments(u *url.URL, with func(segment string) string) *url.URL {
	all := segments(u)
	for i, s := range all {
		all[i] = with(s)
	}
	other := *u
	other.RawPath = strings.Join(all, "/")
	plain, err := url.PathUnescape(other.RawPath)
	if err != nil {
		plain, other.RawPath = secret.Hidden, ""
	}
	other.Path = plain
	return &other
}
