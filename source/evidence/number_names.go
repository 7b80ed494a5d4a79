package evidence

import "sluice/pipeline/item"

// What the name of a number says that it counts.

// countKinds are the words in the names of numbers of items.
const countKinds = all | sum | thing | small | inexact

// countsItems tells whether each word of the name is about numbers of items, or is a noun of
// them; size only beside total.
func (m *name) countsItems(of *looker) bool {
	for i, kinds := range m.kinds[:m.n] {
		word := string(m.word(i))
		isPaging := word == "paging" || word == "pagination"
		isSize := word == "size" && m.has(all)
		isKnown := kinds&countKinds != 0 || isPaging || isSize
		if !isKnown && !of.isNoun(m.word(i)) {
			return false
		}
	}
	return m.n > 0
}

// isTotal tells whether the name is that of the number of all items, and of nothing else: it
// has the word total, or found, matched or hits beside a word that counts.
func (m *name) isTotal(of *looker) bool {
	isAll := m.contains("total") || m.contains("totals") || (m.has(all) && m.has(sum))
	return isAll && m.countsItems(of)
}

// isCount tells whether the name is that of a number of items, be it of the page or of all: count, alone or beside a noun of
// the items.
func (m *name) isCount(of *looker) bool {
	isCounted := m.contains("count") || m.n > 1 && m.kinds[0]&sum != 0
	return isCounted && !m.has(all) && m.countsItems(of)
}

// mayBeTotal tells whether the name may be that of the number of all items.
func (m *name) mayBeTotal(of *looker) bool {
	if m.n == 0 {
		return false
	}
	isNumber := m.n > 1 && m.kinds[0]&sum != 0
	last := string(m.word(m.n - 1))
	isCount := m.has(all) || isNumber || last == "count"
	return isCount && m.countsItems(of)
}

// CountsAll tells whether a number is one of all items by its name: also of those that a filter has left.
func CountsAll(field item.Path) bool {
	m := read(field[len(field)-1])
	for i := range m.n {
		if string(m.word(i)) == "filtered" {
			m.kinds[i] |= all
		}
	}
	return m.has(all) && m.countsItems(nil)
}

// countsPages tells whether the name is that of the number of pages.
func (m *name) countsPages() bool {
	isPages := m.contains("page") || m.contains("pages")
	if !isPages || !m.only(pageWord|all|sum|end|sizeWord|small) {
		return false
	}
	isCounted := m.has(all|sum) || m.contains("last") || m.contains("max")
	isSize := m.contains("per") || m.contains("size") || m.contains("limit")
	// pagenumber and page_no name one page.
	isOne := !m.has(all) && string(m.word(m.n-1)) == "number"
	return isCounted && !isSize && !isOne
}

// countsUnlimited tells whether the name is that of the number of items before a limit was applied.
func (m *name) countsUnlimited() bool {
	return m.contains("before") && m.contains("limit") && m.has(thing|sum)
}

// isLeft tells whether the name is that of the number of items, or pages, that are left.
func (m *name) isLeft(of *looker) bool {
	return m.has(left) && m.onlyOr(left|thing|sum|small|pageWord|has, of)
}

// isSize tells whether the name is that of the number of items on a page.
func (m *name) isSize() bool {
	isSize := m.contains("max") || m.contains("limit") || m.contains("per") || m.contains("pagelen")
	isOfPage := m.has(pageWord) && m.has(sizeWord)
	if !isSize && !isOfPage {
		return false
	}
	return m.only(sizeWord | pageWord | thing | sum | small)
}

// isCeiling tells whether the name is that of how many results are shown at most: of all pages, and not of one.
func (m *name) isCeiling() bool {
	isMost := m.contains("max") || m.contains("maximum") || m.contains("limit")
	isOfPage := m.has(pageWord) || m.contains("per") || m.contains("size")
	if !isMost || isOfPage {
		return false
	}
	isOfResults := m.contains("window")
	for i, kinds := range m.kinds[:m.n] {
		isWindow := string(m.word(i)) == "window"
		if kinds&(sizeWord|thing|sum|small|all) == 0 && !isWindow {
			return false
		}
		isOfResults = isOfResults || kinds&(thing|all) != 0
	}
	return isOfResults
}

// hasPluralOf tells whether one of the words is the plural of another name.
func (m *name) hasPluralOf(one string) bool {
	one = Normal(one)
	for i := range m.n {
		if isPlural(string(m.word(i)), one) {
			return true
		}
	}
	return false
}

// isEstimate tells whether the name is that of about how many items there are, such as resultSizeEstimate.
func (m *name) isEstimate() bool {
	return m.has(inexact) && m.has(thing) && m.only(inexact|thing|sizeWord|sum|all|small)
}
