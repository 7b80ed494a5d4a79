package source_test

import (
	"testing"
	"testing/synctest"

	"sluice/fixtures/api"
	"sluice/source"
	"sluice/source/check"
)

// Of a first page that is asked for twice only the items of the last attempt are compared with those of the second.
func TestAFirstPageThatWasCutLeavesNoHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script, err := api.ParseScript(`> GET /a
< 200 cut=40
[{"id":7},{"id":8},{"id":9},{"id":10},{"id":11}]
< 200
[{"id":1},{"id":2}]
> GET /a?page=1
< 200
[{"id":7},{"id":8}]
> GET /a?page=49
< 200
[]
`)
		if err != nil {
			t.Fatal(err)
		}
		const text = `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "a"}]}}`
		var tries []check.Try
		err = compiled(t, text, source.Options{}, script).Check(t.Context(), true, func(c check.Result) error {
			tries = c.Tries
			return nil
		})
		if err != nil || len(tries) != 1 || tries[0].Others != 2 {
			t.Errorf("%v, tried %+v", err, tries)
		}
	})
}
