package walk_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
)

// Below each of 200 items is an answer with an array that is named by it, which is more than is remembered.
func TestWhatStandsElsewhereIsJudgedTheSameForEveryConcurrency(t *testing.T) {
	const text = `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "p", "dataField": "d", "trustEnd": true,
 "children": [{"endpoint": "p/{id}", "placeholders": {"id": "id"}, "dataField": "d"}]}]}}`
	for name, c := range map[string]struct {
		answer func(id int) string
		// says is in what is told.
		says string
		want int
	}{
		"beside one object": {
			answer: func(id int) string {
				if id >= 3 && id <= 5 {
					return `{"d":{},"rows":{"again":[0,1,2,3,4,5,6,7,8,9]}}`
				}
				return fmt.Sprintf(`{"d":{},"rows":{"k%d":[1]}}`, id)
			},
			says: "rows.again",
			want: 1,
		},
		"beside items of other answers": {
			answer: func(id int) string {
				if id <= 100 {
					return fmt.Sprintf(`{"d":[{"id":1}],"by":{"k%d":[1]}}`, id)
				}
				return fmt.Sprintf(`{"by":{"k%d":[1]}}`, id-100)
			},
			says: "nothing at",
		},
		"instead of items": {
			answer: func(id int) string { return fmt.Sprintf(`{"by":{"k%d":[1]}}`, id) },
			says:   "nothing at",
			want:   64,
		},
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var id int
			if _, err := fmt.Sscanf(r.URL.Path, "/p/%d", &id); err != nil {
				var all []string
				for i := range 200 {
					all = append(all, fmt.Sprintf(`{"id":%d}`, i+1))
				}
				fmt.Fprintf(w, `{"d":[%s]}`, strings.Join(all, ","))
				return
			}
			// So that these come when many others have.
			if id >= 3 && id <= 5 {
				time.Sleep(time.Minute)
			}
			time.Sleep(time.Duration(id*7919%200) * time.Millisecond)
			fmt.Fprint(w, c.answer(id))
		})
		var want []string
		for _, n := range []int{1, 8, 32} {
			got := &said{}
			synctest.Test(t, func(t *testing.T) {
				o := options{Concurrency: n}
				o.Network.Observer = got
				err := run(t, text, o, handler, func(b *pipeline.Batch) error {
					b.Release()
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			})
			all := slices.DeleteFunc(got.all, func(s string) bool { return !strings.Contains(s, c.says) })
			slices.Sort(all)
			if n == 1 {
				want = all
			}
			if diff := cmp.Diff(want, all); diff != "" || len(all) != c.want {
				t.Errorf("%s, N=%d: %d warnings (-first +now):\n%s", name, n, len(all), diff)
			}
		}
	}
}
