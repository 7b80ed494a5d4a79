package evidence

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// noItems are names of arrays that have no items of their own, also where they have
// as many as were asked for.
var noItems = strings.Fields(
	"included includes link links fields columns facets errors warnings headers")

// MayHaveItems tells whether an array may be what was asked for, by its path.
func MayHaveItems(path string) bool {
	name := Normal(lastStep(path))
	return !slices.ContainsFunc(noItems, func(other string) bool {
		isHeaders := other == "headers" && strings.HasSuffix(name, other)
		return name == other || isHeaders
	})
}

// Misspelt tells whether what leads nowhere may be meant for the array at another
// path: its last step is the same, but for one edit, case, or the plural.
func Misspelt(wrong item.Path, path string) bool {
	if len(wrong) == 0 {
		return false
	}
	a, b := Normal(wrong[len(wrong)-1]), Normal(lastStep(path))
	if a == "" || strings.Trim(a, "0123456789*.") == "" {
		return false
	}
	inOtherNumber := isPlural(a, b) || isPlural(b, a)
	if a == b || inOtherNumber {
		return true
	}
	// In short names one letter says too much.
	const short = 4
	return min(len(a), len(b)) >= short && config.Distance(a, b) == 1
}

// isPlural tells whether a name is the plural of another one in lower case.
func isPlural(name, one string) bool {
	stem, endsInY := strings.CutSuffix(one, "y")
	if endsInY && name == stem+"ies" {
		return true
	}
	return name == one+"s" || name == one+"es"
}

// lastStep is the name of what a path leads to.
func lastStep(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// objectAround is the path of the object in which the last step of a path stands; empty: it stands at the top.
func objectAround(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, lastStep(path)), ".")
}
