package paginate

import (
	"fmt"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A Range finds the least and the greatest number that the items of one page
// have at a path. [Paging.Range] makes one for each time that a page is read.
type Range struct {
	path            item.Path
	items           int
	least, greatest end
}

// end is a number, and the JSON text that it was read from.
type end struct {
	number expr.Decimal
	text   []byte
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
	if r.items == 1 || n.Compare(r.least.number) < 0 {
		r.least = end{n, append(r.least.text[:0], value...)}
	}
	if r.items == 1 || n.Compare(r.greatest.number) > 0 {
		r.greatest = end{n, append(r.greatest.text[:0], value...)}
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
