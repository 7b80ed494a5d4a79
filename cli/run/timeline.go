package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// A timeline is the file of --trace, and what the page of --report draws.
type timeline struct {
	trace   *view.TraceWriter
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
	t.trace = view.NewTrace(&traceFile{File: file}, t.began, t.secrets)
	return nil
}

// A traceFile is the file that a timeline is written to while the run goes on. One that could not be written whole goes
// when it is closed.
type traceFile struct {
	*os.File
	failed bool
}

func (f *traceFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.failed = f.failed || err != nil
	return n, err
}

// Close implements [io.Closer].
func (f *traceFile) Close() error {
	info, err := f.Stat()
	err = errors.Join(err, f.File.Close())
	if err == nil && !f.failed {
		return nil
	}
	// A device, or a pipe, is not of this program's making.
	if info != nil && info.Mode().IsRegular() {
		err = errors.Join(err, f.remove(info))
	}
	return err
}

// remove removes the file, unless another one has its name by now.
func (f *traceFile) remove(info os.FileInfo) error {
	name, err := filepath.EvalSymlinks(f.Name())
	if err != nil {
		return err
	}
	now, err := os.Stat(name)
	if err != nil || !os.SameFile(info, now) {
		return err
	}
	return os.Remove(name)
}

func (t *timeline) ready(context.Context, *report.Report) error { return t.trace.Close() }

func (t *timeline) place(context.Context, *report.Report) error { return nil }

// discard leaves it to the run, which closes it when it ends: one that is stuck would wait for that for ever.
func (t *timeline) discard(*report.Report) error { return nil }
