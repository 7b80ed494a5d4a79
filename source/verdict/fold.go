package verdict

import (
	"cmp"
	"slices"
)

// How facts of several pages, walks or shards become one.

// firstOf is the one of two that comes first by their order; nil: there is none.
func firstOf[T interface {
	comparable
	Compare(other T) int
}](a, b T) T {
	var none T
	switch {
	case a == none:
		return b
	case b == none, a.Compare(b) <= 0:
		return a
	}
	return b
}

// leastOf is the lesser of two pages, or places; the zero value is none.
func leastOf[T cmp.Ordered](a, b T) T {
	var none T
	if a == none || b == none {
		return max(a, b)
	}
	return min(a, b)
}

// orderOfFlags puts what is not set in front.
func orderOfFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// enter finds what is known of the same as one in a sorted list; nil: nothing was, and one is entered. Of a list that is longer
// than most, the least are kept.
func enter[S ~[]E, E any](all *S, one E, most int, compare func(E, E) int) (known *E) {
	at, isKnown := slices.BinarySearchFunc(*all, one, compare)
	if isKnown {
		return &(*all)[at]
	}
	*all = slices.Insert(*all, at, one)
	*all = (*all)[:min(len(*all), most)]
	return nil
}
