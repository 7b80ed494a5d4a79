package escape_test

import (
	"testing"

	"sluice/cli/discover/escape"
)

func TestPairsOfSurrogatesBecomeOneEscape(t *testing.T) {
	for text, want := range map[string]string{
		`a: "\ud83d\ude00!"`:    `a: "\U0001F600!"`,
		`a: "\uD83D\uDE00"`:     `a: "\U0001F600"`,
		`a: "\ud83d"`:           `a: "\uFFFD"`,
		`a: "\ude00\ud83d"`:     `a: "\uFFFD\uFFFD"`,
		`a: "\\ud83d\\ude00"`:   `a: "\\ud83d\\ude00"`,
		`a: "\\\ud83d\ude00"`:   `a: "\\\U0001F600"`,
		`a: "\u00fc\n\ud7ff\"`:  `a: "\u00fc\n\ud7ff\"`,
		"a: '\\'\nb: \"\\udfff": "a: '\\'\nb: \"\\uFFFD",
		`a: C:\ud`:              `a: C:\ud`,
	} {
		if got := string(escape.Surrogates([]byte(text))); got != want {
			t.Errorf("%s became %s, not %s", text, got, want)
		}
	}
}
