package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/jq"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
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
func (c *Conversion) origin(n *manifest.Node, field string) (string, certainty) {
	o := origin{path: []string{field}, found: sure}
	for n.Kind() == "StateDelegatingStream" {
		n = n.Peek("full_refresh_stream")
	}
	all := n.Peek("transformations").Elements()
	for _, t := range slices.Backward(all) {
		o.before(t)
	}
	for _, step := range o.path {
		if strings.Contains(step, ".") && o.found != likely || step == "" || strings.Contains(step, "{{") {
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
func (o *origin) before(t *manifest.Node) {
	switch t.Kind() {
	case "AddFields":
		for _, f := range slices.Backward(t.Peek("fields").Elements()) {
			if o.isBelow(f.Peek("path")) {
				o.added(t, f)
				return
			}
		}
	case "RemoveFields":
		for _, pointer := range t.Peek("field_pointers").Elements() {
			if o.isBelow(pointer) && !removesNoKey(t.Peek("condition").Text()) {
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
	t, err := template.Parse(condition)
	if err != nil {
		return false
	}
	e, isAlone := template.Single(t)
	if !isAlone {
		return false
	}
	_, ok := jq.OfProperty(e)
	return ok
}

// isBelow tells that the field stands at or below a path, or the other way round.
func (o *origin) isBelow(path *manifest.Node) bool {
	for i, e := range path.Elements() {
		if i >= len(o.path) {
			break
		}
		if strings.Contains(e.Text(), "{{") || strings.ContainsAny(e.Text(), "*?[") {
			return true
		}
		if e.Text() != o.path[i] {
			return false
		}
	}
	return path != nil
}

// added goes back to what a field is added as: another of the item.
func (o *origin) added(t, f *manifest.Node) {
	read, err := template.Parse(f.Peek("value").Text())
	isAlone := err == nil && len(read) == 1 && read[0].Expression != nil
	isWhole := len(f.Peek("path").Elements()) == len(o.path)
	if !isAlone || !isWhole || t.Peek("condition") != nil {
		o.found = unknown
		return
	}
	e := template.Unwrapped(read[0].Expression)
	_, isIndex := e.(template.Index)
	_, isGet := e.(template.Call)
	w, ok := template.Trail(e)
	// What or and default give may be another value than the one that is there.
	isWay := ok && (isIndex || isGet)
	if !isWay || w.Variable != "record" || len(w.Steps) == 0 || w.ByDefault != nil {
		o.found = unknown
		return
	}
	o.path = w.Steps
}

// lifted goes back to a field of an object whose fields become those of the item.
func (o *origin) lifted(t *manifest.Node) {
	var path []string
	for _, e := range t.Peek("field_path").Elements() {
		path = append(path, e.Text())
	}
	if t.Peek("key_transformation") != nil || slices.Contains(path, "*") {
		o.found = unknown
		return
	}
	o.path = append(path, o.path...)
	o.found = min(o.found, likely)
}
