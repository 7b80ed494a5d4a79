//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"sluice/fixtures/api"
)

// obeying is what an API says to a terminal: clear it, fill its clipboard, ring, turn colours and the direction of
// text, and write a line of its own.
const obeying = "\x1b[2J\x1b]52;c;aGk=\x07\u009b31m\x7f\u202e\u2066\u200f\U000e0041\u2028\r\nsluice: forged\t"

// hostileAnswers are by the endpoint of a job. Q is a string of JSON of [obeying], J one
// of [onOneLine], and H is that as it stands.
var hostileAnswers = map[string]string{
	"items":   `{Q: [{Q: Q, "id": 1}, {Q: [Q], "id": 2}], "next": Q, "total": 99, Q: {Q: Q}}`,
	"columns": `[{Q: 1, Q: 2, "a": {Q: 1}}, {"a": {Q: 1}, "b": Q}]`,
	"collide": `[{"a": {Q: 1}}, {Q: 1, "b_c": 1, "b": {"c": 2}}]`,
	"arrays":  `{Q: [1], "other": [2]}`,
	"twice":   `{Q: [1], Q: [2]}`,
	"error":   `H`,
	"lone":    `{"error": Q}`,
	"beside":  `{"error": Q, Q: [1]}`,
	"rows":    `{Q: [1]}`,
	"fail":    `{"ok": false, Q: Q}`,
	"wait":    `{"state": "busy", Q: Q}`,
	"broken":  `{Q: {Q: x`,
	"parents": `[{"id": Q}, {"id": "../.."}]`,
	"objects": `{"id": [{"id": {Q: 1}}]}`,
	"lines":   "{\"error\": Q}\n{Q: Q}\n",
	"table":   "a,H,H\n1,2,3\n",
	"fine":    `[{Q: Q}]`,
	"cursor":  `[{"id": Q}]`,
}

const hostileJobs = `{"api": {"baseUrl": "http://api.test/", "retryConfig": {"maxRetries": 0}, "http": {"failOn": ["ok==false"]},
   "pagination": {"method": "multiple", "scrollers": {"next": {"method": "response.url", "urlKey": "next"}, "id": {"method": "cursor", "idKey": "id", "param": "after"}}}},
 "config": {"jobs": [
  {"endpoint": "items", "scroller": "next"}, {"endpoint": "columns"}, {"endpoint": "collide"}, {"endpoint": "arrays"}, {"endpoint": "twice"},
  {"endpoint": "error"}, {"endpoint": "lone", "failOn": [], "dataField": "x"}, {"endpoint": "beside", "failOn": []}, {"endpoint": "rows", "dataField": "rows"},
  {"endpoint": "fail"}, {"endpoint": "wait", "waitOn": {"when": "state==busy", "every": 1, "for": 1}}, {"endpoint": "broken"},
  {"endpoint": "parents", "children": [{"endpoint": "below/{id}", "id": "below", "placeholders": {"id": "id"}}]},
  {"endpoint": "objects", "dataField": "id", "children": [{"endpoint": "under/{id}", "id": "under", "placeholders": {"id": "id"}}]},
  {"endpoint": "lines", "format": "ndjson", "failOn": []}, {"endpoint": "table", "format": "csv"},
  {"endpoint": "cursor", "scroller": "id"}, {"endpoint": "fine", "id": J}]}}`

// onOneLine is [obeying] in which there is no line break.
var onOneLine = strings.NewReplacer("\r", "", "\n", "").Replace(obeying)

// jsonString is a text as a string of JSON.
func jsonString(text string) string {
	short := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\r", `\r`, "\n", `\n`, "\t", `\t`)
	return `"` + short.Replace(text) + `"`
}

// written is text in which Q, J and H are replaced.
func written(text string) string {
	return strings.NewReplacer("Q", jsonString(obeying), "J", jsonString(onOneLine), "H", onOneLine).Replace(text)
}

