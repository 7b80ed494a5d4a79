package plan

import (
	"fmt"
	"strings"
	"unicode"

	"sluice/pipeline/pattern"
)

var (
	// bare needs no quotes.
	bare = pattern.Lazy(`^[A-Za-z0-9_./:=@%+,-]+$`)
	// double means nothing within double quotes.
	double = pattern.Lazy("^[^\\\\\"$`!\n]*$")
	// letter would belong to the name of a variable before it.
	letter = pattern.Lazy(`^[A-Za-z0-9_\[]`)
)

// word writes what [planner.split] gives as one word of the shell.
func word(parts []string) string {
	literal := strings.Join(parts, "")
	hasVariables := len(parts) > 1
	switch {
	case !hasVariables && bare().MatchString(literal):
		return literal
	case hasVariables && isPlain(literal):
		return `"` + expand(parts) + `"`
	}
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 1:
			b.WriteString(`"$` + part + `"`)
		case part != "" || len(parts) == 1:
			b.WriteString(quoted(part))
		}
	}
	return b.String()
}

// isPlain tells whether a text stands for itself within double quotes.
func isPlain(text string) bool { return double().MatchString(text) && !hides(text) }

// quoted writes a text as a word of the shell, what does not show as an escape.
func quoted(text string) string {
	if !hides(text) {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case unprintable(r):
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	return "$'" + b.String() + "'"
}

// hides tells whether a terminal may obey a part of a text, or hide it.
func hides(text string) bool { return strings.ContainsFunc(text, unprintable) }

func unprintable(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// expand writes what [planner.split] gives with a dollar sign before each variable.
func expand(parts []string) string {
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case letter().MatchString(parts[i+1]):
			b.WriteString("${" + part + "}")
		default:
			b.WriteString("$" + part)
		}
	}
	return b.String()
}
