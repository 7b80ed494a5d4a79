package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
)

// longestMessage is how long a line of stderr, and a text of the report, may be.
const longestMessage = 3000

// longValues are configurations, and answers to a request of each path, in turn, the last one again and again. In all of
// them N is a number of 100,000 digits, and K as many letters.
var longValues = map[string]struct {
	// Members of api, of config and of the job.
	api, config, job string
	answers          []string

	// Of answers.
	header string
	flags  []string

	// What the message has.
	want string
}{
	"a total": {answers: []string{`{"total": N, "items": [{"id": 1}]}`}},
	"a total as a text": {
		api:     `"pagination": {"method": "offset", "limit": 1}`,
		answers: []string{`{"total": "N", "items": [{"id": 1}]}`, `{"total": "N", "items": []}`},
	},
	"a limit": {
		api:     `"pagination": {"method": "offset", "limit": 1, "limitStop": {"field": "total"}}`,
		answers: []string{`{"total": N, "items": [{"id": 1}]}`},
	},
	"a flag": {answers: []string{`{"has_more": N, "items": [{"id": 1}]}`}},
	"a nested flag": {
		api:     `"pagination": {"method": "pagenum", "nextPageFlag": {"field": "more.k", "stopOn": false}}`,
		answers: []string{`{"more": {"k": "N"}, "items": [{"id": 1}]}`},
	},
	"a cursor of items": {
		api:     `"pagination": {"method": "cursor", "idKey": "id", "param": "after"}`,
		answers: []string{`[{"id": N}]`},
	},
	"a cursor of the answer": {
		api:     `"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "c"}`,
		answers: []string{`{"next": N, "items": [{"id": 1}]}`},
	},
	"a short cursor of the answer": {
		api:     `"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "c"}`,
		answers: []string{`{"next": {"a": 1, "K": 2}, "items": [{"id": 1}]}`, `{"next": "x", "items": [{"id": 1}]}`},
	},
	"a link": {
		api:     `"pagination": {"method": "response.url", "urlKey": "next"}`,
		answers: []string{`{"next": "/jobs?page=N", "items": [{"id": 1}]}`},
	},
	"a link elsewhere": {
		api:     `"pagination": {"method": "response.url", "urlKey": "next"}`,
		answers: []string{`{"next": "http://K.test/N", "items": [{"id": 1}]}`},
	},
	"two links in the header": {
		api:     `"pagination": {"method": "response.url", "urlKey": "$header.Link"}`,
		header:  "Link: </a?page=H1>; rel=next, </a?page=H2>; rel=next",
		answers: []string{`[{"id": 1}]`},
		want:    "the header Link has two next pages",
	},
	"a link that is none": {
		api:     `"pagination": {"method": "response.url", "urlKey": "next"}`,
		answers: []string{`{"next": "http://[N", "items": [{"id": 1}]}`},
	},
	"keys that come again": {
		api:     `"pagination": {"method": "pagenum"}`,
		answers: []string{`[{"id": N}]`, `[{"id": N}, {"id": 2}]`, `[]`},
	},
	"a cursor by last": {
		job:     `, "params": {"since": {"function": "last", "args": ["at", "0"]}}`,
		answers: []string{`[{"at": N}, {"at": "2020-01-01"}, {"at": "K"}]`},
		flags:   []string{"--state", "DIR/state.json"},
	},
	"a placeholder": {
		job:     `, "children": [{"endpoint": "b/{id}", "dataType": "b", "placeholders": {"id": "id"}}]`,
		answers: []string{`[{"id": N}]`, `<html>`},
	},
	"a placeholder with a function": {
		job: `, "children": [{"endpoint": "b/{id}", "dataType": "b", "placeholders": {"id": {"path": "id",
		  "function": {"function": "date", "args": ["Y", {"function": "strtotime", "args": [{"placeholder": "value"}]}]}}}}]`,
		answers: []string{`[{"id": "K"}]`},
	},
	"a recursion filter": {
		job:     `, "children": [{"endpoint": "b/{1:id}", "dataType": "b", "recursionFilter": "id>5", "placeholders": {"1:id": "id"}}]`,
		answers: []string{`[{"id": N}]`},
	},
	"a condition": {
		api:     `"http": {"failOn": ["code>0"]}`,
		answers: []string{`{"code": N, "message": "N"}`},
		want:    "failOn",
	},
	"a condition with words": {
		api:     `"http": {"failOn": ["code>0"]}`,
		answers: []string{`{"code": 5, "message": "WORDS"}`},
		want:    "failOn",
	},
	"not ready": {
		job:     `, "waitOn": {"when": "state>0", "every": 1, "for": 2}`,
		answers: []string{`{"state": N, "progress": N}`},
	},
	"a scalar":          {answers: []string{`N`}},
	"a text":            {answers: []string{`"K"`}},
	"a scalar member":   {answers: []string{`{"items": N}`}},
	"a name":            {answers: []string{`{"K": [{"id": 1}], "L": [{"id": 1}]}`}},
	"a lone scalar":     {answers: []string{`{"K": N}`}},
	"another dataField": {job: `, "dataField": "a.b"`, answers: []string{`{"a": N, "K": [1]}`}},
	"members":           {job: `, "dataField": {"path": "a", "members": "key"}`, answers: []string{`{"a": [N]}`}},
	"rows":              {job: `, "dataField": {"path": "a", "rows": "header"}`, answers: []string{`{"a": [["K", "K"], [N]]}`}},
	"columns":           {job: `, "dataField": {"path": "a", "rows": "columns"}`, answers: []string{`{"a": {"K": [1], "L": [N, 2]}}`}},
	"broken JSON":       {answers: []string{`[{"id": N x}]`}},
	"a broken number":   {answers: []string{`[{"id": N.N.N}]`}},
	"a last line": {
		job:     `, "format": "ndjson"`,
		answers: []string{"{\"id\":1}\n{\"id\":2}\n{\"K\":N}\n"},
	},
	"a cut line":  {job: `, "format": "ndjson"`, answers: []string{"{\"id\":1}\nN"}},
	"CSV":         {job: `, "format": "csv"`, answers: []string{"K,K\n1,2,N\n"}},
	"an error":    {answers: []string{`{"error": N, "items": []}`}},
	"an error K":  {answers: []string{`{"errors": [{"message": "K"}], "items": [{"id": 1}]}`}},
	"a warning":   {answers: []string{`{"warning": "WORDS", "items": [{"id": 1}]}`}},
	"a promise":   {answers: []string{`{"next_cursor": "N", "items": [{"id": 1}]}`}},
	"a header":    {header: "X-Next-Page: H1", answers: []string{`[{"id": 1}]`}},
	"a total N":   {header: "X-Total-Count: H1", answers: []string{`[{"id": 1}]`}},
	"a type":      {header: "Content-Type: H1", answers: []string{`x`}},
	"an encoding": {header: "Content-Encoding: H1", answers: []string{`x`}},
	"a login": {
		api: `"authentication": {"type": "login", "loginRequest": {"endpoint": "login"}, "expires": {"response": "ends"},
		  "apiRequest": {"headers": {"X": "t"}}}`,
		answers: []string{`{"t": "abcd", "ends": "K", "in": N}`},
	},
	"a login that expires": {
		api: `"authentication": {"type": "login", "loginRequest": {"endpoint": "login"}, "expires": {"response": "in", "relative": true},
		  "apiRequest": {"headers": {"X": "t"}}}`,
		answers: []string{`{"t": "abcd", "in": N}`},
	},
	"a login elsewhere": {
		api: `"authentication": {"type": "login", "loginRequest": {"endpoint": "login"},
		  "apiRequest": {"baseUrl": {"response": "base"}}}`,
		answers: []string{`{"base": "http://K/N"}`},
	},
	"left out columns": {
		answers: []string{`[{"id": 1, "K": N}]`},
		flags:   []string{"--format", "csv", "--columns", "id"},
	},
	"a filter": {job: `, "where": "id>5"`, answers: []string{`[{"id": N}, {"id": "K"}, {"id": {"K": 1}}]`}},
	"numbers that fall": {
		api:     `"pagination": {"method": "pagenum"}`,
		answers: []string{`{"count": 9D, "items": [{"id": 1}]}`, `{"count": 8D, "items": [{"id": 2}]}`, `{"count": 8D, "items": []}`},
	},
	"page numbers": {
		api:     `"pagination": {"method": "pagenum"}`,
		answers: []string{`{"page": N, "pages": N, "items": [{"id": 1}]}`, `{"page": N, "pages": N, "items": []}`},
	},
}

