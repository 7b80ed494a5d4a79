package write

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A Field is where the items are in an answer.
type Field struct {
	// Path are the steps that lead to them; none: the answer is the item, or the list of them. A * stands for all
	// elements.
	Path []string

	// NamedBy is the member that items get which are members of an object, with their name; empty: they are none.
	NamedBy string
}

// isDotted tells that a step among several has a point.
func (f *Field) isDotted() bool {
	return len(f.Path) > 1 && strings.Contains(strings.Join(f.Path, ""), ".")
}

// text is the path with a delimiter between its steps.
func (f *Field) text(delimiter string) string {
	if len(f.Path) == 0 {
		return "."
	}
	return strings.Join(f.Path, delimiter)
}

// Plain is the path of the items; it is not ok where they are those of several lists, or of an object.
func (f *Field) Plain() ([]string, bool) {
	if f == nil || f.NamedBy != "" || f.isDotted() {
		return nil, false
	}
	path := item.ParsePath(f.text("."), ".")
	return slices.Clone(path), !slices.Contains(path, "*")
}

// json is the field as the configuration has it.
func (f *Field) json() string {
	if f.NamedBy == "" && !f.isDotted() {
		return Quote(f.text("."))
	}
	delimiter := "."
	if f.isDotted() {
		delimiter = f.delimiter()
	}
	return item.Object{"path", Quote(f.text(delimiter))}.
		With(f.isDotted(), "delimiter", Quote(delimiter)).
		With(f.NamedBy != "", "members", Quote(f.NamedBy)).
		String()
}

// delimiter is one that stands in no step.
func (f *Field) delimiter() string {
	all := strings.Join(f.Path, "")
	for _, delimiter := range []string{"/", ":", "|", " "} {
		if !strings.Contains(all, delimiter) {
			return delimiter
		}
	}
	return "\n"
}
