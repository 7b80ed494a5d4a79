package write

import "strings"

// maxColumns is how wide the lines of a configuration are, where they can be shorter at all.
const maxColumns = 110

// Layout is a document as people read it.
func Layout(document ConfigValue) string { return spread(document, "", 0, 2) }

// spread is a value as people read it, behind so many columns of a line: what fits stands on that line, but for what is
// less than so many levels deep.
func spread(e ConfigValue, indent string, column, levels int) string {
	f := e.form()
	if len(f.values) == 0 {
		return JSON(e)
	}
	if levels <= 0 {
		line := appendLine(nil, e, max(maxColumns-column, 0))
		if column+len(line) <= maxColumns {
			return string(line)
		}
	}
	inner := indent + "  "
	var lines []string
	for i, value := range f.values {
		name := f.prefix(i)
		lines = append(lines, inner+name+spread(value, inner, len(inner)+len(name), levels-1))
	}
	return f.open + "\n" + strings.Join(lines, ",\n") + "\n" + indent + f.closed
}
