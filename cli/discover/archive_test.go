package discover_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sluice/cli/discover"
)

// FuzzReadArchive reads any text: it is refused, or each of its lists becomes a configuration that is JSON.
func FuzzReadArchive(f *testing.F) {
	for _, seed := range []string{
		`{"log":{"entries":[{"request":{"method":"GET","url":"http://x.test/a?b=1","headers":[{"name":":path","value":"/a"},{"name":"Cookie","value":"a=b"}]},"response":{"status":200,"content":{"text":"[{\"id\":1}]"}}}]}}`,
		`{"log":{"entries":[{"request":{"method":"POST","url":"http://x.test/a","postData":{"params":[{"name":"a","value":"b"}]}},"response":{"status":200,"content":{"encoding":"base64","text":"W3t9XQ=="}}}]}}`,
		`{"log":{"entries":[{"request":{"method":"PUT","url":"http://%zz"},"response":{"status":200,"content":{"text":"[{}]"}}}]}}`,
		`{"log":{}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		archive, err := discover.ReadArchive([]byte(text))
		if err != nil {
			return
		}
		for _, l := range archive.Lists {
			if got := l.Configuration(discover.Observed{DataField: "data"}); !json.Valid(got) {
				t.Errorf("%q became\n%s", text, got)
			}
		}
	})
}

func TestRequestsForTheSameAreAlike(t *testing.T) {
	for _, c := range []struct {
		one, body, other, otherBody string
		want                        bool
	}{
		{"http://x.test/a?b=1&c=%2f", "", "http://x.test/a?c=/&b=1", "", true},
		{"http://x.test/a", `{"a": 1}`, "http://x.test/a", `{"a":1}`, true},
		{"http://x.test/a", "a=1&b=x+y", "http://x.test/a", "b=x%20y&a=1", true},
		{"http://x.test/a", `{"a": 1}`, "http://x.test/a", `{"a": 2}`, false},
		{"http://x.test/a?b=1", "", "http://x.test/a?b=2", "", false},
		{"http://x.test/a", "", "http://y.test/a", "", false},
	} {
		if got := discover.KeyOf(c.one, c.body) == discover.KeyOf(c.other, c.otherBody); got != c.want {
			t.Errorf("%s %s and %s %s: %v", c.one, c.body, c.other, c.otherBody, got)
		}
	}
}

func TestAnAddressThatNoServerTakesIsNamedAndLeftOut(t *testing.T) {
	entry := func(address string) string {
		return `{"request":{"method":"GET","url":"` + address + `"},"response":{"status":200,"content":{"text":"[{\"id\":1}]"}}}`
	}
	const why = "log.entries[0]: the address has 80014 bytes, and at most 65536 are allowed"
	long := entry("http://x.test/" + strings.Repeat("a/", 40_000))
	archive, err := discover.ReadArchive([]byte(`{"log":{"entries":[` + long + "," + entry("http://x.test/b") + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Lists) != 1 || !slices.Equal(archive.LeftOut, []string{why}) {
		t.Errorf("%d lists, left out: %q", len(archive.Lists), archive.LeftOut)
	}
	_, err = discover.ReadArchive([]byte(`{"log":{"entries":[` + long + `]}}`))
	if err == nil || err.Error() != why {
		t.Errorf("got %v", err)
	}
}
