package source_test

import (
	"testing"
	"testing/synctest"

	"sluice/fixtures/api"
	"sluice/source"
	"sluice/source/check"
)

// Of a first page that is asked for twice only the items of the last attempt are compared with those of the second.
func TestAFirstPageThatIsAskedForAgainLeavesNoHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script, err := api.ParseScript(`> GET /a
< 200
{"items":[{"id":7},{"id":8},{"id":9},{"id":10},{"id":11}],"busy":true}
< 200
{"items":[{"id":1},{"id":2}]}
> GET /a?page=1
< 200
{"items":[{"id":7},{"id":8}]}
> GET /a?page=49
< 200
{"items":[]}
`)
		if err != nil {
			t.Fatal(err)
		}
		const text = `{"api": {"baseUrl": "http://api.test/", "http": {"retryOn": ["busy==true"]}}, "config": {"jobs": [{"endpoint": "a"}]}}`
		var tries []check.Try
		err = compiled(t, text, source.Options{}, script).Check(t.Context(), true, func(c check.JobResult) error {
			tries = c.Tries
			return nil
		})
		if err != nil || len(tries) != 1 || tries[0].Others != 2 {
			t.Errorf("%v, tried %+v", err, tries)
		}
	})
}
