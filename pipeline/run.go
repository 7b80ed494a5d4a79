package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// waiting is how many batches may stand between source and sink.
const waiting = 2

// ErrNotComplete ends a run whose verdict or number of items is not what was wanted.
var ErrNotComplete = errors.New("the data may not be complete")

// Options of a [Run]; the zero value is useful.
type Options struct {
	// Told of each batch that was written.
	Observer Observer

	// Commit nothing unless the verdict is Complete.
	Strict bool

	// Commit nothing if a job has fewer items.
	MinItems int64

	// Ready, if set, is told when all is sealed and nothing shows yet. Its error ends the run.
	Ready func(*Report) error
}

// Left is what closing the sink could not remove. It is told beside whatever ended the run.
type Left struct{ Err error }

func (l *Left) Error() string { return l.Err.Error() }
func (l *Left) Unwrap() error { return l.Err }

// Run probes the sink, moves everything from src to snk, commits, and closes the sink whatever happens. The first error
// or panic on either side stops the other. report returns the report as it stands; that of when all is sealed is
// committed.
func Run(ctx context.Context, src Source, snk Sink, report func() *Report, o Options) (err error) {
	o.Observer = cmp.Or[Observer](o.Observer, Observers{})
	defer func() {
		if left := snk.Close(); left != nil {
			err = errors.Join(err, &Left{left})
		}
	}()
	if err := storing(o.Observer, "looking whether it will take the data", func() error { return snk.Probe(ctx) }); err != nil {
		return err
	}
	if err := move(ctx, src, snk, o.Observer); err != nil {
		return err
	}
	if err := cmp.Or(o.Accept(report()), context.Cause(ctx)); err != nil {
		return err
	}
	return storing(o.Observer, "publishing", func() error {
		return snk.Commit(ctx, func(outputs []OutputReport) (*Report, error) {
			r := report()
			r.Outputs = outputs
			if o.Ready == nil {
				return r, nil
			}
			return r, o.Ready(r)
		})
	})
}

// Accept tells whether what a report says is good enough.
func (o Options) Accept(r *Report) error {
	if o.Strict && r.Verdict != Complete {
		return fmt.Errorf("%w: the verdict is %s", ErrNotComplete, r.Verdict)
	}
	for _, j := range r.Jobs {
		if j.Items < o.MinItems {
			return fmt.Errorf(
				"%w: job %s has fewer items than --min-items wants: %d of %d",
				ErrNotComplete,
				j.ID,
				j.Items,
				o.MinItems,
			)
		}
	}
	return nil
}

// storing tells obs what the sink does while do runs.
func storing(obs Observer, what string, do func() error) error {
	obs.Observe(Storing{What: what, At: time.Now()})
	defer func() { obs.Observe(Storing{At: time.Now()}) }()
	return do()
}

// move runs source and sink side by side until the source is done or either fails. When it returns, both are at rest.
func move(ctx context.Context, src Source, snk Sink, obs Observer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	batches := make(chan *Batch, waiting)

	var writing sync.WaitGroup
	writing.Go(func() {
		for b := range batches {
			if context.Cause(ctx) == nil {
				if err := Guard(func() error { return write(ctx, snk, b, obs) }); err != nil {
					cancel(err)
				}
			}
			b.Release()
		}
	})

	emit := func(b *Batch) error {
		if ctx.Err() == nil {
			select {
			case batches <- b:
				return nil
			case <-ctx.Done():
			}
		}
		b.Release()
		return context.Cause(ctx)
	}
	err := Guard(func() error { return src.Extract(ctx, emit) })
	// A source that was cancelled may say so in its own words: the cause is what cancelled it.
	err = cmp.Or(context.Cause(ctx), err)
	close(batches)
	// What came before the source's failure is still written.
	writing.Wait()
	return cmp.Or(err, context.Cause(ctx))
}

func write(ctx context.Context, snk Sink, b *Batch, obs Observer) error {
	began := time.Now()
	if err := storing(obs, "it takes nothing more", func() error { return snk.Write(ctx, b) }); err != nil {
		return err
	}
	now := time.Now()
	obs.Observe(
		BatchWritten{
			Job:      b.Job,
			DataType: b.DataType,
			Items:    b.Items,
			Bytes:    len(b.Text),
			Took:     now.Sub(began),
			At:       now,
		},
	)
	return nil
}
