package run

import (
	"context"
	"errors"

	"sluice/pipeline/report"
	"sluice/sink/commit"
)

// allSides are what a run, or publishing, leaves beside its data. Both have the same:
// what a command has no flag for is empty.
type allSides struct {
	// In the order of their steps: the reports tell what those before them have met.
	sides sides

	traffic  *traffic
	state    *stateFile
	tokens   *Tokens
	timeline *timeline
	reports  *reports

	// What only this use case has; its steps come after those of the reports.
	last side
}

// newAllSides finds out whether the reports can be made: they tell of whatever fails from now on.
func newAllSides(ctx context.Context, p *process, last side) (*allSides, error) {
	o := p.options
	b := &allSides{
		traffic:  &traffic{},
		state:    newState(p),
		tokens:   newTokens(p.world, p.options.Beside.Tokens, p.id),
		timeline: newTimeline(o.Beside.Trace, p.console.began, p.secrets),
		last:     last,
	}
	reports, err := newReports(ctx, p, b.timeline)
	b.reports = reports
	b.sides = sides{b.traffic, b.state, b.tokens, b.timeline, b.reports, last}
	if err == nil && !isFolder(o.Data.Output) {
		// An earlier report says nothing of this run. In a folder of outputs it may
		// be data: there it goes later.
		err = b.reports.prepare(ctx)
	}
	if err != nil {
		b.close()
	}
	return b, err
}

// place makes all of it visible. Whatever fails is a warning, which late enters into the report.
func (b *allSides) place(ctx context.Context, r *report.Report, late func(error)) {
	for _, s := range b.sides {
		err := s.place(ctx, r)
		if err == nil {
			continue
		}
		late(err)
		b.reports.current = false
		if s == b.last {
			b.placeAgain(ctx, r, late)
		}
	}
}

// placeAgain puts the reports in place once more, with a warning that came late.
func (b *allSides) placeAgain(ctx context.Context, r *report.Report, late func(error)) {
	b.reports.current = false
	if err := b.reports.place(ctx, r); err != nil {
		late(err)
	}
}

// keepData gives up report and page where one of them would replace data.
func (b *allSides) keepData(err error) bool {
	isTaken := errors.As(err, new(*commit.Taken))
	if isTaken {
		b.reports.close()
	}
	return isTaken
}

// endBeside ends what earlier attempts have left beside the reports.
func (b *allSides) endBeside(ctx context.Context) error {
	return errors.Join(b.reports.endEarlier(ctx), b.state.file.endEarlier(ctx))
}

// close gives up whatever is not in place.
func (b *allSides) close() {
	// Nobody reads this report any more.
	_ = b.sides.discard(&report.Report{})
	b.reports.close()
}
