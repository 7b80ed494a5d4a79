package evidence

import (
	"slices"
	"strconv"

	"sluice/pipeline/item"
)

// An Inner is a list within an item that may be a page of the list which is meant.
type Inner struct {
	// Array is where its elements are, of which there are so many, and At what says that there are more; empty: nothing does.
	Array item.Path
	Items int
	At    string
}

// innerDepth is how deep in an item such a list is looked for.
const innerDepth = 4

// InnerOf finds the first list in an object of an item that says itself that it goes on; nil: there is none.
func InnerOf(text []byte) *Inner { return innerBelow(nil, text) }

func innerBelow(at item.Path, object []byte) *Inner {
	if len(at) == innerDepth || item.Kind(object) != '{' {
		return nil
	}
	for name, value := range item.Members(object) {
		if item.Kind(value) != '{' {
			continue
		}
		path := below(at, item.Unquote(name))
		if found := listIn(path, value); found != nil {
			return found
		}
		if found := innerBelow(path, value); found != nil {
			return found
		}
	}
	return nil
}

// listIn is the longest array of an object, if what stands beside that says that there is more.
func listIn(at item.Path, object []byte) *Inner {
	found := &Inner{}
	for name, value := range item.Members(object) {
		n := count(value)
		if n > found.Items {
			found.Array, found.Items = below(at, item.Unquote(name)), n
		}
	}
	if found.Items == 0 {
		return nil
	}
	sign := GoesOn(object, found.Items)
	if sign == "" {
		return nil
	}
	found.At = append(at, sign).String()
	return found
}

// AsLongAsAsked finds the first list in an item that has exactly as many elements as a parameter named as a size asks for, or the one
// that makes up most of an item without a key, if it has a number of elements that people choose; nil: there is none.
func AsLongAsAsked(text []byte, most *Inner, asked Numbers) *Inner {
	if found := asLongAsAsked(nil, text, asked); found != nil {
		return found
	}
	if most == nil || !Round(most.Items) || hasKey(text) {
		return nil
	}
	return most
}

func asLongAsAsked(at item.Path, object []byte, asked Numbers) *Inner {
	if len(at) == innerDepth {
		return nil
	}
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		switch item.Kind(value) {
		case '[':
			n := count(value)
			if n >= leastByAny && asked.sizeOf(n) >= 0 && MayHaveItems(name) {
				return &Inner{Array: below(at, name), Items: n}
			}
		case '{':
			if found := asLongAsAsked(below(at, name), value, asked); found != nil {
				return found
			}
		}
	}
	return nil
}

// InEnvelope is the list that makes up most of an item, if what stands around it says that the list goes on, as the page of a list
// does; nil: nothing says so.
func InEnvelope(text []byte, most *Inner) *Inner {
	if most == nil {
		return nil
	}
	answer := Answer{Items: most.Items, Array: true, Field: most.Array.String(), Around: around(text, most.Array)}
	sign := signOfMore(answer.Signs(Reads{}), int64(most.Items), hasKey(text))
	if sign == nil {
		return nil
	}
	return &Inner{Array: most.Array, Items: most.Items, At: sign.At}
}

// envelopeDepth is how deep in an item the list is looked for that the item may be the envelope of.
const envelopeDepth = 6

// MostOf finds the list that makes up most of an item, or of an object that makes up most of an item that is an array; nil: none does.
func MostOf(text []byte) *Inner {
	i := 0
	if item.Kind(text) == '[' {
		for element := range item.Elements(text) {
			if item.Kind(element) == '{' && len(element) > len(text)/2 {
				return mostOf(item.Path{strconv.Itoa(i)}, element, len(text)/2)
			}
			i++
		}
	}
	return mostOf(nil, text, len(text)/2)
}

// leastInEnvelope is how many elements a list has at least that an item is taken for the envelope of.
const leastInEnvelope = 2

