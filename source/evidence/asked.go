package evidence

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// requestSizes are names of parameters that ask for a number of items.
var requestSizes = strings.Fields("limit perpage pagesize count rows first top take maxresults size num n")

// roundNumbers are those that people choose as a number of items.
var roundNumbers = []int64{
	10, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 125, 150, 200, 250, 300, 400, 500,
	1000, 2000, 2500, 5000, 10000,
}

// Sizes are the numbers of items that a parameter of a request asks for: its value,
// or what an object has.
func Sizes(name string, value []byte) (all []int64) {
	if item.Kind(value) == '{' {
		for name, value := range item.Members(value) {
			all = append(all, Sizes(item.Unquote(name), value)...)
		}
		return all
	}
	n, ok := item.Integer(value)
	isNumber := ok && n >= 2
	// Of page[size] the name is size.
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '[')+1:], "]")
	if isNumber && slices.Contains(requestSizes, strings.TrimPrefix(Normal(name), "$")) {
		all = append(all, n)
	}
	return all
}

// IsChosen tells whether so many items are as many as were asked for, or a number
// that people choose.
func IsChosen(items int, sizes []int64) bool {
	n := int64(items)
	return slices.Contains(sizes, n) || slices.Contains(roundNumbers, n)
}

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
