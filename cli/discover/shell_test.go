package discover_test

import (
	"slices"
	"testing"

	"sluice/cli/discover"
)

func TestCurlCommandsAreFoundInWhatPeoplePaste(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"A": "a b", "B": "b"}[name] }
	for text, want := range map[string][]string{
		"$ curl  -H 'a: \"b\"' \\\r\n  https://x/?a=1 \\\n":                                                       {"curl", "-H", `a: "b"`, "https://x/?a=1"},
		`/usr/bin/curl a"b\"c\$\n$A${B}"d'e'\ f | jq '.a'`:                                                        {"/usr/bin/curl", `ab"c$\na bbde f`},
		`curl $'a\'b\n\u00e9\x41\\' '' "$" > out.json`:                                                            {"curl", "a'b\néA\\", "", "$"},
		"# all of it\ncurl \"$A\" $ a,b* x/\\?a\\&b #c":                                                           {"curl", "a b", "$", "a,b*", "x/?a&b"},
		"curl ^\"https://x/?a=b^&c=^%^20$d^\" ^\r\n  -H ^\"a: `b`^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":1^}^\"": {"curl", "https://x/?a=b&c=%20$d", "-H", "a: `b`", "--data-raw", `{"a":1}`},
	} {
		if got, err := discover.Commands(text, getenv); err != nil || len(got) != 1 || !slices.Equal(got[0], want) {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"T=$(curl 1 | jq -r .t)\n$ curl 2 -H \"b: $T\"", `export T="$(curl 1)"; curl 2 -H "b: $T"`, "curl 2 -H \"b: $(curl 1 |\n jq -r .t)\"", "curl 1 &&\ncurl 2 -H \"b: $T\"",
	} {
		if got, err := discover.Commands(text, getenv); err != nil || len(got) != 2 || !slices.Equal(got[0], []string{"curl", "1"}) || got[1][3] != "b: "+discover.LoginToken {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
	for _, text := range []string{`curl 'a`, `curl "a`, `curl $'a`, "curl x/?a&b", "curl `a`", "curl $(a)", `curl "$(a)"`, "curl $C", `curl "${C}"`, "curl 1; curl $(a)", "curl -d @<(a) x"} {
		if got, err := discover.Commands(text, getenv); err == nil {
			t.Errorf("%s: got %q, want an error", text, got)
		}
	}
}
