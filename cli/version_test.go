//go:build unix

package cli

import (
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
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

func TestTheVersionNamesCommitAndDateWhereTheyAreKnown(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "9ad87dcd5c1f0a0b0c0d0e0f0102030405060708"}
	at := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-21T05:10:59Z"}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{[]debug.BuildSetting{{Key: "GOOS", Value: "linux"}}, ""},
		{[]debug.BuildSetting{revision, at, clean}, "commit 9ad87dcd5c1f, 2026-11-21"},
		{[]debug.BuildSetting{at, revision, changed}, "commit 9ad87dcd5c1f, 2026-11-21, changed since"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "17"}}, ""},
	} {
		if got := strings.Join(origin(c.settings), ", "); got != c.want {
			t.Errorf("%v: got %q, want %q", c.settings, got, c.want)
		}
	}
}
