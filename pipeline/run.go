package pipeline

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"sluice/pipeline/report"
)

// waiting is how many batches may stand between source and sink.
const waiting = 2

// Options of a [Run]; the zero value is useful.
type Options struct {
	// Told of each batch that was written.
	Observer Observer

	// Commit nothing that does not meet it.
	report.Wants

	// What the facts of shards mean; nil: nothing.
	Judge report.Judge

	// Compare, if set, is told of a run whose shards are published, and of the manifest that it replaces, nil if there is
	// none. Nothing shows yet, and its error ends publishing.
	Compare func(now, replaced *report.Report) error

	// Ready, if set, is told when all is sealed and nothing shows yet. Its error ends the run.
	Ready func(*report.Report) error
}

// Left is what closing the sink could not remove. It is told beside whatever ended the run.
type Left struct{ Err error }

func (l *Left) Error() string { return l.Err.Error() }
func (l *Left) Unwrap() error { return l.Err }

// Run probes the sink, moves everything from src to snk, commits, and closes the sink whatever happens. The
// first error or panic on either side stops the other. sofar returns the report as it stands; that of when all
// is sealed is committed.
func Run(ctx context.Context, src Source, snk Sink, sofar func() *report.Report, o Options) (err error) {
	if o.Observer == nil {
		o.Observer = Observers{}
	}
	defer func() {
		if left := snk.Close(); left != nil {
			err = errors.Join(err, &Left{left})
		}
	}()
	err = storing(o.Observer, "checking whether it accepts the data", func() error {
		return snk.Probe(ctx)
	})
	if err != nil {
		return err
	}
	if err := move(ctx, src, snk, o.Observer); err != nil {
		return err
	}
	if err := o.Accept(sofar()); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return storing(o.Observer, "publishing", func() error {
		return snk.Commit(ctx, func(outputs []report.OutputReport) (*report.Report, error) {
			r := sofar()
			r.Outputs = outputs
			if o.Ready == nil {
				return r, nil
			}
			return r, o.Ready(r)
		})
	})
}

// Tell tells the observer, if there is one, what a report says of a job.
func (o Options) Tell(job string, r report.Remark, at time.Time) {
	if o.Observer != nil {
		o.Observer.Observe(Warning(job, r, at))
	}
}

// storing tells obs what the sink does while do runs.
func storing(obs Observer, what string, do func() error) error {
	obs.Observe(Storing{What: what, At: time.Now()})
	defer func() { obs.Observe(Storing{}) }()
	return do()
}

// move runs source and sink side by side until the source is done or either fails. When it returns, both are at
// rest.
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
	if err != nil {
		return err
	}
	return context.Cause(ctx)
}

func write(ctx context.Context, snk Sink, b *Batch, obs Observer) error {
	began := time.Now()
	err := storing(obs, "it accepts no more data now", func() error { return snk.Write(ctx, b) })
	if err != nil {
		return err
	}
	now := time.Now()
	obs.Observe(BatchWritten{
		Job:      b.Job,
		DataType: b.DataType,
		Items:    b.Items,
		Bytes:    len(b.Text),
		Took:     now.Sub(began),
		At:       now,
	})
	return nil
}
