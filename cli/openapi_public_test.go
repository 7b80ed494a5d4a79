//go:build unix

package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/cli/discover/openapi"
)

// TestPublicDocuments makes a configuration of each list operation of the documents below the folder that OPENAPI names, and
// counts those that are good.
func TestPublicDocuments(t *testing.T) {
	folder := os.Getenv("OPENAPI")
	if folder == "" {
		t.Skip("OPENAPI names no folder with documents")
	}
	documents, refused, withoutLists, lists, good := 0, 0, 0, 0, 0
	certain := map[string]int{}
	paged := map[string]int{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		isDocument := strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".yaml")
		if err != nil || e.IsDir() || !isDocument || strings.HasPrefix(e.Name(), "_") {
			return err
		}
		begin := time.Now()
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		documents++
		d, err := openapi.Read(text)
		if err != nil {
			refused++
			t.Logf("%s: refused: %v", path, err)
			return nil
		}
		all, leftOut, err := d.Lists()
		for _, why := range leftOut {
			t.Logf("%s: left out: %s", path, why)
		}
		if err != nil {
			withoutLists++
			t.Logf("%s: %v", path, err)
			return nil
		}
		for _, l := range all {
			lists++
			paging, _, _ := strings.Cut(l.Paging, " ")
			paged[paging]++
			r, err := d.Convert(l.Method + " " + l.Path)
			if err == nil {
				err = isGood(r.Configuration)
			}
			if err != nil {
				t.Errorf("%s: %s %s: %v\n%s", path, l.Method, l.Path, err, r.Configuration)
				continue
			}
			good++
			order := []openapi.Certainty{openapi.Sure, openapi.Likely, openapi.Unknown}
			worst := openapi.Sure
			for _, line := range r.Account {
				if slices.Index(order, line.Certainty) > slices.Index(order, worst) {
					worst = line.Certainty
				}
				if line.Certainty == openapi.Unknown {
					what, _, _ := strings.Cut(line.Text, ":")
					certain["unknown: "+strings.Join(strings.Fields(what)[:min(3, len(strings.Fields(what)))], " ")]++
				}
			}
			certain["worst "+string(worst)]++
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Logf("%s: %d bytes, %d lists took %v", path, len(text), len(all), took)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents: %d refused, %d without lists; %d lists, %d give a good configuration; paging %v", documents, refused, withoutLists, lists, good, paged)
	for what, n := range certain {
		if n > 20 || strings.HasPrefix(what, "worst") {
			t.Logf("%5d %s", n, what)
		}
	}
}
