package pipeline_test

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

var (
	began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	ended = began.Add(time.Minute)
)

func reporter(jobs ...string) *pipeline.Reporter {
	head := report.Report{Version: "1.0.0", RunID: "r1", StartedAt: began}
	for _, id := range jobs {
		head.Jobs = append(head.Jobs, report.JobReport{ID: id, DataType: "type of " + id})
	}
	return pipeline.NewReporter(head)
}

func stop(job string, reason report.StopReason, v report.Verdict) pipeline.WalkEnded {
	return pipeline.WalkEnded{Job: job, Stop: report.Stop{Reason: reason, Verdict: v}}
}

func TestTheReportCountsWhatHappened(t *testing.T) {
	r := reporter("a", "b")
	page := pipeline.Call{Job: "a", Page: 1, Attempt: 1}
	login := pipeline.Call{Job: "a"}
	for _, e := range []pipeline.Event{
		pipeline.RequestSent{Call: login},
		pipeline.ResponseDone{Call: login, Status: 200, Bytes: 1000},
		pipeline.Retrying{Call: login},
		pipeline.LoggedIn{Job: "a"},
		pipeline.RequestSent{Call: page},
		pipeline.ResponseDone{Call: page, Status: 503, Bytes: 3},
		pipeline.Retrying{Call: page},
		pipeline.RequestSent{Call: page},
		pipeline.ResponseDone{Call: page, Status: 200, Bytes: 40},
		pipeline.PageJudged{Job: "a", Page: 1, Items: 7, Bytes: 30},
		pipeline.PageJudged{Job: "a", Page: 2, Items: 2, Bytes: 9},
		pipeline.BatchWritten{Job: "a", Items: 9},
		stop("a", "underflow", report.Complete),
		stop("b", "forceStop.pages", report.Unverified),
		pipeline.Warned{Job: "b", Text: "odd"},
		pipeline.Warned{Text: "of no job"},
		pipeline.PageJudged{Job: "unknown", Items: 1},
	} {
		r.Observe(e)
	}
	want := &report.Report{
		Format: report.Format, Version: "1.0.0", RunID: "r1", Status: "succeeded", Verdict: report.Unverified, StartedAt: began, FinishedAt: ended,
		Warnings: []string{"of no job"},
		Jobs: []report.JobReport{
			{ID: "a", DataType: "type of a", Items: 9, Pages: 2, Costs: report.Costs{Requests: 2, Retries: 1, Logins: 1, BytesIn: 43}, StopReason: "underflow", Warnings: []string{}, Expected: []string{}},
			{ID: "b", DataType: "type of b", StopReason: "forceStop.pages", Verdict: report.Unverified, Warnings: []string{"odd"}, Expected: []string{}},
		},
		Outputs: []report.OutputReport{},
	}
	want.Jobs[1].Reason = "ended by forceStop.pages: a bound of the configuration ended it"
	want.Reason = "b: " + want.Jobs[1].Reason
	if diff := cmp.Diff(want, r.Succeeded(ended)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheWorstWalkGivesReasonAndVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		events  []pipeline.Event
		reason  report.StopReason
		verdict report.Verdict
	}{
		"the worse comes first": {
			[]pipeline.Event{stop("a", "forceStop", report.Unverified), stop("a", "underflow", report.Complete)},
			"forceStop", report.Unverified,
		},
		"the worse comes last": {
			[]pipeline.Event{stop("a", "underflow", report.Complete), stop("a", "forceStop", report.Unverified)},
			"forceStop", report.Unverified,
		},
		"of two as bad the greater": {
			[]pipeline.Event{stop("a", "forceStop", report.Unverified), stop("a", "repeated", report.Unverified)},
			"repeated", report.Unverified,
		},
		"of two as bad the greater, in any order": {
			[]pipeline.Event{stop("a", "repeated", report.Unverified), stop("a", "forceStop", report.Unverified)},
			"repeated", report.Unverified,
		},
		"a warning makes the verdict worse": {
			[]pipeline.Event{stop("a", "underflow", report.Complete), pipeline.Warned{Job: "a", Verdict: report.Incomplete}},
			"underflow", report.Incomplete,
		},
		"a warning hides no reason": {
			[]pipeline.Event{
				pipeline.Warned{Job: "a", Verdict: report.Incomplete},
				stop("a", "underflow", report.Complete), stop("a", "forceStop", report.Unverified),
			},
			"forceStop", report.Incomplete,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := reporter("a")
			for _, e := range c.events {
				r.Observe(e)
			}
			got := r.Succeeded(ended)
			if got.Jobs[0].StopReason != c.reason || got.Jobs[0].Verdict != c.verdict || got.Verdict != c.verdict {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAFailedRunIsIncompleteAndSaysWhichJobsWere(t *testing.T) {
	r := reporter("done", "cut", "never begun")
	r.Observe(stop("done", "underflow", report.Complete))
	r.Observe(pipeline.PageJudged{Job: "cut", Items: 5})
	got := r.Failed("the API is gone", ended)
	if got.Status != "failed" || got.Error != "the API is gone" || got.Verdict != report.Incomplete {
		t.Errorf("got %+v", got)
	}
	for i, want := range []report.JobReport{
		{StopReason: "underflow", Verdict: report.Complete},
		{StopReason: "failed", Verdict: report.Incomplete},
		{StopReason: "failed", Verdict: report.Incomplete},
	} {
		if j := got.Jobs[i]; j.StopReason != want.StopReason || j.Verdict != want.Verdict {
			t.Errorf("got %+v", j)
		}
	}
}

func TestARunThatFailsWhenAllIsFetchedKeepsItsVerdict(t *testing.T) {
	r := reporter("a", "never begun")
	r.Observe(stop("a", "forceStop.pages", report.Unverified))
	r.Succeeded(ended)
	got := r.Failed("the disk is full", ended)
	if got.Status != "failed" || got.Verdict != report.Unverified || got.Jobs[0].Verdict != report.Unverified || got.Jobs[1].StopReason != "" {
		t.Errorf("got %+v", got)
	}
}

func TestAReportIsASnapshot(t *testing.T) {
	jobs := []report.JobReport{{ID: "a"}}
	r := pipeline.NewReporter(report.Report{Jobs: jobs})
	before := r.Succeeded(ended)
	r.Observe(pipeline.PageJudged{Job: "a", Items: 1})
	r.Observe(pipeline.Warned{Job: "a", Text: "later"})
	before.Outputs = append(before.Outputs, report.OutputReport{URI: "x"})
	if j := before.Jobs[0]; j.Items != 0 || len(j.Warnings) != 0 {
		t.Errorf("the report of before became %+v", j)
	}
	if len(r.Succeeded(ended).Outputs) != 0 {
		t.Error("what a sink enters into one report shows in the next")
	}
	if jobs[0].Warnings != nil {
		t.Error("the caller's jobs were changed")
	}
}

func TestTheReportInJSONIsTheContract(t *testing.T) {
	r := reporter("a").Failed("no", ended)
	r.Outputs = append(r.Outputs, report.OutputReport{
		URI: "s3://b/k", Path: "k", DataType: "t", Format: "csv", Compression: "none",
		Items: 1, Bytes: 2, BytesUncompressed: 2, SHA256: "ab",
	})
	got, err := json.Marshal(r)
	want := `{"format":2,"version":"1.0.0","runId":"r1","status":"failed","verdict":"incomplete","error":"no",` +
		`"startedAt":"2026-01-02T03:04:05Z","finishedAt":"2026-01-02T03:05:05Z",` +
		`"jobs":[{"id":"a","dataType":"type of a","items":0,"pages":0,"requests":0,"retries":0,"logins":0,"bytesIn":0,"wasted":0,` +
		`"stopReason":"failed","verdict":"incomplete","warnings":[]}],` +
		`"outputs":[{"uri":"s3://b/k","path":"k","dataType":"t","format":"csv","compression":"none",` +
		`"items":1,"bytes":2,"bytesUncompressed":2,"sha256":"ab"}]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s with %v\nwant %s", got, err, want)
	}
}

func TestAVerdictIsReadBack(t *testing.T) {
	for v := report.Complete; v <= report.Incomplete; v++ {
		text, err := json.Marshal(v)
		var read report.Verdict
		if err := errors.Join(err, json.Unmarshal(text, &read)); err != nil || read != v {
			t.Errorf("%s is read as %v, %v", text, read, err)
		}
	}
	var v report.Verdict
	if err := v.UnmarshalText([]byte("good")); err == nil || err.Error() != `unknown verdict "good" (have complete, unverified, incomplete)` {
		t.Errorf("got %v", err)
	}
}

func TestAReporterMayBeToldBySeveralGoroutines(t *testing.T) {
	r := reporter("a")
	var told sync.WaitGroup
	for range 8 {
		told.Go(func() { r.Observe(pipeline.PageJudged{Job: "a", Items: 1}) })
	}
	told.Wait()
	if got := r.Succeeded(ended).Jobs[0].Items; got != 8 {
		t.Errorf("got %d items, want 8", got)
	}
}
