package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A Filter says which items a job is for (recursionFilter). It is immutable and
// safe for concurrent use.
//
// Its text is conditions of the form PATH OPERATOR VALUE, joined by & and, less
// tightly, by |. There are no quotes, escapes or brackets, and blanks belong to the
// VALUE. All of =!<>~ that stand together are one operator. ~~ and !~ compare the
// whole value with a pattern in which % is any text.
//
// Texts are compared, byte by byte: the text of a number is its digits, that of a
// boolean true or false, that of an array or object its compact JSON; missing and null
// are the empty text. Only <, <=, > and >= compare numbers, exactly, where both sides
// are some, strings of digits included.
type Filter struct {
	alternatives [][]*condition // of one of them, all must hold
}

// A condition is PATH OPERATOR VALUE.
type condition struct {
	path     item.Path
	operator func(c *condition, text string) bool
	value    string
	number   *item.Decimal // what value is, nil if it is no number
	padded   bool          // there are blanks around value, and they count
	parts    []string      // of value, between the %
}

var operators = map[string]func(c *condition, text string) bool{
	"==": func(c *condition, text string) bool { return text == c.value },
	"!=": func(c *condition, text string) bool { return text != c.value },
	"<":  func(c *condition, text string) bool { return c.compare(text) < 0 },
	"<=": func(c *condition, text string) bool { return c.compare(text) <= 0 },
	">":  func(c *condition, text string) bool { return c.compare(text) > 0 },
	">=": func(c *condition, text string) bool { return c.compare(text) >= 0 },
	"~~": (*condition).like,
	"!~": func(c *condition, text string) bool { return !c.like(text) },
}

// ParseFilter reads a filter, whose paths have dots between their steps. Its
// errors name the character, from 1, and the operators there are.
func ParseFilter(text string) (*Filter, error) {
	f := &Filter{}
	at := 0
	for alternative := range strings.SplitSeq(text, "|") {
		var all []*condition
		for part := range strings.SplitSeq(alternative, "&") {
			c, problem, offset := parseCondition(part)
			if c == nil {
				return nil, fmt.Errorf("%s at character %d, want conditions PATH OPERATOR VALUE, joined by & and |, with the operators %s",
					problem, utf8.RuneCountInString(text[:at+offset])+1, strings.Join(slices.Sorted(maps.Keys(operators)), " "))
			}
			all = append(all, c)
			at += len(part) + len("&")
		}
		f.alternatives = append(f.alternatives, all)
	}
	return f, nil
}

// CompileFilter is [ParseFilter] for a member of the configuration. Problems are reported
// there; nil is none.
func CompileFilter(n *config.Node, p *config.Problems) *Filter {
	f, err := ParseFilter(n.Text())
	if err != nil {
		p.Errorf(n, "%v", err)
		return nil
	}
	if f.padded() {
		p.Warnf(n, "blanks around a value belong to it: write name==value if they are not meant")
	}
	return f
}

// parseCondition returns nil, a problem and where it is in text if text is no condition.
func parseCondition(text string) (c *condition, problem string, offset int) {
	const symbols = "=!<>~"
	at := strings.IndexAny(text, symbols)
	if at < 0 {
		return nil, "there is no operator in the condition", strings.Index(text, strings.TrimSpace(text))
	}
	rest := strings.TrimLeft(text[at:], symbols)
	name := text[at : len(text)-len(rest)]
	operator, known := operators[name]
	if !known {
		return nil, fmt.Sprintf("unknown operator %q", name), at
	}
	path := strings.TrimSpace(text[:at])
	if path == "" {
		return nil, "there is no path before the operator", at
	}
	c = &condition{path: item.ParsePath(path, "."), operator: operator, value: rest, parts: strings.Split(rest, "%")}
	if d, ok := item.ParseDecimal(rest); ok && strings.ContainsAny(name, "<>") {
		c.number = &d
	}
	c.padded = c.number == nil && strings.TrimSpace(rest) != rest
	return c, "", 0
}

// Match tells whether the filter holds for value, compact JSON.
func (f *Filter) Match(value []byte) bool {
	return f.Holds(func(path item.Path) []byte {
		if found := item.Lookup(value, path); found != nil {
			return found
		}
		return []byte("null")
	})
}

// Paths are those of the conditions.
func (f *Filter) Paths() []item.Path {
	var all []item.Path
	for _, c := range slices.Concat(f.alternatives...) {
		all = append(all, c.path)
	}
	return all
}

// Holds is Match for values that are looked up elsewhere, except that what is missing
// satisfies no condition.
func (f *Filter) Holds(look func(path item.Path) []byte) bool {
	fails := func(c *condition) bool {
		value := look(c.path)
		return value == nil || !c.operator(c, textOf(value))
	}
	return slices.ContainsFunc(f.alternatives, func(all []*condition) bool { return !slices.ContainsFunc(all, fails) })
}

// padded tells whether blanks around a VALUE count, which may not be meant.
func (f *Filter) padded() bool {
	return slices.ContainsFunc(slices.Concat(f.alternatives...), func(c *condition) bool { return c.padded })
}

// textOf returns the text that is compared.
func textOf(value []byte) string {
	if kind := item.Kind(value); kind == '"' {
		return item.Unquote(value)
	} else if kind == 'n' {
		return ""
	}
	return string(value)
}

func (c *condition) compare(text string) int {
	if c.number != nil {
		if d, ok := item.ParseDecimal(text); ok {
			return d.Compare(*c.number)
		}
	}
	return strings.Compare(text, c.value)
}

func (c *condition) like(text string) bool {
	last := len(c.parts) - 1
	if last == 0 {
		return text == c.value
	}
	text, ok := strings.CutPrefix(text, c.parts[0])
	for _, part := range c.parts[1:last] {
		if ok {
			_, text, ok = strings.Cut(text, part)
		}
	}
	return ok && strings.HasSuffix(text, c.parts[last])
}
