package verdict

import (
	"cmp"
	"slices"
)

// An API may end its list with an item that says that there is none: {"error": "Result set was empty"}. It stands alone on its page, and
// lacks what told the items of the first page apart.

// A Lone is what the last page with items of a walk has if it has one item alone, and by what that is compared.
type Lone struct {
	// Opening is the number of the first page with items, and Apart are hashes of the names of members that told its items apart: their
	// key, or others that all of them have; none: nothing did, or there was one item.
	Opening int      `json:"opening,omitempty"`
	Apart   []uint64 `json:"apart,omitempty"`
	// Page is the number of the last page with one item in an array, 0: there is none. Own are names that this item has.
	Page  int      `json:"page,omitempty"`
	Own   []uint64 `json:"own,omitempty"`
	Field string   `json:"at,omitempty"`
}

// loneOf is what a page with items shows.
func loneOf(r *Record) Lone {
	l := Lone{Opening: r.Page}
	if r.Items > 1 {
		l.Apart = sorted(r.Apart)
	}
	if r.Lone {
		l.Page, l.Own, l.Field = r.Page, sorted(r.Own), r.Field
	}
	return l
}

// fold takes the first of the pages that open the walk, and the last of those with one item.
func (l *Lone) fold(other Lone) {
	isEarlier := l.Opening == 0 || cmp.Or(cmp.Compare(other.Opening, l.Opening), slices.Compare(other.Apart, l.Apart)) < 0
	if other.Opening > 0 && isEarlier {
		l.Opening, l.Apart = other.Opening, other.Apart
	}
	isLater := cmp.Or(cmp.Compare(other.Page, l.Page), slices.Compare(other.Own, l.Own), cmp.Compare(other.Field, l.Field)) > 0
	if isLater {
		l.Page, l.Own, l.Field = other.Page, other.Own, other.Field
	}
}

// isUnlike tells whether the only item of the page, the last one with items, lacks something that told the items of the first one apart.
func (l *Lone) isUnlike(last int) bool {
	isLast := l.Page == last && l.Page > l.Opening
	return isLast && len(common(l.Apart, l.Own)) < len(l.Apart)
}
