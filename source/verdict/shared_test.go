package verdict_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

const code, text = 1, 2

// saying is a page of an answer with those values of a code and a text.
func saying(page, items int, codeSays, textSays string) verdict.Record {
	said := func(name uint64, value string) evidence.Said {
		return evidence.Said{Name: name, Value: evidence.Hash([]byte(value)), Is: evidence.Tone([]byte(`"code"`), []byte(value))}
	}
	return verdict.Record{
		Page: page, Items: items, Compared: true, Body: verdict.BodyKinds{Root: '{', Field: '['}, Field: "data",
		Around: []evidence.Said{said(code, codeSays), said(text, textSays)},
	}
}

// totalOf is a page that says how many items there are.
func totalOf(page, items int, total int64) verdict.Record {
	return verdict.Record{Page: page, Items: items, Announced: verdict.Announced{Number: total, Place: "sum"}}
}

// limitOf is a page at which limitStop reads a number.
func limitOf(page, items int, limit int64) verdict.Record {
	return verdict.Record{Page: page, Items: items, Limit: verdict.Announced{Number: limit, Place: "sum"}}
}

func TestAProcessAndShardsDoubtTheSamePages(t *testing.T) {
	for name, c := range map[string]struct {
		pages []verdict.Record
		// Of the end.
		end  verdict.End
		says string
		// 0: it is unverified, if something is said.
		want report.Verdict
	}{
		"a code that is another one where there are no items": {
			pages: []verdict.Record{saying(1, 2, "0", `"ok"`), saying(2, 2, "0", `"ok"`), saying(3, 0, "7", `"no"`)},
			says:  "a member that is the same on all of those has another value",
		},
		"in the middle": {
			pages: []verdict.Record{saying(1, 2, "0", `"ok"`), saying(2, 0, "7", `"no"`), saying(3, 2, "0", `"ok"`)},
			says:  "a member that is the same on all of those has another value",
		},
		"a code that differs on pages with items": {
			pages: []verdict.Record{saying(1, 2, "0", `"a"`), saying(2, 2, "3", `"b"`), saying(3, 0, "7", `"c"`)},
		},
		"a number of all that is more than came": {
			pages: []verdict.Record{totalOf(1, 2, 6), totalOf(2, 1, 6), {Page: 3}},
			says:  "3 items came where the answer says 6 at sum",
		},
		"fewer than limitStop says": {
			pages: []verdict.Record{limitOf(1, 2, 4), limitOf(2, 1, 4), limitOf(3, 0, 4)},
			says:  "3 items came where the response says 4 at sum",
			want:  report.Incomplete,
		},
		"more than limitStop says": {
			pages: []verdict.Record{limitOf(1, 2, 3), limitOf(2, 2, 3)},
			end:   verdict.End{Reason: report.StopLimitField},
			says:  "limitStop.field: 4 items came, more than the 3 that the response says at sum",
		},
		"as many as limitStop says": {
			pages: []verdict.Record{limitOf(1, 2, 4), limitOf(2, 2, 4)},
			end:   verdict.End{Reason: report.StopLimitField},
		},
		"one that was corrected": {
			pages: []verdict.Record{totalOf(1, 2, 6), totalOf(2, 1, 3), {Page: 3}},
		},
		"one that the configuration has named": {
			pages: []verdict.Record{totalOf(1, 2, 6), totalOf(2, 1, 6), {Page: 3}},
			end:   verdict.End{Exact: true},
		},
	} {
		if c.end.Reason == "" {
			c.end.Reason = report.StopUnderflow
		}
		for shards := range 4 {
			worst, said := judgedByShards(t, c.pages, c.end, shards)
			want := c.want
			if c.says != "" {
				want = max(want, report.Unverified)
			}
			if worst != want || !strings.Contains(said, c.says) {
				t.Errorf("%s: %d shards: %v, %q", name, shards, worst, said)
			}
		}
	}
}

// judgedByShards judges pages that so many shards have in turn; 0: a process has all.
func judgedByShards(t *testing.T, pages []verdict.Record, end verdict.End, shards int) (report.Verdict, string) {
	if shards == 0 {
		var walk verdict.WalkFacts
		for i := range pages {
			walk.Add(&pages[i])
		}
		walk.End = end
		var job verdict.JobFacts
		job.Add(&walk, report.Complete)
		judged := verdict.Judge(&job, verdict.Trust{})
		text, _ := json.Marshal(judged.Doubts)
		return judged.Verdict, string(text)
	}
	stop := *report.EndedBy(report.StopUnderflow)
	var all []*report.Report
	for i := range shards {
		var part verdict.ShardFacts
		told := report.WalkEnd{Job: "a", Stride: true, Stop: stop, End: len(pages) + i}
		for at := i; at < len(pages); at += shards {
			part.Add(&pages[at])
			if pages[at].Items > 0 {
				told.Page, told.Hash = at+1, uint64(at+1)
			}
		}
		if (len(pages)-1)%shards == i {
			told.End = len(pages)
		}
		part.Final.End = end
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		told.Facts = text
		all = append(all, shardReport(t, nil, pipeline.WalkEnded{Job: "a", Stop: stop, End: &told}))
	}
	// Their order decides nothing.
	slices.Reverse(all)
	r := merged(t, all...)
	return r.Verdict, r.Jobs[0].Reason
}