// obeyed is what a terminal would obey or hide in text that people read, nil if there is nothing.
func obeyed(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "sluice: forged") {
			all = append(all, line)
		}
	}
	for i, r := range text {
		invalid := r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD")
		if r != '\n' && r != '\t' && (invalid || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)) {
			all = append(all, fmt.Sprintf("%.80q", text[max(0, i-30):]))
		}
	}
	return all
}

// drawn is what the live view itself writes beside text.
var drawn = regexp.MustCompile(`\x1b\[\d*[AJ]|\r|\x1b\[(1|33|0)m`)

func TestNoTextOfAnAPIReachesATerminalRaw(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		name := strings.Split(r.URL.Path, "/")[1]
		text, known := hostileAnswers[name]
		w.Header().Set("Link", "<http://api.test/x?a=\u202e>; rel=\"next\"")
		w.Header().Set("Content-Type", "text/\u202eplain\u009b")
		if name == "error" || !known {
			w.WriteHeader(http.StatusBadRequest)
			text = "H\x9b"
		}
		_, _ = io.WriteString(w, written(text))
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config := file("config.json", written(hostileJobs))
	wrong := file("wrong.json", written(`{"api": {Q: 1, "baseUrl": Q}, "config": {"jobs": [{"endpoint": "x", "id": J, "scroller": Q}]}}`))
	broken := file("broken.json", written(`{"api": {Q Q: 1}}`))
	left := filepath.Join(dir, "left")
	if err := os.MkdirAll(filepath.Join(left, onOneLine), 0o700); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out") + "/"
	commands := [][]string{
		{"check", config}, {"check", config, "--format", "json"}, {"validate", config}, {"validate", config, "--format", "json"},
		{"validate", wrong}, {"validate", wrong, "--format", "json"}, {"validate", broken}, {"run", broken, "--log-format", "json"},
		{"jobs", config}, {"plan", config}, {"plan", config, "--format", "json"}, {"sweep", left + "/"}, {"run", onOneLine}, {onOneLine}, {"run", "--" + onOneLine, config},
		{"init", "--from-curl", "curl http://api.test/items"}, {"init", "--from-curl", "curl http://api.test/columns"}, {"init", "--from-curl", "curl http://api.test/arrays"},
		{"init", "--from-curl", "curl http://api.test/error"}, {"init", "--from-curl", "curl http://api.test/" + onOneLine, "--no-requests"},
	}
	for name := range hostileAnswers {
		run := []string{"run", config, "--job", name, "-o", out}
		for _, more := range [][]string{
			{"--progress", "always"}, {"--log-level", "debug", "--summary", "-"}, {"--log-format", "json"}, {"-f", "csv"}, {"-f", "csv", "--columns", "x"},
			{"--strict"}, {"--confirm-end"}, {"--report", filepath.Join(dir, "page.html")}, {"--record", filepath.Join(dir, "record")},
		} {
			commands = append(commands, slices.Concat(run, more))
		}
	}
	for _, args := range commands {
		var stdout, stderr bytes.Buffer
		synctest.Test(t, func(t *testing.T) {
			network := api.NewNetwork()
			stop, err := network.Serve("api.test", http.HandlerFunc(answer))
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			w := &world{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
			invoke(context.Background(), w, append([]string{"sluice"}, args...))
			http.DefaultClient.CloseIdleConnections()
		})
		people := stderr.String()
		if slices.Contains(args, "always") {
			people = drawn.ReplaceAllString(people, "")
		}
		for _, found := range append(obeyed(people), obeyed(stdout.String())...) {
			t.Errorf("sluice %.100q shows %s", args, found)
		}
		asJSON := slices.Contains(args, "json") && !slices.Contains(args, "--log-format")
		if asJSON && !json.Valid(stdout.Bytes()) {
			t.Errorf("sluice %.100q writes no JSON: %s", args, stdout.String())
		}
		if page, err := os.ReadFile(filepath.Join(dir, "page.html")); err == nil && strings.ContainsAny(string(page), "\u009b\u202e\u2066\x7f") {
			t.Errorf("sluice %.100q: the page has it", args)
		}
		_ = os.RemoveAll(filepath.Join(dir, "page.html"))
		_ = os.RemoveAll(filepath.Join(dir, "record"))
	}
}
