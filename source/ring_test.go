package source_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source"
)

// A ring is a list whose pages come again after so many, each under an address or token that is new.
type ring struct {
	pages int
	items func(page, place int) string
}

// ServeHTTP counts pages by whatever parameter the request has.
func (g ring) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	number := func(name string) int {
		n, _ := strconv.Atoi(q.Get(name))
		return n
	}
	place := number("offset")/2 + max(0, number("page")-1) + number("t")
	page := place % g.pages
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"rows":[%s],"token":%d,"next":"list?t=%[2]d"}`, g.items(page, place), place+1)
}

func TestEveryRingOfPagesEnds(t *testing.T) {
	kinds := map[string]func(page, place int) string{
		"keys": func(page, _ int) string {
			return fmt.Sprintf(`{"id":%d},{"id":%d}`, 2*page, 2*page+1)
		},
		"keys and stamps": func(page, place int) string {
			return fmt.Sprintf(`{"id":%d,"at":%d},{"id":%d,"at":%[2]d}`, 2*page, place, 2*page+1)
		},
		"no keys": func(page, _ int) string {
			return fmt.Sprintf(`{"name":"a%d"},{"name":"b%[1]d"}`, page)
		},
		"no keys, and stamps": func(page, place int) string {
			return fmt.Sprintf(`{"name":"a%d","at":%d},{"name":"b%[1]d","at":%d}`, page, 2*place, 2*place+1)
		},
	}
	ways := map[string]string{
		"offset":  `{"method": "offset", "limit": 2}`,
		"pages":   `{"method": "pagenum", "limit": 2}`,
		"tokens":  `{"method": "response.param", "responseParam": "token", "queryParam": "t"}`,
		"address": `{"method": "response.url", "urlKey": "next"}`,
	}
	for kind, items := range kinds {
		for way, paging := range ways {
			for _, pages := range []int{3, cases.Few(40, 300)} {
				t.Run(fmt.Sprint(kind, " by ", way, ", ", pages, " pages"), func(t *testing.T) {
					verdict, came := drain(t, ring{pages, items}, paging)
					if most := 6*pages + 1_010; came > most || verdict == report.Complete {
						t.Errorf("%d pages, %s, want %d at most, and not complete", came, verdict, most)
					}
				})
			}
		}
	}
}

// drain returns the verdict of a job, and how many pages it asked for. It ends a walk that has no end.
func drain(t *testing.T, list http.Handler, paging string) (report.Verdict, int) {
	t.Helper()
	reporter := pipeline.NewReporter(report.Report{Jobs: []report.JobReport{{ID: "list"}}})
	asked := 0
	bounded := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 10_000 {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		list.ServeHTTP(w, r)
	})
	synctest.Test(t, func(t *testing.T) {
		text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/", "pagination": %s},
			"config": {"jobs": [{"endpoint": "list", "dataField": "rows"}]}}`, paging)
		err := run(t, text, source.Options{Network: source.Network{Observer: reporter}}, bounded, func(b *pipeline.Batch) error {
			b.Release()
			return nil
		})
		if err != nil {
			t.Log(err)
		}
	})
	return reporter.Succeeded(time.Time{}).Verdict, asked
}
