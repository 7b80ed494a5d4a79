package secret

import (
	"slices"
	"strings"
)

// Name tells whether a value is taken for a secret because of the name of its
// header, parameter or member.
func Name(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "#") || slices.Contains([]string{"key", "pwd", "pin", "sig"}, name) {
		return true
	}
	parts := []string{"auth", "pass", "secret", "token", "apikey", "api-key", "api_key", "cookie", "credential", "session", "signature", "private"}
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// HarmlessHeader tells whether a header of the login request carries no secret whatever its value is.
func HarmlessHeader(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "accept") || name == "content-type" || name == "user-agent"
}
