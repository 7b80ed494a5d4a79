package markup

import (
	"maps"
	"slices"
)

// Options are what a configuration says of the mapping.
type Options struct {
	// Names that are a list also where they come once.
	Lists []string

	// Prefixes by which the names of a namespace are known, with its address.
	Namespaces map[string]string
}

// prefix is that of a namespace; empty: its names have none.
func (o *Options) prefix(space string) string {
	for _, prefix := range slices.Sorted(maps.Keys(o.Namespaces)) {
		if o.Namespaces[prefix] == space {
			return prefix
		}
	}
	return ""
}
