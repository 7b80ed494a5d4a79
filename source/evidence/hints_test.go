package evidence_test

import (
	"net/http"
	"testing"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

func TestObjectsOfAnyNameAndWordsInNamesDoubt(t *testing.T) {
	for around, want := range map[string]bool{
		`{"totalResultsCount":82}`: true, `{"total_number":"82"}`: true,
		`{"estimatedTotalHits":82}`: true, `{"found":82}`: true, `{"numberOfRecords":82}`: true,
		`{"release-count":82}`: true, `{"@odata.count":82}`: true, `{"__count":"82"}`: true,
		`{"pending":47}`: true, `{"has_additional":true}`: true, `{"reached_record_limit":true}`: true,
		`{"continuation":"AAAA"}`: true, `{"bookmark":"g1AAAA"}`: true,
		`{"summary":{"totalResults":82}}`: true, `{"@attr":{"totalPages":"3"}}`: true,
		`{"metadata":{"resultset":{"count":82}}}`: true, `{"navigation":{"nextPage":{"uri":"/x?page=2"}}}`: true,
		`{"@attributes":{"next":"/x?after=7"}}`: true, `{"properties":{"exceededTransferLimit":true}}`: true,

		`{"count":82,"limit":35}`: true, `{"total_releases":82}`: true, `{"totalFeatures":82}`: false, `{"total_cards":82}`: false,

		`{"count":82}`: false, `{"total":82}`: false, `{"comment_count":82}`: false, `{"number":82}`: false,
		`{"number_of_seats":82}`: false, `{"repository":{"open_issues_count":82,"total_stars":82}}`: false,
		`{"found":2}`: false, `{"totalResultsCount":"many"}`: false, `{"has_additional":false}`: false,
		`{"@attr":{"totalPages":"1"}}`: false, `{"range":{"totalPages":0}}`: false, `{"range":{"totalPages":3}}`: true, `{"rateLimitExceeded":true}`: false,
		`{"total_amount":820}`: false, `{"view_count":820}`: false, `{"total_time_ms":820}`: false,
		`{"request":{"found":82}}`: false, `{"author":{"id":7,"found":82}}`: false,
		`{"quota":{"total":5000}}`: false, `{"_shards":{"total":82}}`: false, `{"found":1700000000}`: false,
		`{"totalResults":2,"summary":{"found":82}}`: false, `{"has_more":false,"found":82}`: false,
	} {
		if got := isDoubted(around, nil); got != want {
			t.Errorf("%s: %t", around, got)
		}
	}
}

func TestHeadersThatCountByTheirWordsDoubt(t *testing.T) {
	for name, want := range map[string]bool{
		"Pagination-Total-Count": true, "X-Total-Results": true, "X-Result-Count": true,
		"X-Records":         true,
		"X-Ratelimit-Total": false, "X-Retry-Count": false, "X-Kong-Total-Latency": false, "Account": false,
	} {
		if got := isDoubted(`{}`, http.Header{name: {"82"}}); got != want {
			t.Errorf("%s: %t", name, got)
		}
		if evidence.TellingHeader(name, "") != want {
			t.Errorf("%s is kept: %t", name, !want)
		}
	}
}

// isDoubted tells whether the end of a walk of two items is, on one page that has that beside
// them; it may not be called incomplete.
func isDoubted(around string, h http.Header) bool {
	a := evidence.Answer{Items: 2, Field: "data.releases", Array: true, Header: h}
	for name, value := range item.Members([]byte(around)) {
		a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
	}
	signs := a.Signs(evidence.Reads{})
	var w evidence.WalkEvidence
	w.Hear(signs)
	end := verdict.Ending{Reason: report.StopNoPaging, Pages: 1, Items: 2, Root: true}
	against := verdict.AgainstEnd(&end, &w, &a, signs)
	if more := against.More; more != nil {
		raised := verdict.Said(more, func(text string) string { return text })
		return raised.Doubt.Rule().Verdict == report.Unverified
	}
	return len(against.Doubts) > 0
}

func TestAHeaderOfAnyNameIsReadWhoseJSONSaysSomething(t *testing.T) {
	for value, want := range map[string]bool{
		`{"total_count":82}`: true, `{"results":{"has_more":true}}`: true, `{"next_page":null}`: true,
		`{"group":"cf-nel","max_age":604800}`: false, `{"ray":"7d1"}`: false, `{`: false, `82`: false, ``: false,
	} {
		if got := evidence.TellingHeader("X-Acme-Zuq", value); got != want {
			t.Errorf("%s: %t", value, got)
		}
	}
	if evidence.TellingHeader("X-Auth-Session", `{"token":"abc"}`) {
		t.Error("a header about the login is read")
	}
}

func TestAHeaderIsReadThatSaysThatTheAnswerWasCutShort(t *testing.T) {
	for _, name := range []string{"X-Timed-Out", "Acme-Terminated-Early"} {
		if !evidence.TellingHeader(name, "true") {
			t.Error(name)
		}
	}
}

func TestANumberOfPagesIsKnownByTheOneThatWasAskedFor(t *testing.T) {
	for around, want := range map[string]int64{
		`{"pagina":"2","numero_paginas":"3"}`:        3,
		`{"pagina":2,"paginasTotales":7}`:            7,
		`{"pagina":2,"numero_paginas":2}`:            0,
		`{"pagina":1,"numero_paginas":3}`:            0,
		`{"pagina":2,"registros_por_pagina":3}`:      0,
		`{"pagina":2,"numero_zuq":3}`:                0,
		`{"pagina":2,"numero_paginas":20}`:           0,
		`{"zuq":2,"numero_zuqs":3}`:                  0,
		`{"paging":{"current":1,"total":3}}`:         3,
		`{"paging":{"current":3,"total":3}}`:         0,
		`{"paging":{"current":1,"total":82}}`:        0,
		`{"paging":{"zuq":1,"total":3}}`:             0,
		`{"blarg":{"blorp":{"page":1,"total":3}}}`:   0,
		`{"meta":{"page":1,"count":20,"total":"3"}}`: 3,
	} {
		a := evidence.Answer{Items: 20, Field: "items", Array: true, Asked: at("https://a.test/list?pagina=2")}
		for name, value := range item.Members([]byte(around)) {
			a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
		}
		got := int64(0)
		if hint := evidence.Find(a.Signs(evidence.Reads{}), evidence.Hint); hint != nil {
			got = hint.Total
		}
		if got != want {
			t.Errorf("%s: %d", around, got)
		}
	}
}

func TestAFlagSaysThatAPageIsNotTheFirst(t *testing.T) {
	for around, want := range map[string]string{
		`{"first":false}`: "first", `{"isFirstPage":"no"}`: "isFirstPage", `{"paging":{"has_prev":true}}`: "paging.has_prev",
		`{"data":{"hasPreviousPage":true}}`: "data.hasPreviousPage", `{"first":true}`: "", `{"isFirstPage":true}`: "",
		`{"has_prev":false}`: "", `{"first":0}`: "", `{"firstName":false}`: "", `{"previous":"/list?page=0"}`: "", `{"prev":true}`: "",
		`{"first_run":false}`: "", `{"first":null}`: "",
		`{"result":{"startIndex":20}}`: "result.startIndex", `{"start_index":21}`: "start_index",
		`{"startIndex":0}`: "", `{"startIndex":1}`: "", `{"startIndex":19}`: "", `{"startIndexOfAll":20}`: "", `{"offset":20}`: "",
		`{"nextPage":{"startIndex":21}}`: "", `{"last":{"startIndex":20}}`: "",
	} {
		a := evidence.Answer{Items: 20, Field: "items", Array: true}
		for name, value := range item.Members([]byte(around)) {
			a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
		}
		if got, _ := a.NotFirst(); got != want {
			t.Errorf("%s: %q, want %q", around, got, want)
		}
	}
}
