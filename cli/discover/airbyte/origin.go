package airbyte

import (
	"slices"
	"strings"
)

// A certainty is how well it is known where items have a field, before they are transformed.
type certainty int

const (
	// unknown: a transformation makes it.
	unknown certainty = iota
	// likely: a transformation takes it from there, if it is there.
	likely
	// sure: no transformation has to do with it.
	sure
)

// origin is the path at which the items of a stream, as they come, have what is a field of them in the end.
func (c *conversion) origin(n *node, field string) (string, certainty) {
	o := origin{path: []string{field}, found: sure}
	for n.kind() == "StateDelegatingStream" {
		n = n.peek("full_refresh_stream")
	}
	all := n.peek("transformations").elements()
	for _, t := range slices.Backward(all) {
		o.before(t)
	}
	for _, step := range o.path {
		isPath := strings.Contains(step, ".") && o.found != likely
		if isPath || step == "" || strings.Contains(step, "{{") {
			o.found = unknown
		}
	}
	return strings.Join(o.path, "."), o.found
}

// An origin goes back through the transformations.
type origin struct {
	path  []string
	found certainty
}

// before goes back to what the field was before a transformation.
func (o *origin) before(t *node) {
	switch t.kind() {
	case "AddFields":
		for _, f := range slices.Backward(t.peek("fields").elements()) {
			if o.isBelow(f.peek("path")) {
				o.added(t, f)
				return
			}
		}
	case "RemoveFields":
		for _, pointer := range t.peek("field_pointers").elements() {
			if o.isBelow(pointer) && !removesNoKey(t.peek("condition").text()) {
				o.found = unknown
			}
		}
	case "FlattenFields":
		o.found = min(o.found, likely)
	case "DpathFlattenFields":
		o.lifted(t)
	default:
		o.found = unknown
	}
}

// removesNoKey tells a condition of what is removed that is understood: that is empty or none, so it is no key.
func removesNoKey(condition string) bool {
	t, err := parse(condition)
	if err != nil {
		return false
	}
	e, isAlone := single(t)
	if !isAlone {
		return false
	}
	_, ok := ofProperty(e)
	return ok
}

// isBelow tells that the field stands at or below a path, or the other way round.
func (o *origin) isBelow(path *node) bool {
	for i, e := range path.elements() {
		if i >= len(o.path) {
			break
		}
		isPattern := strings.Contains(e.text(), "{{") || strings.ContainsAny(e.text(), "*?[")
		if isPattern {
			return true
		}
		if e.text() != o.path[i] {
			return false
		}
	}
	return path != nil
}

// added goes back to what a field is added as: another of the item.
func (o *origin) added(t, f *node) {
	read, err := parse(f.peek("value").text())
	isAlone := err == nil && len(read) == 1 && read[0].expression != nil
	isWhole := len(f.peek("path").elements()) == len(o.path)
	if !isAlone || !isWhole || t.peek("condition") != nil {
		o.found = unknown
		return
	}
	e := unwrapped(read[0].expression)
	_, isIndex := e.(index)
	_, isGet := e.(call)
	w, ok := trail(e)
	// What or and default give may be another value than the one that is there.
	isWay := ok && (isIndex || isGet)
	isMember := isWay && w.variable == "record" && len(w.steps) > 0
	if !isMember || w.byDefault != nil {
		o.found = unknown
		return
	}
	o.path = w.steps
}

// lifted goes back to a field of an object whose fields become those of the item.
func (o *origin) lifted(t *node) {
	var path []string
	for _, e := range t.peek("field_path").elements() {
		path = append(path, e.text())
	}
	isPlain := t.peek("key_transformation") == nil && !slices.Contains(path, "*")
	if !isPlain {
		o.found = unknown
		return
	}
	o.path = append(path, o.path...)
	o.found = min(o.found, likely)
}
