package convert

import (
	"errors"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A madeKey is an object that a transformation of a parent makes of its items, which is the key of those below.
type madeKey struct {
	object template.Dict

	// before are the transformations that come before it.
	before []*manifest.Node
}

// madeKeyOf is how a parent makes a key; not ok: it does not make it, or as something else than an object.
func madeKeyOf(parent *manifest.Node, key string) (madeKey, bool) {
	for parent.Kind() == "StateDelegatingStream" {
		parent = parent.Peek("full_refresh_stream")
	}
	all := parent.Peek("transformations").Elements()
	isIt := origin{path: []string{key}, found: sure}
	for i, t := range slices.Backward(all) {
		o := isIt
		if o.before(t); o.found == sure && slices.Equal(o.path, isIt.path) {
			continue
		}
		fields := t.Peek("fields").Elements()
		if t.Kind() != "AddFields" || len(fields) != 1 || t.Peek("condition") != nil {
			return madeKey{}, false
		}
		path, value := fields[0].Peek("path").Elements(), fields[0].Peek("value").Text()
		read, err := template.Parse(value)
		if err != nil || len(read) != 1 || len(path) != 1 || fields[0].Peek("value_type") != nil {
			return madeKey{}, false
		}
		object, ok := template.Unwrapped(read[0].Expression).(template.Dict)
		return madeKey{object, all[:i]}, ok
	}
	return madeKey{}, false
}

// parts are the members of the key below a slice of the parent.
func (k madeKey) parts(up *slice) (all []part, err error) {
	for i, e := range k.object.Keys {
		name, isText := template.ConstantText(e)
		if !isText || name == "" || strings.ContainsAny(name, "{}:.") {
			return nil, errors.New("a key with such a name is not understood")
		}
		p, err := k.part(name, k.object.Values[i], up)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// part is a member of the key.
func (k madeKey) part(name string, value template.Expression, up *slice) (part, error) {
	p := part{name: name}
	variable, path, ok := template.Reference(value)
	if !ok || len(path) == 0 {
		return p, errors.New("a key of more than members of the parent's item is not understood")
	}
	switch variable {
	case "record":
		o := origin{path: path, found: sure}
		for _, t := range slices.Backward(k.before) {
			o.before(t)
		}
		if o.found != sure || strings.Contains(strings.Join(o.path, ""), ".") {
			return p, errors.New("a transformation of the parent makes " + path[0] + " before")
		}
		p.path, p.placeholder = strings.Join(o.path, "."), up.unused(name)
		p.value = template.Meaning{Expr: write.Placeholder(p.placeholder)}
		return p, nil
	case "stream_partition", "stream_slice":
		m, err := up.value(path, nil)
		p.value = m
		return p, err
	}
	return p, errors.New("a key of " + variable + " is not understood")
}
