package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

// ofShards is what is said of a walk of which each shard tells so much.
func ofShards(t *testing.T, items int64, shards ...report.Seams) *report.Report {
	t.Helper()
	var all []*report.Report
	for i := range shards {
		stop := *report.EndedBy(report.StopUnderflow)
		told := report.WalkEnd{
			Job: "a", Stride: true, Stop: stop, Page: i + 1, End: len(shards) + i, Items: items, Hash: uint64(i + 1), Seams: &shards[i],
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
	told := func(page int) report.Seams {
		is := totals(19, 19, 0, 0)
		is.Told = page
		return report.Seams{Totals: is}
	}
	keyed := func(first int, every uint64, keys ...uint64) report.Seams {
		return report.Seams{First: first, Key: "id", Every: every, Keys: keys, SameKeys: "same keys"}
	}
	with := func(s report.Seams, edges ...report.Edge) report.Seams {
		s.Edges = edges
		return s
	}
	const twice = " items came twice"
	for name, c := range map[string]struct {
		shards []report.Seams
		// Empty: nothing is doubted.
		says string
	}{
		"other keys":                  {shards: []report.Seams{keyed(1, 1, 3, 4), keyed(2, 1, 5, 6)}},
		"two keys of three shards":    {shards: []report.Seams{keyed(1, 1, 3, 4), keyed(2, 1, 4, 5), keyed(3, 1, 4, 5)}, says: "3" + twice},
		"those of the smaller sample": {shards: []report.Seams{keyed(1, 1, 3, 4, 8), keyed(2, 4, 4, 8)}, says: "2" + twice},
		"none of the smaller sample":  {shards: []report.Seams{keyed(1, 1, 3, 6), keyed(2, 4, 4, 8)}},
		"one where pages meet, beyond the sample": {
			shards: []report.Seams{
				with(keyed(1, 4), report.Edge{Page: 1, FirstKey: 3, LastKey: 5}), with(keyed(2, 4), report.Edge{Page: 2, FirstKey: 5, LastKey: 9}),
			},
			says: "1 item came twice",
		},
		"one where pages meet, of the sample": {
			shards: []report.Seams{
				with(keyed(1, 1, 3, 5), report.Edge{Page: 1, FirstKey: 3, LastKey: 5}), with(keyed(2, 1, 5, 9), report.Edge{Page: 2, FirstKey: 5, LastKey: 9}),
			},
			says: "1 item came twice",
		},
		"no neighbours": {
			shards: []report.Seams{with(keyed(1, 4), report.Edge{Page: 1, LastKey: 5}), with(keyed(3, 4), report.Edge{Page: 3, FirstKey: 5})},
		},
		"pages of the same keys": {
			shards: []report.Seams{
				with(keyed(1, 1, 5), report.Edge{Page: 1, LastKey: 5, Order: 7}), with(keyed(2, 1, 5), report.Edge{Page: 2, FirstKey: 5, Order: 7}),
			},
			says: "1 page has same keys",
		},
		"texts": {
			shards: []report.Seams{{First: 1, Edges: report.Edges{{Page: 1, Last: 5}}}, {First: 2, Edges: report.Edges{{Page: 2, First: 5}}}},
			says:   "page 2 begins with the very item that the page before it ended with",
		},
		"keys that mean nothing in one shard": {
			shards: []report.Seams{keyed(1, 1, 3, 4), {First: 2, Dropped: 2, Edges: report.Edges{{Page: 2, First: 3}}}, keyed(3, 1, 4)},
		},
		"another key than that of the first page": {
			shards: []report.Seams{keyed(1, 1, 3, 4), {First: 2, Key: "key", Every: 1, Keys: report.Hashes{3}}},
		},
		"a total that is less, and later":               {shards: []report.Seams{{Totals: totals(30, 30, 0, 1)}, {Totals: totals(29, 29, 2, 3)}}, says: "total became less while the pages were read, 29 after 30"},
		"one that is less at the same time":             {shards: []report.Seams{{Totals: totals(30, 30, 0, 0)}, {Totals: totals(29, 29, 0, 0)}}},
		"one of what is left":                           {shards: []report.Seams{{Totals: totals(30, 30, 0, 1)}, {Totals: totals(20, 20, 2, 3)}}},
		"an estimate that is corrected behind the end":  {shards: []report.Seams{{Totals: corrected(20)}, {Totals: totals(90, 90, 0, 0)}}},
		"but not to what came":                          {shards: []report.Seams{{Totals: corrected(19)}, {Totals: totals(90, 90, 0, 0)}}, says: "total became less while the pages were read, 19 after 90"},
		"one that grows":                                {shards: []report.Seams{{Totals: totals(30, 33, 0, 9)}, {Totals: totals(31, 32, 3, 5)}}},
		"fewer than came":                               {shards: []report.Seams{{Totals: totals(19, 19, 0, 0)}, {Totals: totals(19, 19, 0, 0)}}, says: "20 items came where the answer says 19 at total: "},
		"fewer than came, as was told by the last page": {shards: []report.Seams{told(0), told(2)}},
		"fewer than came, as was told beyond the end": {
			shards: []report.Seams{told(0), told(3)},
			says:   "20 items came where the answer says 19 at total: ",
		},
		"too many pages": {
			shards: []report.Seams{{First: 1, Many: true}, {First: 2}},
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

// A billion items, or a thousand shards, must not make it more.
func TestWhatAShardTellsIsSmallAndComesBack(t *testing.T) {
	told := report.Seams{First: 1, Key: "id", Every: 1 << 62}
	for i := range 1 << 13 {
		told.Edges = append(told.Edges, report.Edge{Page: i, First: 1, Last: ^uint64(0), FirstKey: 3, LastKey: 4, Order: 5})
	}
	for i := range uint64(1 << 16) {
		told.Keys = append(told.Keys, i<<48)
	}
	text, err := json.Marshal(told)
	if err != nil || len(text) > 1_300_000 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	var back report.Seams
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told, back); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, cut := range []string{`{"keys":"AAAA"}`, `{"edges":"AAAAAAAAAAA="}`, `{"edges":"?"}`} {
		if json.Unmarshal([]byte(cut), &back) == nil {
			t.Errorf("%s is taken", cut)
		}
	}
}