func TestALongValueOfAnAnswerIsCutInEveryMessage(t *testing.T) {
	digits := strings.Repeat("1234567890", 10_000)
	fill := strings.NewReplacer(
		"N", digits,
		"K", strings.Repeat("abcdefghij", 10_000),
		"L", strings.Repeat("klmnopqrst", 10_000),
		"WORDS", strings.Repeat("many words ", 10_000),
		"9D", "9"+digits[:900],
		"8D", "8"+digits[:900],
		"H1", digits[:6000],
		"H2", digits[1:6000],
	)
	for name, c := range longValues {
		for _, command := range []string{"run", "check"} {
			t.Run(name+", "+command, func(t *testing.T) {
				apiText := `"baseUrl": "http://api.test/"`
				if c.api != "" {
					apiText += ", " + c.api
				}
				config := fmt.Sprintf(`{"api": {%s}, "config": {"jobs": [{"endpoint": "jobs", "dataType": "a"%s}]}}`, apiText, c.job)
				dir := t.TempDir()
				args := []string{"sluice", command, "-", "--log-level", "debug"}
				if command == "run" {
					args = append(args, "--summary", "-", "-o", dir+"/out/")
					for _, flag := range c.flags {
						args = append(args, strings.Replace(flag, "DIR", dir, 1))
					}
				}
				var stdout, stderr bytes.Buffer
				synctest.Test(t, func(t *testing.T) {
					network := api.NewNetwork()
					n := 0
					stop, err := network.Serve("api.test", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
						if name, value, ok := strings.Cut(c.header, ": "); ok {
							w.Header().Set(name, fill.Replace(value))
						}
						_, _ = io.WriteString(w, fill.Replace(c.answers[min(n, len(c.answers)-1)]))
						n++
					}))
					if err != nil {
						t.Fatal(err)
					}
					defer stop()
					ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
					defer cancel()
					invoke(ctx, &world{
						Stdin: strings.NewReader(config), Stdout: &stdout, Stderr: &stderr,
						Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial,
					}, args)
				})
				shown := stderr.String()
				if command == "check" {
					shown += stdout.String()
				}
				for line := range strings.Lines(shown) {
					if len(line) > longestMessage {
						t.Errorf("%d bytes: %.400s ... %s", len(line), line, line[len(line)-200:])
					}
				}
				if !strings.Contains(stderr.String(), c.want) {
					t.Errorf("%.3000s", stderr.String())
				}
				if command == "check" {
					return
				}
				var told struct {
					Error, Reason string
					Warnings      []string
					Jobs          []struct {
						Reason             string
						Warnings, Expected []string
					}
				}
				if err := json.Unmarshal(stdout.Bytes(), &told); err != nil {
					t.Fatalf("%v: %.3000s", err, stderr.String())
				}
				all := append(told.Warnings, told.Error, told.Reason)
				for _, j := range told.Jobs {
					all = append(append(append(all, j.Reason), j.Warnings...), j.Expected...)
				}
				for _, text := range all {
					if len(text) > longestMessage {
						t.Errorf("%d bytes in the report: %.400s", len(text), text)
					}
				}
			})
		}
	}
}
