//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.yaml.in/yaml/v3"

	"sluice/cli/discover/openapi"
	"sluice/fixtures/api"
)

// A pagedMock gives the items of a list in pages, as the address asks for them: those from one to another.
type pagedMock func(asked url.Values, answer map[string]any, header http.Header, address string) (from, to int)

// mockItems is how many items each list of a mock has.
const mockItems = 5

// number is a parameter, or what it is by default.
func number(asked url.Values, name string, usual int) int {
	n, err := strconv.Atoi(asked.Get(name))
	if err != nil {
		return usual
	}
	return n
}

// documents are those of testdata: how their APIs page, how many lists they have, and what a person sets.
var documents = map[string]struct {
	mock  pagedMock
	lists int
	set   []string
}{
	"payments.yaml": {func(asked url.Values, answer map[string]any, _ http.Header, _ string) (from, to int) {
		last := asked.Get("starting_after")
		from, _ = strconv.Atoi(last[strings.LastIndex(last, "_")+1:])
		to = from + min(number(asked, "limit", 10), 2)
		answer["has_more"] = to < mockItems
		return from, to
	}, 2, []string{"#token=sk"}},
	"repositories.json": {func(asked url.Values, answer map[string]any, header http.Header, address string) (from, to int) {
		// A search has all on its first page, the other lists say where the next one is.
		page, most := number(asked, "page", 1), 2
		if answer != nil {
			most = number(asked, "per_page", 30)
			answer["total_count"] = mockItems
		}
		from, to = most*(page-1), most*page
		if answer == nil && to < mockItems {
			header.Set("Link", fmt.Sprintf(`<%s?page=%d&per_page=2>; rel="next"`, address, page+1))
		}
		return from, to
	}, 3, []string{"org=acme", "q=all"}},
	"cluster.json": {func(asked url.Values, answer map[string]any, _ http.Header, address string) (from, to int) {
		meta := answer["metadata"].(map[string]any)
		delete(meta, "continue")
		if strings.Contains(address, "namespaces") {
			return 0, mockItems
		}
		from = number(asked, "continue", 0)
		to = from + 2
		if to < mockItems {
			meta["continue"] = strconv.Itoa(to)
		}
		return from, to
	}, 2, []string{"#authorization=Bearer x", "namespace=default"}},
	"pets.yaml": {func(asked url.Values, _ map[string]any, _ http.Header, _ string) (from, to int) {
		if asked.Get("status") != "available" {
			return 0, 0
		}
		return 0, mockItems
	}, 1, []string{"#token=x", "status=available"}},
	"crm.yaml": {func(asked url.Values, answer map[string]any, _ http.Header, address string) (from, to int) {
		page := number(asked, "page", 1)
		from = max(number(asked, "after", 0), number(asked, "offset", 0), 2*(page-1))
		to = from + 2
		for _, name := range []string{"paging", "links"} {
			if to >= mockItems {
				delete(answer, name)
			}
		}
		if to < mockItems {
			answer["paging"] = map[string]any{"next": map[string]any{"after": strconv.Itoa(to)}}
			answer["links"] = map[string]any{"pages": map[string]any{"next": fmt.Sprintf("%s?page=%d", address, page+1)}}
		}
		return from, to
	}, 3, []string{"#private-app=x"}},
}

// TestListsOfDocumentsDrain makes a configuration of each list of documents in the shape of public ones, and drains a mock
// with it that is made of their examples.
func TestListsOfDocumentsDrain(t *testing.T) {
	for file, c := range documents {
		path := filepath.Join("cli", "discover", "openapi", "testdata", file)
		text := readText(t, path)
		d, err := openapi.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		lists, leftOut, err := d.Lists()
		if err != nil || len(lists) != c.lists || len(leftOut) > 0 {
			t.Errorf("%s: %v, %v: %v", file, err, leftOut, lists)
		}
		var plain map[string]any
		if err := yaml.Unmarshal([]byte(text), &plain); err != nil {
			t.Fatal(err)
		}
		for _, l := range lists {
			name := strings.NewReplacer("{", "", "}", "").Replace(file + l.Path)
			t.Run(name, func(t *testing.T) { drainList(t, path, l.Path, plain, c.mock, c.set) })
		}
	}
}

