//go:build unix

package cli

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	docs "sluice/docs/apis"
	"sluice/fixtures/api"
	"sluice/fixtures/apis"
	"sluice/fixtures/cases"
)

// TestDocumentedAPIsAreDrainedWhole runs each configuration in docs/apis against a mock of
// that API: without trouble, with throttling, 503 and
// tokens that expire, and while data are added at their end.
func TestDocumentedAPIsAreDrainedWhole(t *testing.T) {
	for _, c := range []struct {
		name, concurrency string
		trouble, always   bool
	}{{"/1", "1", false, true}, {"/trouble/1", "1", true, false}, {"/8", "8", false, false}, {"/trouble/8", "8", true, true}} {
		if !c.always && !cases.All() {
			continue
		}
		// A mock may remember what it was asked for.
		for _, m := range apis.All() {
			handler := m.Handler
			if c.trouble {
				handler = m.Trouble()
			}
			t.Run(m.Name+c.name, func(t *testing.T) {
				t.Parallel()
				drainDocumented(t, m, handler, c.concurrency)
			})
		}
	}
	for _, m := range apis.All() {
		if m.Grow == nil {
			continue
		}
		t.Run(m.Name+"/growing", func(t *testing.T) {
			t.Parallel()
			drainDocumented(t, m, m.Growing(), "1")
		})
	}
}

func drainDocumented(t *testing.T, m *apis.Mock, h http.Handler, concurrency string) {
	text, _ := docs.Config(m.Name)
	flags := append(tokensOf(text, t.TempDir()), "--concurrency", concurrency)
	drainMock(t, m, h, text, flags...)
}

// keepsTokens tells whether a configuration has a token that can be used only once.
func keepsTokens(text string) bool { return strings.Contains(text, `"keep"`) }

// TestDocumentedTokensAreGoodForTheNextRun runs what keeps tokens twice with the same place.
func TestDocumentedTokensAreGoodForTheNextRun(t *testing.T) {
	for _, m := range apis.All() {
		text, _ := docs.Config(m.Name)
		if !keepsTokens(text) {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			place := filepath.Join(t.TempDir(), "tokens.json")
			for range 2 {
				drainMock(t, m, m.Handler, text, "--tokens", place)
			}
		})
	}
}

// drainMock runs a configuration against a mock, which must give all its items, complete.
func drainMock(t *testing.T, m *apis.Mock, h http.Handler, text string, flags ...string) {
	t.Helper()
	dir := t.TempDir()
	out, told := filepath.Join(dir, "out")+"/", filepath.Join(dir, "report.json")
	status, shown := runMock(t, m, h, text, append([]string{"run", "-o", out, "--strict", "--summary", told}, flags...)...)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, shown)
	}
	for dataType, want := range m.Items {
		got, err := os.ReadFile(filepath.Join(out, dataType+".ndjson"))
		if err != nil {
			t.Errorf("%v\n%s", err, shown)
			continue
		}
		lines := strings.Split(string(got), "\n")
		want = append(slices.Clone(want), "")
		for i := range want {
			if i >= len(lines) || lines[i] != want[i] || len(lines) > len(want) {
				t.Errorf("%s: %d items, want %d; item %d: %q, want %q\n%s", dataType, len(lines)-1, len(want)-1, i+1, lines[min(i, len(lines)-1)], want[i], shown)
				break
			}
		}
	}
	if got := readText(t, told); !strings.Contains(got, `"verdict":"complete"`) && !strings.Contains(got, `"verdict": "complete"`) {
		t.Errorf("the report: %s", got)
	}
}

// runMock runs a command about a configuration while a mock serves its hosts, and returns
// what it shows.
func runMock(t *testing.T, m *apis.Mock, h http.Handler, text string, command ...string) (status int, shown string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "api.json")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "https://", "http://")), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"sluice", command[0], file}, command[1:]...)
	for name, value := range m.Attributes {
		args = append(args, "--attr", name+"="+value)
	}
	var output bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		network := api.NewNetwork()
		for _, host := range m.Hosts {
			stop, err := network.Serve(host, h)
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
		}
		w := &world{Stdin: strings.NewReader(""), Stdout: &output, Stderr: &output, Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
		status = invoke(context.Background(), w, args)
		http.DefaultClient.CloseIdleConnections()
	})
	return status, output.String()
}

func TestDocumentedAPIsHaveAPageAMockAndARow(t *testing.T) {
	var played []string
	table := readText(t, filepath.Join("docs", "apis", "README.md"))
	for _, m := range apis.All() {
		played = append(played, m.Name)
		if !strings.Contains(table, "| [`"+m.Name+"`]("+m.Name+".md) |") {
			t.Errorf("the table in docs/apis/README.md has no row for %s", m.Name)
		}
		if _, command := docs.Config(m.Name); !strings.HasPrefix(command, "sluice run "+m.Name+".json ") {
			t.Errorf("docs/apis/%s.md has no command line", m.Name)
		}
	}
	if slices.Sort(played); !slices.Equal(played, docs.Names()) {
		t.Errorf("mocks %v, pages %v", played, docs.Names())
	}
}
