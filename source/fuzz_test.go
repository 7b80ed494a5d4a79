package source_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf8"

	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
	"sluice/source/plan"
)

// FuzzConfiguration compiles what may be no configuration, and plans it: there is a
// problem that can be shown, or there are jobs.
func FuzzConfiguration(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "config", "*", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatal("no configurations", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var p config.Problems
		for _, root := range config.Iterations(config.Parse("f", text, &p), &p) {
			secrets := &secret.Set{}
			s := source.New([]*config.Document{config.Decode(root, secrets, &p)}, source.Options{Network: source.Network{Secrets: secrets}, Plan: &plan.Plan{}, Now: func() time.Time { return time.Unix(1e9, 0) }}, &p)
			if p.Err() != nil {
				break
			}
			if len(s.Jobs()) == 0 || len(s.Outputs()) == 0 {
				t.Errorf("%q is good, and has nothing to do", text)
			}
			_ = s.Plan() // it may be impossible
		}
		for _, problem := range p.All() {
			if !utf8.ValidString(problem.String()) {
				t.Errorf("the message is not UTF-8: %q", problem)
			}
		}
	})
}
