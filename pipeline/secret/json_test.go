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

func TestChosenNamesStayWholeWhereTheyStandAlone(t *testing.T) {
	s := &secret.Set{}
	s.Add("admin", "hunter2")
	s.Choose("admin-users", "admin/out/")
	text := `{"id":"admin-users","error":"admin-users failed","uri":"admin/out/","of":"admin","told":"admin, 2 bytes","b":"admin!"}`
	want := `{"id":"admin-users","error":"[secret]-users failed","uri":"admin/out/","of":"[secret]","told":"admin, 2 bytes","b":"[secret]!"}`
	if got := string(s.RedactJSON([]byte(text), "admin, 2 bytes")); got != want {
		t.Errorf("got %s", got)
	}
	if got := s.Name("admin-users") + " " + s.Name("hunter2-users") + " " + (*secret.Set)(nil).Name("a"); got != "admin-users [secret]-users a" {
		t.Errorf("got %s", got)
	}
}
