package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/jq"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A sureness is how well it is known where items have a field, before they are transformed.
type sureness int

const (
	// unknown: a transformation makes it.
	unknown sureness = iota
	// likely: a transformation takes it from there, if it is there.
	likely
	// sure: no transformation has to do with it.
	sure
)

// transformationsOf are those of a stream.
func transformationsOf(n *manifest.Section) []*manifest.Section {
	for n.Kind() == "StateDelegatingStream" {
		n = n.Peek("full_refresh_stream")
	}
	return n.Peek("transformations").Elements()
}

// fieldOrigin is the path at which the items of a stream, as they come, have what is a field of them in the end.
func fieldOrigin(n *manifest.Section, field string) (string, sureness) {
	path, found := originOf([]string{field}, transformationsOf(n))
	for _, step := range path {
		if strings.Contains(step, ".") && found != likely || step == "" || strings.Contains(step, "{{") {
			found = unknown
		}
	}
	return strings.Join(path, "."), found
}

// originOf is the path that a field had before transformations.
func originOf(path []string, transformations []*manifest.Section) ([]string, sureness) {
	o := origin{path: path, found: sure}
	for _, t := range slices.Backward(transformations) {
		o.before(t)
	}
	return o.path, o.found
}

// An origin goes back through the transformations.
type origin struct {
	path  []string
	found sureness
}

// before goes back to what the field was before a transformation.
func (o *origin) before(t *manifest.Section) {
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
	e, isAlone := template.Single(t)
	_, ok := jq.OfProperty(e)
	return err == nil && isAlone && ok
}

// isBelow tells that the field stands at or below a path, or the other way round.
func (o *origin) isBelow(path *manifest.Section) bool {
	for i, e := range path.Elements() {
		switch {
		case i >= len(o.path), strings.Contains(e.Text(), "{{"), strings.ContainsAny(e.Text(), "*?["):
			return true
		case e.Text() != o.path[i]:
			return false
		}
	}
	return path != nil
}

// added goes back to what a field is added as: another of the item.
func (o *origin) added(t, f *manifest.Section) {
	e := onlyExpression(f.Peek("value"))
	isWhole := len(f.Peek("path").Elements()) == len(o.path)
	_, isIndex := e.(template.Index)
	_, isGet := e.(template.Invocation)
	w, ok := template.Trail(e)
	// What or and default give may be another value than the one that is there.
	isWay := ok && (isIndex || isGet) && w.Variable == "record" && len(w.Steps) > 0 && w.ByDefault == nil
	if !isWay || !isWhole || t.Peek("condition") != nil {
		o.found = unknown
		return
	}
	o.path = w.Steps
}

// onlyExpression is the one that a template is; nil: it is more, or none.
func onlyExpression(n *manifest.Section) template.Expression {
	t, _ := template.Parse(n.Text())
	if len(t) != 1 {
		return nil
	}
	return template.Unwrapped(t[0].Expression)
}

// lifted goes back to a field of an object whose fields become those of the item.
func (o *origin) lifted(t *manifest.Section) {
	path := t.Peek("field_path").Texts()
	if t.Peek("key_transformation") != nil || slices.Contains(path, "*") {
		o.found = unknown
		return
	}
	o.path = append(path, o.path...)
	o.found = min(o.found, likely)
}

// A madeKey is an object that a transformation of a parent makes of its items, which is the key of those below.
type madeKey struct {
	object template.Dict

	// before are the transformations that come before it.
	before []*manifest.Section
}

// madeKeyOf is how a parent makes a key; not ok: it does not make it, or as something else than an object.
func madeKeyOf(parent *manifest.Section, key string) (madeKey, bool) {
	all := transformationsOf(parent)
	for i, t := range slices.Backward(all) {
		path, found := originOf([]string{key}, []*manifest.Section{t})
		if found == sure && slices.Equal(path, []string{key}) {
			continue
		}
		fields := t.Peek("fields").Elements()
		if t.Kind() != "AddFields" || len(fields) != 1 || t.Peek("condition") != nil {
			break
		}
		isPlain := len(fields[0].Peek("path").Elements()) == 1 && fields[0].Peek("value_type") == nil
		object, ok := onlyExpression(fields[0].Peek("value")).(template.Dict)
		return madeKey{object, all[:i]}, ok && isPlain
	}
	return madeKey{}, false
}

// parts are the members of the key below a slice of the parent.
func (k madeKey) parts(up *slice) (all []routedValue) {
	for i, e := range k.object.Keys {
		name, isText := template.ConstantText(e)
		fault.If(!isText || name == "" || strings.ContainsAny(name, "{}:."), "a key with such a name is not supported")
		all = append(all, k.part(name, k.object.Values[i], up))
	}
	return all
}

// addedAs is the value of the slice that the last of transformations adds a field as; nil: it is something else.
func addedAs(path []string, transformations []*manifest.Section) template.Expression {
	for i, t := range slices.Backward(transformations) {
		_, found := originOf(path, transformations[i:])
		fields := t.Peek("fields").Elements()
		isAlone := t.Kind() == "AddFields" && len(fields) == 1 && t.Peek("condition") == nil
		switch {
		case found != unknown:
			continue
		case !isAlone || !slices.Equal(fields[0].Peek("path").Texts(), path) || fields[0].Peek("value_type") != nil:
			return nil
		}
		e := onlyExpression(fields[0].Peek("value"))
		variable, _, _ := template.Reference(e)
		if isSlice(variable) {
			return e
		}
		return nil
	}
	return nil
}

// isSlice tells the variables that have values of a parent.
func isSlice(variable string) bool {
	return variable == "stream_partition" || variable == "stream_slice"
}

// part is a member of the key.
func (k madeKey) part(name string, value template.Expression, up *slice) routedValue {
	variable, path, ok := template.Reference(value)
	fault.If(!ok || len(path) == 0, "a key of more than members of the parent's item is not supported")
	switch {
	case isSlice(variable):
		return routedValue{name: name, value: up.value(path, nil)}
	case variable != "record":
		panic(fault.New("a key of %s is not supported", variable))
	}
	if added := addedAs(path, k.before); added != nil {
		return k.part(name, added, up)
	}
	own, found := originOf(path, k.before)
	fault.If(found != sure || strings.Contains(strings.Join(own, ""), "."),
		"a transformation of the parent makes %s before", path[0])
	p := routedValue{name: name, path: strings.Join(own, "."), placeholder: up.unused(name)}
	p.value.Expr = write.Placeholder(p.placeholder)
	return p
}
