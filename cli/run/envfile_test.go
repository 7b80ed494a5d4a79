package run

import (
	"maps"
	"testing"
)

func TestAFileOfVariablesIsReadAsShellsReadIt(t *testing.T) {
	got, err := parseEnvironment("\ufeff# a comment\n\nPLAIN=a b\r\nexport SHELL_TOO = x=y  # why\nEMPTY=\nNONE= # nothing\n" +
		"SINGLE='a # \\n $b'\nDOUBLE=\"a \\\"b\\\" \\$c \\n \\x\" # why\nHASH=a#b\nA.B-c=1\nPLAIN=again\n")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"PLAIN": "again", "SHELL_TOO": "x=y", "EMPTY": "", "NONE": "",
		"SINGLE": `a # \n $b`, "DOUBLE": "a \"b\" $c \n \\x", "HASH": "a#b", "A.B-c": "1",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for text, want := range map[string]string{
		"A=1\nsecret": "line 2 is no NAME=VALUE",
		"A='x":        "line 1: the quote ' has no end in its line",
		`A="x" y`:     "line 1: there is text behind the quoted value",
	} {
		if _, err := parseEnvironment(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
