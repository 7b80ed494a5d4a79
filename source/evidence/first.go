package evidence

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// NotFirst is where the answer has a flag that says that there is a page before it, or the index of its first item behind such a page,
// with its value; empty: it has none.
func (a *Answer) NotFirst() (at string, value jsontext.Value) {
	for _, m := range a.Around {
		if path, value := a.notFirst(m.Path, m.Value, 0); path != nil {
			return path.String(), value
		}
	}
	return "", nil
}

func (a *Answer) notFirst(path item.Path, value jsontext.Value, depth int) (item.Path, jsontext.Value) {
	m := read(path[len(path)-1])
	if is, isNumber, isFlag := item.Flag(value); isFlag && !isNumber {
		if m.saysBefore() && is || m.saysFirst() && !is {
			return path, value
		}
		return nil, nil
	}
	if m.isStartIndex() && isOfThisPage(path) && a.isBehindAPage(value) {
		return path, value
	}
	if depth == deepest || item.Kind(value) != '{' || !isSmall(value) {
		return nil, nil
	}
	for name, inner := range item.Members(value) {
		if at, found := a.notFirst(below(path, item.Unquote(name)), inner, depth+1); at != nil {
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

// isStartIndex tells whether a number of that name is where the first item of the answer stands in the list.
func (m *name) isStartIndex() bool { return m.n == 2 && m.contains("start") && m.contains("index") }

// isOfThisPage tells whether no object around what stands there is about another page by its name, such as nextPage.
func isOfThisPage(path item.Path) bool {
	return !slices.ContainsFunc(path[:len(path)-1], func(step string) bool {
		m := read(step)
		return m.has(next | more | end)
	})
}

// isBehindAPage tells whether just as many items as the answer has stand before the one with that index, which counts from 0 or from 1.
func (a *Answer) isBehindAPage(index jsontext.Value) bool {
	n, ok := item.Integer(index)
	before := n - int64(a.Items)
	return ok && a.Items > 1 && (before == 0 || before == 1)
}
