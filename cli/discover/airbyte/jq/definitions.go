package jq

import (
	_ "embed"
	"slices"
	"strings"
)

// definitionsText are the functions of jq that steps may need: behind #: the name of each, then its text.
//
//go:embed definitions.jq
var definitionsText string

// definitions is the text of those functions that are used, in the order in which they need each other.
func definitions(used []string) string {
	var all []string
	for _, part := range strings.Split(definitionsText, "\n#: ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		if !slices.Contains(used, name) {
			continue
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") {
				all = append(all, line)
			}
		}
	}
	return strings.Join(all, " ")
}
