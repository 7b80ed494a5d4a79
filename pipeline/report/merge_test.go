package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

var ended = time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC)

// shardReport is that of a shard which was told these events, as it comes back from a file.
func shardReport(t *testing.T, resumed []report.Continuation, events ...pipeline.Event) *report.Report {
	t.Helper()
	head := report.Report{Jobs: []report.JobReport{{ID: "a"}}, Resumed: resumed, Shard: &report.ShardReport{Form: report.ShardForm}}
	r := pipeline.NewReporter(head)
	for _, e := range events {
		r.Observe(e)
	}
	text, err := json.Marshal(r.Succeeded(ended))
	if err != nil {
		t.Fatal(err)
	}
	var back report.Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return &back
}

func merged(t *testing.T, all ...*report.Report) *report.Report {
	t.Helper()
	r, err := report.Merge(all, nil, func(string, report.Remark, time.Time) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWarningsOfShardsAreSummedAsValues(t *testing.T) {
	odd, none := pipeline.Warned{
		Job:  "a",
		Text: "odd",
	}, pipeline.Warned{
		Job:      "a",
		Text:     "no items",
		Expected: true,
	}
	own := pipeline.Warned{Text: "of no job"}
	r := merged(
		t,
		shardReport(t, nil, odd, odd, odd, none, own),
		shardReport(t, nil, odd, odd),
		shardReport(t, nil, none, own),
	)
	got := [][]string{r.Jobs[0].Warnings, r.Jobs[0].Expected, r.Warnings}
	want := [][]string{{"odd (5 times)"}, {"no items (2 times)"}, {"of no job (2 times)"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r.Shard != nil {
		t.Error("the report of all has what only that of a shard has")
	}
}

func TestTheReportOfAllShardsKeepsWhenTheyWereContinued(t *testing.T) {
	at := func(hours, pages int) report.Continuation {
		return report.Continuation{At: ended.Add(time.Duration(hours) * time.Hour), Pages: pages}
	}
	r := merged(
		t,
		shardReport(t, []report.Continuation{at(1, 7), at(3, 9)}),
		shardReport(t, nil),
		shardReport(t, []report.Continuation{at(2, 8)}),
	)
	if diff := cmp.Diff([]report.Continuation{at(1, 7), at(2, 8), at(3, 9)}, r.Resumed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestARunOfShardsFailsWhereAllPagesLeadNowhere(t *testing.T) {
	lost := pipeline.JobFindings{Job: "a", Findings: report.Findings{Lost: "an array at users is meant"}}
	located := pipeline.JobFindings{Job: "a", Findings: report.Findings{Located: true}}
	for name, c := range map[string]struct {
		other pipeline.JobFindings
		want  string
	}{
		"in all":     {lost, "job a: an array at users is meant"},
		"not in one": {located, "<nil>"},
	} {
		all := []*report.Report{shardReport(t, nil, lost), shardReport(t, nil, c.other)}
		_, err := report.Merge(all, nil, func(string, report.Remark, time.Time) {})
		if fmt.Sprint(err) != c.want || errors.Is(err, report.ErrNotComplete) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A member that Merge forgets is lost for every run of shards.
func TestEveryMemberOfAReportIsMergedOrJudgedAnew(t *testing.T) {
	// Why the report of all does not have what that of a shard has.
	others := map[string]string{
		"Status": "a shard is sealed", "Verdict": "that of the jobs", "Error": "a shard that failed is not merged",
		"FinishedAt": "the last of all", "StateSaved": "publishing has the state", "Resumable": "a shard that failed is not merged",
		"Shard": "for who merges", "Reason": "that of the jobs",
	}
	one := report.Report{
		Version: "1", RunID: "r", Date: "2026-01-31", Incremental: true, StartedAt: ended, FinishedAt: ended, Warnings: []string{"odd"},
		Resumed: []report.Continuation{{At: ended}}, Jobs: []report.JobReport{{ID: "a"}}, Outputs: []report.OutputReport{{URI: "a"}},
		Shard: &report.ShardReport{Form: report.ShardForm, Warnings: report.Warnings{Each: []report.Warning{{Text: "odd", Times: 1}}}},
	}
	all := reflect.ValueOf(*merged(t, &one))
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		if others[name] == "" && all.Field(i).IsZero() {
			t.Errorf("the report of all shards has no %s: give it to Merge, or say here why not (and set it in this test)", name)
		}
	}
}

func TestAShardThatTellsNothingOfItsAnswersIsRefusedByName(t *testing.T) {
	judge := func(*report.SharedJob, func(report.Stop), func(report.Remark)) (report.Grounds, error) {
		return nil, nil
	}
	now := pipeline.JobFindings{Job: "a", Facts: json.RawMessage(`{}`)}
	older := shardReport(t, nil)
	older.Version = "0.1.0"
	other := shardReport(t, nil, now)
	other.Version, other.Shard.Form = "0.1.1", 0
	for want, one := range map[string]*report.Report{
		"shard 1 was run by sluice 0.1.0, which does not record what the answers say":                                 older,
		"shard 1 was run by sluice 0.1.1, which records what the answers say in format 0. This version reads format ": other,
	} {
		_, err := report.Merge([]*report.Report{shardReport(t, nil, now), one}, judge, func(string, report.Remark, time.Time) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v", err)
		}
	}
}
