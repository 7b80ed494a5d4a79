//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/cli/discover/extend"
	"sluice/docs/apis"
	"sluice/source/config"
)

// beginnings are the requests that the plan of a configuration shows.
type beginnings struct {
	Requests []beginning
}

type beginning struct {
	Job, Above, Method, URL, Command string
	Login                            bool
}

// TestAJobMoreLeavesTheOthersAsTheyAre adds a job to the configuration of each popular API: with paging of its own, with
// none, and paged as the others are. Nothing of the old text goes but the name of a default, and no earlier request changes.
func TestAJobMoreLeavesTheOthersAsTheyAre(t *testing.T) {
	ways := map[string]string{
		"paged":  `,"pagination":{"method":"response.url","urlKey":"more.after"}`,
		"single": "",
	}
	tried := 0
	for _, name := range apis.Names() {
		text, _ := apis.Config(name)
		file := filepath.Join(t.TempDir(), name+".json")
		write(t, file, text)
		before, base := planOf(t, file)
		if base == "" || strings.Contains(base, "$") {
			t.Logf("%s: its address is known to a run only", name)
			continue
		}
		documents, err := usable(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f, err := extend.Read(name, []byte(text), documents)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for way, pagination := range ways {
			own := `{"api":{"baseUrl":"` + base + `"` + pagination + `},"config":{"jobs":[{"endpoint":"zz/list","dataType":"zz-list"}]}}`
			for _, isTried := range []bool{true, false} {
				result, err := f.Add(extend.AddedJob{Configuration: []byte(own), IsTried: isTried})
				if err != nil {
					t.Logf("%s: %v", name, err)
					continue
				}
				tried++
				_, err = usable(name, result.Text)
				if err != nil && !isTried {
					// A number that goes into the endpoint is missing there.
					continue
				}
				if err != nil {
					t.Errorf("%s, %s: %v\n%s", name, way, err, result.Text)
					continue
				}
				if !isWithin(text, string(result.Text)) {
					t.Errorf("%s, %s: something of the file is gone:\n%s", name, way, result.Text)
				}
				write(t, file, string(result.Text))
				after, _ := planOf(t, file)
				if len(after.Requests) != len(before.Requests)+1 {
					t.Errorf("%s, %s: %d requests, %d before", name, way, len(after.Requests), len(before.Requests))
					continue
				}
				for i, r := range before.Requests {
					if r != after.Requests[i] {
						t.Errorf("%s, %s: %v was %v", name, way, after.Requests[i], r)
					}
				}
				added := after.Requests[len(before.Requests)]
				at, _, _ := strings.Cut(added.URL, "?")
				if isTried && at != base+"zz/list" {
					t.Errorf("%s, %s: the new job asks for %s, not %s", name, way, added.URL, base+"zz/list")
				}
			}
		}
	}
	t.Logf("%d configurations", tried)
	if tried < 80 {
		t.Errorf("only %d configurations got a job", tried)
	}
}

// planOf is the plan of a configuration, and the origin of its first request.
func planOf(t *testing.T, file string) (p beginnings, base string) {
	t.Helper()
	var shown bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(""), Stdout: &shown, Stderr: io.Discard, Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) },
	}
	if invoke(t.Context(), w, []string{"sluice", "plan", file, "-f", "json"}) != 0 {
		return p, ""
	}
	if err := json.Unmarshal(shown.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.Requests, func(r beginning) bool { return !r.Login })
	if i < 0 {
		return p, ""
	}
	u, err := url.Parse(p.Requests[i].URL)
	if err != nil {
		return p, ""
	}
	return p, u.Scheme + "://" + u.Host + "/"
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// isWithin tells whether a text is another one with more in between, but for the default of several ways of paging.
func isWithin(text, more string) bool {
	at := 0
	for i := range len(more) {
		if at < len(text) && more[i] == text[at] {
			at++
		}
	}
	return at == len(text) || strings.Contains(text, `"default"`)
}

func TestAConfigurationWithoutJobsGetsNone(t *testing.T) {
	for _, text := range []string{`{}`, `{"api": {}, "config": {}}`, `{"api": {}, "config": {"jobs": null}}`, `{"api": {}, "config": {"jobs": []}}`} {
		if _, err := extend.Read("x.json", []byte(text), []*config.Document{{}}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
