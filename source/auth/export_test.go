package auth

import (
	"maps"
	"net/http"
	"slices"
)

// Types are the names that api.authentication.type may have.
func Types() []string { return slices.Sorted(maps.Keys(variants)) }

// BaseString is what OAuth 1.0a signs of a request, with parameters of its own.
func BaseString(h *http.Request, protocol [][2]string) (string, error) {
	body, err := bodyOf(h)
	return baseString(h, body, protocol), err
}

// Sign is the signature of a base string.
func Sign(consumerSecret, tokenSecret, base string) string {
	return (&oauth10{consumerKey: consumerSecret, tokenKey: tokenSecret}).sign(base)
}
