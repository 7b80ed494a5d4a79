package auth

import (
	"regexp"

	"sluice/pipeline/secret"
	"sluice/source/expr"
)

// longestPath is how long a plain string of a credential may be, in bytes, to be taken for a path.
const longestPath = 40

// plainPath matches what is surely a path in a login response, and no token: names without digits, and places in arrays.
var plainPath = regexp.MustCompile(`^[A-Za-z_]+(\.([A-Za-z_]+|[0-9]{1,3}))*$`)

// hidesText tells whether the plain string of a member of apiRequest may be the credential itself.
func hidesText(name, text string) bool {
	if !secret.Name(name) {
		return false
	}
	return len(text) > longestPath || !plainPath.MatchString(text)
}

// literalSecrets are those of the members of apiRequest that may be credentials themselves.
func literalSecrets(members []expr.Member) []string {
	var all []string
	for _, m := range members {
		text, plain := m.Value.Literal()
		if plain && hidesText(m.Name, text) {
			all = append(all, secret.Parts(text)...)
		}
	}
	return all
}
