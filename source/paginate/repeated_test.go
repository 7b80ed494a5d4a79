package paginate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

const (
	theSame = "the page is the same as the one before it: the API may ignore the paging parameters"
	aSeam   = "page 2 begins with the item that the page before it ended with, so pages may overlap and items come twice: " +
		"check firstPage, limit and the paging parameters"
	byID = "the items of the page before, by their id, with other texts: the API may ignore the paging parameters; " +
		"if these are other items, set unique to the member that tells them apart, or to false"
)

// never switches the keys off; by names paths of them.
var never = evidence.Unique{Never: true}

func by(paths ...string) (u evidence.Unique) {
	for _, path := range paths {
		u.Paths = append(u.Paths, item.ParsePath(path, "."))
	}
	return u
}

func TestAPageIsRepeatedByItsItems(t *testing.T) {
	const pagenum = `{"method":"pagenum"}`
	clocked := func(items string) []string {
		return []string{`{"now":1,"d":` + items + `}`, `{"now":2,"d":` + items + `}`, `{"now":3,"d":[]}`}
	}
	runAll(t, map[string]walkCase{
		"a clock in the envelope does not matter": {
			pagination: pagenum, pages: clocked(`[1,2]`)[:2], stop: "repeated page: unverified", warning: theSame,
		},
		"one item with a key is repeated": {
			pagination: pagenum, pages: clocked(`[{"id":1}]`)[:2], stop: "repeated page: unverified", warning: theSame,
		},
		"equal items without a key may be others": {
			pagination: pagenum, pages: clocked(`[{"ok":true},{"ok":true}]`), stop: "empty page: unverified", warning: aSeam,
		},
		"but not in the same answer": {
			pagination: pagenum, pages: []string{`[1,1]`, `[1,1]`}, stop: "repeated page: unverified", warning: theSame,
		},
		"with unique false only the same answer is": {
			pagination: pagenum, unique: never, pages: clocked(`[{"id":1},{"id":2}]`), stop: "empty page",
		},
		"or the same items of the same request": {
			pagination: `{"method":"response.param","responseParam":"t","queryParam":"t"}`, unique: never,
			pages: []string{`{"t":"x","n":1,"d":[1]}`, `{"t":"x","n":2,"d":[2]}`, `{"t":"x","n":3,"d":[2]}`},
			stop:  "repeated page: unverified", warning: theSame,
		},
		"the parameter is named that is ignored": {
			pagination: `{"method":"pagenum","pageParam":"p"}`,
			pages:      []string{`{"page":1,"total":9,"d":[1,2]}`, `{"page":1,"total":9,"d":[1,2]}`},
			stop:       "repeated page: unverified", warning: theSame + "; page is 1 on each page: the API ignores the parameter p",
		},
	})
}

