package secret_test

import (
	"encoding/json"
	"testing"

	"sluice/pipeline/secret"
)

func TestRedactedJSONStaysValid(t *testing.T) {
	s := &secret.Set{}
	s.Add("hunter2!", `","ph":"`, "status", "123456", `pass"word\`)
	for text, want := range map[string]string{
		`{"status": "status", "n": 123456, "t": true}`:    `{"status": "[secret]", "n": 123456, "t": true}`,
		`{"a":"x\",\"ph\":\"y","b":["hunter2!","<é>"]}`:   `{"a":"x[secret]y","b":["[secret]","<é>"]}`,
		`"a pass\"word\\ and \"pass\\\"word\\\\\" again"`: `"a [secret] and \"[secret]\" again"`,
		`"u=hunter2%21&<\u003c\n"`:                        `"u=[secret]&<<\n"`,
		`{"":"","hunter2!" : {}}`:                         `{"":"","hunter2!" : {}}`,
	} {
		got := string(s.RedactJSON([]byte(text)))
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{``, `"`, `"\`, `"a`, `{"hunter2!`} {
		if got := string(s.RedactJSON([]byte(text))); len(got) > 0 && got != text && got != `"[secret]"` && got != `{"\"[secret]"` {
			t.Errorf("%q became %q", text, got)
		}
	}
}
