package page

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// mayBeNotable tells whether a member of the object at n stands beside the way to the items, and may be kept.
func (r *bodyReading) mayBeNotable(n, place *node) bool {
	if !n.on() || place.on() {
		return false
	}
	return r.spec.Notable != nil && len(r.page.Beside.Notable) < notableMost
}

// wantsName tells whether the path of a member of the object at n is to be kept.
func (r *bodyReading) wantsName(n *node) bool {
	if !r.spec.Names || len(r.page.Beside.Names) >= namesMost {
		return false
	}
	return n.on() || n.hasBelow()
}

// What is kept of the members around the items, and of the names that lead to them.
const (
	notableMost = 64
	namesMost   = 200
)

// keepNotable reads the value of a notable member, and keeps it beside the items.
func (r *bodyReading) keepNotable(kind jsontext.Kind, n *node, name string) error {
	path := r.pathBeside(name)
	value, err := r.capture(func() error { return r.value(kind, n) })
	found := item.Found{Path: path, Value: slices.Clone(value)}
	r.page.Beside.Notable = append(withRoom(r.page.Beside.Notable), found)
	return err
}

// withRoom gives a list its first room at once, which is enough for most pages.
func withRoom[T any](list []T) []T {
	const usual = 8
	if list == nil {
		return make([]T, 0, usual)
	}
	return list
}

// tellingKinds are those of the values that may be telling.
var tellingKinds = []jsontext.Kind{'"', '[', '{', '0', 't'}

// mayBeTelling tells whether a value of the kind may be kept beside the items for what it is. Half of the room
// is left for what is kept by name.
func (r *bodyReading) mayBeTelling(kind jsontext.Kind) bool {
	hasRoom := len(r.page.Beside.Notable) < notableMost/2
	isKind := slices.Contains(tellingKinds, kind)
	return hasRoom && isKind && r.spec.Telling != nil
}

// keepTelling reads the value of the member that r.name names, and keeps it beside the items if it is telling.
func (r *bodyReading) keepTelling(kind jsontext.Kind, n *node) (err error) {
	var text []byte
	isLong := kind == '[' || kind == '{'
	if isLong {
		text, err = r.capture(func() error { return r.value(kind, n) })
	} else {
		text, err = r.token(kind)
		if err == nil {
			r.found(n, text)
		}
	}
	isWhole := err == nil && len(text) <= keptWhole
	if !isWhole || !r.spec.Telling(text) {
		return err
	}
	found := item.Found{Path: r.pathBeside(item.Unquote(r.name)), Value: slices.Clone(text)}
	r.page.Beside.Notable = append(withRoom(r.page.Beside.Notable), found)
	return nil
}

// pathBeside leads to the member at hand, which stands beside the way to the items.
func (r *bodyReading) pathBeside(name string) item.Path {
	path := slices.Concat(r.spec.Select[:r.dec.StackDepth()-1], item.Path{name})
	if r.spec.enveloped() {
		path[0] = envelope
	}
	return path
}

// says enters what a member around the items says, whose name is r.name.
func (r *bodyReading) says(around int, value []byte) {
	if r.spec.Says != nil {
		r.page.Beside.Members[around].Says = r.spec.Says(r.name, value)
	}
}

// opening stands for an object or an array.
var opening = []byte("{")
