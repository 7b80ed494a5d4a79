package write

import (
	"strings"

	"sluice/pipeline/item"
)

// maxColumns is how wide the lines of a configuration are, where they can be shorter at all.
const maxColumns = 110

// Layout is a document as people read it.
func Layout(document string) string { return spread(Tight(document), "", 0, 2) }

// spread is a value as people read it, behind so many columns of a line: what fits stands on that line, but for what is
// less than so many levels deep.
func spread(value []byte, indent string, column, levels int) string {
	parts, open, closed := partsIn(value)
	if len(parts) == 0 {
		return onOneLine(value)
	}
	// Its line is no shorter than the value, and takes long to make of a long one.
	if levels <= 0 && column+len(value) <= maxColumns {
		line := onOneLine(value)
		if column+len(line) <= maxColumns {
			return line
		}
	}
	inner := indent + "  "
	var lines []string
	for _, p := range parts {
		lines = append(lines, inner+p.name+spread(p.value, inner, len(inner)+len(p.name), levels-1))
	}
	return open + "\n" + strings.Join(lines, ",\n") + "\n" + indent + closed
}

// onOneLine is a value with blanks where people have them.
func onOneLine(value []byte) string {
	parts, open, closed := partsIn(value)
	if open == "" {
		return string(value)
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.name+onOneLine(p.value))
	}
	return open + strings.Join(all, ", ") + closed
}

// A named value is a member of an object, the name with its colon, or an element of a list, without one.
type named struct {
	name  string
	value []byte
}

// partsIn are the members of an object or the elements of a list, and the brackets; a plain value has none.
func partsIn(value []byte) (all []named, open, closed string) {
	switch item.Kind(value) {
	case '{':
		for name, v := range item.Members(value) {
			all = append(all, named{string(name) + ": ", v})
		}
		return all, "{", "}"
	case '[':
		for v := range item.Elements(value) {
			all = append(all, named{"", v})
		}
		return all, "[", "]"
	}
	return nil, "", ""
}
