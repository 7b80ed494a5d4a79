package evidence

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// number looks at a number: of all items, of the pages, or of what is left.
func (l *looker) number(m *name, path item.Path, value []byte, depth int) {
	isObject := item.Kind(value) == '{'
	if isObject && m.isTotal(l) {
		l.countedObject(m, path, value)
		return
	}
	if bound, isBound := boundOf(value); isBound && m.isTotal(l) {
		l.total(m, path, value, bound, depth)
		return
	}
	q, ok := quantityOf(value)
	if !ok {
		return
	}
	switch {
	case m.countsPages():
		if !l.boundsPages(m, path) {
			l.pages(path, value, q)
		}
	case q.of:
		l.ofAll(m, path, value, q)
	case m.is("pages"):
		if depth > 0 || l.isOfPage(path) {
			l.pages(path, value, q)
		}
	case m.countsUnlimited() && q.plain:
		l.guess(path, value, q)
	case m.isLeft(l):
		l.whatIsLeft(m, path, value, q)
	case q.plain && l.countsEchoed(m, path, q.n):
		l.addNumber(Hint, path, value, q)
	case m.has(all | sum | thing | sizeWord):
		l.total(m, path, value, q, depth)
	}
	if m.isCeiling() && q.plain && !l.foreign {
		l.aside.Ceiling, l.aside.Most = l.place(path), q.n
	}
	// QuickBooks calls the number of items on the page maxResults.
	isOfPage := m.isSize() && !m.contains("max")
	if isOfPage && q.plain && q.n == int64(l.answer.Items) {
		l.aside.Full = l.place(path)
	}
}

// boundsPages tells whether a number is that of the pages which can be asked for at most: that of all pages stands beside it.
func (l *looker) boundsPages(m *name, path item.Path) bool {
	if !m.contains("max") || m.has(all) {
		return false
	}
	return l.sibling(path, func(n name, _ string) bool { return n.has(all) && n.countsPages() })
}

// countedObject looks at {"value": 82, "relation": "gte"}, as Elasticsearch has it.
func (l *looker) countedObject(m *name, path item.Path, value []byte) {
	if item.Lookup(value, item.Path{"relation"}) == nil {
		return
	}
	path, value = below(path, "value"), item.Lookup(value, item.Path{"value"})
	q, ok := quantityOf(value)
	if !ok {
		return
	}
	l.all(m, path, value, q, false)
}

// atLeast makes the sign that was added last one that says that there are more than its number.
func (l *looker) atLeast(why string) {
	sign := &l.signs[len(l.signs)-1]
	sign.Total, sign.At = sign.Total+1, sign.At+why
	sign.Path, sign.Least = nil, true
}

// ofAll looks at a text such as "1-7 of 82": of pages or of items.
func (l *looker) ofAll(m *name, path item.Path, value []byte, q quantity) {
	const others = all | sum | thing | pageWord | spot | small | box | whole
	switch {
	case !m.onlyOr(others, l):
	case m.contains("page") || m.contains("pages"):
		l.pages(path, value, q)
	default:
		l.all(m, path, value, q, false)
	}
}

// total looks at a number that may be that of all items.
func (l *looker) total(m *name, path item.Path, value []byte, q quantity, depth int) {
	// The name of what is under total, which is called value, stands above it.
	text := path[len(path)-1]
	isTop := depth == 0
	isCount := m.isCount(l)
	isTotal := m.isTotal(l)
	switch {
	case l.wasAsked(m, text, q.n):
		return
	case isTop && strings.EqualFold(text, "total"):
		if is, isWeak := l.isOfItems(path, q.n); is || q.least {
			l.all(m, path, value, q, isWeak && !q.least)
		} else {
			l.bare(path, q)
		}
		return
	case isCount && l.mayCountAll(path, depth):
		if is, isWeak := l.isCountOfAll(q.n, !isTop); is {
			l.all(m, path, value, q, isWeak)
			return
		}
	case isTotal && !isCount:
		l.all(m, path, value, q, false)
		return
	}
	if l.mayCount(m, path, depth) {
		l.guess(path, value, q)
	} else if isTop && isCount {
		l.bare(path, q)
	}
}

// bare enters a number called total or count that may be any number.
func (l *looker) bare(path item.Path, q quantity) {
	if q.n > int64(l.answer.Items) && !q.least {
		l.aside.BareAt, l.aside.Bare = l.place(path), q.n
	}
}

// all adds a number of all items; in an object about something else, or where it is inexact, it is a guess.
func (l *looker) all(m *name, path item.Path, value []byte, q quantity, isWeak bool) {
	isVague := m.has(inexact) || l.isInexact(path)
	if l.inOther || isVague {
		before := len(l.signs)
		l.guess(path, value, q)
		if len(l.signs) > before {
			l.signs[before].Vague = isVague
		}
		return
	}
	sign := l.addNumber(Total, path, value, q)
	sign.Weak, sign.of = isWeak, q.of || m.has(all) && l.hasCountOfPage(path)
	l.bound(path, value, q)
}

