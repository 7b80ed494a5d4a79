package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/transport/record"

	"io"
	"net/http"
)

// TestTheSameRequestGetsTheAnswerOfItsPage replays pages in another order than they were recorded.
func TestTheSameRequestGetsTheAnswerOfItsPage(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"recording.json": "{}"}
	// Page 2 was tried twice, and the file of page 9 is that of another job.
	for i, name := range []string{"000001-a-1", "000002-a-2", "000003-a-2-attempt-2", "000004-b-9", "000005-a-12"} {
		files[name+".http"] = fmt.Sprintf("> GET http://api.test/\n< 200 OK\n= whole\n\n%d\n", i+1)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	replay, err := record.OpenReplay(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, page := range []int{12, 2, 2, 9, 1} {
		want := []string{"5", "2", "3", "1", "4"}[i]
		h, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.test/", nil)
		call := pipeline.Call{Job: "a", Page: page, Method: h.Method, URL: h.URL.String()}
		answer, err := replay.Wrap(nil, &record.ExchangeDetails{Request: &request.Request{}, Call: call}).RoundTrip(h)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		if err := answer.Body.Close(); err != nil || string(text) != want {
			t.Errorf("page %d: %q, want %s, %v", page, text, want, err)
		}
	}
}
