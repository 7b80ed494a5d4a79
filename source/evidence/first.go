package evidence

import (
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// NotFirst is where the answer has a flag that says that there is a page before it, and its value; empty: it has none.
func (a *Answer) NotFirst() (at string, value jsontext.Value) {
	for _, m := range a.Around {
		if path, value := notFirst(m.Path, m.Value, 0); path != nil {
			return path.String(), value
		}
	}
	return "", nil
}

func notFirst(path item.Path, value jsontext.Value, depth int) (item.Path, jsontext.Value) {
	m := read(path[len(path)-1])
	if is, isNumber, isFlag := item.Flag(value); isFlag && !isNumber {
		if m.saysBefore() && is || m.saysFirst() && !is {
			return path, value
		}
		return nil, nil
	}
	if depth == deepest || item.Kind(value) != '{' || !isSmall(value) {
		return nil, nil
	}
	for name, inner := range item.Members(value) {
		if at, found := notFirst(below(path, item.Unquote(name)), inner, depth+1); at != nil {
			return at, found
		}
	}
	return nil, nil
}

// saysFirst tells whether a flag of that name says that a page is the first.
func (m *name) saysFirst() bool { return m.contains("first") && m.only(back|begin|has|pageWord|small) }

// saysBefore tells whether a flag of that name says that a page is before another.
func (m *name) saysBefore() bool {
	isBack := m.contains("previous") || m.contains("prev")
	return m.contains("has") && isBack && m.only(has|back|pageWord|small)
}
