package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/sink/target"
)

// lastManifest is the word of --expect for the manifest that a run replaces.
const lastManifest = "last"

// An expectation is the earlier report that --expect names: columns that differ from its own are told, and refused with
// --strict. Nil expects nothing.
type expectation struct {
	name    string
	console *console
	strict  bool

	// nil: that of the manifest which is replaced, known only when all is sealed.
	earlier *report.Report
}

// newExpectation reads the report that --expect names, from a file or a bucket.
func newExpectation(ctx context.Context, p *process, bucket s3.Options) (*expectation, error) {
	name := p.options.Expect
	if name == "" {
		return nil, nil
	}
	e := &expectation{name: name, console: p.console, strict: p.options.Wants.Strict}
	if name == lastManifest {
		return e, nil
	}
	text, err := readShared(ctx, p.world, "--expect", name, "_manifest.json", bucket)
	if pipeline.IsTemporary(err) {
		return nil, fmt.Errorf("--expect %s: %w", name, err)
	}
	if err != nil {
		return nil, Usagef("--expect %s: %w", name, unnamed(err))
	}
	e.earlier = &report.Report{}
	err = json.Unmarshal(text, e.earlier)
	if err == nil && e.earlier.Outputs == nil {
		err = errors.New("it has no outputs")
	}
	if err != nil {
		return nil, Usagef("--expect %s: it is no manifest, and no report of --summary: %w", name, err)
	}
	return e, nil
}

// readShared reads a file, stdin (-) or an object, whose flag names such as example.
func readShared(
	ctx context.Context, w *World, flag, name, example string, bucket s3.Options,
) ([]byte, error) {
	if !strings.HasPrefix(name, "s3://") {
		return w.Read(ctx, name)
	}
	file, err := openShared(flag, name, example, bucket, target.Mark{})
	if err != nil {
		return nil, err
	}
	defer file.close()
	text, err := file.target.Head(ctx, file.base, maxFile)
	if err == nil && text == nil {
		err = fs.ErrNotExist
	}
	return text, err
}

// compareWith is compare for a run that replaces what a store has.
func (e *expectation) compareWith(ctx context.Context, store *sink.Sink, now *report.Report) error {
	if e == nil || e.earlier != nil {
		return e.compare(now, nil)
	}
	replaced, err := store.Replaced(ctx)
	if err != nil {
		return fmt.Errorf("--expect last: %w", err)
	}
	return e.compare(now, replaced)
}

// compare tells how the columns of a run, of which all is sealed, differ from those that are expected. With --strict they
// are an error, before any of it shows. Replaced is the manifest that the run takes the place of, nil if there is none.
func (e *expectation) compare(now, replaced *report.Report) error {
	if e == nil {
		return nil
	}
	earlier, then := e.earlier, e.name
	if earlier == nil {
		earlier, then = replaced, "the manifest that is replaced"
	}
	if earlier == nil {
		e.tell(now, "--expect last: no manifest is there yet, so no columns are compared")
		return nil
	}
	drift := report.Drift(earlier.Outputs, now.Outputs, then)
	for _, text := range drift {
		e.tell(now, text)
	}
	if e.strict && len(drift) > 0 {
		return fmt.Errorf("%w: %s", report.ErrUnexpected, strings.Join(drift, "; "))
	}
	return nil
}

// tell warns of the outputs of no job.
func (e *expectation) tell(now *report.Report, text string) {
	now.Warnings = append(now.Warnings, e.console.message(text))
	e.console.warn("", text)
}
