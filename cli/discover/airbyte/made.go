package airbyte

import (
	"errors"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A madeKey is an object that a transformation of a parent makes of its items, which is the key of those below.
type madeKey struct {
	object dict

	// before are the transformations that come before it.
	before []*node
}

// madeKeyOf is how a parent makes a key; not ok: it does not make it, or as something else than an object.
func madeKeyOf(parent *node, key string) (madeKey, bool) {
	for parent.kind() == "StateDelegatingStream" {
		parent = parent.peek("full_refresh_stream")
	}
	all := parent.peek("transformations").elements()
	isIt := origin{path: []string{key}, found: sure}
	for i, t := range slices.Backward(all) {
		o := isIt
		if o.before(t); o.found == sure && slices.Equal(o.path, isIt.path) {
			continue
		}
		fields := t.peek("fields").elements()
		isAlone := t.kind() == "AddFields" && len(fields) == 1 && t.peek("condition") == nil
		if !isAlone {
			return madeKey{}, false
		}
		path, value := fields[0].peek("path").elements(), fields[0].peek("value").text()
		read, err := parse(value)
		isWhole := err == nil && len(read) == 1 && len(path) == 1 && fields[0].peek("value_type") == nil
		if !isWhole {
			return madeKey{}, false
		}
		object, ok := unwrapped(read[0].expression).(dict)
		return madeKey{object, all[:i]}, ok
	}
	return madeKey{}, false
}

// parts are the members of the key below a slice of the parent.
func (k madeKey) parts(up *slice) (all []part, err error) {
	for i, e := range k.object.keys {
		name, isText := constantText(e)
		isName := isText && name != "" && !strings.ContainsAny(name, "{}:.")
		if !isName {
			return nil, errors.New("a key with such a name is not understood")
		}
		p, err := k.part(name, k.object.values[i], up)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// part is a member of the key.
func (k madeKey) part(name string, value expression, up *slice) (part, error) {
	p := part{name: name}
	variable, path, ok := reference(value)
	if !ok || len(path) == 0 {
		return p, errors.New("a key of more than members of the parent's item is not understood")
	}
	switch variable {
	case "record":
		o := origin{path: path, found: sure}
		for _, t := range slices.Backward(k.before) {
			o.before(t)
		}
		isPlain := o.found == sure && !strings.Contains(strings.Join(o.path, ""), ".")
		if !isPlain {
			return p, errors.New("a transformation of the parent makes " + path[0] + " before")
		}
		p.path, p.placeholder = strings.Join(o.path, "."), up.unused(name)
		p.value = meaning{json: item.Object{"placeholder", quote(p.placeholder)}.String()}
		return p, nil
	case "stream_partition", "stream_slice":
		m, err := up.value(path, nil)
		p.value = m
		return p, err
	}
	return p, errors.New("a key of " + variable + " is not understood")
}