func TestItemsThatComeAgainAreCounted(t *testing.T) {
	const pagenum = `{"method":"pagenum"}`
	ids := func(pages ...string) (all []string) {
		for _, page := range pages {
			var items []string
			for id := range strings.FieldsSeq(page) {
				items = append(items, `{"id":`+id+`,"v":`+fmt.Sprint(len(all))+`}`)
			}
			all = append(all, "["+strings.Join(items, ",")+"]")
		}
		return all
	}
	runAll(t, map[string]walkCase{
		"nor pages of the same, where keys turn out to mean nothing": {
			pagination: pagenum, stop: "empty page",
			pages: []string{`[{"id":1,"v":1},{"id":2}]`, `[{"id":1,"v":2},{"id":2}]`, `[{"id":3,"v":1},{"id":3,"v":2}]`, `[]`},
		},
		"a number that is not on the first page does not stand still": {
			pagination: `{"method":"response.param","responseParam":"t","queryParam":"t"}`,
			pages: []string{
				`{"t":"a","d":[{"id":1}]}`, `{"t":"b","d":[]}`, `{"t":"c","page":9,"d":[{"id":2,"v":1}]}`,
				`{"page":9,"d":[{"id":2,"v":2}]}`,
			},
			stop: "no next page: unverified", warning: "1 page has " + byID,
		},
		"on any page": {
			pagination: pagenum, pages: ids("1 2", "3 4", "1 5", "4 6", ""), again: 2, stop: "empty page: unverified",
		},
		"unless a key stands twice on one page": {
			pagination: pagenum, pages: ids("1 2", "2 3", "4 4", "1 2", ""), stop: "empty page",
		},
		"also on the first": {pagination: pagenum, pages: ids("1 1", "1 2", "1 3", ""), stop: "empty page"},
		"or unique is false": {
			pagination: pagenum, unique: never, pages: ids("1 2", "2 3", ""), stop: "empty page",
		},
		"by a path of one's own": {
			pagination: pagenum, unique: by("k.x"), again: 1, stop: "empty page: unverified",
			pages: []string{`[{"k":{"x":0}},{"k":{"x":1}}]`, `[{"id":1},{"k":{"x":0}}]`, `[]`},
		},
		"by several": {
			pagination: pagenum, unique: by("id", "v"), again: 1, stop: "empty page: unverified",
			pages: []string{`[{"id":1,"v":1},{"id":1,"v":2}]`, `[{"id":2,"v":1},{"id":1,"v":2,"x":1}]`, `[]`},
		},
		"an item without a key has none, and the others keep theirs": {
			pagination: pagenum, again: 1, stop: "empty page: unverified",
			pages: []string{`[{"id":1},{"id":""}]`, `[{"id":1},{"id":null}]`, `[]`},
		},
		"0 is a key": {
			pagination: pagenum, again: 1, stop: "empty page: unverified",
			pages: []string{`[{"id":1},{"id":0}]`, `[{"id":0},{"id":5}]`, `[]`},
		},
		"what most items lack is no key": {
			pagination: pagenum, stop: "empty page",
			pages: []string{`[{"id":1},{"n":2},{"n":3}]`, `[{"id":1},{"n":4},{"n":5}]`, `[]`},
		},
		"the next that more have is": {
			pagination: pagenum, again: 1, stop: "empty page: unverified",
			pages: []string{`[{"id":1,"uuid":"a"},{"id":"","uuid":"b"}]`, `[{"uuid":"a"},{"id":1}]`, `[]`},
		},
		"without keys the seam counts": {
			pagination: pagenum, pages: []string{`[1,2]`, `[2,3]`, `[3,1]`, `[]`}, stop: "empty page: unverified", warning: aSeam,
		},
		"but not with unique false": {
			pagination: pagenum, unique: never, pages: []string{`[1,2]`, `[2,3]`, `[]`}, stop: "empty page",
		},
		"not what the cursor named": {
			pagination: `{"method":"cursor","idKey":"at","param":"since"}`, stop: "empty page",
			pages: []string{`[{"id":1,"at":5},{"id":2,"at":7},{"id":3,"at":7}]`, `[{"id":2,"at":7},{"id":3,"at":7},{"id":4,"at":8}]`, `[]`},
			warning: "page 2 begins with 2 items that ended the page before, since the cursor names it: " +
				"\"inclusive\": true in api.pagination drops what comes again like this",
		},
		"nor with inclusive, which drops it": {
			pagination: `{"method":"cursor","idKey":"at","param":"since","inclusive":true}`, stop: "empty page",
			pages: []string{`[{"id":1,"at":5},{"id":2,"at":7},{"id":3,"at":7}]`, `[{"id":2,"at":7},{"id":3,"at":7},{"id":4,"at":8}]`, `[]`},
		},
		"not the value that was sent": {
			pagination: `{"method":"response.param","responseParam":"n","queryParam":"from"}`, stop: "no next page: unverified", again: 1,
			pages: []string{`{"n":"2","d":[{"id":1},{"id":2}]}`, `{"n":"4","d":[{"id":2},{"id":4}]}`, `{"d":[{"id":4},{"id":1}]}`},
		},
		"not in an export of Zendesk": {
			pagination: `{"method":"zendesk.response.url"}`, stop: "no next page",
			pages: []string{`{"next_page":"b","d":[{"id":1},{"id":2}]}`, `{"d":[{"id":2},{"id":3}]}`},
		},
	})
}

