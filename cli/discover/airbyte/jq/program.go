package jq

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
)

// Filter is one filter of steps, with the functions that it uses.
func Filter(steps []string) string {
	filter := strings.Join(steps, " | ")
	return onOneLine(strings.Join(append(definitions(filter), filter), "\n"))
}

// A Change is what a program does with the items of a stream.
type Change struct {
	Stream string
	Steps  []string
}

const programHead = `# What a manifest changes about the items of its streams. For those of the stream NAME, with this file behind -f:
#   jq -c -f FILE.jq --arg stream NAME ITEMS.ndjson
`

// Program is the text of a file for jq, which does with items what the part of the stream $stream says.
func Program(parts []Change) string {
	var choice strings.Builder
	word := "if"
	for _, p := range parts {
		choice.WriteString(word + " $stream == " + write.Quote(p.Stream) + " then\n  " + strings.Join(p.Steps, "\n  | ") + "\n")
		word = "elif"
	}
	choice.WriteString("else\n  error(\"--arg stream: this program has no part for the stream \" + $stream)\nend\n")
	all := append([]string{programHead}, definitions(choice.String())...)
	return strings.Join(append(all, choice.String()), "\n")
}

// definitionsText are the functions of jq that steps may need: behind #: the name of each, then its text.
//
//go:embed definitions.jq
var definitionsText string

var (
	// quoted are texts within a program, and names behind a point or a dollar.
	quoted = pattern.Lazy(`"(?:[^"\\]|\\.)*"|[.$]\w+`)
	// defined are the functions that a part of the definitions has.
	defined = pattern.Lazy(`\bdef (\w+)`)
)

// definitions are those functions that a program uses, in the order in which they need each other, as the file has them.
func definitions(program string) (all []string) {
	parts := strings.Split(definitionsText, "\n#: ")[1:]
	for _, part := range slices.Backward(parts) {
		_, text, _ := strings.Cut(part, "\n")
		code := onOneLine(text)
		words := regexp.MustCompile(`\w+`).FindAllString(quoted().ReplaceAllString(program, ""), -1)
		isUsed := func(def []string) bool { return slices.Contains(words, def[1]) }
		if slices.ContainsFunc(defined().FindAllStringSubmatch(code, -1), isUsed) {
			all = append(all, strings.TrimSpace(text)+"\n")
			program += " " + code
		}
	}
	slices.Reverse(all)
	return all
}

// onOneLine is a part of a program without its comments, on one line.
func onOneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}
