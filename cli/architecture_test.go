//go:build unix

package cli

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestThePictureOfTheRoomsHasTheArrowsThatThereAre compares the picture in
// docs/architecture.md with the imports of the packages, those of pipeline and of what
// only tests and measurements use left out.
func TestThePictureOfTheRoomsHasTheArrowsThatThereAre(t *testing.T) {
	page := readText(t, filepath.Join("docs", "architecture.md"))
	var drawn []string
	for _, m := range regexp.MustCompile(`(?m)^  (\S+ --> \S+)$`).FindAllStringSubmatch(page, -1) {
		drawn = append(drawn, m[1])
	}
	there := arrows(t)
	for _, a := range there {
		if !slices.Contains(drawn, a) {
			t.Errorf("the picture lacks %s", a)
		}
	}
	for _, a := range drawn {
		if !slices.Contains(there, a) {
			t.Errorf("the picture has %s, which nothing imports so", a)
		}
	}
}

// arrows are the imports between packages of this module.
func arrows(t *testing.T) (all []string) {
	t.Helper()
	module, _, _ := strings.Cut(strings.TrimPrefix(readText(t, "go.mod"), "module "), "\n")
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "bench" || d.Name() == "differ" || d.Name() == "targettest"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Dir(path))
		if from == "." {
			from = "main"
		}
		for _, i := range f.Imports {
			to, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module+"/")
			arrow := from + " --> " + to
			if ours && !strings.HasPrefix(to, "pipeline") && !slices.Contains(all, arrow) {
				all = append(all, arrow)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