// drainList drains one list.
func drainList(t *testing.T, document, path string, plain map[string]any, mock pagedMock, set []string) {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "api.json")
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serveExample(w, r, plain, mock) })
	host := regexp.MustCompile(`[a-z]+\.test`).FindString(readText(t, document))
	status, said := onMock(t, host, handler, "init", "--from-openapi", document, "--path", path, "-o", config)
	if status != 0 && status != 3 {
		t.Fatal(said)
	}
	args := []string{"run", config, "-o", dir + "/", "--log-level", "warn"}
	text := readText(t, config)
	for _, attr := range set {
		name, _, _ := strings.Cut(attr, "=")
		if strings.Contains(text, `"attr": "`+name+`"`) {
			args = append(args, "--attr", attr)
		}
	}
	status, shown := onMock(t, host, handler, args...)
	lines := 0
	own := regexp.MustCompile(`"dataType": "([^"]*)"`).FindAllStringSubmatch(text, -1)
	if status == 0 {
		lines = strings.Count(readText(t, filepath.Join(dir, own[len(own)-1][1]+".ndjson")), "\n")
	}
	// A child has as many for each item above.
	want := mockItems
	for range own[1:] {
		want *= mockItems
	}
	if status != 0 || lines != want {
		t.Errorf("status %d, %d of %d items\n%s%s%s", status, lines, want, said, text, shown)
	}
}

// onMock runs a command while a handler serves a host.
func onMock(t *testing.T, host string, handler http.Handler, args ...string) (status int, shown string) {
	t.Helper()
	var output bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		network := api.NewNetwork()
		stop, err := network.Serve(host, handler)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		w := &world{Stdin: strings.NewReader(""), Stdout: &output, Stderr: &output, Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
		status = invoke(context.Background(), w, append([]string{"sluice"}, args...))
		http.DefaultClient.CloseIdleConnections()
	})
	return status, output.String()
}

// serveExample answers as the example of the document does, with more items.
func serveExample(w http.ResponseWriter, r *http.Request, plain map[string]any, mock pagedMock) {
	base, _ := plain["basePath"].(string)
	for path, item := range plain["paths"].(map[string]any) {
		pattern := "^" + regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(base+path), "[^/]+") + "$"
		operation, ok := item.(map[string]any)["get"].(map[string]any)
		if !ok || !regexp.MustCompile(pattern).MatchString(r.URL.Path) {
			continue
		}
		example := exampleOf(operation)
		if example == nil {
			continue
		}
		// A copy of its own.
		raw, _ := json.Marshal(example)
		var answer any
		_ = json.Unmarshal(raw, &answer)
		object, _ := answer.(map[string]any)
		from, to := mock(r.URL.Query(), object, w.Header(), "http://"+r.Host+r.URL.Path)
		items := make([]any, 0)
		for i := from; i < min(to, mockItems); i++ {
			items = append(items, map[string]any{"id": fmt.Sprintf("i_%d", i+1)})
		}
		answer = items
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if _, isList := object[name].([]any); isList {
				object[name] = items
				answer = object
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
		return
	}
	http.NotFound(w, r)
}

// exampleOf is the example of an answer.
func exampleOf(operation map[string]any) any {
	responses := map[string]any{}
	raw, _ := operation["responses"].(map[string]any)
	maps.Copy(responses, raw)
	good, ok := responses["200"].(map[string]any)
	if !ok {
		return nil
	}
	if content, ok := good["content"].(map[string]any); ok {
		return content["application/json"].(map[string]any)["example"]
	}
	examples, _ := good["examples"].(map[string]any)
	return examples["application/json"]
}
