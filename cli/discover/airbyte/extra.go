package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// An extra is a further value of the parent's items, or why it is not understood.
type extra struct {
	path string
	err  error

	// note tells a person what it must be.
	note func()
}

// extra are the further values that a router takes of the items of a parent, by what templates call them.
func (c *conversion) extra(n, parent *node) map[string]extra {
	all := map[string]extra{}
	n.know()
	for _, e := range n.elements() {
		var steps []string
		isKnown := len(e.elements()) > 0
		for _, step := range e.elements() {
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
func (c *conversion) extraAt(steps []string, name string, parent *node) extra {
	first, found := c.origin(parent, steps[0])
	if found != sure {
		return extra{err: fmt.Errorf(
			"a transformation of the parent makes %s, so its items do not have it as they come", steps[0])}
	}
	text := name + ": each item of the parent must have a text or a number there, since its request has it " +
		"(extra_fields): without one that platform asks with nothing there, and here the run fails"
	return extra{
		path: strings.Join(append([]string{first}, steps[1:]...), "."),
		note: func() { c.values.note(text) },
	}
}

// extraValue is a further value of the parent's item. One without it fails the run, and has no request without a word.
func (sl *slice) extraValue(name string) (meaning, error) {
	e, ok := sl.extra[name]
	switch {
	case !ok:
		return meaning{}, fmt.Errorf("the extra_fields have no %s", name)
	case e.err != nil:
		return meaning{}, e.err
	case sl.isShaping:
		return meaning{}, fmt.Errorf("extra_fields are understood in requests alone: an item may lack %s", name)
	}
	e.note()
	path := quote(e.path)
	for m := range slices.Chunk(sl.own.placeholders, 2) {
		if m[1] == path {
			return meaning{json: item.Object{"placeholder", quote(m[0])}.String()}, nil
		}
	}
	placeholder := sl.unused(name)
	sl.own.take(placeholder, e.path, false)
	return meaning{json: item.Object{"placeholder", quote(placeholder)}.String()}, nil
}
