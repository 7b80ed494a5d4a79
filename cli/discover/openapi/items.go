package openapi

import (
	"slices"
	"strings"
)

// itemsOf is the place of the items of an answer.
func (d *APIDocument) itemsOf(o *operation, a surroundings) itemLocation {
	if a.root.kind == "array" {
		return itemLocation{isThere: true, item: d.shape(a.root.items)}
	}
	// A path that names one thing has pages only if a parameter asks for them.
	isOne := strings.HasSuffix(o.path, "}")
	isPaged := o.pages() || !isOne && (a.saysMore() || o.first(sizes) != nil)
	c := chooser{around: &a, segment: segmentOf(o.path), isPaged: isPaged, isOne: isOne}
	c.hasThings = !isOne && len(a.arrays) == 1 && slices.ContainsFunc(d.operations, o.isAbove)
	best, highest := -1, 0
	var others []string
	for i := range a.arrays {
		rank := c.rank(&a.arrays[i], d.shape(a.arrays[i].shape.items))
		if rank > 0 {
			others = append(others, a.arrays[i].String())
		}
		if rank > highest {
			best, highest = i, rank
		}
	}
	if best < 0 {
		return itemLocation{}
	}
	found := &a.arrays[best]
	others = slices.DeleteFunc(others, func(other string) bool { return other == found.String() })
	return itemLocation{isThere: true, path: found.path, others: others, item: d.shape(found.shape.items)}
}

// saysMore tells whether an answer says how it goes on, or how much there is.
func (a *surroundings) saysMore() bool {
	for _, of := range []usualNames{links, tokens, moreFlags} {
		if s := a.find(of, always); s != nil && len(s.path) <= 3 && !isOfItem(s) {
			return true
		}
	}
	return false
}

// isOfItem tells whether a value seems to be one of a thing, such as the token of a user, not of the answer.
func isOfItem(s *answerValue) bool {
	return slices.Contains([]string{"token", "start", "offset", "after", "next", "marker", "cursor"}, plain(s.last())) && len(s.path) == 1
}

// A chooser ranks arrays by how likely they hold the items.
type chooser struct {
	around *surroundings

	// segment is what the path calls the items.
	segment string

	// isPaged: the operation has pages; isOne: its path names one thing.
	isPaged, isOne bool

	// hasThings: the answer has one array, and a path below the operation names one thing.
	hasThings bool
}

// isOfOne tells whether an array is in the one thing that the path calls by its name, as the books of an author are in the
// member author of what /author answers.
func (c *chooser) isOfOne(at *answerValue) bool {
	name := plain(c.segment)
	isThing := func(step string) bool { return plain(step) == name && !containers.has(step) }
	return name == singular(name) && !containers.has(at.last()) && slices.ContainsFunc(at.path[:len(at.path)-1], isThing)
}

// isAlone tells whether an array is all that there is in the answer, beside what is said of pages.
func (c *chooser) isAlone(at *answerValue) bool {
	return len(c.around.root.members) == 1 && !c.isBesideValues(at)
}

// isBesideValues tells whether values that say nothing of pages stand beside an array, as in a thing that has a list.
func (c *chooser) isBesideValues(at *answerValue) bool {
	within := at.path[:len(at.path)-1]
	isBeside := func(s answerValue) bool {
		isOfPages := slices.ContainsFunc([]usualNames{links, tokens, moreFlags, endFlags, totals, pages, offsets, sizes},
			func(of usualNames) bool { return of.has(s.last()) })
		return !isOfPages && len(s.path) > 1 && slices.Equal(s.path[:len(s.path)-1], within)
	}
	return slices.ContainsFunc(c.around.scalars, isBeside)
}

// rank is how likely an array holds the items; 0: it does not.
func (c *chooser) rank(at *answerValue, item *schemaShape) int {
	isNamed := containers.has(at.last()) || isAlike(at.last(), c.segment)
	isObjects := item.kind == "object"
	mayBe := (c.isPaged || c.hasThings && len(at.path) <= 2) && isObjects || isNamed || c.isAlone(at) || at.path[0] == "_embedded"
	isAside := asides.has(at.last()) && !isAlike(at.last(), c.segment)
	// What a path with a parameter at its end returns may be a list, such as the fields of a table, if it is nothing else.
	isOne := c.isOne && !(isObjects && c.isAlone(at))
	isOfThing := isOne || c.isOfOne(at) || len(at.path) > 2 && c.isBesideValues(at)
	if isAside || !mayBe || isOfThing && !c.isPaged {
		return 0
	}
	rank := 20 - 2*len(at.path)
	if isObjects {
		rank += 10
	}
	if containers.has(at.last()) {
		rank += 6
	}
	if isAlike(at.last(), c.segment) {
		rank += 8
	}
	return rank
}
