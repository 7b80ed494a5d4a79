package discover

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// leastInMap is how many objects of one kind make items of the members of an object.
const leastInMap = 2

// deepestMap is how many steps lead to it at most.
const deepestMap = 4

// mapIn is the dataField, as JSON, of the largest object in an answer whose members are all objects of one kind, such as
// {"a1": {"n": 1}, "b2": {"n": 2}}; empty: there is none.
func mapIn(answer []byte) string {
	at, largest := item.Path(nil), 0
	var look func(path item.Path, object []byte)
	look = func(path item.Path, object []byte) {
		if n := alike(object); n > largest {
			at, largest = path, n
		}
		for quoted, value := range item.Members(object) {
			name := item.Unquote(quoted)
			// A dot in the name would divide dataField.
			mayLead := item.Kind(value) == '{' && len(path) < deepestMap && !strings.Contains(name, ".")
			if mayLead {
				look(append(slices.Clip(path), name), value)
			}
		}
	}
	look(nil, answer)
	if largest < leastInMap {
		return ""
	}
	path := "."
	if len(at) > 0 {
		path = at.String()
	}
	key := freeName(item.Lookup(answer, at))
	return item.ObjectBuilder{"path", quoted(path), "members", quoted(key)}.String()
}

// alike is how many members an object has if they are all objects that have a name in common; 0: they are not.
func alike(object []byte) int {
	common := map[string]bool{}
	n := 0
	for _, value := range item.Members(object) {
		if item.Kind(value) != '{' {
			return 0
		}
		own := map[string]bool{}
		for quoted := range item.Members(value) {
			name := string(quoted)
			if n == 0 || common[name] {
				own[name] = true
			}
		}
		common = own
		n++
		if len(common) == 0 {
			return 0
		}
	}
	return n
}

// freeName is a name for the key of a map that none of its objects has.
func freeName(object []byte) string {
	for _, name := range []string{"id", "key", "name", "member"} {
		isTaken := false
		for _, value := range item.Members(object) {
			isTaken = isTaken || item.Lookup(value, item.Path{name}) != nil
		}
		if !isTaken {
			return name
		}
	}
	return "key_of_map"
}
