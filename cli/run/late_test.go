package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

func TestAFailureWhenAllIsVisibleIsAWarningInTheReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "goes")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	summary := filepath.Join(t.TempDir(), "report.json")
	c := &console{world: &World{Now: time.Now}, secrets: &secret.Set{}, log: &view.Log{W: &stderr}}
	o := &Options{Data: Data{Output: "-"}, Beside: SideFiles{Summary: summary, State: filepath.Join(dir, "state")}}
	p := &process{world: c.world, secrets: c.secrets, console: c, options: o}
	b, err := newAllSides(t.Context(), p, &shardTexts{})
	if err != nil {
		t.Fatal(err)
	}
	b.state.seen = func(*report.Report) (*stateInput, error) { return &stateInput{}, nil }
	r := &report.Report{Status: "succeeded"}
	if err := errors.Join(b.state.open(p.bucket), b.sides.ready(t.Context(), r), os.RemoveAll(dir)); err != nil {
		t.Fatal(err)
	}
	if err := p.finish(t.Context(), b, r); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(summary)
	if !strings.Contains(string(text), `"stateSaved": false`) {
		t.Errorf("the report does not say that the state stayed as it was: %s", text)
	}
	for _, got := range []string{string(text), stderr.String()} {
		if err != nil || !strings.Contains(got, "state: no such file or directory (the data is written, and all of it is visible)") {
			t.Errorf("got %s, %v", got, err)
		}
	}
}

// brokenSide is one that cannot be put in place.
type brokenSide struct{ shardTexts }

func (*brokenSide) place(context.Context, *report.Report) error {
	return errors.New("the store is away")
}

// What is placed after the reports fails when they are in place: they are put there again.
func TestTheReportHasWhatFailsAfterIt(t *testing.T) {
	summary := filepath.Join(t.TempDir(), "report.json")
	c := &console{world: &World{Now: time.Now}, secrets: &secret.Set{}, log: &view.Log{W: io.Discard}}
	p := &process{world: c.world, secrets: c.secrets, console: c, options: &Options{Data: Data{Output: "-"}, Beside: SideFiles{Summary: summary}}}
	b, err := newAllSides(t.Context(), p, &brokenSide{})
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{}
	if err := errors.Join(b.sides.ready(t.Context(), r), p.finish(t.Context(), b, r)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(summary)
	if err != nil || !strings.Contains(string(text), "the store is away (the data is written, and all of it is visible)") {
		t.Errorf("%s, %v", text, err)
	}
}

// stuckFile fails a test that touches it.
type stuckFile struct{ t *testing.T }

func (f stuckFile) Write([]byte) (int, error) { return 0, f.Close() }

func (f stuckFile) Close() error {
	f.t.Error("what is stuck was waited for")
	return nil
}

// A run that is not waited for any more may be stuck in its timeline.
func TestTheReportOfAFailureDoesNotWaitForTheTimeline(t *testing.T) {
	summary := filepath.Join(t.TempDir(), "report.json")
	c := &console{world: &World{Now: time.Now}, secrets: &secret.Set{}, log: &view.Log{W: io.Discard}}
	p := &process{world: c.world, secrets: c.secrets, console: c, options: &Options{Data: Data{Output: "-"}, Beside: SideFiles{Summary: summary}}}
	b, err := newAllSides(t.Context(), p, &shardTexts{})
	if err != nil {
		t.Fatal(err)
	}
	b.timeline.trace = view.NewTrace(stuckFile{t}, time.Now(), c.secrets)
	failed := errors.New("terminated")
	if err := p.fail(t.Context(), b, &report.Report{Error: "terminated"}, failed); err != failed {
		t.Error(err)
	}
	b.close()
	text, err := os.ReadFile(summary)
	if err != nil || !strings.Contains(string(text), "terminated") {
		t.Errorf("%s, %v", text, err)
	}
}
