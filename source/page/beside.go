package page

import "sluice/pipeline/item"

// BesideItems are what a response has beside its items, of each kind the first few.
type BesideItems struct {
	// Those that are not empty, and in no other array.
	Arrays []Array

	// Of a page with NoArray: members that are a text, a number or true.
	Scalars []item.Found

	// The notable members: those of repeated keys all, a value of more than 64 KiB cut there.
	Notable []item.Found

	// Paths of members in the objects that lead to the items or to what is wanted.
	Names []string

	// The members around the items.
	Members []HashedMember

	// Hollow: the object in which the items would stand is there, and has nothing.
	Hollow bool
}

// A HashedMember is a member around the items: hashes of its name and value, and what Says tells of it. The hash of an
// object or array is 0.
type HashedMember struct {
	Name, Value uint64
	Says        uint8
	// Hollow: it is an object or array that has nothing.
	Hollow bool
}

// An Array is one that stands beside the items.
type Array struct {
	Path string

	// Elements of it; of a path that lines have several times the most.
	Items int
}

// has enters how many elements an array has.
func (a *Array) has(elements int) { a.Items = max(a.Items, elements) }

// What is kept of the members around the items, and of the names that lead to them.
const (
	notableMost = 64
	namesMost   = 200
)

// withRoom gives a list its first room at once, which is enough for most pages.
func withRoom[T any](list []T) []T {
	const usual = 8
	if list == nil {
		return make([]T, 0, usual)
	}
	return list
}