func TestPagesWithTheSameKeysAreDoubted(t *testing.T) {
	page := func(n int, next string) string {
		return fmt.Sprintf(`{"next_page":%q,"self":"me","page":1,"d":[{"id":1,"age":%d},{"id":2}]}`, next, n)
	}
	for name, c := range map[string]struct {
		pagination string
		pages      int
		stop, warn string
	}{
		"a few are counted at the end": {
			`{"method":"pagenum","forceStop":{"pages":3}}`, 3, "forceStop.pages: unverified",
			"2 pages have " + byID + "; page is 1 on each page: the API ignores the parameter page",
		},
		"many are told at once": {
			`{"method":"pagenum"}`, 101, "repeated items: unverified",
			"10 pages in a row have " + byID + "; page is 1 on each page: the API ignores the parameter page",
		},
		"a link that leads to its own page is not followed": {
			`{"method":"response.url","urlKey":"self","forceStop":{"pages":4}}`, 4, "forceStop.pages: unverified",
			"2 pages have " + byID + "; page is 1 on each page",
		},
		"the series of a link that was followed are right": {
			`{"method":"response.url"}`, 150, "no next page", "",
		},
	} {
		var pages []string
		for n := range c.pages {
			next := fmt.Sprint("p", n)
			if n == c.pages-1 {
				next = ""
			}
			pages = append(pages, page(n, next))
		}
		t.Run(name, walkCase{pagination: c.pagination, pages: pages, stop: c.stop, warning: c.warn}.run)
	}
}

func TestPagesAreTheSameByAllMembersButOneWhereItemsHaveNoKey(t *testing.T) {
	const series = `[{"country":"DE","at":%[1]d,"value":%[1]d},{"country":"FR","at":%[1]d,"value":%[1]d}]`
	ages := func(n int) string {
		return fmt.Sprintf(`{"page":1,"all":4,"next":"e","d":[{"gid":1,"n":"a","age":%d},{"gid":2,"n":"b","age":%[1]d}]}`, n)
	}
	byGID := strings.Replace(byID, "their id", "their gid", 1)
	still := "; page is 1 on each page: the API ignores the parameter page"
	for name, c := range map[string]struct {
		pagination string
		pages      int
		page       func(n int) string
		stop, warn string
	}{
		"they end a walk as those of the same keys do": {
			`{"method":"pagenum"}`, 101, ages, "repeated items: unverified", "10 pages in a row have " + byGID + still,
		},
		"and are doubted where they fill a total": {
			`{"method":"pagenum","limitStop":{"field":"all"}}`, 2, ages, "limitStop.field: unverified", "1 page has " + byGID + still,
		},
		"but not where a link led to them": {
			`{"method":"response.url","urlKey":"next","forceStop":{"pages":2}}`, 2, ages, "forceStop.pages: unverified", "",
		},
		"nor if two members differ, as in a series": {
			`{"method":"pagenum","emptyStop":true}`, 13, func(n int) string {
				if n == 12 {
					return `[]`
				}
				return fmt.Sprintf(series, n)
			}, "empty page", "",
		},
		"nor where they have one item": {
			`{"method":"response.url","urlKey":"next","includeParams":true}`, 3, func(n int) string {
				return []string{`{"next":"e","d":[{"gid":1,"age":1}]}`, `{"next":"e","d":[{"gid":1,"age":2}]}`, `{"d":[{"gid":1,"age":3}]}`}[n]
			}, "no next page", "",
		},
	} {
		var pages []string
		for n := range c.pages {
			pages = append(pages, c.page(n))
		}
		t.Run(name, walkCase{pagination: c.pagination, pages: pages, stop: c.stop, warning: c.warn}.run)
	}
}

