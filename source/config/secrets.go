package config

import (
	"slices"
	"strings"

	"sluice/pipeline/secret"
)

// secretPath tells whether one of the names in a path is secret.
func secretPath(path string) bool {
	separates := func(r rune) bool { return r == '.' || r == '[' }
	return slices.ContainsFunc(strings.FieldsFunc(path, separates), secretName)
}

// holdsSecrets are the members of the document below which any value may be a secret, in small letters.
var holdsSecrets = []string{"loginrequest", "headers", "query"}

// secretName tells whether the values of a name are hidden, since they are or may be secrets.
func secretName(name string) bool {
	name = strings.ToLower(name)
	if name == "authentication" {
		// The section of api, which only sounds like a secret.
		return false
	}
	return slices.Contains(holdsSecrets, name) || secret.Name(name)
}

// secretAddress tells whether text is an address with a user before the host, or a secret name in its query.
func secretAddress(text string) bool {
	_, host, _ := strings.Cut(text, "://")
	_, query, _ := strings.Cut(text, "?")
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == '=' })
	return strings.Contains(host, "@") || slices.ContainsFunc(parts, secretName)
}
