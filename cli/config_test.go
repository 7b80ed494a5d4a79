package cli

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestABadConfigurationIsToldExactly goes through fixtures/config/bad: beside
// each configuration stands all that stderr says about it.
func TestABadConfigurationIsToldExactly(t *testing.T) {
	t.Chdir(filepath.Join("fixtures", "config", "bad"))
	files := configurations(t)
	goldens, err := filepath.Glob("*.txt")
	if err != nil || len(files) < 40 || len(goldens) != len(files) && os.Getenv("UPDATE") == "" {
		t.Errorf("%d configurations, %d texts: there must be one for each, and 40 at least: %v", len(files), len(goldens), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".json"), func(t *testing.T) {
			golden := strings.TrimSuffix(file, ".json") + ".txt"
			status, stdout, stderr := offline(t, "validate", file)
			if status != statusUsage || stdout != "" {
				t.Errorf("validate: status %d, stdout %q", status, stdout)
			}
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(stderr), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), stderr); diff != "" {
				t.Errorf("validate (-want +got):\n%s", diff)
			}
			status, stdout, stderr = offline(t, "run", file)
			if status != statusUsage || stdout != "" {
				t.Errorf("run: status %d, stdout %q", status, stdout)
			}
			if diff := cmp.Diff(string(want), stderr); diff != "" {
				t.Errorf("run (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAGoodConfigurationIsGood goes through fixtures/config/good.
func TestAGoodConfigurationIsGood(t *testing.T) {
	t.Chdir(filepath.Join("fixtures", "config", "good"))
	for _, file := range configurations(t) {
		t.Run(strings.TrimSuffix(file, ".json"), func(t *testing.T) {
			status, stdout, stderr := offline(t, "validate", file)
			if status != statusOK || stdout != "" || !strings.Contains(stderr, "sluice: "+file+" is good: ") {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
		})
	}
}

func configurations(t *testing.T) []string {
	files, err := filepath.Glob("*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no configurations here", err)
	}
	return files
}

// offline runs the program in a world without a network.
func offline(t *testing.T, args ...string) (status int, stdout, stderr string) {
	var out, log bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log, Getenv: func(string) string { return "" }, Now: time.Now,
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			t.Errorf("%s: a request to %s", strings.Join(args, " "), address)
			return nil, errors.New("there is no network here")
		},
	}
	status = invoke(t.Context(), w, append([]string{"sluice"}, args...))
	return status, out.String(), log.String()
}
