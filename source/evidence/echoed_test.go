package evidence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

func TestANumberInAnotherLanguageStandsBesideWhatWasAskedFor(t *testing.T) {
	reads := evidence.Reads{Sized: true, Size: 2}
	for name, c := range map[string]struct {
		beside string
		want   []evidence.Echoed
	}{
		"the size and the page":      {`{"meta":{"side":3,"per":2,"antall":9}}`, []evidence.Echoed{{At: "meta.antall", Number: 9, Position: 3}}},
		"no size":                    {`{"meta":{"side":3,"antall":9}}`, nil},
		"no page":                    {`{"meta":{"per":2,"antall":9}}`, nil},
		"no more than the page has":  {`{"meta":{"side":3,"per":2,"antall":2}}`, nil},
		"a number with a known name": {`{"meta":{"side":3,"per":2,"remaining":9}}`, nil},
		"a code":                     {`{"meta":{"side":3,"per":2,"code":9}}`, nil},
		"a known word beside others": {`{"meta":{"side":3,"per":2,"quantidadeTotalDeItens":9}}`, []evidence.Echoed{{At: "meta.quantidadeTotalDeItens", Number: 9, Position: 3}}},
		"words that are all known":   {`{"meta":{"side":3,"per":2,"resultsNumberAll":9}}`, []evidence.Echoed{{At: "meta.resultsNumberAll", Number: 9, Position: 3}}},
		"a status":                   {`{"meta":{"side":3,"per":2,"httpStatus":9}}`, nil},
		"without a filter":           {`{"meta":{"side":3,"per":2,"resultWithoutFilter":9}}`, []evidence.Echoed{{At: "meta.resultWithoutFilter", Number: 9, Position: 3}}},
		"of a user":                  {`{"meta":{"side":3,"per":2,"account":9}}`, nil},
		"the number of pages":        {`{"antall":9,"totalSider":5}`, []evidence.Echoed{{At: "antall", Number: 9, Position: 3, Pages: true}}},
		"another number":             {`{"antall":9,"totalSider":4}`, nil},
		"one page":                   {`{"antall":2,"totalSider":1}`, nil},
	} {
		a := answer(2, c.beside)
		a.Asked = at("https://a.test/x?side=3&per=2")
		_, aside := a.Heard(reads)
		if diff := cmp.Diff(c.want, aside.Echoed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	filtered := answer(2, `{"meta":{"side":3,"per":2,"resultWithoutFilter":9}}`)
	filtered.Asked = at("https://a.test/x?side=3&per=2&name=x")
	if _, aside := filtered.Heard(reads); aside.Echoed != nil {
		t.Errorf("what a filter leaves out: %v", aside.Echoed)
	}
	a := answer(2, `{"meta":{"side":3,"per":2,"antall":9}}`)
	a.Asked = at("https://a.test/x?side=3&per=2")
	reads.Paths = []item.Path{{"meta", "antall"}}
	if _, aside := a.Heard(reads); aside.Echoed != nil {
		t.Errorf("what limitStop reads: %v", aside.Echoed)
	}
}
