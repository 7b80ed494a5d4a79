package run

import (
	"context"
	"errors"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/commit"
	"sluice/source/transport/record"
)

// An outcome is how a use case ended, before what lies beside the data is in place.
// One without an error has a report.
type outcome struct {
	// nil: it came to no request.
	report *report.Report
	err    error
}

// A useCase makes data visible, as a run does, or publishing.
type useCase interface {
	// attempt does it.
	attempt(ctx context.Context) outcome

	// settleFailure leaves word of a failure for other processes, and returns what the use case ends with.
	settleFailure(err error) error

	// soFar has what is known, also while attempt goes on.
	soFar() *pipeline.Reporter
}

// perform performs a use case, and writes what lies beside the data, such as the report. It does so also where no request
// was sent: otherwise an earlier report would be taken for that of this run.
func perform(ctx context.Context, p *process, b *allSides, w useCase) error {
	defer b.close()
	out, err := UnlessStuck(ctx, p.world, func() (outcome, error) { return w.attempt(ctx), nil })
	if err != nil {
		out = outcome{err: err}
	}
	err = w.settleFailure(Cause(ctx, out.err))
	r := out.report
	if r == nil {
		p.console.live.Close()
		r = p.console.failed(w.soFar(), err)
	}
	chooseOutputs(p.secrets, r)
	if err == nil {
		return p.finish(ctx, b, r)
	}
	return p.fail(ctx, b, r, err)
}

// toShow makes ready what lies beside the data. It is called when all data is sealed: from then on outputs become visible.
func (p *process) toShow(ctx context.Context, b *allSides, r *report.Report) error {
	err := b.sides.ready(ctx, r)
	if err == nil {
		p.world.Stage.Enter(Publishing)
	}
	return err
}

// finish puts in place what lies beside the data, and tells that all is visible.
// Whatever fails now is a warning.
func (p *process) finish(ctx context.Context, b *allSides, r *report.Report) error {
	late := func(err error) { p.console.late(r, err) }
	b.place(ctx, r, late)
	p.tellState(b.state, r)
	p.console.log.Close(r, "", p.options.Data.Output)
	if p.options.Beside.Summary != "-" {
		return nil
	}
	if err := p.console.writeLine(r); err != nil {
		late(err)
		b.placeAgain(ctx, r, late)
	}
	return nil
}

// fail writes the report of a use case that ended with err, and returns err joined with what fails meanwhile.
func (p *process) fail(ctx context.Context, b *allSides, r *report.Report, err error) error {
	also := func(failed error) {
		if failed != nil && !strings.Contains(err.Error(), failed.Error()) {
			err = errors.Join(err, failed)
		}
	}
	if isOvertaken(err) {
		// The report is that of the other process.
		b.reports.close()
	}
	// Before the report, which tells whether the run can be continued. All else is
	// given up later: it may be stuck.
	also(b.last.discard(r))
	b.reports.current = false
	also(b.reports.place(ctx, r))
	if !errors.Is(err, ErrReaderGone) {
		if !isOvertaken(err) {
			p.tellStays(b.state, r)
		}
		p.console.log.Close(r, failureWord(err), p.options.Data.Output)
	}
	if p.options.Beside.Summary == "-" {
		also(p.console.writeLine(r))
	}
	return err
}

// failureWord says to people how a run ended.
func failureWord(err error) string {
	if signal := (*Interrupted)(nil); errors.As(err, &signal) {
		return signal.Error()
	}
	return "failed"
}

// isOvertaken tells whether another process has taken over the work of this one: the files that are there belong to it.
func isOvertaken(err error) bool {
	return errors.Is(err, record.ErrContinued) || errors.Is(err, commit.ErrOvertaken)
}
