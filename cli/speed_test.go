//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTheReadmeHasTheMeasuredFigures compares its table with the report of make bench.
func TestTheReadmeHasTheMeasuredFigures(t *testing.T) {
	measured := readText(t, filepath.Join("docs", "speed.md"))
	_, section, _ := strings.Cut(readText(t, "README.md"), "\n## How fast\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "By `make bench`") {
			continue
		}
		rows++
		if !strings.Contains(measured, strings.TrimRight(line, "\n")) {
			t.Errorf("docs/speed.md does not say %s", line)
		}
	}
	if rows < 8 {
		t.Errorf("the table has only %d lines", rows)
	}
}
