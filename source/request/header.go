package request

import (
	"slices"
	"strings"
)

// ValidHeader tells whether net/http takes text as the value of a header: no
// line breaks and no other control characters but tabs.
func ValidHeader(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// ValidHeaderName tells whether name can name a header (RFC 9110, token).
func ValidHeaderName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// Harmless tells whether a header of the login request carries no secret
// whatever its value is (decisions.md, section 8).
func Harmless(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "accept") || name == "content-type" || name == "user-agent"
}

// Sensitive tells whether the value of a header is a secret because of its name.
func Sensitive(name string) bool {
	name = strings.ToLower(name)
	if slices.Contains([]string{"authorization", "proxy-authorization", "cookie", "set-cookie"}, name) {
		return true
	}
	return slices.ContainsFunc([]string{"api-key", "apikey", "token", "secret", "password", "auth", "session", "signature", "credential"},
		func(part string) bool { return strings.Contains(name, part) })
}
