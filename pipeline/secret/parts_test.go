package secret_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"sluice/pipeline/secret"
)

func TestPartsOfAValueAreSecretAlone(t *testing.T) {
	inBase64 := base64.StdEncoding.EncodeToString
	for name, c := range map[string]struct {
		value string
		parts []string
	}{
		"a token":                {"canary-1", nil},
		"behind a scheme":        {"Bearer canary-1", []string{"canary-1"}},
		"behind blanks":          {" bearer   canary-1 ", []string{"bearer   canary-1", "canary-1"}},
		"behind another scheme":  {"Zoho-oauthtoken canary-1", []string{"canary-1"}},
		"a pair":                 {"me:canary-1", []string{"canary-1"}},
		"a pair without a user":  {":canary-1", []string{"canary-1"}},
		"a password with colons": {"me:canary:1", []string{"canary:1"}},
		"a pair behind a scheme": {"ApiKey me:canary-1", []string{"me:canary-1", "canary-1"}},
		"Basic": {
			"Basic " + inBase64([]byte("me:canary-1")),
			[]string{inBase64([]byte("me:canary-1")), "me:canary-1", "canary-1"},
		},
		"Basic without padding":     {"basic bWU6Y2FuYXJ5LTE", []string{"bWU6Y2FuYXJ5LTE", "me:canary-1", "canary-1"}},
		"Basic that is none":        {"Basic canary?", []string{"canary?"}},
		"cookies":                   {"sid=canary-1; b=canary-2==", []string{"canary-1", "canary-2=="}},
		"a cookie that is a switch": {"sid=canary-1; consent=true; ads=false", []string{"canary-1"}},
		"a quoted parameter":        {`Token token="canary-1"`, []string{`token="canary-1"`, "canary-1"}},
		"parameters": {
			`Token token="canary,\"1", id=canary-2`,
			[]string{`token="canary,\"1", id=canary-2`, `canary,\"1`, `canary,"1`, "canary-2"},
		},
		"an address":            {"https://me:canary-1@api.test/a:b", []string{"canary-1"}},
		"an address of nobody":  {"https://api.test/a:b", nil},
		"an ordinary text":      {"Acme data", nil},
		"JSON":                  {`{"id": 12345}`, nil},
		"padding":               {"canary-1==", nil},
		"a scheme with padding": {"Bearer canary-1==", []string{"canary-1=="}},
		"nothing":               {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			isNoPart := func(part string) bool { return part == "" || part == c.value }
			got := slices.DeleteFunc(secret.Parts(c.value), isNoPart)
			slices.Sort(got)
			got = slices.Compact(got)
			slices.Sort(c.parts)
			if !slices.Equal(got, c.parts) {
				t.Errorf("got  %q\nwant %q", got, c.parts)
			}
		})
	}
}

func FuzzParts(f *testing.F) {
	f.Add(`Token token="a\"b", c=d`)
	f.Add("Basic bWU6Y2FuYXJ5LTE=")
	f.Fuzz(func(t *testing.T, value string) {
		if got := secret.Parts(value); got[0] != value {
			t.Errorf("%q is not among its parts", value)
		}
	})
}
