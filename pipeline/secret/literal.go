package secret

import "sluice/pipeline/pattern"

// longestPath is how long a text of a credential may be, in bytes, to be taken for a path.
const longestPath = 40

// plainPath matches what is surely a path in a login response, and no token: names without digits, and places
// in arrays.
var plainPath = pattern.Lazy(`^[A-Za-z_]+(\.([A-Za-z_]+|[0-9]{1,3}))*$`)

// Literal tells whether a text, the value of a header or parameter of a name, may be the credential itself, and
// not the path in a login response where it stands.
func Literal(name, text string) bool {
	if !Name(name) {
		return false
	}
	return len(text) > longestPath || !plainPath().MatchString(text)
}
