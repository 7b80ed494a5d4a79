package evidence_test

import (
	"testing"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

func TestAPathIsMisspeltWhoseLastStepIsNearThatOfAnArray(t *testing.T) {
	for path, near := range map[string]map[string]bool{
		"data.user":  {"data.users": true, "users": true, "data.User": true, "data.used": true, "data.use": false, "data.groups": false},
		"items":      {"result.items": true, "item": true, "Items": true, "itmes": true, "its": false},
		"companies":  {"company": true, "companion": false},
		"boxes":      {"box": true},
		"data.*.row": {"rows": true, "rob": false},
		"1":          {"2": false, "0.1": false},
		"data.*":     {"list": false},
		"hit":        {"hot": false, "hits": true},
	} {
		for other, want := range near {
			if evidence.Misspelt(item.ParsePath(path, "."), other) != want {
				t.Errorf("%s for %s: not %t", path, other, want)
			}
		}
	}
}

func TestSomeArraysHaveNoItemsOfTheirOwn(t *testing.T) {
	for path, want := range map[string]bool{
		"rows": true, "data.included": false, "link": false, "schema.fields": false, "dimensionHeaders": false, "Errors": false,
	} {
		if evidence.MayHaveItems(path) != want {
			t.Errorf("%s: not %t", path, want)
		}
	}
}
