package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// usualItems are what arrays of items are mostly called.
var usualItems = strings.Fields("data items results records value values " +
	"entry entries hits nodes edges rows content elements list")

// arrays finds the paths of those in an object that are not empty: first those of
// objects, of a usual name, or long.
func arrays(object []byte) []string {
	ranks := map[string]int64{}
	rankArrays(nil, object, ranks)
	return slices.SortedFunc(maps.Keys(ranks), func(a, b string) int {
		if ranks[a] != ranks[b] {
			return cmp.Compare(ranks[b], ranks[a])
		}
		return cmp.Compare(a, b)
	})
}

func rankArrays(at item.Path, object []byte, ranks map[string]int64) {
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		path := append(slices.Clip(at), name)
		switch kind := item.Kind(value); {
		case kind == '{' && len(at) < 4:
			rankArrays(path, value, ranks)
		// A dot in the name would divide dataField.
		case kind == '[' && !strings.Contains(name, "."):
			if first := item.Lookup(value, item.Path{"0"}); first != nil {
				ranks[path.String()] = rank(name, value, first)
			}
		}
	}
}

// rank is greater the likelier an array holds the items.
func rank(name string, array, first []byte) int64 {
	rank := int64(len(array))
	if item.Kind(first) == '{' {
		rank += 1 << 40
	}
	if slices.Contains(usualItems, strings.ToLower(name)) {
		rank += 1 << 41
	}
	return rank
}
