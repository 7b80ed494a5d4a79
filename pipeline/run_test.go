package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

var (
	errSource = errors.New("the source broke")
	errSink   = errors.New("the sink broke")
)

// source is a fake that emits until extract is done.
type source struct {
	extract func(ctx context.Context, emit func(*pipeline.Batch) error) error
	calls   int
}

func (s *source) Outputs() []pipeline.Output { return nil }

func (s *source) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	s.calls++
	return s.extract(ctx, emit)
}

// pages is a source of n batches, and then err.
func pages(n int, err error) *source {
	return &source{extract: func(_ context.Context, emit func(*pipeline.Batch) error) error {
		for page := range n {
			if err := emit(batch(page + 1)); err != nil {
				return err
			}
		}
		return err
	}}
}

func batch(page int) *pipeline.Batch {
	return &pipeline.Batch{Job: "j", DataType: "t", Page: page, Text: []byte("1\n"), Items: 1}
}

// sink is a fake that notes what is asked of it.
type sink struct {
	probe, write, commit, close error
	delay                       time.Duration // of each Write
	onWrite                     func(*pipeline.Batch)

	calls     []string
	committed *report.Report
}

func (s *sink) Probe(context.Context) error {
	s.calls = append(s.calls, "probe")
	return s.probe
}

func (s *sink) Write(_ context.Context, b *pipeline.Batch) error {
	s.calls = append(s.calls, fmt.Sprint("write ", b.Page))
	if s.onWrite != nil {
		s.onWrite(b)
	}
	time.Sleep(s.delay)
	return s.write
}

func (s *sink) Commit(_ context.Context, sealed func([]report.OutputReport) (*report.Report, error)) (err error) {
	s.calls = append(s.calls, "commit")
	if s.committed, err = sealed([]report.OutputReport{{URI: "x"}}); err != nil {
		return err
	}
	return s.commit
}

func (s *sink) Close() error {
	s.calls = append(s.calls, "close")
	return s.close
}

func reporting(v report.Verdict) func() *report.Report {
	return func() *report.Report { return &report.Report{Verdict: v} }
}

func TestRunEndsAsItsPartsSay(t *testing.T) {
	for name, c := range map[string]struct {
		src     *source
		snk     sink
		strict  bool
		verdict report.Verdict
		want    error
		calls   string
	}{
		"all is well": {
			src: pages(2, nil), calls: "probe, write 1, write 2, commit, close",
		},
		"nothing to write": {
			src: pages(0, nil), calls: "probe, commit, close",
		},
		"nothing is extracted if the destination refuses": {
			src: pages(2, nil), snk: sink{probe: errSink}, want: errSink, calls: "probe, close",
		},
		"what came before the source's failure is written, not committed": {
			src: pages(2, errSource), want: errSource, calls: "probe, write 1, write 2, close",
		},
		"nothing is written after a failing write": {
			src: pages(9, nil), snk: sink{write: errSink}, want: errSink, calls: "probe, write 1, close",
		},
		"the first failure is reported, not what it caused": {
			src: pages(1, errSource), snk: sink{write: errSink, delay: time.Second}, want: errSource, calls: "probe, write 1, close",
		},
		"a failing commit": {
			src: pages(1, nil), snk: sink{commit: errSink}, want: errSink, calls: "probe, write 1, commit, close",
		},
		"a failing close": {
			src: pages(1, nil), snk: sink{close: errSink}, want: errSink, calls: "probe, write 1, commit, close",
		},
		"strict, and complete": {
			src: pages(1, nil), strict: true, calls: "probe, write 1, commit, close",
		},
		"strict, and not complete": {
			src: pages(1, nil), strict: true, verdict: report.Unverified, want: report.ErrNotComplete, calls: "probe, write 1, close",
		},
		"not strict, and not complete": {
			src: pages(1, nil), verdict: report.Incomplete, calls: "probe, write 1, commit, close",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // fails if a goroutine is left
				err := pipeline.Run(t.Context(), c.src, &c.snk, reporting(c.verdict), pipeline.Options{Wants: report.Wants{Strict: c.strict}})
				if !errors.Is(err, c.want) || (err != nil && c.want == nil) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if got := strings.Join(c.snk.calls, ", "); got != c.calls {
					t.Errorf("the sink saw %s\nwant %s", got, c.calls)
				}
			})
		})
	}
}

func TestCommitGetsTheReport(t *testing.T) {
	r := &report.Report{RunID: "r1"}
	snk := &sink{}
	err := pipeline.Run(t.Context(), pages(1, nil), snk, func() *report.Report {
		if want := []string{"probe", "write 1"}; len(snk.calls) < 2 || !slices.Equal(snk.calls[:2], want) {
			t.Errorf("asked for the report after %v, want %v first", snk.calls, want)
		}
		return r
	}, pipeline.Options{})
	if err != nil || snk.committed != r || len(r.Outputs) != 1 {
		t.Errorf("committed %p with %v, want %p", snk.committed, err, r)
	}
}

func TestASideFileThatCannotBeMadeReadyEndsTheRun(t *testing.T) {
	full := errors.New("the disk is full")
	err := pipeline.Run(t.Context(), pages(1, nil), &sink{}, reporting(0), pipeline.Options{Ready: func(r *report.Report) error {
		if len(r.Outputs) != 1 {
			t.Errorf("outputs %v", r.Outputs)
		}
		return full
	}})
	if !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
}

