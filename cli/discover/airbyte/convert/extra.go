package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// An extra is a further value of the parent's items, or why it is not understood.
type extra struct {
	path string
	err  error

	// note tells a person what it must be.
	note func()
}

// extra are the further values that a router takes of the items of a parent, by what templates call them.
func (c *Conversion) extra(n, parent *manifest.Node) map[string]extra {
	all := map[string]extra{}
	n.Know()
	for _, e := range n.Elements() {
		var steps []string
		isKnown := len(e.Elements()) > 0
		for _, step := range e.Elements() {
			text, ok := c.decided(step)
			isPlain := text != "" && !strings.ContainsAny(text, ".*?[/")
			isKnown = isKnown && ok && isPlain
			steps = append(steps, text)
		}
		name := strings.Join(steps, ".")
		if !isKnown {
			all[name] = extra{err: errors.New("extra_fields: this path is not understood: want plain names")}
			continue
		}
		all[name] = c.extraAt(steps, name, parent)
	}
	return all
}

// extraAt is the value at a path.
func (c *Conversion) extraAt(steps []string, name string, parent *manifest.Node) extra {
	first, found := c.origin(parent, steps[0])
	if found != sure {
		return extra{err: fmt.Errorf(
			"a transformation of the parent makes %s, so its items do not have it as they come", steps[0])}
	}
	text := name + ": each item of the parent must have a text or a number there, since its request has it " +
		"(extra_fields): without one that platform asks with nothing there, and here the run fails"
	return extra{
		path: strings.Join(append([]string{first}, steps[1:]...), "."),
		note: func() { c.Values.Note(text) },
	}
}

// extraValue is a further value of the parent's item. One without it fails the run, and has no request without a word.
func (sl *slice) extraValue(name string) (template.Meaning, error) {
	e, ok := sl.extra[name]
	switch {
	case !ok:
		return template.Meaning{}, fmt.Errorf("the extra_fields have no %s", name)
	case e.err != nil:
		return template.Meaning{}, e.err
	case sl.isShaping:
		return template.Meaning{}, fmt.Errorf("extra_fields are understood in requests alone: an item may lack %s", name)
	}
	e.note()
	path := write.Quote(e.path)
	for m := range slices.Chunk(sl.own.Placeholders, 2) {
		if m[1] == path {
			return template.Meaning{Expr: write.Placeholder(m[0])}, nil
		}
	}
	placeholder := sl.unused(name)
	sl.own.Take(placeholder, e.path, false)
	return template.Meaning{Expr: write.Placeholder(placeholder)}, nil
}
