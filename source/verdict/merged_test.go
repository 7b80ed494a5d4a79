package verdict_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/verdict"
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
	for _, r := range all {
		for i := range r.Shard.Jobs {
			r.Shard.Jobs[i].Facts = append(r.Shard.Jobs[i].Facts, json.RawMessage(`{}`))
		}
	}
	judge := func(job *report.SharedJob, ended func(report.Stop), warn func(report.Remark)) (report.Grounds, error) {
		return verdict.JudgeShards(job, false, ended, warn)
	}
	r, err := report.Merge(all, judge, func(string, report.Remark, time.Time) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ten is what walks show of which so many hold ten items.
func ten(walks int) report.Opening { return report.Opening{Items: 10, Full: walks, Warning: "ten"} }

// windows is what the window of a root job shows.
func windows(o report.Opening) report.Findings {
	o.Windows = 1
	return report.Findings{Below: report.Below{Opening: o}}
}

func TestFindingsOfOneShardAreRefutedByThoseOfAnother(t *testing.T) {
	found := func(f report.Findings) pipeline.JobFindings { return pipeline.JobFindings{Job: "a", Findings: f} }
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
			want: []string{"ten (3 lists of this job have as many, and none has more)"}, verdict: report.Unverified,
		},
		"as many below two items": {one: report.Findings{Below: report.Below{Opening: ten(1)}}, other: report.Findings{Below: report.Below{Opening: ten(1)}}},
		"more below another item": {one: report.Findings{Below: report.Below{Opening: ten(9)}}, other: report.Findings{Below: report.Below{Opening: report.Opening{Items: 11}}}},
		"as many in one of two windows": {
			one: windows(report.Opening{Items: 10, Full: 1, Warning: "ten"}), other: windows(report.Opening{Items: 9}), want: []string{"ten"},
			verdict: report.Unverified,
		},
		"more in another window":           {one: windows(report.Opening{Items: 10, Full: 1, Warning: "ten"}), other: windows(report.Opening{Items: 11})},
		"a page below items that leads on": {one: report.Findings{Below: report.Below{Opening: ten(9)}}, other: report.Findings{Leads: report.Leads{Led: true}}},
		"nothing there":                    {one: report.Findings{Missing: "missing"}, want: []string{"missing"}, verdict: report.Unverified},
		"something there":                  {one: report.Findings{Missing: "missing"}, other: report.Findings{Located: true}},
		"an array elsewhere":               {one: report.Findings{Astray: elsewhere}, want: []string{"an array is at tags"}, verdict: report.Unverified},
		"one that stands beside others":    {one: report.Findings{Astray: elsewhere}, other: report.Findings{Beside: []string{"tags"}}},
		"no value for last": {
			one: report.Findings{Last: "v", Located: true}, other: report.Findings{Last: "v"},
			want: []string{"last: no item had a value at v, so the next run asks for the same items again: if items came, check the path"},
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
		if got := verdict.OfFindings(&f, verdict.Trust{}); len(got) != c.want {
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

// ofShards is what is said of a walk of which each shard tells so much.
func ofShards(t *testing.T, items int64, shards ...report.ShardItems) *report.Report {
	t.Helper()
	var all []*report.Report
	for i := range shards {
		stop := *report.EndedBy(report.StopUnderflow)
		told := report.WalkEnd{
			Job: "a", Stride: true, Stop: stop, Page: i + 1, End: len(shards) + i, Items: items, Hash: uint64(i + 1), ShardItems: &shards[i],
		}
		all = append(all, shardReport(t, nil, pipeline.WalkEnded{Job: "a", Stop: stop, End: &told}))
	}
	return merged(t, all...)
}

func TestPublishingComparesTheItemsOfShards(t *testing.T) {
	at := func(minutes int) time.Time { return ended.Add(time.Duration(minutes) * time.Minute) }
	totals := func(first, last int64, from, to int) report.SeenTotals {
		return report.SeenTotals{
			At: "total", Limit: 10, First: report.SeenTotal{Items: first, Page: 1, At: at(from)}, Last: report.SeenTotal{Items: last, Page: 2, At: at(to)},
		}
	}
	corrected := func(last int64) report.SeenTotals {
		is := totals(90, last, 0, 0)
		is.Last.Empty = true
		return is
	}
	told := func(page int) report.ShardItems {
		is := totals(19, 19, 0, 0)
		is.Told = page
		return report.ShardItems{Totals: is}
	}
	keyed := func(first int, every uint64, keys ...uint64) report.ShardItems {
		return report.ShardItems{First: first, Key: "id", Every: every, Keys: keys, SameBy: ", by the same keys"}
	}
	with := func(s report.ShardItems, edges ...report.Edge) report.ShardItems {
		s.Edges = edges
		return s
	}
	const twice = " items came twice"
	for name, c := range map[string]struct {
		shards []report.ShardItems
		// Empty: nothing is doubted.
		says string
	}{
		"other keys":                  {shards: []report.ShardItems{keyed(1, 1, 3, 4), keyed(2, 1, 5, 6)}},
		"two keys of three shards":    {shards: []report.ShardItems{keyed(1, 1, 3, 4), keyed(2, 1, 4, 5), keyed(3, 1, 4, 5)}, says: "3" + twice},
		"those of the smaller sample": {shards: []report.ShardItems{keyed(1, 1, 3, 4, 8), keyed(2, 4, 4, 8)}, says: "2" + twice},
		"none of the smaller sample":  {shards: []report.ShardItems{keyed(1, 1, 3, 6), keyed(2, 4, 4, 8)}},
		"one where pages meet, beyond the sample": {
			shards: []report.ShardItems{
				with(keyed(1, 4), report.Edge{Page: 1, FirstKey: 3, LastKey: 5}), with(keyed(2, 4), report.Edge{Page: 2, FirstKey: 5, LastKey: 9}),
			},
			says: "1 item came twice",
		},
		"one where pages meet, of the sample": {
			shards: []report.ShardItems{
				with(keyed(1, 1, 3, 5), report.Edge{Page: 1, FirstKey: 3, LastKey: 5}), with(keyed(2, 1, 5, 9), report.Edge{Page: 2, FirstKey: 5, LastKey: 9}),
			},
			says: "1 item came twice",
		},
		"no neighbours": {
			shards: []report.ShardItems{with(keyed(1, 4), report.Edge{Page: 1, LastKey: 5}), with(keyed(3, 4), report.Edge{Page: 3, FirstKey: 5})},
		},
		"pages of the same keys": {
			shards: []report.ShardItems{
				with(keyed(1, 1, 5), report.Edge{Page: 1, LastKey: 5, Order: 7}), with(keyed(2, 1, 5), report.Edge{Page: 2, FirstKey: 5, Order: 7}),
			},
			says: "1 page has the items of the page before, by the same keys",
		},
		"texts": {
			shards: []report.ShardItems{{First: 1, Edges: report.Edges{{Page: 1, Last: 5}}}, {First: 2, Edges: report.Edges{{Page: 2, First: 5}}}},
			says:   "page 2 begins with the item that the page before it ended with",
		},
		"texts, moved on by one item": {
			shards: []report.ShardItems{
				{First: 1, Edges: report.Edges{{Page: 1, First: 1, Last: 4, Sum: 10}}}, {First: 2, Edges: report.Edges{{Page: 2, First: 2, Last: 5, Sum: 14}}},
			},
			says: "page 2 has the items of the page before it but for the first one",
		},
		"the page before again, by its answer": {
			shards: []report.ShardItems{{First: 1, Edges: report.Edges{{Page: 1, Answer: 5}}}, {First: 2, Edges: report.Edges{{Page: 2, Answer: 5}}}},
			says:   "the page is the same as the one before it",
		},
		"by its items": {
			shards: []report.ShardItems{
				{First: 1, Edges: report.Edges{{Page: 1, Answer: 5, Texts: 7}}}, {First: 2, Edges: report.Edges{{Page: 2, Answer: 6, Texts: 7}}},
			},
			says: "the page is the same as the one before it",
		},
		"another page again": {
			shards: []report.ShardItems{{First: 1, Edges: report.Edges{{Page: 1, Answer: 5}}}, {First: 3, Edges: report.Edges{{Page: 3, Answer: 5}}}},
		},
		"keys that mean nothing in one shard": {
			shards: []report.ShardItems{keyed(1, 1, 3, 4), {First: 2, Dropped: 2, Edges: report.Edges{{Page: 2, First: 3}}}, keyed(3, 1, 4)},
		},
		"another key than that of the first page": {
			shards: []report.ShardItems{keyed(1, 1, 3, 4), {First: 2, Key: "key", Every: 1, Keys: report.Hashes{3}}},
		},
		"a total that is less, and later":               {shards: []report.ShardItems{{Totals: totals(30, 30, 0, 1)}, {Totals: totals(29, 29, 2, 3)}}, says: "total fell from 30 to 29 while the pages were read"},
		"one that is less at the same time":             {shards: []report.ShardItems{{Totals: totals(30, 30, 0, 0)}, {Totals: totals(29, 29, 0, 0)}}},
		"one of what is left":                           {shards: []report.ShardItems{{Totals: totals(30, 30, 0, 1)}, {Totals: totals(20, 20, 2, 3)}}},
		"an estimate that is corrected behind the end":  {shards: []report.ShardItems{{Totals: corrected(20)}, {Totals: totals(90, 90, 0, 0)}}},
		"but not to what came":                          {shards: []report.ShardItems{{Totals: corrected(19)}, {Totals: totals(90, 90, 0, 0)}}, says: "total fell from 90 to 19 while the pages were read"},
		"one that grows":                                {shards: []report.ShardItems{{Totals: totals(30, 33, 0, 9)}, {Totals: totals(31, 32, 3, 5)}}},
		"fewer than came":                               {shards: []report.ShardItems{{Totals: totals(19, 19, 0, 0)}, {Totals: totals(19, 19, 0, 0)}}, says: "20 items came where the answer says 19 at total: "},
		"fewer than came, as was told by the last page": {shards: []report.ShardItems{told(0), told(2)}},
		"fewer than came, as was told beyond the end": {
			shards: []report.ShardItems{told(0), told(3)},
			says:   "20 items came where the answer says 19 at total: ",
		},
		"too many pages": {
			shards: []report.ShardItems{{First: 1, Many: true}, {First: 2}},
		},
	} {
		r := ofShards(t, 10, c.shards...)
		j := r.Jobs[0]
		want := report.Complete
		if c.says != "" {
			want = report.Unverified
		}
		if j.Verdict != want || !strings.Contains(j.Reason, c.says) {
			t.Errorf("%s: %v, %q", name, j.Verdict, j.Reason)
		}
		isTold := len(j.Expected) == 1 && strings.HasPrefix(j.Expected[0], "there are too many pages to compare")
		if isTold != c.shards[0].Many {
			t.Errorf("%s: it is expected that %q", name, j.Expected)
		}
	}
}

// Texts name three of the paths.
func TestAPageWithAnotherArrayIsToldWhateverCameFirst(t *testing.T) {
	page := func(path string) (f report.Findings) {
		f.WentAstray("but arrays at a, b, c", report.Astray{Paths: []string{"a", "b", "c", path}})
		return f
	}
	one, other := page("d"), page("e")
	other.SawBeside([]string{"a", "b", "c", "e"})
	for _, order := range [][]report.Findings{{one, other}, {other, one}} {
		var f report.Findings
		for _, part := range order {
			f.Add(part)
		}
		if got := verdict.OfFindings(&f, verdict.Trust{}); len(got) != 1 {
			t.Errorf("%+v", got)
		}
	}
}

func TestPublishingTrustsTheEndAsAProcessDoes(t *testing.T) {
	total := report.SeenTotals{At: "total", Limit: 10, First: report.SeenTotal{Items: 19, Page: 1}, Last: report.SeenTotal{Items: 19, Page: 2}}
	stop := *report.EndedBy(report.StopUnderflow)
	for trust, want := range map[string]report.Verdict{`{}`: report.Unverified, `{"trust":{"end":true}}`: report.Complete} {
		var all []*report.Report
		for i := range 2 {
			told := report.WalkEnd{
				Job: "a", Stride: true, Stop: stop, Page: i + 1, End: 2 + i, Items: 10, Hash: uint64(i + 1), ShardItems: &report.ShardItems{Totals: total},
			}
			all = append(all, shardReport(
				t,
				nil,
				pipeline.WalkEnded{Job: "a", Stop: stop, End: &told},
				pipeline.JobFindings{Job: "a", Facts: json.RawMessage(trust)},
			))
		}
		if r := merged(t, all...); r.Verdict != want {
			t.Errorf("%s: %v, %q", trust, r.Verdict, r.Reason)
		}
	}
}
