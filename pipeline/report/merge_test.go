package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

var ended = time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC)

// shardReport is that of a shard which was told these events, as it comes back from a file.
func shardReport(t *testing.T, resumed []report.Attempt, events ...pipeline.Event) *report.Report {
	t.Helper()
	head := report.Report{Jobs: []report.JobReport{{ID: "a"}}, Resumed: resumed, Shard: &report.ShardReport{}}
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
	r, err := report.Merge(all, func(string, report.Remark, time.Time) {})
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
	at := func(hours, pages int) report.Attempt {
		return report.Attempt{At: ended.Add(time.Duration(hours) * time.Hour), Pages: pages}
	}
	r := merged(
		t,
		shardReport(t, []report.Attempt{at(1, 7), at(3, 9)}),
		shardReport(t, nil),
		shardReport(t, []report.Attempt{at(2, 8)}),
	)
	if diff := cmp.Diff([]report.Attempt{at(1, 7), at(2, 8), at(3, 9)}, r.Resumed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// ten is what walks show of which so many hold ten items.
func ten(walks int) report.Opening { return report.Opening{Items: 10, Full: walks, Warning: "ten"} }

func TestFindingsOfOneShardAreRefutedByThoseOfAnother(t *testing.T) {
	found := func(f report.Findings) pipeline.Found { return pipeline.Found{Job: "a", Findings: f} }
	elsewhere := map[string]report.Astray{"an array is at tags": {Paths: []string{"tags"}}}
	for name, c := range map[string]struct {
		one, other report.Findings
		want       []string
		verdict    report.Verdict
	}{
		"no next link": {one: report.Findings{Leads: report.Leads{NoLink: "none"}}, want: []string{"none"}},
		"a next link":  {one: report.Findings{Leads: report.Leads{NoLink: "none"}}, other: report.Findings{Leads: report.Leads{Linked: true}}},
		"as many in windows": {
			one: report.Findings{Leads: report.Leads{AsMany: "many"}}, other: report.Findings{Leads: report.Leads{AsMany: "many"}}, want: []string{"many"}, verdict: report.Unverified,
		},
		"as many in windows, one of which leads on": {one: report.Findings{Leads: report.Leads{AsMany: "many"}}, other: report.Findings{Leads: report.Leads{Led: true}}},
		"as many below items": {
			one: report.Findings{Below: report.Below{Opening: ten(2)}}, other: report.Findings{Below: report.Below{Opening: ten(1)}},
			want: []string{"ten (3 walks, and none has more)"}, verdict: report.Unverified,
		},
		"as many below two items":          {one: report.Findings{Below: report.Below{Opening: ten(1)}}, other: report.Findings{Below: report.Below{Opening: ten(1)}}},
		"more below another item":          {one: report.Findings{Below: report.Below{Opening: ten(9)}}, other: report.Findings{Below: report.Below{Opening: report.Opening{Items: 11}}}},
		"a page below items that leads on": {one: report.Findings{Below: report.Below{Opening: ten(9)}}, other: report.Findings{Leads: report.Leads{Led: true}}},
		"nothing there":                    {one: report.Findings{Missing: "missing"}, want: []string{"missing"}, verdict: report.Unverified},
		"something there":                  {one: report.Findings{Missing: "missing"}, other: report.Findings{Located: true}},
		"an array elsewhere":               {one: report.Findings{Astray: elsewhere}, want: []string{"an array is at tags"}, verdict: report.Unverified},
		"one that stands beside others":    {one: report.Findings{Astray: elsewhere}, other: report.Findings{Beside: []string{"tags"}}},
		"no value for last": {
			one: report.Findings{Last: "v", Located: true}, other: report.Findings{Last: "v"},
			want: []string{"last: no item had anything at v, so the next run asks for the same again: check the path if items came"},
		},
		"a value for last": {one: report.Findings{Last: "v", Located: true}, other: report.Findings{Last: "v", Located: true, Followed: true}},
		"replaced bytes": {
			one: report.Findings{Replaced: 2}, other: report.Findings{Replaced: 3},
			want: []string{"invalid UTF-8: bytes replaced by U+FFFD: 5"},
		},
	} {
		r := merged(t, shardReport(t, nil, found(c.one)), shardReport(t, nil, found(c.other)))
		if c.want == nil {
			c.want = []string{}
		}
		if diff := cmp.Diff(c.want, r.Jobs[0].Warnings); diff != "" || r.Verdict != c.verdict {
			t.Errorf("%s: %v, -want +got:\n%s", name, r.Verdict, diff)
		}
	}
}

func TestARunOfShardsFailsWhereAllPagesLeadNowhere(t *testing.T) {
	lost := pipeline.Found{Job: "a", Findings: report.Findings{Lost: "an array at users is meant"}}
	located := pipeline.Found{Job: "a", Findings: report.Findings{Located: true}}
	for name, c := range map[string]struct {
		other pipeline.Found
		want  string
	}{
		"in all":     {lost, "job a: an array at users is meant"},
		"not in one": {located, "<nil>"},
	} {
		all := []*report.Report{shardReport(t, nil, lost), shardReport(t, nil, c.other)}
		_, err := report.Merge(all, func(string, report.Remark, time.Time) {})
		if fmt.Sprint(err) != c.want || errors.Is(err, report.ErrNotComplete) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheLongestOfAnArrayElsewhereCounts(t *testing.T) {
	see := func(f *report.Findings, items int, chosen bool) {
		f.Rivals.See("rows", report.Rival{Items: items, Pages: 1, Chosen: chosen})
	}
	var one, two, three report.Findings
	one.Rivals.Field, one.Rivals.Below = "user", true
	see(&one, 10, true)
	see(&one, 7, false)
	see(&two, 10, true)
	see(&two, 10, true)
	see(&three, 11, false)
	for _, c := range []struct {
		all  []report.Findings
		want int
	}{
		{[]report.Findings{one}, 0},
		{[]report.Findings{one, two}, 1},
		{[]report.Findings{two, one}, 1},
		{[]report.Findings{two, three, one}, 0},
		{[]report.Findings{one, two, {Rivals: report.Rivals{Filled: true}}}, 0},
	} {
		var f report.Findings
		for _, other := range c.all {
			f.Add(other)
		}
		if got := f.Warnings(); len(got) != c.want {
			t.Errorf("%+v: %+v", c.all, got)
		}
	}
}

// A page beyond the end may say anything.
func TestWhatIsSaidBeyondTheEndOfAWalkDoesNotCount(t *testing.T) {
	end := func(page, end int, v report.Verdict, warnings ...report.Warning) pipeline.WalkEnded {
		stop := report.Stop{Reason: "underflow", Verdict: v}
		told := report.WalkEnd{
			Job:      "a",
			Stride:   true,
			Stop:     stop,
			Page:     page,
			End:      end,
			Hash:     uint64(page),
			Warnings: warnings,
		}
		return pipeline.WalkEnded{Job: "a", Stop: report.Stop{Reason: "underflow"}, End: &told}
	}
	more := report.Warning{Text: "there is more", Times: 1, Verdict: report.Unverified}
	beyond := end(2, 4, report.Unverified, more)
	r := merged(t, shardReport(t, nil, end(3, 3, report.Complete)), shardReport(t, nil, beyond))
	if r.Verdict != report.Complete || len(r.Jobs[0].Warnings) > 0 {
		t.Errorf("%v, %q", r.Verdict, r.Jobs[0].Warnings)
	}
	r = merged(t, shardReport(t, nil, end(3, 5, report.Complete)), shardReport(t, nil, beyond))
	if r.Verdict != report.Unverified || r.Jobs[0].Reason != more.Text {
		t.Errorf("%v, %q", r.Verdict, r.Jobs[0].Reason)
	}
}

// A newer version may have written it.
func TestAnEndForAReasonThatIsUnknownIsNotComplete(t *testing.T) {
	const newer report.StopReason = "signed end"
	if got := newer.Rule(); got.Verdict != report.Unverified || got.Words == "" {
		t.Errorf("its rule is %+v", got)
	}
	known := pipeline.WalkEnded{Job: "a", Stop: *report.EndedBy(report.StopUnderflow)}
	stop := report.Stop{Reason: newer, Verdict: report.Complete}
	told := &report.WalkEnd{Job: "a", Stop: stop, End: 1}
	for name, unknown := range map[string]pipeline.WalkEnded{
		"of a job":         {Job: "a", Stop: stop},
		"of a root walk":   {Job: "a", Stop: known.Stop, End: told},
		"that has no more": {Job: "a", Stop: stop, End: told},
	} {
		r := merged(t, shardReport(t, nil, known), shardReport(t, nil, unknown))
		if r.Verdict != report.Unverified || r.Jobs[0].StopReason != newer {
			t.Errorf("%s: %v by %s", name, r.Verdict, r.Jobs[0].StopReason)
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
		Resumed: []report.Attempt{{At: ended}}, Jobs: []report.JobReport{{ID: "a"}}, Outputs: []report.OutputReport{{URI: "a"}},
		Shard: &report.ShardReport{Warnings: report.Warnings{Each: []report.Warning{{Text: "odd", Times: 1}}}},
	}
	all := reflect.ValueOf(*merged(t, &one))
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		if others[name] == "" && all.Field(i).IsZero() {
			t.Errorf("the report of all shards has no %s: give it to Merge, or say here why not (and set it in this test)", name)
		}
	}
}
