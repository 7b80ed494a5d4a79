package auth

import (
	"maps"
	"net/http"
	"slices"
)

// Types are the names that api.authentication.type may have.
func Types() []string { return slices.Sorted(maps.Keys(types)) }

// BaseString is what OAuth 1.0a signs of a request, with parameters of its own.
func BaseString(h *http.Request, protocol [][2]string) (string, error) {
	body, err := bodyOf(h)
	var pairs []pair
	for _, p := range protocol {
		pairs = append(pairs, pair{p[0], p[1]})
	}
	return baseString(h, body, pairs), err
}

// Sign is the signature of a base string.
func Sign(consumerSecret, tokenSecret, base string) string {
	return (&oauth10{consumerKey: consumerSecret, tokenKey: tokenSecret}).sign(base)
}
