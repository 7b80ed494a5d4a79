package run

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sluice/fixtures/api"
	"sluice/pipeline/secret"
	"sluice/sink/target"
)

// hidden are the names of hidden files in a folder.
func hidden(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if target.IsHidden(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// A shard was killed when its part was sealed, before its report was in place.
func TestAShardThatIsDoneRemovesTheReportsOfKilledAttempts(t *testing.T) {
	dir := t.TempDir()
	network := api.NewNetwork()
	stop, err := network.Serve("api.test", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "[1]")
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	o := Options{
		RunID:  "1",
		Input:  ConfigurationInput{Config: "-"},
		API:    Sending{Concurrency: 1},
		Data:   Data{Output: filepath.Join(dir, "out") + "/"},
		Shard:  Shard{I: 0, N: 1},
		Beside: SideFiles{Summary: filepath.Join(dir, "report.json")},
		Shown:  Shown{Progress: "never", Format: "text"},
	}
	work := func() {
		t.Helper()
		const config = `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "a"}]}}`
		w := &World{
			Stdin: bytes.NewBufferString(config), Stdout: io.Discard, Stderr: io.Discard, Now: time.Now, Dial: network.Dial,
			Getenv: func(string) string { return "" }, FinalStatus: func(error) int { return 0 },
		}
		if err := Run(t.Context(), w, &secret.Set{}, o); err != nil {
			t.Fatal(err)
		}
	}
	work()
	killed, err := newSideFile("--summary", o.Beside.Summary, 0, target.NewMark("1", o.work()))
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.ready(t.Context(), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	names := hidden(t, dir)
	killed.close()
	if len(names) != 1 {
		t.Fatalf("hidden files: %q", names)
	}
	if err := os.WriteFile(filepath.Join(dir, names[0]), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	work()
	if left := hidden(t, dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
