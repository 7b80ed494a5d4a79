package paginate

import (
	"fmt"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A Range finds the least and the greatest number that the items of one page
// have at a path. It is for one reading of one page.
type Range struct {
	path                    item.Path
	items                   int
	least, greatest         expr.Decimal
	leastText, greatestText []byte // JSON as the item has it
}

// NewRange returns a Range for [Needs].Range; nil if that is nil.
func NewRange(path item.Path) *Range {
	if path == nil {
		return nil
	}
	return &Range{path: path}
}

// Add takes the compact text of the next item, and keeps none of it. Its error
// says that there is no number.
func (r *Range) Add(text []byte) error {
	r.items++
	value := item.Lookup(text, r.path)
	n, ok := expr.DecimalOf(value)
	if !ok {
		what := kindName(value)
		if item.Kind(value) == '0' {
			what += " of too many digits"
		}
		return fmt.Errorf("idKey: item %d of the page has %s at %s, where the cursor needs a number", r.items, what, strings.Join(r.path, "."))
	}
	if r.items == 1 || n.Compare(r.least) < 0 {
		r.least, r.leastText = n, append(r.leastText[:0], value...)
	}
	if r.items == 1 || n.Compare(r.greatest) > 0 {
		r.greatest, r.greatestText = n, append(r.greatestText[:0], value...)
	}
	return nil
}

// kindName says in words what a value is; nil is none.
func kindName(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return item.Noun(item.Kind(value))
}
