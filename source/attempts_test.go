package source_test

import (
	"testing"
	"testing/synctest"

	"sluice/fixtures/api"
	"sluice/source"
	"sluice/source/check"
)

// Of a page that is asked for twice only the items of the last attempt are compared with those of the first page.
func TestASecondPageThatWasCutLeavesNoHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script, err := api.ParseScript(`> GET /a?page=1
< 200
[{"id":1},{"id":2}]
> GET /a?page=2
< 200 cut=40
[{"id":7},{"id":8},{"id":9},{"id":10},{"id":11}]
< 200
[{"id":1},{"id":2}]
`)
		if err != nil {
			t.Fatal(err)
		}
		const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "pagenum"}}, "config": {"jobs": [{"endpoint": "a"}]}}`
		others := -1
		err = compiled(t, text, source.Options{}, script).Check(t.Context(), true, func(c check.Result) error {
			others = c.Others
			return nil
		})
		if err != nil || others != 0 {
			t.Errorf("%v, the second page has %d items that the first lacks", err, others)
		}
	})
}