// mostOf finds the array in an object, and in those within it, that has more than so many bytes. An array of one object is taken for
// that object.
func mostOf(at item.Path, object []byte, bytes int) *Inner {
	if len(at) >= envelopeDepth {
		return nil
	}
	for quoted, value := range item.Members(object) {
		if len(value) <= bytes {
			continue
		}
		name := item.Unquote(quoted)
		path := below(at, name)
		if item.Kind(value) == '{' {
			return mostOf(path, value, bytes)
		}
		n := count(value)
		first := item.Lookup(value, item.Path{"0"})
		switch {
		case !MayHaveItems(name):
			return nil
		case n == 1 && item.Kind(first) == '{':
			return mostOf(below(path, "0"), first, bytes)
		case n < leastInEnvelope:
			return nil
		}
		return &Inner{Array: path, Items: n}
	}
	return nil
}

// around is what stands in an object beside each step of a path.
func around(object []byte, path item.Path) (all []item.Found) {
	for depth, step := range path {
		for quoted, value := range item.Members(object) {
			name := item.Unquote(quoted)
			if name != step {
				all = append(all, item.Found{Path: below(path[:depth], name), Value: value})
			}
		}
		object = item.Lookup(object, item.Path{step})
	}
	return all
}

// hasKey tells whether an object has something at one of the names of keys.
func hasKey(object []byte) bool {
	return slices.ContainsFunc(KeyNames, func(name string) bool {
		value := item.Lookup(object, item.Path{name})
		return value != nil && item.True(value)
	})
}

// signOfMore is the first sign that there is more than so many items; nil: there is none. In an item that has a key numbers may count
// something else, as those of an order do, unless they stand in an object about paging.
func signOfMore(signs []Sign, items int64, isKeyed bool) *Sign {
	isOver := Find(signs, NoMore) != nil
	i := slices.IndexFunc(signs, func(s Sign) bool {
		isOfList := !isKeyed || len(s.Path) > 1 && !s.Loose
		switch s.Says {
		case More, Link, Cursor, Onward, Part:
			return !isOver
		case Total:
			return isOfList && s.Total > items
		case Guessed:
			return !isKeyed && !isOver && s.Total > items
		case Left:
			return isOfList && !isOver
		case Pages:
			return isOfList && !isOver && s.Total > 1
		}
		return false
	})
	if i < 0 {
		return nil
	}
	return &signs[i]
}

// MayDescribe tells whether the first of two items may say something about the list that is the second one: it is an object without a
// key.
func MayDescribe(text []byte) bool { return item.Kind(text) == '{' && !hasKey(text) }

// Described is the list that the first of two items describes, if it has a number of elements that people choose: the second one, or
// what makes up most of that if it has no key; nil: it is no such.
func Described(text []byte) *Inner {
	if n := count(text); Round(n) {
		return &Inner{Array: item.Path{"1"}, Items: n}
	}
	most := MostOf(text)
	if most == nil || !Round(most.Items) || hasKey(text) {
		return nil
	}
	return &Inner{Array: append(item.Path{"1"}, most.Array...), Items: most.Items}
}

// GoesOn is where an object that has a list of so many elements says that there are more; empty: it does not.
func GoesOn(object []byte, items int) string {
	answer := Answer{Items: items, Array: true}
	for name, value := range item.Members(object) {
		answer.Around = append(answer.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
	}
	signs := answer.Signs(Reads{})
	if Find(signs, NoMore) != nil {
		return ""
	}
	for _, says := range []Says{More, Link, Cursor} {
		if sign := Find(signs, says); sign != nil {
			return sign.At
		}
	}
	return ""
}

// count is how many elements an array has; 0 of what is none.
func count(array []byte) (n int) {
	if item.Kind(array) != '[' {
		return 0
	}
	for range item.Elements(array) {
		n++
	}
	return n
}

// HasList tells whether an item has an array of two or more objects in it, to depth 2.
func HasList(text []byte) bool { return hasList(text, 0) }

func hasList(object []byte, depth int) bool {
	for _, value := range item.Members(object) {
		switch item.Kind(value) {
		case '[':
			if isListOfObjects(value) {
				return true
			}
		case '{':
			if depth == 0 && hasList(value, depth+1) {
				return true
			}
		}
	}
	return false
}

func isListOfObjects(array []byte) bool {
	objects := 0
	for element := range item.Elements(array) {
		if item.Kind(element) != '{' {
			return false
		}
		objects++
		if objects == 2 {
			return true
		}
	}
	return false
}
