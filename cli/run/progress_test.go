package run

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTheViewStaysAwayFromDataOnTheSameTerminal: what jq shows behind a pipe must
// not be drawn over.
func TestTheViewStaysAwayFromDataOnTheSameTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	defer terminal.Close()
	_, behind, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer behind.Close()
	regular, err := os.Create(filepath.Join(t.TempDir(), "items"))
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	for name, k := range map[string]struct {
		stdout *os.File
		output string
		want   bool
	}{
		"a pipe":           {behind, "-", false},
		"the terminal":     {terminal, "-", false},
		"a regular file":   {regular, "-", true},
		"--output, a pipe": {behind, "items.ndjson", true},
	} {
		w := &World{Stdout: k.stdout, Stderr: terminal, Now: time.Now, Getenv: func(string) string { return "" }}
		c := &console{world: w, shown: Shown{Progress: "auto", Format: "text"}}
		if c.watch(false, k.output); (c.live != nil) != k.want {
			t.Errorf("items into %s: a view: %v, want %v", name, c.live != nil, k.want)
		}
	}
}
