package view_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
)

// played is a run as it was told to the report and to the log.
type played struct {
	stop report.StopReason
	// Of the walk, and of each warning of the job, and of the run, by its text.
	verdict  report.Verdict
	job, run map[string]report.Verdict
}

// texts are those of warnings, in the order in which they come.
func texts(m map[string]report.Verdict) []string {
	var all []string
	for text := range m {
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// play returns the report of a run, and what its log says.
func (p played) play() (*report.Report, string) {
	var out bytes.Buffer
	log := &view.Log{W: &out}
	r := pipeline.NewReporter(report.Report{Jobs: []report.JobReport{{ID: "first"}, {ID: "job"}}})
	all := pipeline.Observers{r, log}
	for _, text := range texts(p.run) {
		all.Observe(pipeline.Warned{Text: text, Verdict: p.run[text]})
	}
	all.Observe(pipeline.WalkEnded{Job: "first", Stop: *report.EndedBy(report.StopUnderflow)})
	for _, text := range texts(p.job) {
		all.Observe(pipeline.Warned{Job: "job", Text: text, Verdict: p.job[text]})
	}
	all.Observe(pipeline.RequestSent{Call: pipeline.Call{Job: "job"}})
	stop := report.EndedBy(p.stop)
	stop.Verdict = max(stop.Verdict, p.verdict)
	all.Observe(pipeline.WalkEnded{Job: "job", Stop: *stop})
	told := r.Succeeded(time.Now())
	log.Close(told, "", "-")
	return told, out.String()
}

// means tells whether a text makes a verdict by itself.
func (p played) means(text string, v report.Verdict) bool {
	if text == p.stop.Ended() {
		return p.stop.Rule().Verdict == v
	}
	return max(p.job[text], p.run[text]) == v
}

// Whatever ends a walk and whatever is doubted of it: one reason is what headline, log and report show first, and
// it is one that makes the verdict.
func TestHeadlineReasonsAndLogSayOneThing(t *testing.T) {
	doubts := []map[string]report.Verdict{
		nil,
		{"a: harmless": report.Complete},
		{"a: harmless": report.Complete, "b: odd": report.Unverified},
		{"b: odd": report.Unverified, "c: more": report.Incomplete, "d: more, too": report.Incomplete},
		{"e: of the run": report.Unverified},
	}
	for _, stop := range report.StopReasons() {
		if stop.Rule().CutShort {
			// The error says why.
			continue
		}
		for _, job := range doubts {
			for _, run := range doubts[1:] {
				p := played{stop: stop, job: job, run: run}
				for _, v := range job {
					p.verdict = max(p.verdict, v)
				}
				told, log := p.play()
				name := fmt.Sprintf("%s, %v, %v", stop, job, run)
				p.check(t, name, told, log)
			}
		}
	}
}

func (p played) check(t *testing.T, name string, told *report.Report, log string) {
	t.Helper()
	want := max(p.verdict, p.stop.Rule().Verdict)
	for _, v := range p.run {
		want = max(want, v)
	}
	page, err := view.NewTrace(nil, time.Now(), nil).Page(told, view.Subject{}, "-")
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, page)
	isOne := told.Verdict == want && s.Headline.Kind == want.String()
	if !isOne || s.Jobs[1].Verdict != want {
		t.Errorf(
			"%s: want %v: %v, headline %s, job %v",
			name,
			want,
			told.Verdict,
			s.Headline.Kind,
			s.Jobs[1].Verdict,
		)
	}
	if want == report.Complete {
		if told.Reason+told.Jobs[1].Reason+s.Headline.Because+s.Told[1].Because != "" {
			t.Errorf("%s: complete, because %q", name, told.Reason)
		}
		return
	}
	text := strings.TrimPrefix(told.Reason, "job: ")
	if !p.means(text, want) || !p.means(told.Jobs[1].Reason, want) {
		t.Errorf("%s: %v is not made by %q, nor by %q", name, want, text, told.Jobs[1].Reason)
	}
	if s.Headline.Because != told.Reason+"." || !strings.EqualFold(s.Told[1].Because, told.Jobs[1].Reason+".") {
		t.Errorf("%s: the page says %q and %q", name, s.Headline.Because, s.Told[1].Because)
	}
	if !strings.Contains(log, ", "+want.String()+": "+told.Reason+"\n") {
		t.Errorf("%s: the log does not end with %q:\n%s", name, told.Reason, log)
	}
	isWarning := told.Jobs[1].Reason != p.stop.Ended() && len(p.job) > 0 &&
		p.run[told.Jobs[1].Reason] == report.Complete
	if isWarning && told.Jobs[1].Warnings[0] != told.Jobs[1].Reason {
		t.Errorf("%s: the first warning is %q", name, told.Jobs[1].Warnings[0])
	}
}

// What only the whole run shows comes after the line of the walk.
func TestAJobThatIsDoubtedAfterItsLineHasAnother(t *testing.T) {
	var out bytes.Buffer
	log := &view.Log{W: &out}
	r := pipeline.NewReporter(report.Report{Jobs: []report.JobReport{{ID: "a"}, {ID: "b"}}})
	all := pipeline.Observers{r, log}
	for _, id := range []string{"a", "b"} {
		all.Observe(pipeline.WalkEnded{Job: id, Stop: *report.EndedBy(report.StopUnderflow)})
		all.Observe(pipeline.Warned{Job: id, Text: "odd, " + id, Verdict: report.Unverified})
	}
	log.Close(r.Succeeded(time.Now()), "", "-")
	for _, line := range []string{"a: 0 items in 0 pages in all: unverified: odd, a\n", "b: 0 items in 0 pages in all: unverified: odd, b\n", ", unverified: a: odd, a\n"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("there is no %q in\n%s", line, out.String())
		}
	}
}

