package evidence_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// stated is what an answer of two releases says that has that beside them: kind, place, number.
func stated(around string, status int, header ...string) string {
	a := evidence.Answer{Items: 2, Field: "data.releases", Array: true, Status: status, Header: http.Header{}}
	a.Asked = at("https://a.test/v2/boxes?state=running&cursor=sent")
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		a.Header.Add(name, value)
	}
	for name, value := range item.Members([]byte(around)) {
		a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
	}
	var all []string
	for _, s := range a.Signs(evidence.Reads{}) {
		text := string(s.Says) + " at " + s.At
		if s.Total != 0 {
			text += " " + strconv.FormatInt(s.Total, 10)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestAStatementIsReadByTheWordsOfItsName(t *testing.T) {
	for around, want := range map[string]string{
		// Flags.
		`{"hasMoreReleases":true}`:                    "more at hasMoreReleases",
		`{"more_boxes":"Yes"}`:                        "more at more_boxes",
		`{"HASMORE":"Y"}`:                             "more at HASMORE",
		`{"resultsTruncated":1}`:                      "more at resultsTruncated",
		`{"more_items_in_collection":true}`:           "more at more_items_in_collection",
		`{"endPosition":"1","next_in":"abc"}`:         "",
		`{"next":true}`:                               "more at next",
		`{"list_complete":false}`:                     "more at list_complete",
		`{"noMoreResults":true}`:                      "no more at noMoreResults",
		`{"eof":true}`:                                "no more at eof",
		`{"is_final_page":"N"}`:                       "more at is_final_page",
		`{"end_reached":true}`:                        "no more at end_reached",
		`{"isLast":0}`:                                "more at isLast",
		`{"last":1}`:                                  "",
		`{"has_more_options":true}`:                   "",
		`{"zuq_7":{"hasMoreBlarg":true}}`:             "",
		`{"zuq_7":{"hasMore":true}}`:                  "hint of more at zuq_7.hasMore",
		`{"zuq_7":{"has_next_page":"N"}}`:             "",
		`{"zuq_7":{"last_page":0}}`:                   "",
		`{"blarg_more":true,"lastZuq":false}`:         "",
		`{"paging":{"page":{"links":{"more":true}}}}`: "more at paging.page.links.more",
		`{"a":{"b":{"c":{"more":true}}}}`:             "hint of more at a.b.c.more",
		`{"a":{"b":{"c":{"d":{"more":true}}}}}`:       "",

		// What is not whole.
		`{"notices":[{"type":"result set truncated due to excessive load"}]}`:                            "partial at notices",
		`{"notices":[{"title":"Terms of Use"}]}`:                                                         "",
		`{"warnings":[{"message":"Some items could not be read."}]}`:                                     "partial at warnings",
		`{"warnings":[{"detail":"Some new zuqs could not be read."}]}`:                                   "partial at warnings",
		`{"warnings":["Some large images could not be resized."]}`:                                       "",
		`{"warnings":["Some facets could not be computed."]}`:                                            "",
		`{"warnings":["The zuq could not be parsed."]}`:                                                  "",
		`{"remark":"runtime error: Query timed out in zuq"}`:                                             "partial at remark",
		`{"message":"The import timed out"}`:                                                             "",
		`{"hints":[{"message":"The records were truncated"}]}`:                                           "partial at hints",
		`{"status":"REQUEST_NOT_PROCESSED"}`:                                                             "partial at status",
		`{"status":"NOT_MODIFIED"}`:                                                                      "",
		`{"stats":{"totalRows":120,"returnedRows":2}}`:                                                   "total at stats.totalRows 120",
		`{"stats":{"totalRows":120,"returnedRows":3}}`:                                                   "",
		`{"range":{"notification":"hard limit was reached, results are trimmed"}}`:                       "partial at range.notification",
		`{"exception":"Code: 159. DB::Exception: Timeout exceeded (TIMEOUT_EXCEEDED)"}`:                  "partial at exception",
		`{"warnings":[{"detail":"No response from some of the zuqs"}]}`:                                  "partial at warnings",
		`{"warnings":["Several sources did not respond."]}`:                                              "partial at warnings",
		`{"warnings":["Some columns did not respond to the filter."]}`:                                   "",
		`{"isNextPageAvailable":false,"isLastPageAvailable":false}`:                                      "no more at isNextPageAvailable",
		`{"rows":2,"rows_before_limit_at_least":9}`:                                                      "number at rows_before_limit_at_least 9",
		`{"exception":null,"exceptions":[]}`:                                                             "",
		`{"meta":{"hasIndexingErrors":true}}`:                                                            "partial at meta.hasIndexingErrors",
		`{"meta":{"hasIndexingErrors":false,"has_warnings":true}}`:                                       "",
		`{"author":{"hasLoginErrors":true}}`:                                                             "",
		`{"message":"There are 37 additional results that can be requested"}`:                            "left at message 37",
		`{"message":"Showing 2 results (1,037 more items)."}`:                                            "left at message 1037",
		`{"message":"0 more results, 37 other people"}`:                                                  "",
		`{"status":"OVERFLOW"}`:                                                                          "more at status",
		`{"info":[{"@name":"QUERY_STATUS","@value":"OK"},{"@name":"QUERY_STATUS","@value":"OVERFLOW"}]}`: "more at info.1.@value",
		`{"info":[{"name":"hasMore","value":"true"}]}`:                                                   "more at info.0.value",
		`{"info":[{"name":"query_status","value":"PARTIAL"}]}`:                                           "partial at info.0.value",
		`{"info":[{"name":"total","value":99},{"name":"status","value":"open"}]}`:                        "",
		`{"labels":[{"name":"status","value":"pending"},{"name":"a","value":"b"}]}`:                      "",
		`{"resultCountCapped":true}`:                                                                     "partial at resultCountCapped",
		`{"resultCountCapped":false}`:                                                                    "",
		`{"meta":{"resultMode":"Truncated"}}`:                                                            "partial at meta.resultMode",
		`{"zuq_7":"incomplete"}`:                                                                         "partial at zuq_7",
		`{"zuq_7":"partially","user":{"view":"partial"}}`:                                                "",

		// Numbers of all items.
		`{"totalItemsCount":82}`:                        "total at totalItemsCount 82",
		`{"TOTAL-RELEASES":"1,400"}`:                    "total at TOTAL-RELEASES 1400",
		`{"total_box":"400.0"}`:                         "total at total_box 400",
		`{"total_results":"137+"}`:                      "total at total_results (at least) 138",
		`{"total_items":"1,400,000"}`:                   "total at total_items 1400000",
		`{"total_items":"14,00"}`:                       "",
		`{"total_items":",400"}`:                        "",
		`{"total_items":"99,999,999,999,999,999,999"}`:  "",
		`{"range":"0-1/82"}`:                            "total at range 82",
		`{"showing":"1 - 2 of 82"}`:                     "total at showing 82",
		`{"numFound":82,"numFoundExact":false}`:         "number at numFound 82",
		`{"total_count":82,"exact":true}`:               "total at total_count 82",
		`{"search":{"matched":82}}`:                     "number at search.matched 82",
		`{"results":82}`:                                "number at results 82",
		`{"records":82,"total":2}`:                      "total at total 2",
		`{"size":82,"pagelen":2}`:                       "number at size 82",
		`{"size":82}`:                                   "",
		`{"data":{"length":82}}`:                        "number at data.length 82",
		`{"data":{"length":82,"artist":"a"}}`:           "",
		`{"box":{"length":82}}`:                         "",
		`{"length":82}`:                                 "",
		`{"blarg_total_zuq":82}`:                        "",
		`{"total_visitors_today":82,"cache_hits":82}`:   "",
		`{"zuq":{"total":82,"total_count":82}}`:         "",
		`{"total_results_returned":82,"ratio":"1/7"}`:   "",
		`{"total_count":"many","total_items":"1,4000"}`: "",
		`{"quota":{"total":82,"remaining":7}}`:          "",

		// Of what is about the answer as a whole, and of the nouns of its items.
		`{"results":{"total":82}}`:                           "total at results.total 82",
		`{"meta":{"results":{"skip":0,"total":82}}}`:         "total at meta.results.total 82",
		`{"metadata":{"resultset":{"offset":1,"count":82}}}`: "total at metadata.resultset.count 82",
		`{"header":{"total":82}}`:                            "total at header.total 82",
		`{"response":{"header":{"total_count":82}}}`:         "total at response.header.total_count 82",
		`{"hitCount":82}`:                                    "number at hitCount 82",
		`{"release-count":82}`:                               "number at release-count 82",
		`{"box_count":82}`:                                   "number at box_count 82",
		`{"rowCount":82,"num_results":2}`:                    "number at rowCount 82",
		`{"zuq_count":82,"zuqs":{"count":82,"offset":2}}`:    "",
		`{"box":{"total":82}}`:                               "number at box.total 82",
		`{"release_count":2}`:                                "",

		// Lower bounds.
		`{"found":">100"}`:                             "number at found (at least) 101",
		`{"total":">=10,000"}`:                         "total at total (at least) 10001",
		`{"total_count":"\u003e 137"}`:                 "total at total_count (at least) 138",
		`{"total_items":"≥137"}`:                       "total at total_items (at least) 138",
		`{"total_box":82,"relation":"gte"}`:            "total at total_box (relation gte) 83",
		`{"hits":{"total":82,"total_relation":"GTE"}}`: "total at hits.total (relation gte) 83",
		`{"total_box":82,"relation":"eq"}`:             "total at total_box 82",

		// Pages and sizes.
		`{"page":"1 of 7"}`:               "number of pages at page 7",
		`{"lastPage":7}`:                  "number of pages at lastPage 7",
		`{"number_of_pages":"7"}`:         "number of pages at number_of_pages 7",
		`{"max_page":7,"page_number":82}`: "number of pages at max_page 7",
		`{"total_pages":7,"max_page":82}`: "number of pages at total_pages 7",
		`{"perPage":2}`:                   "",
		`{"last":"/v2/boxes?page=7"}`:     "hint of more at last 7",
		`{"first":"/v2/boxes?page=7"}`:    "",

		// What is left.
		`{"remaining":80}`:             "left at remaining 80",
		`{"page":{"itemsLeft":80}}`:    "left at page.itemsLeft 80",
		`{"omitted_releases":80}`:      "left at omitted_releases 80",
		`{"remaining":0}`:              "",
		`{"remaining_credits":80}`:     "",
		`{"zuq":{"remaining":80}}`:     "",
		`{"left":"side","leftover":7}`: "",

		// What leads on.
		`{"resumptionToken":"abc"}`:                   "cursor at resumptionToken",
		`{"scroll_position":"abc"}`:                   "cursor at scroll_position",
		`{"page_token":"sent"}`:                       "",
		`{"start_cursor":"abc","previousCursor":"d"}`: "",
		`{"csrf_token":"abc","access_token":"abc"}`:   "",
		`{"position":"above the fold"}`:               "",
		`{"next_page":7,"current_page":6}`:            "next page at next_page",
		`{"next_page":7,"current_page":"7"}`:          "",

		// What says that the answer is not whole.
		`{"incomplete_results":true}`:                                   "partial at incomplete_results",
		`{"potentially_incomplete":true}`:                               "partial at potentially_incomplete",
		`{"timed_out":true}`:                                            "partial at timed_out",
		`{"timed_out":false,"terminated_early":"no"}`:                   "",
		`{"terminatedEarly":true}`:                                      "partial at terminatedEarly",
		`{"limited":"zuq","limitedTime":true}`:                          "",
		`{"status":"Partial"}`:                                          "partial at status",
		`{"state":"running"}`:                                           "",
		`{"status":"ok"}`:                                               "",
		`{"unreachable":["eu-west"]}`:                                   "partial at unreachable",
		`{"unreachable":[],"failures":{}}`:                              "",
		`{"_shards":{"total":5,"successful":5,"failed":0}}`:             "",
		`{"_shards":{"total":5,"successful":4,"failed":1}}`:             "partial at _shards.failed",
		`{"_shards":{"total":5,"successful":4}}`:                        "partial at _shards.successful",
		`{"passed":7,"failed":3}`:                                       "",
		`{"warnings":["deprecated"]}`:                                   "",
		`{"warnings":["the result is incomplete"]}`:                     "partial at warnings",
		`{"percent_complete":57}`:                                       "partial at percent_complete",
		`{"progress":"100%","searched_pct":100}`:                        "",
		`{"message":"Results were truncated"}`:                          "partial at message",
		`{"message":"limited company"}`:                                 "",
		`{"title":"Results of Limited Brands"}`:                         "",
		`{"meta":{"errors":["no node"]}}`:                               "partial at meta.errors",
		`{"errors":["told elsewhere"],"zuq":{"errors":["of its own"]}}`: "",
	} {
		if got := stated(around, 0); got != want {
			t.Errorf("%s: %q, want %q", around, got, want)
		}
	}
}

func TestHeadersAreReadByTheSameWords(t *testing.T) {
	for header, want := range map[string]string{
		"X-Zuq-Total-Count: 82":    "total at X-Zuq-Total-Count 82",
		"Zuq-Has-More: true":       "more at Zuq-Has-More",
		"X-Is-Last: false":         "more at X-Is-Last",
		"Zuq-Next-Page: 2":         "next page at Zuq-Next-Page",
		"X-Cursor: abc":            "cursor at X-Cursor",
		"X-Zuq-Page-Count: 7":      "number of pages at X-Zuq-Page-Count 7",
		"X-Items-Remaining: 80":    "left at X-Items-Remaining 80",
		"X-Remaining: 80":          "",
		"X-Ratelimit-Remaining: 8": "",
		"X-Csrf-Token: abc":        "",
		"X-Auth-Next: abc":         "",
		"X-Total-Zuq: 82":          "",
		"Zuq-Hits: 82":             "number at Zuq-Hits 82",
		"X-Records: 82":            "number at X-Records 82",
		"X-Cache-Hits: 82":         "",
		"X-Data: 82":               "",
		`X-Pagination: {"TotalCount": 82, "HasNext": true, "next": "/v2/boxes?page=2"}`: "total at X-Pagination TotalCount 82, more at X-Pagination HasNext, next page at X-Pagination next",
		`X-Pagination: {"TotalCount": `:                                           "",
		`Warning: 299 - "partial results"`:                                        "partial at Warning",
		`Warning: 299 - "deprecated"`:                                             "",
		`Warning: 299 a: "There are 37 additional results that can be requested"`: "left at Warning 37",
		`X-SQL-Message: RC: Returning incomplete results, query interrupted`:      "partial at X-Sql-Message",
		`X-SQL-Message: done`:                                                     "",
		"Content-Range: items 0-1/82":                                             "total at Content-Range 82",
	} {
		if got := stated(`{}`, 0, header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	if got := stated(`{}`, http.StatusMultiStatus); got != "partial at the status" {
		t.Errorf("207: %q", got)
	}
}

func FuzzStatements(f *testing.F) {
	for _, seed := range []string{
		`{"hasMore":true,"total":"1-7 of 82","meta":{"next":"/2"}}`, `{"isisisisisisisisisisisisisisinininin":1}`,
		`{"links":[{"rel":"last","href":"?page=7"}]}`, `{"a":{"b":{"c":{"d":{}}}}}`, `{"":"","\ud800":"+","_":"/ of "}`,
	} {
		f.Add(seed, "X-Pagination", seed)
	}
	f.Fuzz(func(t *testing.T, around, name, value string) {
		object, _ := item.Compact(nil, []byte(around))
		if item.Kind(object) != '{' || item.Size(object) != len(object) {
			return
		}
		first := stated(string(object), 0, name+": "+value)
		if again := stated(string(object), 0, name+": "+value); again != first {
			t.Errorf("%q, then %q", first, again)
		}
		const most = 20
		if strings.Count(first, " at ") > most*(len(around)+len(name)+len(value)+1) {
			t.Errorf("more is stated than stands there: %q", first)
		}
	})
}

func TestAsManyAsWereAskedForAreNotAll(t *testing.T) {
	reads := evidence.Reads{Sized: true, Size: 10}
	for around, want := range map[string]string{
		`{"hitCount":82}`:                  "hitCount 82",
		`{"numOfRows":10,"totalCount":10}`: "totalCount 10",
		`{"hits":10,"count":10}`:           "",
		`{"found":">10"}`:                  "found (at least) 11, found 0",
		`{"total":10}`:                     "total 10",
		`{"boxRows":7,"rows_total":82}`:    "rows_total 82",
	} {
		a := evidence.Answer{Items: 2, Field: "boxes", Array: true, Asked: at("https://a.test/v2/list?boxRows=7")}
		for name, value := range item.Members([]byte(around)) {
			a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
		}
		var all []string
		for _, s := range a.Signs(reads) {
			all = append(all, s.At+" "+strconv.FormatInt(s.Total, 10))
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%s: %q, want %q", around, got, want)
		}
	}
}
