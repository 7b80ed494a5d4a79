package report_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/report"
)

// Of more than are remembered, too.
func TestFindingsDoNotDependOnTheOrderOfThePages(t *testing.T) {
	var pages []report.Findings
	for i := range 200 {
		path := fmt.Sprint("rows.", i%150)
		var one report.Findings
		one.SawBeside([]string{path})
		one.WentAstray(
			fmt.Sprint("nothing, but ", i%100),
			report.Astray{Paths: []string{path}, Quote: fmt.Sprint(i)},
		)
		one.Rivals.See(path, report.Rival{Items: 10 + i%3, Pages: 1, Chosen: i%2 == 0})
		one.Denied = report.Denied{Walks: 1, Empty: map[int]int{403 + i%2: 1}, Said: i % 2}
		pages = append(pages, one)
	}
	var want report.Findings
	for _, one := range pages {
		want.Add(one)
	}
	if len(want.Beside) != 64 || len(want.Astray) != 64 || len(want.Rivals.ByPath) != 64 {
		t.Errorf(
			"%d paths, %d texts and %d rivals are kept",
			len(want.Beside),
			len(want.Astray),
			len(want.Rivals.ByPath),
		)
	}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
		shards := make([]report.Findings, 1+seed%4)
		for i, one := range pages {
			shards[i%len(shards)].Add(one)
		}
		var got report.Findings
		for _, one := range shards {
			got.Add(one)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("in order %d (-want +got):\n%s", seed, diff)
		}
	}
}
