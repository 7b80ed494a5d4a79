package sink

import (
	"fmt"
	"slices"
	"strings"
)

// placeholders are those of --name, as its documentation orders them.
var placeholders = []string{"dataType", "job", "date", "runId", "ext"}

// A template is --name in parts: literals and placeholders in turn, a literal first.
type template []string

func parseTemplate(text string) (template, error) {
	if text == "" {
		text = defaultName
	}
	var t template
	for rest := text; ; {
		literal, after, ok := strings.Cut(rest, "{")
		t = append(t, literal)
		if !ok {
			return t, nil
		}
		name, behind, ok := strings.Cut(after, "}")
		if !ok {
			return nil, fmt.Errorf("--name %s: a { has no }", text)
		}
		if !slices.Contains(placeholders, name) {
			return nil, fmt.Errorf("--name %s: unknown placeholder {%s} (have {%s})", text, name, strings.Join(placeholders, "} {"))
		}
		t = append(t, name)
		rest = behind
	}
}

func (t template) uses(placeholder string) bool {
	for i := 1; i < len(t); i += 2 {
		if t[i] == placeholder {
			return true
		}
	}
	return false
}

// expand makes the name of f. A placeholder without a value is an error.
func (t template) expand(values map[string]string, f plannedFile) (string, error) {
	var name strings.Builder
	for i, part := range t {
		if i%2 == 0 {
			name.WriteString(part)
			continue
		}
		value := values[part]
		if value == "" {
			return "", fmt.Errorf("--name: there is nothing to put for {%s} of %s", part, describe(f))
		}
		name.WriteString(value)
	}
	return name.String(), nil
}
