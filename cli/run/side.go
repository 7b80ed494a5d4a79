package run

import (
	"context"
	"errors"

	"sluice/pipeline/report"
)

// A side is something that a use case leaves beside its data. Nothing of it shows before all data does.
type side interface {
	// prepare finds out, before the first request, whether it can be made.
	prepare(ctx context.Context) error

	// ready brings it to its place, hidden, when all data is sealed: what fails then, such as a full disk, ends the run.
	ready(ctx context.Context, r *report.Report) error

	// place makes it visible, when all data is. Its error is a warning.
	place(ctx context.Context, r *report.Report) error

	// discard gives up what was not put in place, and enters into r what stays for a later process. It may be repeated,
	// also after place.
	discard(r *report.Report) error
}

// sides are those of a use case, in the order of their steps: the reports tell what those before them have met.
type sides []side

func (all sides) prepare(ctx context.Context) error {
	for _, s := range all {
		if err := s.prepare(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (all sides) ready(ctx context.Context, r *report.Report) error {
	for _, s := range all {
		if err := s.ready(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (all sides) discard(r *report.Report) error {
	var err error
	for _, s := range all {
		err = errors.Join(err, s.discard(r))
	}
	return err
}
