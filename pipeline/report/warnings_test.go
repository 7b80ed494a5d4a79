package report_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

func reporter(jobs ...string) *pipeline.Reporter {
	head := report.Report{}
	for _, id := range jobs {
		head.Jobs = append(head.Jobs, report.JobReport{ID: id})
	}
	return pipeline.NewReporter(head)
}

func TestTheReportHasEachWarningOnceWithACount(t *testing.T) {
	r := reporter("a", "b")
	for _, w := range []pipeline.Warned{
		{Job: "a", Text: "odd"}, {Job: "a", Text: "odder"}, {Job: "b", Text: "odd"}, {Job: "a", Text: "odd"}, {Text: "odd"}, {Text: "odd"},
		{Job: "a", Text: "odd"},
	} {
		r.Observe(w)
	}
	got := r.Succeeded(ended)
	if diff := cmp.Diff([][]string{{"odd (3 times)", "odder"}, {"odd"}, {"odd (2 times)"}}, [][]string{got.Jobs[0].Warnings, got.Jobs[1].Warnings, got.Warnings}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheReportKeepsAHundredDifferentWarningsOfAJob(t *testing.T) {
	r := reporter("a")
	for i := range 1000 {
		r.Observe(pipeline.Warned{Job: "a", Text: fmt.Sprint("number ", i%200)})
	}
	got := r.Succeeded(ended).Jobs[0].Warnings
	if len(got) != 101 || got[0] != "number 0 (5 times)" || got[99] != "number 99 (5 times)" ||
		got[100] != "… and 500 more" {
		t.Errorf("%d warnings: %q", len(got), got)
	}
}
