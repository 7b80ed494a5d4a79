package evidence

import "sluice/pipeline/item"

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

// AsLongAsAsked finds the first list in an item that has exactly as many elements as a parameter named as a size asks for; nil:
// there is none.
func AsLongAsAsked(text []byte, asked Numbers) *Inner { return asLongAsAsked(nil, text, asked) }

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
