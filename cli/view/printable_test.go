package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"sluice/cli/view"
)

func TestWhatATerminalWouldObeyIsEscaped(t *testing.T) {
	for text, want := range map[string][2]string{ // of Printable, of OneLine
		"plain é 日本 🙂\n":           {"plain é 日本 🙂\n", `plain é 日本 🙂\n`},
		"a\tb\r\nc":                {"a\tb\\r\nc", `a\tb\r\nc`},
		"\x1b]52;c;aGk=\x07":       {`\u001b]52;c;aGk=\u0007`, `\u001b]52;c;aGk=\u0007`},
		"\x00\x7f\u0080\u009b":     {`\u0000\u007f\u0080\u009b`, `\u0000\u007f\u0080\u009b`},
		"\u202etxt.\u2066\u061c":   {`\u202etxt.\u2066\u061c`, `\u202etxt.\u2066\u061c`},
		"\u2028\u2029\ufeff\u200b": {`\u2028\u2029\ufeff\u200b`, `\u2028\u2029\ufeff\u200b`},
		"\U000e0041":               {`\udb40\udc41`, `\udb40\udc41`},
		"\x9b31m \ufffd":           {"\\x9b31m \ufffd", "\\x9b31m \ufffd"},
	} {
		var b bytes.Buffer
		n, err := view.Printable(&b).Write([]byte(text))
		if got := [2]string{b.String(), view.OneLine(text)}; got != want || n != len(text) || err != nil {
			t.Errorf("%q became %q, want %q; %d, %v", text, got, want, n, err)
		}
	}
	if _, err := view.Printable(broken{}).Write([]byte("a")); !errors.Is(err, errBroken) {
		t.Errorf("the error is %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// FuzzPrintable writes JSON with a text in it: it stays JSON of the same text, and nothing of it is obeyed.
func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[2J\u009b\u202e\U000e0041 \\u202e")
	f.Add("\xff\n\t\r")
	f.Fuzz(func(t *testing.T, text string) {
		var in, out bytes.Buffer
		e := json.NewEncoder(&in)
		e.SetEscapeHTML(false)
		if err := e.Encode(map[string]string{text: text}); err != nil {
			t.Fatal(err)
		}
		_, _ = view.Printable(&out).Write(in.Bytes())
		var got map[string]string
		want := string([]rune(text)) // each byte that is no UTF-8 is U+FFFD
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got[want] != want {
			t.Fatalf("%q became %s, %v", text, out.String(), err)
		}
		odd := func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
		}
		if strings.ContainsFunc(out.String()+view.OneLine(text), odd) || !utf8.ValidString(view.OneLine(text)) {
			t.Errorf("%q shows as %q", text, out.String())
		}
	})
}
