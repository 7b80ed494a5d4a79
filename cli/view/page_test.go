package view_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// shown is what a page is drawn of.
type shown struct {
	Written  string
	Jobs     []report.JobReport
	Headline struct{ Name, From, Date, Kind, Title, Says, Because string }
	Told     []struct {
		Because, Ended string
		Warnings       []string
	}
	Chart struct {
		Step   int64
		Series []struct {
			Kind, Of string
			Steps    []int64
		}
	}
}

// read takes the JSON out of a page.
func read(t *testing.T, page []byte) (s shown) {
	t.Helper()
	found := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).
		FindSubmatch(page)
	if found == nil || json.Unmarshal(found[1], &s) != nil {
		t.Fatalf("no JSON in the page: %.300s", page)
	}
	return s
}

func TestAChartOfManyRequestsHas240StepsAndLosesNothing(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tr := view.NewTrace(nil, began, nil)
	const requests = 100_000
	at := began
	for i := range requests {
		took := time.Duration(i%7) * time.Millisecond
		at = at.Add(took)
		call := pipeline.Call{Job: "users", Page: i + 1}
		tr.Observe(pipeline.ResponseDone{Call: call, Total: took, At: at})
		tr.Observe(pipeline.PageJudged{Job: "users", Items: 3, At: at})
		if i%10_000 == 0 {
			tr.Observe(pipeline.Retrying{Call: call, Delay: 90 * time.Second, Reason: "503", At: at})
		}
	}
	page, err := tr.Page(&report.Report{}, view.Subject{}, "-")
	if err != nil || len(page) > 100_000 {
		t.Fatalf("a page of %d bytes, %v", len(page), err)
	}
	got := map[string]int64{}
	chart := read(t, page).Chart
	for _, s := range chart.Series {
		for _, value := range s.Steps {
			got[s.Kind] += value
		}
		if len(s.Steps) > 240 {
			t.Errorf("%s has %d steps", s.Kind, len(s.Steps))
		}
	}
	want := map[string]int64{
		"request": at.Sub(began).Microseconds(),
		"items":   3 * requests,
		"pages":   requests,
		"wait":    10 * 90e6,
		"retry":   10,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || chart.Step*240 < at.Sub(began).Microseconds() {
		t.Errorf("got %v with steps of %d µs, want %v", got, chart.Step, want)
	}
}

func TestReasonsThatAreOthersEachTimeDoNotMakeAPageLarge(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tr := view.NewTrace(nil, began, nil)
	for i := range 5000 {
		tr.Observe(pipeline.Retrying{Delay: time.Second, Reason: fmt.Sprintf("port %d", i), At: began})
	}
	page, _ := tr.Page(&report.Report{}, view.Subject{}, "-")
	var times int64
	series := read(t, page).Chart.Series
	for _, s := range series {
		if s.Kind == "retry" {
			times += s.Steps[0]
		}
	}
	if len(series) > 1002 || times != 5000 {
		t.Errorf("%d series, %d retries", len(series), times)
	}
}

func TestNothingInAReportEndsTheScriptOfThePageOrShowsASecret(t *testing.T) {
	secrets := &secret.Set{}
	secrets.Add("hunter<2>")
	text := "</script><!--<script>\u2028 & hunter<2>"
	tr := view.NewTrace(nil, time.Now(), secrets)
	tr.Observe(pipeline.PageJudged{Job: text, At: time.Now()})
	page, err := tr.Page(
		&report.Report{Status: report.Failed, Jobs: []report.JobReport{{ID: text}}, Error: text},
		view.Subject{},
		"-",
	)
	if err != nil || strings.Contains(string(page), "hunter") || strings.Contains(string(page), "\u2028") {
		t.Errorf("%v", err)
	}
	want := "</script><!--<script>\u2028 & [secret]"
	if s := read(t, page); s.Jobs[0].ID != want || s.Chart.Series[1].Of != want ||
		s.Written != "to stdout, what came before" {
		t.Errorf("got %+v", s)
	}
	if n := strings.Count(string(page), "</script>"); n != 2 {
		t.Errorf("%d scripts end", n)
	}
}

func TestThePageNamesWhatTheRunIsAbout(t *testing.T) {
	const end = " · Complete · "
	for name, c := range map[string]struct {
		of                      view.Subject
		date, named, from, head string
	}{
		"all jobs": {
			view.Subject{"crm.json", nil, []string{"crm.example.com"}},
			"2026-01-31", "crm.json", "crm.example.com",
			"crm.json 2026-01-31 02:00" + end + "crm.example.com · sluice run r",
		},
		"one job, of another day": {
			view.Subject{"crm.json", []string{"users"}, nil},
			"2026-01-30", "users of crm.json", "",
			"users of crm.json for 2026-01-30, 2026-01-31 02:00" + end + "sluice run r",
		},
		"several": {
			view.Subject{"crm.json", []string{"a", "b", "c"}, []string{"d", "e:8080", "f", "g"}},
			"", "a, b and c of crm.json", "d, e:8080 and 2 more",
			"a, b and c of crm.json 2026-01-31 02:00" + end + "d, e:8080 and 2 more · sluice run r",
		},
		"long, of markup, with a secret": {
			view.Subject{strings.Repeat("x", 90) + ".json", nil, []string{"<hunter2>{}.example.com"}},
			"", strings.Repeat("x", 90) + ".json", "<[secret]>{}.example.com",
			strings.Repeat("x", 19) + "…" + strings.Repeat("x", 15) + ".json 2026-01-31 02:00" + end +
				"&lt;[secret]&gt;{}.example.com · sluice run r",
		},
		"nothing known": {head: "2026-01-31 02:00" + end + "sluice run r"},
	} {
		secrets := &secret.Set{}
		secrets.Add("hunter2")
		began := time.Date(2026, 1, 31, 2, 0, 0, 0, time.UTC)
		r := &report.Report{RunID: "r", Date: c.date, StartedAt: began}
		page, err := view.NewTrace(nil, began, secrets).Page(r, c.of, "-")
		if err != nil {
			t.Fatal(err)
		}
		if h := read(t, page).Headline; h.Name != c.named || h.From != c.from {
			t.Errorf("%s: %q, %q", name, h.Name, h.From)
		}
		if !strings.Contains(string(page), "<title>"+c.head+"</title>") {
			t.Errorf("%s: no title %q in %.700s", name, c.head, page)
		}
	}
}
