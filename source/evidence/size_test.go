package evidence_test

import (
	"strings"
	"testing"

	"sluice/source/evidence"
)

func TestPeopleChooseRoundPageSizes(t *testing.T) {
	for n, want := range map[int]bool{
		0: false, 1: false, 5: false, 10: true, 15: false, 20: true, 25: true, 30: true, 50: true,
		40: true, 45: false, 60: true, 75: true, 80: true, 90: false, 100: true, 120: true, 125: false, 150: true, 200: true, 250: true, 300: false,
		500: true, 1000: true, 1010: false, 2000: true, 2500: false, 5000: true, 10000: true, 20000: false,
	} {
		if evidence.Round(n) != want {
			t.Errorf("%d: %t", n, !want)
		}
	}
}

func TestParametersAreNamedAsSizes(t *testing.T) {
	for name, want := range map[string]bool{
		"limit": true, "_limit": true, "$top": true, "per_page": true, "perPage": true, "page_size": true,
		"page[size]": true, "page[limit]": true, "pageSize": true, "max-results": true, "maxResults": true,
		"rows": true, "first": true, "take": true, "count": true, "num": true, "n": true, "size": true,
		"itemsPerPage": true, "resultsPerPage": true, "pageLimit": true,
		"page": false, "page[number]": false, "offset": false, "skip": false, "year": false, "id": false,
		"number": false, "accounts": false, "filter[size]": false, "country": false, "sizes": false,
	} {
		if evidence.IsSize(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

func TestAsManyItemsAsWereAskedForAreSuspicious(t *testing.T) {
	const usual = "a usual size of a page"
	const other = "the parameter `category` asks for"
	limit := func(n int64) evidence.Numbers {
		return evidence.Numbers{{Name: "category", Value: 12}, {Name: "limit", Value: n}}
	}
	for _, c := range []struct {
		asked evidence.Numbers
		items int
		want  string
	}{
		{nil, 0, ""},
		{nil, 1, ""},
		{nil, 12, ""},
		{nil, 10, usual},
		{limit(1), 1, ""},
		{limit(2), 2, "the parameter `limit` asks for"},
		{limit(3), 2, ""},
		{limit(100), 100, "the parameter `limit` asks for"},
		{limit(100), 99, ""},
		{limit(100), 12, other},
		{limit(12), 12, "the parameter `limit` asks for"},
		{evidence.Numbers{{Name: "category", Value: 9}}, 9, ""},
		{evidence.Numbers{{Name: "past_days", Value: 90}}, 90, ""},
		{evidence.Numbers{{Name: "months", Value: 30}}, 30, ""},
		{evidence.Numbers{{Name: "days", Value: 30}, {Name: "limit", Value: 30}}, 30, "the parameter `limit` asks for"},
		{evidence.Numbers{{Name: "days", Value: 7}}, 10, usual},
	} {
		got, by := c.asked.AsMany(c.items)
		if by == evidence.ByUsual {
			got += usual
		}
		isSized := by == evidence.BySize
		isBased := isSized == strings.Contains(got, "limit")
		if got != c.want || !isBased {
			t.Errorf("%d of %v: %q, want %q", c.items, c.asked, got, c.want)
		}
	}
}

func TestSizesAreFoundByTheWordsOfTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"resultRecordCount": true, "maxFeatures": true, "qopts.per_page": true, "hits": true,
		"wantedDocumentCount": true, "max-keys": true, "LIMIT_ROWS": true, "display.limit": true,
		"min_count": false, "max_days": false, "page": false, "year": false, "landing_page": false,
		"account": false, "counter": false, "": false,
	} {
		asked := evidence.Numbers{{Name: name, Value: 7}}
		if why, by := asked.AsMany(7); (by == evidence.BySize) != want {
			t.Errorf("%s: %q", name, why)
		}
	}
}

func TestItemsAreChosenThatASizeOfTheRequestAsksFor(t *testing.T) {
	var asked evidence.Numbers
	asked = asked.Asked("params", []byte(`{"page[size]":6,"$top":8,"limit":"9","page":4,"first":true}`))
	asked = asked.Asked("variables", []byte(`{"first":50}`))
	asked = asked.Asked("pagination[pageSize]", []byte(`7`))
	asked = asked.Asked("query", []byte(`"{ users(first: 33) { id } }"`))
	asked = asked.Asked("ids", []byte(`[5]`))
	for items, want := range map[int]bool{
		4: false, 5: false, 6: true, 7: true, 8: true, 9: true, 33: true, 50: true, 51: false, 2000: true,
	} {
		if asked.Chosen(items) != want {
			t.Errorf("%d of %v: not %t", items, asked, want)
		}
	}
}
