//go:build unix

package cli

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"sluice/fixtures/apis"
)

// A documentedPattern is a section of docs/paging.md: an answer, and the configuration for it.
type documentedPattern struct{ answer, name, config string }

var patternBlocks = regexp.MustCompile("\n```(?:json|text)\n([^`]*)```\n\n```json ([a-z-]+)\\.json\n([^`]*)```")

func documentedPatterns(t *testing.T) (all []documentedPattern) {
	t.Helper()
	for _, m := range patternBlocks.FindAllStringSubmatch(readText(t, filepath.Join("docs", "paging.md")), -1) {
		all = append(all, documentedPattern{m[1], m[2], m[3]})
	}
	return all
}

// TestDocumentedPatternsAreDrainedWhole runs each configuration in docs/paging.md against a
// server that pages so, and compares the answer that the page shows with what it gives.
func TestDocumentedPatternsAreDrainedWhole(t *testing.T) {
	documented := documentedPatterns(t)
	if len(documented) != len(apis.Patterns()) {
		t.Fatalf("docs/paging.md has %d patterns, and there are %d mocks", len(documented), len(apis.Patterns()))
	}
	for i, p := range documented {
		if lines := strings.Count(p.config, "\n"); lines > 30 {
			t.Errorf("%s has %d lines", p.name, lines)
		}
		fresh := func() *apis.Mock { return apis.Patterns()[i] }
		if fresh().Name != p.name {
			t.Fatalf("mock %d is of %s, and the page has %s there", i, fresh().Name, p.name)
		}
		for _, concurrency := range []string{"1", "8"} {
			t.Run(p.name+"/"+concurrency, func(t *testing.T) {
				t.Parallel()
				m := fresh()
				seen := &recordingHandler{Handler: m.Handler}
				drainMock(t, m, seen, p.config, "--concurrency", concurrency, "--confirm-end")
				if !slices.ContainsFunc(seen.answers, func(got string) bool { return shape(t, got) == shape(t, p.answer) }) {
					t.Errorf("the page shows\n%s\nand the mock gives\n%.500s", p.answer, seen.answers[0])
				}
			})
			t.Run(p.name+"/trouble/"+concurrency, func(t *testing.T) {
				t.Parallel()
				m := fresh()
				drainMock(t, m, m.Trouble(), p.config, "--concurrency", concurrency)
			})
		}
	}
}

// TestSuggestionsForDocumentedPatternsDrainThem leaves the pagination out of each, and puts in
// what check suggests. The others show nothing that a suggestion could be made of.
func TestSuggestionsForDocumentedPatternsDrainThem(t *testing.T) {
	silent := []string{
		"offset-with-cap", "page-numbers", "page-numbers-error", "sort-of-the-last", "numbers-in-a-text", "create-wait-download",
		"page-in-header", "values-in-headers", "computed",
	}
	for i, p := range documentedPatterns(t) {
		if slices.Contains(silent, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			var document map[string]map[string]any
			if err := json.Unmarshal([]byte(p.config), &document); err != nil {
				t.Fatal(err)
			}
			delete(document["api"], "pagination")
			without, _ := json.Marshal(document)
			m := apis.Patterns()[i]
			_, shown := runMock(t, m, m.Handler, string(without), "check")
			_, suggested, _ := strings.Cut(shown, `suggests  "pagination": `)
			suggested, _, _ = strings.Cut(suggested, "\n")
			document["api"]["pagination"] = json.RawMessage(suggested)
			with, err := json.Marshal(document)
			if err != nil {
				t.Fatalf("%v\n%s", err, shown)
			}
			drainMock(t, m, m.Handler, string(with), "--confirm-end")
		})
	}
}

// A recordingHandler keeps what a handler answers.
type recordingHandler struct {
	http.Handler
	mu      sync.Mutex
	answers []string
}

func (h *recordingHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen := httptest.NewRecorder()
	h.Handler.ServeHTTP(seen, r)
	maps.Copy(w.Header(), seen.Header())
	text := ""
	for name := range seen.Header() {
		if name != "Content-Type" {
			text += name + ": \n"
		}
	}
	h.mu.Lock()
	h.answers = append(h.answers, text+"\n"+seen.Body.String())
	h.mu.Unlock()
	w.WriteHeader(seen.Code)
	_, _ = w.Write(seen.Body.Bytes())
}

// shape is the names of an answer's headers and the paths of its members, each once.
func shape(t *testing.T, answer string) string {
	t.Helper()
	headers, body, ok := strings.Cut(answer, "\n\n")
	if !ok {
		headers, body = "", answer
	}
	var document any
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		return "no JSON"
	}
	paths := map[string]bool{}
	for line := range strings.Lines(headers) {
		name, _, _ := strings.Cut(line, ":")
		paths["header "+strings.TrimSpace(name)] = true
	}
	members("", document, paths)
	return strings.Join(slices.Sorted(maps.Keys(paths)), "\n")
}

func members(path string, value any, paths map[string]bool) {
	paths[path] = true
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			members(path+".*", element, paths)
		}
	case map[string]any:
		for name, member := range value {
			members(path+"."+name, member, paths)
		}
	}
}
