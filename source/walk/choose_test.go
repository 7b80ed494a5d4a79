package walk_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"sluice/fixtures/cases"
	"sluice/source/walk"
)

// played plays a run of jobs, each an item of configuration, with n in flight.
func played(t *testing.T, n int, jobs []string, items func(endpoint string, page int) []string) walk.Played {
	t.Helper()
	return prepare(t, playing(jobs...), options{Concurrency: n}).Play(items)
}

// playing is a configuration of jobs.
func playing(jobs ...string) string {
	return fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "offset", "limit": 1}}, "config": {"jobs": [%s]}}`, strings.Join(jobs, ","))
}

// The mixes are those of docs/speed.md: walks of so many pages, the empty one at
// the end included.
func TestManyWalksAreNearlyAsFastAsTheirNumberInFlightAllows(t *testing.T) {
	repeat := func(n, pages int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = pages
		}
		return all
	}
	for name, lengths := range map[string][]int{
		"100 of 4 pages": repeat(100, 4), "200 of 2 pages": repeat(200, 2), "400 of 1 page": repeat(400, 1), "one of 201": {201}, "two of 101": {101, 101},
		"long before 50 short": append([]int{201}, repeat(50, 4)...), "50 short before long": append(repeat(50, 4), 201),
	} {
		var jobs []string
		needed := 0
		for i, pages := range lengths {
			jobs = append(jobs, fmt.Sprintf(`{"endpoint": "%d", "dataType": "t"}`, i))
			needed += pages
		}
		for n, bar := range map[int]struct{ times, requests float64 }{1: {0.99, 1}, 4: {3.8, 1.03}, 16: {12, 1.15}} {
			got := played(t, n, jobs, func(endpoint string, page int) []string {
				if i, _ := strconv.Atoi(endpoint); page < lengths[i] {
					return []string{"{}"}
				}
				return nil
			})
			times, requests := float64(needed)/got.Took, float64(got.Requests)/float64(needed)
			if times < bar.times || requests > bar.requests {
				t.Errorf("%s, N=%d: %.1f times as fast with %.2f times the requests", name, n, times, requests)
			}
		}
	}
}

// The first round is one request, all others N.
func TestATotalLetsAllRequestsBeginAfterTheFirstPage(t *testing.T) {
	const pages, n = 97, 32
	prepared := prepare(t, playing(`{"endpoint": "p"}`), options{Concurrency: n})
	got := prepared.PlayOf(pages-1, func(_ string, page int) []string {
		if page < pages {
			return []string{"{}"}
		}
		return nil
	})
	if got.Took > 4.7 || got.Requests > pages+n {
		t.Errorf("%+v", got)
	}
}

func TestATotalThatIsFarTooGreatCostsFewRequests(t *testing.T) {
	const walks, pages, n = 100, 4, 16
	var jobs []string
	for i := range walks {
		jobs = append(jobs, fmt.Sprintf(`{"endpoint": "%d", "dataType": "t"}`, i))
	}
	prepared := prepare(t, playing(jobs...), options{Concurrency: n})
	got := prepared.PlayOf(1_000_000, func(_ string, page int) []string {
		if page < pages {
			return []string{"{}"}
		}
		return nil
	})
	if requests := float64(got.Requests) / (walks * pages); requests > 1.15 {
		t.Errorf("%.2f times the requests", requests)
	}
}

func TestManyChildWalksAreNotLookedAtAgainAndAgain(t *testing.T) {
	const n = 16
	children := cases.Few(2_000, 100_000)
	items := []string{`{"id":1}`}
	for len(items) < children {
		items = append(items, items[0])
	}
	job := `{"endpoint": "p", "params": {"limit": 200000}, "children": [{"endpoint": "p/{id}", "params": {"limit": 2}, "placeholders": {"id": "id"}}]}`
	got := played(t, n, []string{job}, func(endpoint string, _ int) []string {
		if endpoint == "p" {
			return items
		}
		return items[:1]
	})
	if got.Requests != children+1 || got.Longest > 4*n+2 || got.Looked > 3*(4*n+2)*children {
		t.Errorf("%+v", got)
	}
}
