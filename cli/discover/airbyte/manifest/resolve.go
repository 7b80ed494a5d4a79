package manifest

import (
	"fmt"
	"strconv"
	"strings"
)

// An extent is how far a tree without references extends where all is written out.
type extent struct {
	// height is that of the levels below it, values counts it and all below it.
	height, values int
}

// add adds what stands in a tree.
func (e *extent) add(below extent) {
	e.height = max(e.height, below.height+1)
	e.values += below.values
}

// A resolver replaces references, each once.
type resolver struct {
	root    *Tree
	done    map[*Tree]*Tree
	extents map[*Tree]extent

	// open are the references that are being resolved.
	open map[string]bool
	left *allowance
}

// resolve is a tree without references. Extents bound what references and aliases make deep and large.
func (r *resolver) resolve(t *Tree, depth int) (*Tree, error) {
	if done := r.done[t]; done != nil {
		if depth+r.extents[done].height > maxDepth {
			return nil, r.tooDeep(t)
		}
		return done, nil
	}
	if depth > maxDepth {
		return nil, r.tooDeep(t)
	}
	var done *Tree
	var all extent
	var err error
	switch v := t.Value.(type) {
	case *Object:
		done, all, err = r.object(t, v, depth)
	case []*Tree:
		done, all, err = r.list(t, v, depth)
	case string:
		done, all, err = r.string(t, v, depth)
	default:
		done, all = t, extent{values: 1}
	}
	if err != nil {
		return nil, err
	}
	if all.values > MaxValues {
		return nil, tooMany(t.line)
	}
	r.done[t], r.extents[done] = done, all
	return done, nil
}

func (r *resolver) tooDeep(t *Tree) error {
	return fmt.Errorf("line %d: it is nested deeper than %d", t.line, maxDepth)
}

func (r *resolver) list(t *Tree, v []*Tree, depth int) (*Tree, extent, error) {
	list := make([]*Tree, 0, len(v))
	all := extent{values: 1}
	for _, e := range v {
		done, err := r.resolve(e, depth+1)
		if err != nil {
			return nil, all, err
		}
		all.add(r.extents[done])
		list = append(list, done)
	}
	return &Tree{line: t.line, Value: list}, all, nil
}

func (r *resolver) object(t *Tree, v *Object, depth int) (*Tree, extent, error) {
	own := newObject()
	all := extent{values: 1}
	for _, name := range v.names {
		if name == "$ref" {
			continue
		}
		done, err := r.resolve(v.Members[name], depth+1)
		if err != nil {
			return nil, all, err
		}
		all.add(r.extents[done])
		own.set(name, done)
	}
	if v.Members["$ref"] == nil {
		return &Tree{line: t.line, Value: own}, all, nil
	}
	referred, err := r.resolve(v.Members["$ref"], depth+1)
	if err != nil {
		return nil, all, err
	}
	base := referred.Object()
	if base == nil {
		return referred, r.extents[referred], nil
	}
	if err := r.left.take(t.line, len(base.names)); err != nil {
		return nil, all, err
	}
	both := newObject()
	for _, name := range base.names {
		both.set(name, base.Members[name])
		if own.Members[name] == nil {
			all.add(r.extents[base.Members[name]])
		}
	}
	for _, name := range own.names {
		both.set(name, own.Members[name])
	}
	return &Tree{line: t.line, Value: both}, all, nil
}

// string is the text, or what it refers to.
func (r *resolver) string(t *Tree, text string, depth int) (*Tree, extent, error) {
	path, isReference := strings.CutPrefix(text, "#/")
	if !isReference {
		return t, extent{values: 1}, nil
	}
	if r.open[text] {
		return nil, extent{}, fmt.Errorf("line %d: the reference %s leads to itself", t.line, text)
	}
	found := lookup(r.root, path)
	if found == nil {
		return nil, extent{}, fmt.Errorf("line %d: the reference %s leads nowhere", t.line, text)
	}
	r.open[text] = true
	done, err := r.resolve(found, depth+1)
	delete(r.open, text)
	if err != nil {
		return nil, extent{}, err
	}
	return done, r.extents[done], nil
}

// lookup finds what a reference names: at each level the rest as one name first, then its first step.
func lookup(t *Tree, path string) *Tree {
	for path != "" {
		if whole := t.member(path); whole != nil {
			return whole
		}
		step, rest, _ := strings.Cut(path, "/")
		path = rest
		if all, ok := t.Value.([]*Tree); ok {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(all) {
				return nil
			}
			t = all[i]
			continue
		}
		t = t.member(step)
		if t == nil {
			return nil
		}
	}
	return t
}
