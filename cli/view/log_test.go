package view_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

func TestTheSameWarningIsShownThreeTimes(t *testing.T) {
	var out bytes.Buffer
	l := &view.Log{W: &out}
	for range 10 {
		l.Observe(pipeline.Warned{Job: "a", Text: "odd"})
	}
	l.Observe(pipeline.Warned{Job: "b", Text: "odd"})
	want := strings.Repeat("sluice: warning: a: odd\n", 2) + "sluice: warning: a: odd (further warnings like this are only counted)\n" + "sluice: warning: b: odd\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestTheLogRemembersABoundedNumberOfWarnings(t *testing.T) {
	var out bytes.Buffer
	l := &view.Log{W: &out}
	odd := func() int {
		out.Reset()
		for range 10 {
			l.Observe(pipeline.Warned{Job: "a", Text: "odd"})
		}
		return strings.Count(out.String(), "\n")
	}
	if first, again := odd(), odd(); first != 3 || again != 0 {
		t.Errorf("the same warning is shown %d times and again %d times", first, again)
	}
	for i := range 1000 {
		l.Observe(pipeline.Warned{Job: "a", Text: fmt.Sprint(i)})
	}
	if n := odd(); n != 3 {
		t.Errorf("after a thousand others it is shown %d times: it was not forgotten", n)
	}
}

func TestWhatChildJobsDoIsForDebugging(t *testing.T) {
	for level, want := range map[slog.Level]string{
		slog.LevelInfo:  "sluice: p: page 1: 2 items\n",
		slog.LevelDebug: "sluice: p: page 1: 2 items\nsluice: c: page 1: 1 item\nsluice: c: 1 item in 1 page, ended by underflow: complete\n",
	} {
		var out bytes.Buffer
		l := &view.Log{W: &out, Level: level}
		l.Observe(pipeline.PageJudged{Job: "p", Page: 1, Items: 2})
		l.Observe(pipeline.PageJudged{Job: "c", Page: 1, Items: 1, Depth: 1})
		l.Observe(pipeline.WalkEnded{Job: "c", Pages: 1, Items: 1, Depth: 1, Stop: report.Stop{Reason: "underflow"}})
		if out.String() != want {
			t.Errorf("%s: got\n%s", level, out.String())
		}
	}
}

func TestALogLineForProgramsIsJSONWhateverASecretLooksLike(t *testing.T) {
	secrets := &secret.Set{}
	secrets.Add(`","job":"`, "hidden")
	var out bytes.Buffer
	l := &view.Log{W: &out, JSON: true, Secrets: secrets}
	l.Observe(pipeline.Warned{Job: "a", Text: `odd: hidden ","job":"`})
	l.Error("no hidden")
	for line := range strings.Lines(out.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil || strings.Contains(line, "hidden") || !strings.Contains(line, secret.Hidden) {
			t.Errorf("%v in %s", err, line)
		}
	}
}

func TestTheLogOfPagesIsCheapWhereItIsNotShown(t *testing.T) {
	l := &view.Log{W: io.Discard, Level: slog.LevelWarn}
	sent := pipeline.Event(pipeline.RequestSent{Call: pipeline.Call{Job: "a", Page: 1}})
	if n := testing.AllocsPerRun(100, func() { l.Observe(sent) }); n > 0 {
		t.Errorf("%v allocations for each request", n)
	}
}
