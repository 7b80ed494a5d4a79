package check_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/source/check"
)

func TestTheWorkForTheArraysOfAnObjectGrowsAsTheObject(t *testing.T) {
	work := func(arrays int) float64 {
		var members []string
		for i := range arrays {
			members = append(members, fmt.Sprintf(`"k%d":[{"id":%d}]`, i, i))
		}
		object := []byte("{" + strings.Join(members, ",") + "}")
		if got := check.Arrays(object); len(got) != arrays {
			t.Errorf("found %d of %d", len(got), arrays)
		}
		return testing.AllocsPerRun(1, func() { check.Arrays(object) })
	}
	few, many := work(30), work(600)
	if many > 40*few {
		t.Errorf("%.0f allocations for 30 arrays, %.0f for 600", few, many)
	}
}
