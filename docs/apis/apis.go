// Package apis holds the pages of this folder: for each of some popular APIs a complete
// configuration, and what there is to know about it.
package apis

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.md
var pages embed.FS

// Names returns the names of the APIs, sorted.
func Names() (all []string) {
	files, _ := pages.ReadDir(".") // what is embedded is there
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".md"); name != "README" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// Config returns the configuration on the page of an API, its first JSON block, and the
// command line on it that runs it. Both are empty if there is no such page.
func Config(name string) (config, command string) {
	page, _ := pages.ReadFile(name + ".md")
	return block(string(page), "json"), block(string(page), "sh")
}

// block returns the text of the first block of a language.
func block(page, language string) string {
	_, rest, _ := strings.Cut(page, "\n```"+language+"\n")
	text, _, _ := strings.Cut(rest, "```\n")
	return text
}
