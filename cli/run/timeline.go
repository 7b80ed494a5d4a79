package run

import (
	"context"
	"fmt"
	"os"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// A timeline is the file of --trace, and what the page of --report draws.
type timeline struct {
	trace   *view.TraceFile
	name    string
	began   time.Time
	secrets *secret.Set
}

// newTimeline makes one that has no file before it is prepared.
func newTimeline(name string, began time.Time, secrets *secret.Set) *timeline {
	return &timeline{trace: view.NewTrace(nil, began, secrets), name: name, began: began, secrets: secrets}
}

func (t *timeline) prepare(ctx context.Context) error {
	if t.name == "" {
		return nil
	}
	file, err := await(ctx, func() (*os.File, error) { return os.Create(t.name) })
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	t.trace = view.NewTrace(file, t.began, t.secrets)
	return nil
}

func (t *timeline) ready(context.Context, *report.Report) error { return t.trace.Close() }

func (t *timeline) place(context.Context, *report.Report) error { return nil }

// discard leaves it to the run, which closes it when it ends: one that is stuck would wait for that for ever.
func (t *timeline) discard(*report.Report) error { return nil }
