package discover_test

import (
	"slices"
	"strings"
	"testing"

	"sluice/cli/discover"
)

func TestOptionsOfCurlAreReadAsCurlDoes(t *testing.T) {
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"", nil},
		{"x y", []string{"x", "y"}},
		{"x -s y", []string{"silent=", "x", "y"}},
		{"-sSL --compressed", []string{"silent=", "show-error=", "location=", "compressed="}},
		{"-X POST --request GET", []string{"request=POST", "request=GET"}},
		{"-XPOST -da=b", []string{"request=POST", "data=a=b"}},
		{"-d=a", []string{"data==a"}},
		{"-sXPOST x", []string{"silent=", "request=POST", "x"}},
		{"-sX POST x", []string{"silent=", "request=POST", "x"}},
		{"-H -s --data --get -- -x --url", []string{"header=-s", "data=--get", "-x", "--url"}},
		{"-d -- x", []string{"data=--", "x"}},
		{"- x", []string{"-", "x"}},
		{"-#k", []string{"progress-bar=", "insecure="}},
		{"--http1.1 --url x", []string{"http1.1=", "url=x"}},
	} {
		got, err := discover.SplitOptions(strings.Fields(c.words)...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, %v, want %q", c.words, got, err, c.want)
		}
	}
}

func TestAnEmptyWordIsAValue(t *testing.T) {
	got, err := discover.SplitOptions("-d", "", "--user-agent", "", "x")
	want := []string{"data=", "user-agent=", "x"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestOptionsThatNobodyKnowsAreNamedWithoutAValue(t *testing.T) {
	const noConfiguration = "the option NAME cannot be part of a configuration: leave it out if the answer is " +
		"the same without it"
	unknown := func(name string) string { return strings.ReplaceAll(noConfiguration, "NAME", name) }
	for words, want := range map[string]string{
		"-F a":            unknown("F"),
		"-sF a":           unknown("F"),
		"-é":              unknown("é"),
		"-\xff":           unknown("\ufffd"),
		"--form a":        unknown("form"),
		"--s":             unknown("s"),
		"--nothing=s3cr3": unknown("nothing"),
		"--user=s3cr3":    "--user: curl does not take = after the name of an option: write a space instead",
		"-d":              "--data: its value is missing",
		"x -sd":           "--data: its value is missing",
		"--data":          "--data: its value is missing",
	} {
		got, err := discover.SplitOptions(strings.Fields(words)...)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %q, %v, want %s", words, got, err, want)
		}
	}
}
