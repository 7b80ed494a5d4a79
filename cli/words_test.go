package cli

import (
	"slices"
	"testing"
)

func TestWordsAreThoseOfAShell(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"A": "a b", "B": "b"}[name] }
	for text, want := range map[string][]string{
		"curl  -H 'a: \"b\"' \\\n  https://x/?a=1": {"curl", "-H", `a: "b"`, "https://x/?a=1"},
		`a"b\"c\$\n$A${B}"d'e'\ f`:                 {`ab"c$\na bbde f`},
		`$'a\'b\n\u00e9\x41\\' '' "$"`:             {"a'b\néA\\", "", "$"},
		"$A $ {a,b}* #c":                           {"a b", "$", "{a,b}*", "#c"},
	} {
		if got, err := words(text, getenv); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{`'a`, `"a`, `$'a`, "a | b", "a; b", "`a`", "\"`a`\"", "$(a)", `"$(a)"`, "a > b", "a\\", "$C", `"${C}"`} {
		if got, err := words(text, getenv); err == nil {
			t.Errorf("%s: got %q, want an error", text, got)
		}
	}
}