func TestTheVerdictIsNamedWhenAStrictRunFails(t *testing.T) {
	err := pipeline.Run(t.Context(), pages(0, nil), &sink{}, reporting(report.Incomplete), pipeline.Options{Wants: report.Wants{Strict: true}})
	if want := "the data may not be complete: the verdict is incomplete"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestASlowSinkStopsTheSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int32
		most := int32(0)
		src := &source{extract: func(_ context.Context, emit func(*pipeline.Batch) error) error {
			for page := range 20 {
				if err := emit(batch(page + 1)); err != nil {
					return err
				}
				synctest.Wait() // the sink takes what it can
				most = max(most, ahead.Add(1))
			}
			return nil
		}}
		snk := &sink{delay: time.Minute}
		snk.onWrite = func(*pipeline.Batch) { ahead.Add(-1) }
		if err := pipeline.Run(t.Context(), src, snk, reporting(0), pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		if most > 3 {
			t.Errorf("the source was %d batches ahead of the sink", most)
		}
	})
}

func TestASourceThatWaitsForTheSinkLearnsWhyItBroke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fromEmit, cause error
		src := &source{extract: func(ctx context.Context, emit func(*pipeline.Batch) error) error {
			for fromEmit == nil {
				fromEmit = emit(batch(1))
			}
			cause = context.Cause(ctx)
			if again := emit(batch(2)); !errors.Is(again, errSink) {
				t.Errorf("emit after its first error: %v", again)
			}
			return errors.New("stopped") // in its own words
		}}
		err := pipeline.Run(t.Context(), src, &sink{write: errSink, delay: time.Second}, reporting(0), pipeline.Options{})
		for name, got := range map[string]error{"emit": fromEmit, "cause": cause, "run": err} {
			if !errors.Is(got, errSink) {
				t.Errorf("%s: got %v, want %v", name, got, errSink)
			}
		}
	})
}

func TestAnInterruptedRunCommitsNothing(t *testing.T) {
	for name, src := range map[string]*source{
		"while the source waits for the API": {extract: func(ctx context.Context, _ func(*pipeline.Batch) error) error {
			<-ctx.Done()
			return ctx.Err()
		}},
		"while the source waits for the sink": pages(99, nil),
		"while the source does not notice": {extract: func(context.Context, func(*pipeline.Batch) error) error {
			time.Sleep(time.Hour)
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				interrupt := errors.New("interrupted")
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(interrupt) })
				snk := &sink{delay: time.Minute}
				err := pipeline.Run(ctx, src, snk, reporting(0), pipeline.Options{})
				if !errors.Is(err, interrupt) {
					t.Errorf("got %v, want %v", err, interrupt)
				}
				if slices.Contains(snk.calls, "commit") || slices.Contains(snk.calls, "write 2") || snk.calls[len(snk.calls)-1] != "close" {
					t.Errorf("the sink saw %v", snk.calls)
				}
			})
		})
	}
}

func TestAPanicIsAnErrorAndTheSinkIsClosed(t *testing.T) {
	for name, c := range map[string]struct {
		src *source
		snk sink
	}{
		"in the source": {src: &source{extract: func(context.Context, func(*pipeline.Batch) error) error { panic("a bug") }}},
		"in the sink":   {src: pages(9, nil), snk: sink{onWrite: func(*pipeline.Batch) { panic("a bug") }}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := pipeline.Run(t.Context(), c.src, &c.snk, reporting(0), pipeline.Options{})
				var p *pipeline.Panic
				if !errors.As(err, &p) || p.Value != "a bug" || !strings.Contains(err.Error(), "run_test.go") {
					t.Errorf("got %v, want the panic with its stack", err)
				}
				if c.snk.calls[len(c.snk.calls)-1] != "close" || slices.Contains(c.snk.calls, "commit") {
					t.Errorf("the sink saw %v", c.snk.calls)
				}
			})
		})
	}
}

func TestEveryBatchIsReleasedOnceAfterItsWrite(t *testing.T) {
	for name, snk := range map[string]*sink{
		"written":     {},
		"not written": {write: errSink},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				made := 0
				var released atomic.Int32
				src := &source{extract: func(_ context.Context, emit func(*pipeline.Batch) error) error {
					for {
						b := batch(made + 1)
						b.Recycle = func(*pipeline.Batch) { released.Add(1) }
						if made++; made > 5 {
							b.Release()
							return nil
						}
						synctest.Wait()
						if err := emit(b); err != nil {
							return err
						}
					}
				}}
				_ = pipeline.Run(t.Context(), src, snk, reporting(0), pipeline.Options{})
				if made != int(released.Load()) {
					t.Errorf("%d made, %d released", made, released.Load())
				}
			})
		})
	}
}

func TestEachWrittenBatchIsObserved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []pipeline.Event
		obs := pipeline.Observers{observe(func(e pipeline.Event) {
			if _, ok := e.(pipeline.Storing); !ok {
				events = append(events, e)
			}
		})}
		err := pipeline.Run(t.Context(), pages(1, nil), &sink{delay: time.Second}, reporting(0), pipeline.Options{Observer: obs})
		want := pipeline.BatchWritten{Job: "j", DataType: "t", Items: 1, Bytes: 2, Took: time.Second, At: time.Now()}
		if err != nil || len(events) != 1 || events[0] != want {
			t.Errorf("observed %+v with %v, want %+v", events, err, want)
		}
	})
}

type observe func(pipeline.Event)

func (f observe) Observe(e pipeline.Event) { f(e) }
