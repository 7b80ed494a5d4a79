package walk_test

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// said collects how walks ended and what was warned of, in any order.
type said struct{ all []string }

func (s *said) Observe(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.Warned:
		s.all = append(s.all, fmt.Sprint(e.Job, " ", e.Text, " ", e.Verdict))
	case pipeline.WalkEnded:
		s.all = append(s.all, fmt.Sprint(e.Job, " ", e.Pages, " ", e.Items, " ", e.Stop))
	}
}

// shaky is an API without a fixed order: what each page holds follows from seed and address
// alone. Items have a key, or none, or one that some lack or share; pages are short, empty,
// or those of the page before.
func shaky(seed int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		draw := func(n int, text string) int {
			h := fnv.New64a()
			fmt.Fprint(h, seed, r.URL.Path, text)
			return int(h.Sum64() % uint64(n))
		}
		at := r.URL.Query().Get("offset")
		time.Sleep(time.Duration(draw(50, "wait"+at)) * time.Millisecond)
		if draw(4, "stuck") == 0 {
			at = at[:1]
		}
		if len(at) > 2 || draw(4, "empty"+at) == 0 {
			fmt.Fprintf(w, `{"at":%d,"d":[]}`, draw(9, at))
			return
		}
		var items []string
		distinct := 3 + draw(200, "distinct")
		for i := range 3 {
			id := fmt.Sprintf(`"id":%d,`, 1+draw(distinct, fmt.Sprint(at, i)))
			if draw(12, "keys") == 0 || draw(40, fmt.Sprint("lacks", at, i)) == 0 {
				id = ""
			}
			items = append(items, fmt.Sprintf(`{%s"uuid":"%d","clock":%q}`, id, draw(3*distinct, fmt.Sprint("u", at, i)), at))
		}
		fmt.Fprintf(w, `{"at":%q,"total":%d,"d":[%s]}`, at, 50+draw(2, "total"+at), strings.Join(items, ","))
	})
}

// What is said of items that come again does not depend on how many requests are in flight.
func TestWhatItemsSayIsTheSameForEveryConcurrency(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 3, "emptyStop": %d, "forceStop": {"pages": 150}}},
 "config": {"jobs": [{"endpoint": "x", "dataField": "d"}, {"endpoint": "y", "unique": "uuid", "dataField": "d"},
  {"endpoint": "z", "dataField": "d", "children": [{"endpoint": "z/{id}", "placeholders": {"id": {"path": "clock"}}, "dataField": "d"}]}]}}`
	again := 0
	for seed := range cases.Few(3, 80) {
		var want []string
		for _, n := range []int{1, 4, 16} {
			got := &said{}
			synctest.Test(t, func(t *testing.T) {
				o := options{Concurrency: n}
				o.Network.Observer, o.Network.Secrets = got, &secret.Set{}
				err := run(t, fmt.Sprintf(text, 1+seed%3), o, shaky(seed), func(b *pipeline.Batch) error {
					b.Release()
					return nil
				})
				if err != nil {
					got.all = append(got.all, err.Error())
				}
			})
			slices.Sort(got.all)
			if n == 1 {
				want = got.all
			}
			if d := cmp.Diff(want, got.all); d != "" {
				t.Fatalf("seed %d, N=%d (-want +got):\n%s", seed, n, d)
			}
		}
		if strings.Contains(strings.Join(want, "\n"), "came twice") {
			again++
		}
	}
	if again == 0 {
		t.Error("no item came twice")
	}
}