func TestTotalsThatShrinkAreDoubted(t *testing.T) {
	const offset = `{"method":"offset","limit":2}`
	less := "total fell from 5 to 4 while the pages were read: items were removed, " +
		"and others may have been missed. Run again when the list does not change, or page by a cursor"
	pages := func(totals ...int) (all []string) {
		for i, total := range totals {
			items := fmt.Sprintf(`{"id":%d},{"id":%d}`, 2*i+1, 2*i+2)
			if i == len(totals)-1 {
				items = ""
			}
			all = append(all, fmt.Sprintf(`{"total":%d,"d":[%s]}`, total, items))
		}
		return all
	}
	runAll(t, map[string]walkCase{
		"less than before": {pagination: offset, pages: pages(5, 4, 3), stop: "underflow: unverified", warning: less},
		"more is no sign":  {pagination: offset, pages: pages(3, 4, 4), stop: "underflow"},
		"less than came": {
			pagination: offset, pages: pages(5, 5, 5, 5), stop: "underflow: unverified",
			warning: "6 items came where the answer says 5 at total: some may have come twice, " +
				"and others may be missing: sort by a unique member",
		},
		"less by a page, but not on": {
			pagination: offset, pages: pages(9, 7, 7, 7), stop: "underflow: unverified", warning: strings.NewReplacer("from 5 to 4", "from 9 to 7").Replace(less),
		},
		"more than a page less behind the end is an estimate put right": {
			pagination: offset, pages: pages(90, 90, 4), stop: "underflow",
		},
		"but not if another number came": {
			pagination: offset, pages: pages(90, 90, 5), stop: "underflow: unverified",
			warning: strings.Replace(less, "from 5 to 4", "from 90 to 5", 1),
		},
		"the number of those that are left": {pagination: offset, pages: pages(6, 4, 2, 0), stop: "underflow"},
		"but not if others came after it": {
			pagination: offset, pages: pages(9, 7, 5, 3), stop: "underflow: unverified",
			warning: strings.Replace(less, "from 5 to 4", "from 9 to 7", 1),
		},
		"a number of pages is none": {pagination: offset, pages: pages(3, 3, 3), stop: "underflow"},
		"trustEnd does not silence it": {
			pagination: `{"method":"offset","limit":2,"trustEnd":true}`, pages: pages(5, 4, 4), stop: "underflow: unverified", warning: less,
		},
		"but more than it are the end that counts": {
			pagination: `{"method":"offset","limit":2,"trustEnd":true}`, pages: pages(5, 5, 5, 5), stop: "underflow",
		},
		"twice as many are told once": {
			pagination: offset, pages: pages(5, 5, 5, 5, 5, 5, 5)[:6], stop: "beyond the total: unverified",
			warning: "12 items came, where the answers say that there are 5, at total: the API may give the same items again: " +
				"check offsetParam (offset) and limitParam (limit) of api.pagination; if that number is not the total, set \"trustEnd\": true in the job",
		},
		"unique false does":            {pagination: offset, unique: never, pages: pages(5, 4, 4), stop: "underflow"},
		"the number of a page is none": {pagination: offset, pages: pages(2, 2, 0), stop: "underflow"},
		"limitStop watches its own": {
			pagination: `{"method":"offset","limit":2,"limitStop":{"field":"total"}}`, pages: pages(3, 3)[:2], stop: "underflow: incomplete",
			warning: "2 items came where the response says 3 at total",
		},
		"links may lead anywhere": {
			pagination: `{"method":"response.url"}`, stop: "no next page",
			pages: []string{`{"next_page":"b","total":5,"d":[{"id":1}]}`, `{"total":2,"d":[{"id":2}]}`},
		},
	})
}

// Whatever is asked for ahead, walks of the same answers end with the same words: the
// state alone says what a page means, so it may be written down at any time.
func TestKeysAreKnownInAStateThatIsWrittenDown(t *testing.T) {
	paging := mustCompile(t, `{"method":"pagenum"}`, "")
	serve := func(n int, _ *paginate.Request) answer {
		if n == 60 {
			return answer{body: `[]`}
		}
		return answer{body: fmt.Sprintf(`[{"id":%d},{"id":"x%d"}]`, n*7%50+1, n)}
	}
	kept, written := walk(t, paging, paginate.Job{}, true, serve), walk(t, paging, paginate.Job{}, false, serve)
	for _, tr := range []trace{kept, written} {
		if tr.again != 9 || tr.stop.Verdict != report.Unverified || tr.err != nil {
			t.Errorf("%d items came twice: %v, %v", tr.again, tr.stop, tr.err)
		}
	}
	if !slices.Equal(kept.warnings, written.warnings) {
		t.Errorf("got %q and %q", kept.warnings, written.warnings)
	}
}

func TestALastPageThatComesAgainEndsAWalkOfWhichAllItemsCame(t *testing.T) {
	const page = `{"method":"pagenum","limit":2}`
	runAll(t, map[string]walkCase{
		"by a total that was reached": {
			pagination: page, stop: "nothing new",
			pages: []string{`{"total_count":4,"d":[{"id":1},{"id":2}]}`, `{"total_count":4,"d":[{"id":3},{"id":4}]}`, `{"total_count":4,"d":[{"id":3},{"id":4}]}`},
		},
		"not before": {
			pagination: page, stop: "repeated page: unverified", warning: theSame,
			pages: []string{`{"total_count":6,"d":[{"id":1},{"id":2}]}`, `{"total_count":6,"d":[{"id":3},{"id":4}]}`, `{"total_count":6,"d":[{"id":3},{"id":4}]}`},
		},
	})
}
