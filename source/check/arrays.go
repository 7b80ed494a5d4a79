package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// usualItems are what arrays of items are mostly called.
var usualItems = strings.Fields("data items results records value values " +
	"entry entries hits nodes edges rows content elements list")

// A ranking of arrays by their paths: greater is likelier to hold the items.
type ranking struct {
	ranks map[string]int64
	// asked are the numbers of the request.
	asked evidence.Numbers
}

// Bits of a rank. What is longer comes first among equals.
const (
	hasObjects int64 = 1 << (40 + iota)
	hasAsAsked
	hasUsualName
	goesOn
)

// arrays finds the paths of those in an object that are not empty: first those that say that they go on in the only
// element of another one, of a usual name, as long as was asked for, of objects, or long.
func arrays(object []byte, asked evidence.Numbers) []string {
	r := &ranking{ranks: map[string]int64{}, asked: asked}
	r.enter(nil, object)
	return slices.SortedFunc(maps.Keys(r.ranks), func(a, b string) int {
		if r.ranks[a] != r.ranks[b] {
			return cmp.Compare(r.ranks[b], r.ranks[a])
		}
		return cmp.Compare(a, b)
	})
}

// enter ranks the arrays of an object.
func (r *ranking) enter(at item.Path, object []byte) {
	sizes := r.sizes(object)
	saysMore := sync.OnceValue(func() bool { return evidence.GoesOn(object, 1) != "" })
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		path := append(slices.Clip(at), name)
		switch kind := item.Kind(value); {
		case kind == '{' && len(at) < 4:
			r.enter(path, value)
		// A dot in the name would divide dataField.
		case kind == '[' && !strings.Contains(name, "."):
			if first := item.Lookup(value, item.Path{"0"}); first != nil {
				r.ranks[path.String()] = rank(name, value, first, sizes)
				r.enterInner(path, value, saysMore)
			}
		}
	}
}

// enterInner ranks the list in the only element of an array of an object, if it says that it goes on and the object
// says nothing.
func (r *ranking) enterInner(at item.Path, array []byte, saysMore func() bool) {
	if length(array) != 1 {
		return
	}
	first := item.Lookup(array, item.Path{"0"})
	list := evidence.InnerOf(first)
	if list == nil || saysMore() {
		return
	}
	isDotted := !slices.ContainsFunc(list.Array, func(step string) bool { return strings.Contains(step, ".") })
	if isDotted {
		path := slices.Concat(at, item.Path{"0"}, list.Array)
		r.ranks[path.String()] = goesOn
	}
}

// sizes are the numbers of the request, and those of an object, that may be the size of a page.
func (r *ranking) sizes(object []byte) (all []int64) {
	numbers := slices.Clone(r.asked)
	for quoted, value := range item.Members(object) {
		if n, ok := item.Integer(value); ok {
			numbers = append(numbers, evidence.Number{Name: item.Unquote(quoted), Value: n})
		}
	}
	for _, n := range numbers {
		if n.Value > 1 && evidence.MayBeSize(n.Name) {
			all = append(all, n.Value)
		}
	}
	return all
}

// rank is greater the likelier an array holds the items.
func rank(name string, array, first []byte, sizes []int64) int64 {
	rank := int64(len(array))
	if item.Kind(first) == '{' {
		rank += hasObjects
	}
	if slices.Contains(sizes, length(array)) {
		rank += hasAsAsked
	}
	if slices.Contains(usualItems, strings.ToLower(name)) {
		rank += hasUsualName
	}
	return rank
}

// length is how many elements an array has.
func length(array []byte) (n int64) {
	for range item.Elements(array) {
		n++
	}
	return n
}
