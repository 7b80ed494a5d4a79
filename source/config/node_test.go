package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"sluice/source/config"
)

// parse reads a document that must be good.
func parse(t *testing.T, text string) *config.Node {
	t.Helper()
	p := &config.Problems{}
	n := config.Parse("api.json", []byte(text), p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRawIsCompactAndKeepsWhatMatters(t *testing.T) {
	for text, want := range map[string]string{
		" { \"b\" : 1 , \"a\" : [ ] }\n":        `{"b":1,"a":[]}`,
		`[1.0, 1E+2, -0, 12345678901234567890]`: `[1.0,1E+2,-0,12345678901234567890]`,
		`"\u00fc\/\u0041\n\ud83d\ude00"`:        `"ü/A\n😀"`,
		`{"\u0061": {"b": [true, null]}}`:       `{"a":{"b":[true,null]}}`,
		"\ufeff{}":                              `{}`,
		`"<&>"`:                                 `"<&>"`,
	} {
		if got := string(parse(t, text).Raw); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestEveryNodeKnowsItsPath(t *testing.T) {
	n := parse(t, `{"a": {"b.c": [1, [{"d": null}]]}, "": "x", "new\nline": 2}`)
	var got []string
	walk(n, func(n *config.Node) { got = append(got, fmt.Sprintf("%s=%c", n.Path, n.Kind)) })
	want := `={|a={|a.b.c=[|a.b.c[0]=0|a.b.c[1]=[|a.b.c[1][0]={|a.b.c[1][0].d=n|="|"new\nline"=0`
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestANullMemberIsAbsent(t *testing.T) {
	n := parse(t, `{"a": null, "b": false}`)
	if n.Member("a") != nil || n.Member("c") != nil || n.Member("b") == nil {
		t.Errorf("got %v, %v, %v", n.Member("a"), n.Member("c"), n.Member("b"))
	}
	var none *config.Node
	if none.Member("a") != nil {
		t.Error("nothing has a member")
	}
}

func TestAKeyThatStandsTwiceIsAnError(t *testing.T) {
	got := problems("{\n  \"a\": 1, \"b\": {\"c\": 1, \"\\u0063\": 2}}")
	want := `api.json:2:25: b.c: the key stands twice in one object
    2 |   "a": …, "b": {"c": …, "\u0063": …}}
      |                         ^`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// FuzzParse compares with encoding/json, which takes more than we do.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `{"a":[1,2.50,"x",null,true,{"b":{}}]}`, `{"a":1,"a":2}`, `{"a":1,}`, "\ufeff[\"\\ud83d\\ude00\"]",
		`{"a":"\ud800"}`, "[\"\xff\"]", `[[[[[[`, `tru`, `[01]`, "{\"a\":\"b\nc\"}", `{"a" 1}`, `["` + strings.Repeat("x", 200) + `" 1]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p := &config.Problems{}
		n := config.Parse("f", bytes.Clone(text), p)
		for _, problem := range p.All() {
			if !utf8.ValidString(problem.String()) {
				t.Errorf("the message is not UTF-8: %q", problem)
			}
		}
		if n == nil {
			if p.Err() == nil {
				t.Error("neither a document nor a problem")
			}
			return
		}
		if text = bytes.TrimPrefix(text, []byte("\ufeff")); !json.Valid(text) {
			t.Fatalf("took %q", text)
		}
		if got, want := meaning(t, n.Raw), meaning(t, text); got != want {
			t.Errorf("%q became %q", text, n.Raw)
		}
		again := &config.Problems{}
		if twice := config.Parse("f", n.Raw, again); again.Err() != nil || !bytes.Equal(twice.Raw, n.Raw) {
			t.Errorf("%q is not compact: %v", n.Raw, again.Err())
		}
	})
}

// meaning is what encoding/json reads, with numbers as written.
func meaning(t *testing.T, text []byte) string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return fmt.Sprintf("%#v", v)
}
