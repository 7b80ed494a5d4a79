package config_test

import (
	"strings"
	"testing"

	"sluice/source/config"
)

// problems parses text and returns what is wrong with it, as a run shows it.
func problems(text string) string {
	p := &config.Problems{}
	config.Parse("api.json", []byte(text), p)
	if err := p.Err(); err != nil {
		return err.Error()
	}
	return ""
}

func TestASyntaxErrorIsExplainedInOneSentence(t *testing.T) {
	const (
		noWord   = "text needs double quotes: only true, false and null stand without, in lower case"
		noEscape = `a backslash must be followed by one of "\/bfnrt or by u and four hexadecimal digits, a surrogate by its other half: for the backslash itself write \\`
	)
	for _, c := range []struct{ name, text, want string }{
		{"a comma is missing", "{\"a\":1\n\"b\":2}", "2:1: this is not JSON: a comma is missing before this"},
		{"a comma is missing in an array", `[{"a":[1 2]}]`, "1:10: [0].a: this is not JSON: a comma is missing before this"},
		{"a comma before the end", `{"a":1,}`, "1:7: this is not JSON: there must be no comma before the closing }"},
		{"a comma before the end of an array", "[1,\n]", "1:3: this is not JSON: there must be no comma before the closing ]"},
		{"two commas", `[1,,2]`, "1:4: this is not JSON: invalid character ',' at start of value"},
		{"a comma first", `{,"a":1}`, "1:2: this is not JSON: invalid character ',' at start of value"},
		{"single quotes around a value", `{"a":'b'}`, `1:6: this is not JSON: strings and names stand in straight double quotes (")`},
		{"single quotes around a name", `{'a':1}`, `1:2: this is not JSON: strings and names stand in straight double quotes (")`},
		{"curly quotes", `{“a”:1}`, `1:2: this is not JSON: strings and names stand in straight double quotes (")`},
		{"a name without quotes", `{a:1}`, "1:2: this is not JSON: " + noWord},
		{"a number as a name", `{1:2}`, "1:2: this is not JSON: object member name must be a string"},
		{"a line comment", `// c`, "1:1: this is not JSON: JSON has no comments"},
		{"a comment after a comma", "{\"a\":1, /* c */\n\"b\":2}", "1:9: this is not JSON: JSON has no comments"},
		{"a comment after a value", `{"a":1 # c`, "1:8: this is not JSON: JSON has no comments"},
		{"no colon", `{"a" 1}`, "1:6: this is not JSON: invalid character '1' after object name (expecting ':')"},
		{"two colons", `{"a"::1}`, "1:6: this is not JSON: invalid character ':' at start of value"},
		{"a colon for a comma", `{"a":1:2}`, "1:7: this is not JSON: invalid character ':' after object value (expecting ',' or '}')"},
		{"no value", `{"a":}`, "1:6: this is not JSON: invalid character '}' at start of value"},
		{"neither colon nor value", `{"a"}`, "1:5: this is not JSON: invalid character '}' after object name (expecting ':')"},
		{"the wrong bracket", "{\"a\":[1,\n2}", "2:2: a: this is not JSON: this } does not close the [ of line 1"},
		{"one bracket too many", `]`, "1:1: this is not JSON: invalid character ']' at start of value"},
		{"text after the document", `{"a":1} {"b":2}`, "1:9: this is not JSON: there is more text after the end of the document"},
		{"a word after the document", "{}\nx", "2:1: this is not JSON: there is more text after the end of the document"},
		{"a quote within a string", `{"a":"x"y"}`, "1:9: this is not JSON: invalid character 'y' after object value (expecting ',' or '}')"},
		{"a string over two lines", "{\"a\":\"b\nc\"}", `1:8: this is not JSON: a string must end on the line on which it begins: a quote is missing, or \n for the line break`},
		{"a tab in a string", "{\"a\":\"b\tc\"}", `1:8: this is not JSON: invalid character '\t' in string (expecting non-control character)`},
		{"a control character in a string", "{\"a\":\"b\x01c\"}", `1:8: this is not JSON: invalid character '\x01' in string (expecting non-control character)`},
		{"an unknown escape", `{"a":"\x"}`, "1:7: this is not JSON: " + noEscape},
		{"half a surrogate", `["\ud800"]`, "1:3: this is not JSON: " + noEscape},
		{"invalid UTF-8 in a string", "[\"\xff\"]", "1:3: this is not JSON: invalid UTF-8"},
		{"a blank that is none", "{\u00a0}", `1:2: this is not JSON: invalid character '\u00a0' at start of value`},
		{"other words", `{"a":True}`, "1:6: this is not JSON: " + noWord},
		{"a word that begins well", `{"a":nan}`, "1:7: this is not JSON: invalid character 'a' in literal null (expecting 'u')"},
		{"text without quotes", `{"a":users}`, "1:6: this is not JSON: " + noWord},
		{"a number that begins with 0", `{"a":007}`, "1:7: this is not JSON: invalid character '0' after object value (expecting ',' or '}')"},
		{"a number with a unit", `{"a":10s}`, "1:8: this is not JSON: invalid character 's' after object value (expecting ',' or '}')"},
		{"a number that begins with a plus", `{"a":+1}`, "1:6: this is not JSON: invalid character '+' at start of value"},
		{"cut within an object", "{\n\"a\":[1],\n", "2:9: this is not JSON: the file ends early, the { of line 1 is not closed"},
		{"cut within an array", "{\n\"a\":[1,2", "2:9: a: this is not JSON: the file ends early, the [ of line 2 is not closed"},
		{"cut within a string", `{"a":"b`, "1:8: this is not JSON: the file ends early, the { of line 1 is not closed"},
		{"cut within a word", `tru`, "1:4: this is not JSON: the file ends early"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, _ := strings.Cut(problems(c.text), "\n")
			if want := "api.json:" + c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAFileThatIsNoTextHasNoPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "api.json is empty"},
		{" \r\n\t", "api.json is empty"},
		{"\ufeff", "api.json is empty"},
		{"\xff\xfe{\x00", "api.json is UTF-16: save it as UTF-8"},
		{"\xfe\xff\x00{", "api.json is UTF-16: save it as UTF-8"},
	} {
		if got := problems(c.text); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestHostileNestingIsRefused(t *testing.T) {
	deep := func(open, end string, n int) string { return strings.Repeat(open, n) + "1" + strings.Repeat(end, n) }
	if got := problems(deep("[", "]", 100)); got != "" {
		t.Errorf("100 deep: %s", got)
	}
	for _, text := range []string{deep("[", "]", 101), deep(`{"a":`, "}", 101), strings.Repeat("[", 1e6), strings.Repeat(`{"a":[`, 1e6)} {
		if got := problems(text); !strings.Contains(got, "the document is nested more than 100 deep") {
			t.Errorf("%.20s…: got %s", text, got)
		}
	}
}
