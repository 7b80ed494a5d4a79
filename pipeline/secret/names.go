package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// secretNames are what a secret may be called.
	secretNames = []string{"key", "pwd", "pin", "sig"}

	// secretWords are parts of what a secret may be called.
	secretWords = []string{
		"auth", "pass", "secret", "token", "apikey", "api-key", "api_key",
		"cookie", "credential", "session", "signature", "private",
	}
)

var (
	parameterNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)((^|[_-]|app|access)key|(^|[_-])(pwd|pin|sig|otp)|^appid)$`)
	})
	pageNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)pag(e|ina)|next|contin|^authors?(_id)?$`)
	})
)

// Name tells whether a value is taken for a secret because of the name of its header, parameter or member.
func Name(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "#") || slices.Contains(secretNames, name) {
		return true
	}
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
}

// Page tells by the name of a parameter that its value leads to a page, or is an author, though it may look like a secret.
func Page(name string) bool { return pageNames().MatchString(name) }

// Parameter tells by the name of a parameter or header of a foreign description that its value is a secret, and leads to no page.
func Parameter(name string) bool {
	return !Page(name) && (Name(name) || parameterNames().MatchString(name))
}

// harmlessHeaders say what a request asks for and who sends it.
var harmlessHeaders = []string{"content-type", "user-agent", "x-amz-target"}

// HarmlessHeader tells whether a header carries no secret whatever its value is.
func HarmlessHeader(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "accept") || slices.Contains(harmlessHeaders, name)
}
