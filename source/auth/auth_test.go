package auth_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/expr"
)

// parse returns a node, which must be JSON.
func parse(t *testing.T, text string) *config.Node {
	t.Helper()
	var p config.Problems
	n := config.Parse("test.json", []byte(text), &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// env is a run at a time of the test's, with attributes.
func env(attributes map[string]string, now func() time.Time) auth.Env {
	attr := func(path string) (expr.Value, bool) {
		text, ok := attributes[path]
		return expr.Value{JSON: item.Quote(text), Secret: strings.HasPrefix(path, "#")}, ok
	}
	return auth.Env{
		Expr: expr.Env{Contexts: expr.Contexts{"attr": attr}, Now: now}, Secrets: &secret.Set{}, Observer: pipeline.Observers{}, Now: now,
	}
}

// Whoever adds a type says how it is used, and proves what it sends.
func TestEachTypeHasAScenarioAndASectionOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "authentication.md"))
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "## ") {
			headings = append(headings, line)
		}
	}
	var scenarios []string
	files, _ := filepath.Glob(filepath.Join("..", "..", "fixtures", "scenarios", "*", "*.txtar"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scenarios = append(scenarios, string(text))
	}
	for _, name := range auth.Types() {
		if !slices.ContainsFunc(headings, func(h string) bool { return strings.Contains(h, "`"+name+"`") }) {
			t.Errorf("docs/authentication.md has no section whose heading names `%s`", name)
		}
		if !slices.ContainsFunc(scenarios, func(s string) bool {
			return strings.Contains(s, `"type": "`+name+`"`) && strings.Contains(s, "\ncmp requests")
		}) {
			t.Errorf("no scenario compares the requests of the type %s", name)
		}
	}
}
