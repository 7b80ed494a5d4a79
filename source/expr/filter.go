package expr

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A Filter says which items a job is for (recursionFilter). It is immutable.
//
// Its text is conditions PATH OPERATOR VALUE, joined by & and, less tightly, by |, without quotes, escapes
// or brackets; blanks belong to the VALUE. ~~ and !~ compare with a pattern in which % is any text.
//
// Texts are compared, byte by byte: the text of a number is its digits, that of a boolean true or false,
// that of an array or object its compact JSON; missing and null are the empty text. Only <, <=, > and >=
// compare numbers, exactly, where both sides are some, strings of digits included.
type Filter struct {
	// All conditions of one alternative must hold.
	alternatives [][]*comparison

	// The number of conditions in all of them.
	conditions int
}

// A comparison is PATH OPERATOR VALUE.
type comparison struct {
	// As it is written.
	written string

	path     item.Path
	operator func(c *comparison, text string) bool
	value    string

	// Whether the operator is ==.
	isEqual bool

	// The value as a number, nil if it is none.
	number *item.Decimal

	// There are blanks around the value, and they count.
	padded bool

	// The value's parts between its percent signs, for ~~ and !~.
	parts []string

	// Whether values are read as flags, which are compared with that of the condition.
	isFlag bool
}

var operators = map[string]func(c *comparison, text string) bool{
	"==": func(c *comparison, text string) bool { return text == c.value },
	"!=": func(c *comparison, text string) bool { return text != c.value },
	"<":  func(c *comparison, text string) bool { return c.compare(text) < 0 },
	"<=": func(c *comparison, text string) bool { return c.compare(text) <= 0 },
	">":  func(c *comparison, text string) bool { return c.compare(text) > 0 },
	">=": func(c *comparison, text string) bool { return c.compare(text) >= 0 },
	"~~": (*comparison).like,
	"!~": func(c *comparison, text string) bool { return !c.like(text) },
}

// ParseFilter reads a filter, whose paths have dots between their steps.
func ParseFilter(text string) (*Filter, error) {
	f := &Filter{}
	for alternative := range strings.SplitSeq(text, "|") {
		var all []*comparison
		for part := range strings.SplitSeq(alternative, "&") {
			f.conditions++
			c, err := parseComparison(part)
			if err != nil {
				known := strings.Join(slices.Sorted(maps.Keys(operators)), " ")
				return nil, fmt.Errorf("condition %d has %w, want PATH OPERATOR VALUE, "+
					"joined by & and |, with the operators %s", f.conditions, err, known)
			}
			all = append(all, c)
		}
		f.alternatives = append(f.alternatives, all)
	}
	return f, nil
}

// CompileFilter is [ParseFilter] for a member of the configuration; nil has been reported.
func CompileFilter(n *config.Node, p *config.Problems) *Filter {
	f, err := ParseFilter(n.Text())
	if err != nil {
		p.Errorf(n, "%v", err)
		return nil
	}
	isPadded := func(c *comparison) bool { return c.padded }
	if slices.ContainsFunc(slices.Concat(f.alternatives...), isPadded) {
		p.Warnf(n, "blanks around a value belong to it: write name==value if they are not meant")
	}
	for _, c := range slices.Concat(f.alternatives...) {
		if name, isDotted := strings.CutPrefix(c.written, "."); isDotted && name != "" {
			p.Warnf(n, "%s begins with a member that has no name: write %s", c.written, name)
		}
	}
	return f
}

// ReadFlags makes PATH==true and PATH==false read the value as a flag: yes, Y and 1 are true, too. It is for a filter that
// is not used yet.
func (f *Filter) ReadFlags() {
	for _, c := range slices.Concat(f.alternatives...) {
		c.isFlag = c.isEqual && (c.value == "true" || c.value == "false")
	}
}

func parseComparison(text string) (*comparison, error) {
	const symbols = "=!<>~"
	at := strings.IndexAny(text, symbols)
	if at < 0 {
		return nil, errors.New("no operator")
	}
	value := strings.TrimLeft(text[at:], symbols)
	name := text[at : len(text)-len(value)]
	path := strings.TrimSpace(text[:at])
	operator, known := operators[name]
	if !known {
		return nil, fmt.Errorf("the unknown operator %q", name)
	}
	if path == "" {
		return nil, errors.New("no path before its operator")
	}
	c := &comparison{
		written:  path,
		path:     item.ParsePath(path, "."),
		operator: operator,
		isEqual:  name == "==",
		value:    value,
		parts:    strings.Split(value, "%"),
	}
	if d, ok := item.ParseDecimal(value); ok && strings.ContainsAny(name, "<>") {
		c.number = &d
	}
	c.padded = c.number == nil && strings.TrimSpace(value) != value
	return c, nil
}

// like compares with a pattern, part by part.
func (c *comparison) like(text string) bool {
	last := len(c.parts) - 1
	if last == 0 {
		return text == c.value
	}
	text, ok := strings.CutPrefix(text, c.parts[0])
	for i := 1; ok && i < last; i++ {
		_, text, ok = strings.Cut(text, c.parts[i])
	}
	return ok && strings.HasSuffix(text, c.parts[last])
}

// Match tells whether the filter holds for value, compact JSON.
func (f *Filter) Match(value []byte) bool {
	look := item.Looker(value, f.conditions)
	return f.Holds(func(path item.Path) []byte {
		if found := look(path); found != nil {
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

// Holds is Match for values that are looked up elsewhere; what is missing satisfies no condition.
func (f *Filter) Holds(look func(path item.Path) []byte) bool {
	holds := func(all []*comparison) bool { return holdsFor(all, look) }
	return slices.ContainsFunc(f.alternatives, holds)
}

// HoldsBy is Holds by an alternative that looks at some path which is one of these.
func (f *Filter) HoldsBy(look func(item.Path) []byte, isOne func(item.Path) bool) bool {
	looksAt := func(c *comparison) bool { return isOne(c.path) }
	holds := func(all []*comparison) bool {
		return slices.ContainsFunc(all, looksAt) && holdsFor(all, look)
	}
	return slices.ContainsFunc(f.alternatives, holds)
}

// holdsFor tells whether all conditions of an alternative hold.
func holdsFor(all []*comparison, look func(item.Path) []byte) bool {
	fails := func(c *comparison) bool {
		value := look(c.path)
		return value == nil || !c.accepts(value)
	}
	return !slices.ContainsFunc(all, fails)
}

// accepts tells whether a value satisfies the condition.
func (c *comparison) accepts(value []byte) bool {
	if c.isFlag {
		if is, _, ok := item.Flag(value); ok {
			return is == (c.value == "true")
		}
	}
	return c.operator(c, textOf(value))
}

// textOf returns the text that is compared.
func textOf(value []byte) string {
	switch item.Kind(value) {
	case '"':
		return item.Unquote(value)
	case 'n':
		return ""
	}
	return string(value)
}

func (c *comparison) compare(text string) int {
	if c.number != nil {
		if d, ok := item.ParseDecimal(text); ok {
			return d.Compare(*c.number)
		}
	}
	return strings.Compare(text, c.value)
}
