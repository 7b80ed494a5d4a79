package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/sink/target"
)

func TestAFailureWhenAllIsVisibleIsAWarningInTheReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "goes")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	summary := filepath.Join(t.TempDir(), "report.json")
	e := &extraction{world: &world{now: time.Now}, secrets: &secret.Set{}, log: &view.Log{W: &stderr}, timeline: view.NewTrace(nil, time.Now(), nil)}
	var err1, err2 error
	e.summaryFile, err1 = newSideFile("--summary", summary, 0, target.Mark{})
	e.stateFile, err2 = newSideFile("--state", filepath.Join(dir, "state"), 0, target.Mark{})
	r := &report.Report{Status: "succeeded"}
	if err := errors.Join(err1, err2, e.ready(t.Context(), r, e.seen), e.stateFile.prepare(t.Context(), []byte("{}\n")), os.RemoveAll(dir)); err != nil {
		t.Fatal(err)
	}
	e.place(r)
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

func TestAPanicHasAStatusOfItsOwn(t *testing.T) {
	err := pipeline.Guard(func() error { panic("a mistake") })
	if got := status(errors.Join(err, pipeline.Temporary(errors.New("and a bucket that is gone")))); got != statusPanicked {
		t.Errorf("got %d", got)
	}
}