// The configuration is known to be odd before any job begins.
func TestWhatIsDoubtedBeforeTheRunHasItsReason(t *testing.T) {
	const known = "config.json:1:2: api.paginaton: unknown member"
	for name, c := range map[string]struct {
		reason string
		warned []pipeline.Warned
		want   string
	}{
		"a reason":                {reason: known, want: known},
		"one, and another":        {reason: known, warned: []pipeline.Warned{{Job: "a", Text: "odd", Verdict: report.Unverified}}, want: "odd"},
		"one, and what is no one": {reason: known, warned: []pipeline.Warned{{Job: "a", Text: "harmless"}}, want: known},
		"a warning of the run":    {warned: []pipeline.Warned{{Text: known + "\n  {"}, {Job: "a", Text: "harmless"}}, want: known},
	} {
		job := report.JobReport{ID: "a", Verdict: report.Unverified, Reason: c.reason}
		r := pipeline.NewReporter(report.Report{Jobs: []report.JobReport{job}})
		for _, w := range c.warned {
			r.Observe(w)
		}
		r.Observe(pipeline.WalkEnded{Job: "a", Stop: *report.EndedBy(report.StopUnderflow)})
		told := r.Succeeded(time.Now())
		if told.Jobs[0].Reason != c.want || told.Reason != "a: "+c.want {
			t.Errorf("%s: %q, %q", name, told.Jobs[0].Reason, told.Reason)
		}
	}
}

func TestThePageOfAFailedRunSaysHowFarItCame(t *testing.T) {
	ended := report.JobReport{StopReason: report.StopUnderflow, Costs: report.Costs{Requests: 1}}
	cut := report.JobReport{StopReason: report.StopFailed, Verdict: report.Incomplete}
	for want, jobs := range map[string][]report.JobReport{
		"It failed before any job began.":          nil,
		"It failed before all its jobs had ended.": {ended, cut},
		"All its jobs had ended when it failed.":   {ended},
	} {
		r := &report.Report{Status: report.Failed, Error: "too few items", Jobs: jobs}
		page, err := view.NewTrace(nil, time.Now(), nil).Page(r, view.Subject{}, "out/")
		if err != nil {
			t.Fatal(err)
		}
		s := read(t, page)
		if s.Headline.Kind != "failed" || s.Headline.Says != want || s.Written != "nothing that is visible" {
			t.Errorf("%+v, written: %s, want %q", s.Headline, s.Written, want)
		}
		if len(jobs) == 2 && s.Told[1].Ended != "The run failed before the job began." {
			t.Errorf("of a job that had not begun: %+v", s.Told[1])
		}
	}
}
