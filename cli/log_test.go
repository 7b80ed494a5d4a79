package cli

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"sluice/pipeline"
)

func TestTheSameWarningIsShownThreeTimes(t *testing.T) {
	var out bytes.Buffer
	l := newLogger(&out, slog.LevelInfo, "text", nil)
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
	l := newLogger(&bytes.Buffer{}, slog.LevelError, "text", nil)
	for i := range 10 * rememberedMost {
		l.Observe(pipeline.Warned{Job: "a", Text: fmt.Sprint(i)})
	}
	if n := len(l.often.times); n > rememberedMost {
		t.Errorf("%d warnings are remembered", n)
	}
}

func TestWhatChildJobsDoIsForDebugging(t *testing.T) {
	for level, want := range map[slog.Level]string{
		slog.LevelInfo:  "sluice: p: page 1: 2 items\n",
		slog.LevelDebug: "sluice: p: page 1: 2 items\nsluice: c: page 1: 1 item\nsluice: c: 1 item in 1 page, ended by underflow: complete\n",
	} {
		var out bytes.Buffer
		l := newLogger(&out, level, "text", nil)
		l.Observe(pipeline.PageJudged{Job: "p", Page: 1, Items: 2})
		l.Observe(pipeline.PageJudged{Job: "c", Page: 1, Items: 1, Depth: 1})
		l.Observe(pipeline.WalkEnded{Job: "c", Pages: 1, Items: 1, Depth: 1, Stop: pipeline.Stop{Reason: "underflow"}})
		if out.String() != want {
			t.Errorf("%s: got\n%s", level, out.String())
		}
	}
}