// hasCountOfPage tells whether the number of items on the page stands beside the number at path, and which page it is or how many items
// one has: then the number at path is none of the page. Without the latter Mailjet says the number of the page twice.
func (l *looker) hasCountOfPage(path item.Path) bool {
	hasCount, hasPlace := false, false
	l.eachSibling(path, func(text string, value []byte) bool {
		n, ok := item.Integer(value)
		if !ok {
			return true
		}
		m := read(text)
		isCount := m.has(sum) && m.only(sum|thing|pageWord|small)
		hasCount = hasCount || isCount && n == int64(l.answer.Items)
		hasPlace = hasPlace || Is(text, PageNames|OffsetNames|SizeNames)
		return true
	})
	return hasCount && hasPlace
}

// bound makes the sign that was added last a lower bound, if its number or what stands beside it says so. More than were
// asked for is a flag, too: there are more than on this page.
func (l *looker) bound(path item.Path, value []byte, q quantity) {
	switch {
	case q.least:
		l.atLeast(" (at least)")
	case l.hasRelation(path):
		l.atLeast(" (relation gte)")
	default:
		return
	}
	if q.more && slices.Contains(l.asked(), strconv.FormatInt(q.n, 10)) {
		l.add(Hint, path, value)
	}
}

// hasRelation tells whether a text beside a number says that there may be more.
func (l *looker) hasRelation(path item.Path) bool {
	found := false
	l.eachSibling(path, func(text string, value []byte) bool {
		isText := item.Kind(value) == '"' && len(value) <= longestQuantity
		if !isText || !slices.Contains(leastRelations, strings.ToLower(item.Unquote(value))) {
			return true
		}
		m := read(text)
		found = m.n > 0 && string(m.word(m.n-1)) == "relation"
		return !found
	})
	return found
}

// leastRelations are texts that make the number beside them a lower bound.
var leastRelations = []string{"gte", "gt", ">=", ">", "at_least", "greater_than", "greater_than_or_equal_to", "lower_bound"}

// wasAsked tells whether a number is one of the request, such as the size of a page, and not one of all items.
func (l *looker) wasAsked(m *name, text string, n int64) bool {
	isOfAll := m.has(all) && !m.is("hits")
	if isOfAll {
		return false
	}
	if l.reads.Sized && n == l.reads.Size {
		return true
	}
	digits := strconv.FormatInt(n, 10)
	for param, all := range l.query() {
		if slices.Contains(all, digits) && Normal(param) == Normal(text) {
			return true
		}
	}
	return false
}

// guess adds a number that may be that of all items.
func (l *looker) guess(path item.Path, value []byte, q quantity) {
	isMore := q.n > int64(l.answer.Items)
	if l.foreign || !isMore || isTime(value) {
		return
	}
	l.addNumber(Guessed, path, value, q)
	l.bound(path, value, q)
}

// pages adds a number of pages. In an object of any name it is a hint if there are several.
func (l *looker) pages(path item.Path, value []byte, q quantity) {
	// That there are no pages hints at none.
	isNone := l.inAny && q.n == 0
	if l.foreign || isNone {
		return
	}
	l.addNumber(Pages, path, value, q)
}

// countsEchoed tells whether a number counts pages by where it stands: beside the number of the page that was asked for, which is
// less. Either its name is the plural of that of the parameter, in whatever language (numero_paginas beside pagina), or it is a
// total of fewer than the page has items.
func (l *looker) countsEchoed(m *name, path item.Path, n int64) bool {
	isFew := n > 1 && n < int64(l.answer.Items) && m.is("total")
	if l.foreign || !isFew && m.n < 2 || n == int64(l.answer.Items) || l.reads.Sized && n == l.reads.Size {
		return false
	}
	found := false
	l.eachSibling(path, func(text string, value []byte) bool {
		page, ok := item.Integer(value)
		if !ok || page >= n || page < 0 {
			return true
		}
		isCurrent := isFew && page > 0 && (isNamed(text, "current") || Is(text, PageNames))
		found = isCurrent || m.hasPluralOf(text) && l.asksFor(text, page)
		return !found
	})
	return found
}

// asksFor tells whether a parameter of the address has that name, and that number.
func (l *looker) asksFor(text string, n int64) bool {
	for name, values := range l.query() {
		if paramName(name) == Normal(text) && slices.Contains(values, strconv.FormatInt(n, 10)) {
			return true
		}
	}
	return false
}

