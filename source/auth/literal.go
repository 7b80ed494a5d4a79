package auth

import (
	"sluice/pipeline/secret"
	"sluice/source/expr"
)

// literalSecrets are those of the members of apiRequest that may be credentials themselves.
func literalSecrets(members []expr.NamedValue) []string {
	var all []string
	for _, m := range members {
		text, plain := m.Value.Literal()
		if plain && secret.Literal(m.Name, text) {
			all = append(all, secret.Parts(text)...)
		}
	}
	return all
}
