//go:build unix

package cli

import (
	"path/filepath"
	"regexp"
	"testing"
)

func TestThePagesNameTheNewestVersion(t *testing.T) {
	newest := regexp.MustCompile(`(?m)^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$`).FindStringSubmatch(readText(t, "CHANGELOG.md"))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no version with a date")
	}
	files, err := filepath.Glob("docs/workflows/*")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range append(files, "README.md") {
		for _, version := range regexp.MustCompile(`(?:sluice[:_]|VERSION: )(\d+\.\d+\.\d+)`).FindAllStringSubmatch(readText(t, file), -1) {
			named++
			if version[1] != newest[1] {
				t.Errorf("%s: %s is not %s", file, version[0], newest[1])
			}
		}
	}
	if named < 6 {
		t.Errorf("only %d places name a version", named)
	}
}
