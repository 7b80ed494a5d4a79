package secret_test

import (
	"strings"
	"testing"

	"sluice/pipeline/secret"
)

func TestAPlainStringOfACredentialIsHiddenUnlessItIsSurelyAPath(t *testing.T) {
	for text, hidden := range map[string]bool{
		"token":                 false,
		"data.access_token":     false,
		"data.list.0":           false,
		"result.sessionId":      false,
		strings.Repeat("a", 40): false,
		strings.Repeat("a", 41): true,
		"hunter2-TOKEN-zz9":     true,
		"hunter2":               true,
		"123456":                true,
		"data.123456":           true,
		"Bearer abc":            true,
		"data..token":           true,
		"":                      true,
	} {
		if got := secret.Literal("X-Api-Key", text); got != hidden {
			t.Errorf("%q: hidden %t", text, got)
		}
		if secret.Literal("X-Tenant", text) {
			t.Errorf("%q is hidden in a header that is no credential", text)
		}
	}
}
