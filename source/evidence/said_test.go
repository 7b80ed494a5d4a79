package evidence_test

import (
	"reflect"
	"testing"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// said is what the members of an object say.
func said(object string) (all []evidence.Said) {
	for name, value := range item.Members([]byte(object)) {
		sum := xxhash.Sum64(value)
		all = append(all, evidence.Said{Name: xxhash.Sum64(name), Value: sum, Is: evidence.Tone(name, value)})
	}
	return all
}

func TestAnAnswerContradictsThoseBeforeByWhatAllOfThemSay(t *testing.T) {
	const ok, okx = `{"code":0,"message":"OK"}`, `{"code":"0","msg":""}`
	for name, c := range map[string]struct {
		pages []string
		last  string
		want  bool
	}{
		"a code and a message":              {[]string{ok}, `{"code":40100,"message":"Too many"}`, true},
		"a code in a text":                  {[]string{okx}, `{"code":"50011","msg":"Too many"}`, true},
		"a message that was null":           {[]string{`{"a":0,"b":null}`}, `{"a":7,"b":"Too many"}`, true},
		"a code alone, after two pages":     {[]string{ok, ok}, `{"code":429,"message":"OK"}`, true},
		"a code alone, after one":           {[]string{ok}, `{"code":429,"message":"OK"}`, false},
		"an object in place of a fine word": {[]string{`{"status":"ok"}`}, `{"status":{"error":"no"}}`, true},
		"another text, after two pages":     {[]string{`{"state":"READY"}`, `{"state":"READY"}`}, `{"state":"BUSY"}`, true},
		"another text, after one":           {[]string{`{"state":"READY"}`}, `{"state":"BUSY"}`, false},
		"another text beside a fine code":   {[]string{ok, ok}, `{"code":0,"message":"no more"}`, false},
		"what differed on pages with items": {[]string{`{"trace":"a"}`, `{"trace":"b"}`}, `{"trace":"c"}`, false},
		"what not all of them had":          {[]string{ok, `{"code":0,"hint":"a"}`}, `{"code":0,"hint":"b"}`, false},
		"what is empty or 0 at the end":     {[]string{`{"n":7,"s":"a"}`, `{"n":7,"s":"a"}`}, `{"n":0,"s":""}`, false},
		"numbers that count, and times": {
			[]string{`{"count":0,"took":0,"offset":0,"requestId":"a"}`}, `{"count":3,"took":2,"offset":9,"requestId":"b"}`, false,
		},
		"flags and what leads on": {[]string{`{"more":true,"next":"a"}`, `{"more":true,"next":"a"}`}, `{"more":false,"next":"b"}`, false},
	} {
		var around evidence.SteadyMembers
		for i, p := range c.pages {
			around.Learn(i+1, said(p))
		}
		if got := around.Contradicts(said(c.last)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestWhatPagesHaveAroundTheirItemsFoldsInAnyOrder(t *testing.T) {
	pages := []string{`{"code":0,"a":"x"}`, `{"code":0,"a":"y","b":"z"}`, `{"code":0,"b":"z"}`, `{"a":"x","code":0}`}
	var whole evidence.SteadyMembers
	for i, p := range pages {
		whole.Learn(i+1, said(p))
	}
	for _, order := range [][]int{{3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
		var left, right evidence.SteadyMembers
		for i, at := range order {
			part := &left
			if i > 1 {
				part = &right
			}
			part.Learn(at+1, said(pages[at]))
		}
		right.Fold(&left)
		right.Fold(&evidence.SteadyMembers{})
		if !reflect.DeepEqual(right, whole) {
			t.Errorf("%d: %+v, not %+v", order, right, whole)
		}
	}
	if !whole.Contradicts(said(`{"code":7}`)) || whole.Contradicts(said(`{"code":0,"a":"q"}`)) {
		t.Error("the code is that of all, and the other member is not")
	}
}

func TestACodeBesideAMessageIsAnErrorUnlessItIsFine(t *testing.T) {
	for object, want := range map[string]bool{
		`{"code":"50011","msg":"Too Many Requests"}`:       true,
		`{"status":429,"message":"slow down"}`:             true,
		`{"errcode":7,"errMsg":"no"}`:                      true,
		`{"code":"0","msg":"no data"}`:                     false,
		`{"code":200,"message":"no data"}`:                 false,
		`{"status":"0","message":"No transactions found"}`: false,
		`{"code":10000,"message":"success"}`:               false,
		`{"code":429,"message":""}`:                        false,
		`{"zip_code":429,"message":"a"}`:                   false,
		`{"count":429,"message":"a"}`:                      false,
		`{"code":{"of":"a"},"message":"a"}`:                false,
	} {
		if got := evidence.SaysError(said(object)); got != want {
			t.Errorf("%s: %t", object, got)
		}
	}
}

func TestAMemberTellsMoreThanThatAllIsWell(t *testing.T) {
	for object, want := range map[string][2]bool{
		`{"hint":"wait"}`:   {true, false},
		`{"hint":""}`:       {false, false},
		`{"busy":true}`:     {true, true},
		`{"busy":false}`:    {false, true},
		`{"success":true}`:  {false, false},
		`{"has_more":true}`: {false, true},
		`{"cost":7}`:        {false, true},
		`{"level":7}`:       {true, false},
		`{"errata":{}}`:     {true, false},
	} {
		is := said(object)[0].Is
		if got := [2]bool{evidence.Tells(is), evidence.Counts(is)}; got != want {
			t.Errorf("%s: tells, counts %t", object, got)
		}
	}
}
