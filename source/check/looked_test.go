package check_test

import (
	"fmt"
	"testing"

	"sluice/source/check"
)

// A page may hold all that there is.
func TestOnlyTheFirstThousandItemsOfAPageAreCompared(t *testing.T) {
	page := func(from int) (items []string) {
		for i := range 5000 {
			items = append(items, fmt.Sprintf(`{"id":%d,"name":"n%[1]d"}`, from+i))
		}
		return items
	}
	for from, want := range map[int]int{0: 0, 10: 10, 5000: 1000} {
		others, held := check.Compare(page(0), page(from))
		// The texts, and two members.
		if others != want || held != 3*1000 {
			t.Errorf("%d of the items from %d on are others, and %d hashes are held", others, from, held)
		}
	}
}
