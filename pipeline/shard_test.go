package pipeline_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
)

// shardReport is that of a shard which was told these events, as it comes back from a file.
func shardReport(t *testing.T, resumed []pipeline.Attempt, events ...pipeline.Event) *pipeline.Report {
	t.Helper()
	head := pipeline.Report{Jobs: []pipeline.JobReport{{ID: "a"}}, Resumed: resumed, Shard: &pipeline.ShardReport{}}
	r := pipeline.NewReporter(head)
	for _, e := range events {
		r.Observe(e)
	}
	text, err := json.Marshal(r.Succeeded(ended))
	if err != nil {
		t.Fatal(err)
	}
	var back pipeline.Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return &back
}

func merged(t *testing.T, all ...*pipeline.Report) *pipeline.Report {
	t.Helper()
	r, err := pipeline.Merge(all, pipeline.Observers{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWarningsOfShardsAreSummedAsValues(t *testing.T) {
	odd, none := pipeline.Warned{Job: "a", Text: "odd"}, pipeline.Warned{Job: "a", Text: "no items", Expected: true}
	own := pipeline.Warned{Text: "of no job"}
	r := merged(t, shardReport(t, nil, odd, odd, odd, none, own), shardReport(t, nil, odd, odd), shardReport(t, nil, none, own))
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
	at := func(hours, pages int) pipeline.Attempt {
		return pipeline.Attempt{At: ended.Add(time.Duration(hours) * time.Hour), Pages: pages}
	}
	r := merged(t, shardReport(t, []pipeline.Attempt{at(1, 7), at(3, 9)}), shardReport(t, nil), shardReport(t, []pipeline.Attempt{at(2, 8)}))
	if diff := cmp.Diff([]pipeline.Attempt{at(1, 7), at(2, 8), at(3, 9)}, r.Resumed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFindingsOfOneShardAreRefutedByThoseOfAnother(t *testing.T) {
	found := func(f pipeline.Findings) pipeline.Found { return pipeline.Found{Job: "a", Findings: f} }
	elsewhere := map[string]pipeline.Astray{"an array is at tags": {Paths: []string{"tags"}}}
	for name, c := range map[string]struct {
		one, other pipeline.Findings
		want       []string
		verdict    pipeline.Verdict
	}{
		"no next link":                  {one: pipeline.Findings{NoLink: "none"}, want: []string{"none"}},
		"a next link":                   {one: pipeline.Findings{NoLink: "none"}, other: pipeline.Findings{Linked: true}},
		"nothing there":                 {one: pipeline.Findings{Missing: "missing"}, want: []string{"missing"}, verdict: pipeline.Unverified},
		"something there":               {one: pipeline.Findings{Missing: "missing"}, other: pipeline.Findings{Located: true}},
		"an array elsewhere":            {one: pipeline.Findings{Astray: elsewhere}, want: []string{"an array is at tags"}, verdict: pipeline.Unverified},
		"one that stands beside others": {one: pipeline.Findings{Astray: elsewhere}, other: pipeline.Findings{Beside: []string{"tags"}}},
		"no value for last": {
			one: pipeline.Findings{Last: "v", Located: true}, other: pipeline.Findings{Last: "v"},
			want: []string{"last: no item had anything at v, so the next run asks for the same again: check the path if items came"},
		},
		"a value for last": {one: pipeline.Findings{Last: "v", Located: true}, other: pipeline.Findings{Last: "v", Located: true, Followed: true}},
		"replaced bytes": {
			one: pipeline.Findings{Replaced: 2}, other: pipeline.Findings{Replaced: 3},
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

// A page beyond the end may say anything.
func TestWhatIsSaidBeyondTheEndOfAWalkDoesNotCount(t *testing.T) {
	end := func(page, end int, v pipeline.Verdict, warnings ...string) pipeline.WalkEnded {
		stop := pipeline.Stop{Reason: "underflow", Verdict: v}
		told := pipeline.WalkEnd{Job: "a", Stride: true, Stop: stop, Page: page, End: end, Hash: uint64(page), Warnings: warnings}
		return pipeline.WalkEnded{Job: "a", Stop: pipeline.Stop{Reason: "underflow"}, End: &told}
	}
	beyond := end(2, 4, pipeline.Unverified, "there is more")
	r := merged(t, shardReport(t, nil, end(3, 3, pipeline.Complete)), shardReport(t, nil, beyond))
	if r.Verdict != pipeline.Complete || len(r.Jobs[0].Warnings) > 0 {
		t.Errorf("%v, %q", r.Verdict, r.Jobs[0].Warnings)
	}
	r = merged(t, shardReport(t, nil, end(3, 5, pipeline.Complete)), shardReport(t, nil, beyond))
	if r.Verdict != pipeline.Unverified || len(r.Jobs[0].Warnings) != 1 {
		t.Errorf("%v, %q", r.Verdict, r.Jobs[0].Warnings)
	}
}