// whatIsLeft adds a number of what is left, if it is more than none.
func (l *looker) whatIsLeft(m *name, path item.Path, value []byte, q quantity) {
	// A bare header counts calls.
	isBare := IsHeader(path) && !m.has(thing|pageWord)
	if l.foreign || isBare || isTime(value) {
		return
	}
	if q.n == 0 {
		l.aside.NoLeft = l.place(path)
		return
	}
	l.addNumber(Left, path, value, q)
}

// mayCount tells whether a member may be the number of all items by the words of its name, such
// as totalResultsCount, @odata.count, and release-count beside releases.
func (l *looker) mayCount(m *name, path item.Path, depth int) bool {
	text := path[len(path)-1]
	isBare := strings.EqualFold(text, "count") || m.is("total")
	switch {
	case isBare:
		return depth > 0 || l.sibling(path, func(_ name, text string) bool {
			return Is(text, PageNames|OffsetNames|SizeNames)
		})
	case m.is("results"), m.is("records"):
		return !l.sibling(path, func(n name, _ string) bool { return n.has(all) && n.countsItems(l) })
	case m.is("size"):
		return l.sibling(path, func(n name, _ string) bool { return n.isSize() })
	case m.is("length"):
		return l.standsAloneByItems(path)
	}
	return m.mayBeTotal(l)
}

// standsAloneByItems tells whether the object around the items has the member at path, and nothing else. A length of anything
// else has other members beside it, too.
func (l *looker) standsAloneByItems(path item.Path) bool {
	if path[:len(path)-1].String() != objectAround(l.answer.Field) {
		return false
	}
	isAlone := true
	l.eachSibling(path, func(string, []byte) bool {
		isAlone = false
		return false
	})
	return isAlone
}

// isInexact tells whether what stands beside a number says that it is none of all: exact is false, or
// estimated is true.
func (l *looker) isInexact(path item.Path) bool {
	found := false
	l.eachSibling(path, func(text string, value []byte) bool {
		m := read(text)
		if !m.has(inexact) {
			return true
		}
		is, _, ok := item.Flag(value)
		isExact := m.contains("exact") || m.contains("accurate")
		found = ok && is != isExact
		return !found
	})
	return found
}

// isOfItems tells whether a bare total at the top is one of items: where a page of
// many was asked for, and weakly where one may have come, or where it is as many.
func (l *looker) isOfItems(path item.Path, n int64) (is, weak bool) {
	if l.isOfPage(path) {
		return true, false
	}
	isWhole := n == int64(l.answer.Items)
	return isWhole || l.answer.mayBeFull(), true
}

// isOfPage tells whether numbers beside the member at path are about pages: where a
// page of many was asked for, or the answer says which one it is.
func (l *looker) isOfPage(path item.Path) bool {
	if l.reads.Sized {
		return true
	}
	isCounter := func(_ name, text string) bool { return Is(text, Counter) }
	return l.sibling(path, isCounter) || len(l.asked()) > 0
}

// mayCountAll tells whether a member is a bare count that may be that of all items: at the top, and in
// a container beside what says which page it is, unless the container is itself about pages, of which
// it may be the number.
func (l *looker) mayCountAll(path item.Path, depth int) bool {
	if depth == 0 {
		return true
	}
	around := Normal(path[len(path)-2])
	isOfPages := around == "page" || around == "pages"
	if isOfPages || l.inOther {
		return false
	}
	return l.sibling(path, func(_ name, text string) bool {
		return Is(text, PageNames|OffsetNames|SizeNames)
	})
}

// isCountOfAll tells whether a count is not that of the page, where a page of many
// was asked for, or the answer says which one it is, and weakly where one may have come.
func (l *looker) isCountOfAll(n int64, isPage bool) (is, weak bool) {
	if n <= int64(l.answer.Items) {
		return false, false
	}
	asked := l.asked()
	if slices.Contains(asked, strconv.FormatInt(n, 10)) {
		return false, false
	}
	if isPage || len(asked) > 0 {
		return true, false
	}
	return l.answer.mayBeFull(), true
}

// asked are the numbers by which the request says where its page is, or how long.
func (l *looker) asked() (all []string) {
	if l.reads.Sized {
		all = append(all, strconv.FormatInt(l.reads.Size, 10))
	}
	for name, values := range l.query() {
		if Is(name, Counter) {
			all = append(all, values...)
		}
	}
	return all
}

// SaysNone tells whether the answer says that there are no items: each number of items that it has is 0.
func (a *Answer) SaysNone() bool {
	isSaid := false
	for _, n := range a.Numbers() {
		m := read(n.Name)
		// A bare count may be any.
		isSome := m.n > 1 && (m.mayBeTotal(nil) || m.isEstimate())
		if !m.isTotal(nil) && !isSome {
			continue
		}
		if n.Value != 0 {
			return false
		}
		isSaid = true
	}
	return isSaid
}
