package transport_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/transport"
)

func TestTheRecordOfALoginHasNoValueButItsExpiry(t *testing.T) {
	public := []item.Path{{"data", "expires"}, {"list", "1"}}
	for answer, want := range map[string]string{
		`{"token":"abc","n":12,"ok":true,"no":null}`:                     `{"token":"[secret]","n":"[secret]","ok":true,"no":null}`,
		`{ "data": {"expires": "2026-01-01 10:00:00", "refresh": "x"} }`: `{"data":{"expires":"2026-01-01 10:00:00","refresh":"[secret]"}}`,
		`{"data":{"expires":{"token":"abc"}}}`:                           `{"data":{"expires":{"token":"[secret]"}}}`,
		`{"list":["a",3600,"b"],"expires":5}`:                            `{"list":["[secret]",3600,"[secret]"],"expires":"[secret]"}`,
		`"abc"`:                                                          `"[secret]"`, `17`: `"[secret]"`, `{}`: `{}`, ``: ``,
		`abc`: `[secret]`, `{"token":"abc"`: `[secret]`, `user=a&token=b`: `[secret]`,
	} {
		if got := string(transport.CleanLogin([]byte(answer), public)); got != want {
			t.Errorf("%s became %s, want %s", answer, got, want)
		}
	}
}

// recorded is what a recording shows of a body, written in parts of n bytes.
func recorded(t testing.TB, body string, n int, secrets ...string) string {
	known := &secret.Set{}
	known.Add(secrets...)
	var b strings.Builder
	m := transport.NewJSONMender(&b)
	r := secret.NewWriter(m, known)
	for ; len(body) > n; body = body[n:] {
		_, _ = r.Write([]byte(body[:n]))
	}
	_, _ = r.Write([]byte(body))
	if r.Close() != nil || m.Close() != nil {
		t.Fatal("writing to memory fails")
	}
	return b.String()
}

func TestWhatARecordingShowsOfJSONIsJSON(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":"x 1234 y","b":[[1234],{"c":12345.5e1}],"d":-1234}`: `{"a":"x [secret] y","b":[["[secret]"],{"c":"[secret]"}],"d":"[secret]"}`,
		`["\n123","\\n123","n123"]`:                               `["[secret]","\\[secret]","[secret]"]`,
		`[1,2,[3,[]],"[secret]",[`:                                `[1,2,[3,[]],"[secret]",[`,
		`1234`:                                                    `"[secret]"`,
		`the 1234`:                                                `the [secret]`,
		`["cut \`:                                                 `["cut \`,
		`[12`:                                                     `[12`,
		"":                                                        "",
	} {
		for _, n := range []int{1, 3, 1000} {
			if got := recorded(t, body, n, "1234", "n123"); got != want {
				t.Errorf("%s became %s, want %s", body, got, want)
			}
		}
	}
}

func FuzzWhatARecordingShowsOfJSONIsJSON(f *testing.F) {
	f.Add(`{"a":[1234,"\u0031234",-1.5e+12],"b":{"c":"\\\"1234"}}`, "1234")
	f.Add(`["[secret]","[","]",[[]],"\/1234"]`, "/123")
	f.Add(`{"true":true,"x":[true,null,false]}`, "true")
	f.Fuzz(func(t *testing.T, body, value string) {
		if !jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || strings.ContainsAny(value, `[]{}",:\`) || strings.TrimSpace(value) != value {
			return
		}
		got := recorded(t, body, 1+len(body)/3, value)
		if !jsontext.Value(got).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			t.Errorf("%s became %s", body, got)
		}
		if len(value) >= 4 && strings.Contains(strings.ReplaceAll(got, secret.Hidden, ""), value) && !strings.Contains(strings.ReplaceAll(body, secret.Hidden, ""), secret.Hidden) && !strings.Contains(secret.Hidden, value) { //nolint:gocritic // the secret may be a part of what hides it
			t.Errorf("%s became %s, which shows %s", body, got, value)
		}
	})
}
