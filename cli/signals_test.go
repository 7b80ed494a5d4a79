package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"sluice/cli/run"
)

// A signalled run is one that takes long to end, and gets signals.
type signalled struct {
	stage   int32
	signals []any         // an os.Signal, or the time until the next one
	ends    time.Duration // after the first signal; 0: never by itself
	hurried bool          // wanted: it is not waited for
	status  int           // wanted
	took    time.Duration // wanted, since the first signal
	says    string        // wanted
}

const second = "a second signal: ending at once"

func TestOfTwoSignalsWithinASecondOneCounts(t *testing.T) {
	const term, interrupt = syscall.SIGTERM, syscall.SIGINT
	for name, c := range map[string]signalled{
		"timeout sends two":        {signals: []any{term, term}, ends: 3 * time.Second, status: 143, took: 3 * time.Second},
		"within a second":          {signals: []any{interrupt, time.Second, interrupt}, ends: 3 * time.Second, status: 130, took: 3 * time.Second},
		"of two kinds":             {signals: []any{interrupt, time.Millisecond, term}, ends: 3 * time.Second, status: 130, took: 3 * time.Second},
		"a second one later":       {signals: []any{term, 1001 * time.Millisecond, term}, hurried: true, status: 143, took: 3001 * time.Millisecond, says: second},
		"the third counts":         {signals: []any{term, term, 2 * time.Second, interrupt}, hurried: true, status: 143, took: 4 * time.Second, says: second},
		"many of them":             {signals: []any{term, 2 * time.Second, term, term, time.Second, term}, hurried: true, status: 143, took: 4 * time.Second, says: second},
		"one, and it is stuck":     {signals: []any{term}, hurried: true, status: 143, took: grace + lastWords},
		"a second while it is":     {signals: []any{term, grace + time.Second, term}, hurried: true, status: 143, took: grace + lastWords},
		"while it publishes":       {stage: run.Publishing, signals: []any{term, 2 * time.Second, term}, ends: 5 * time.Second, status: 143, took: 5 * time.Second},
		"publishing that is stuck": {stage: run.Publishing, signals: []any{term, 2 * time.Second, term}, status: 143, took: grace},
		"all is visible":           {stage: run.Published, signals: []any{term, 2 * time.Second, term}, status: 0, took: grace},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.check(t) })
		})
	}
}

func (c *signalled) check(t *testing.T) {
	var stderr bytes.Buffer
	w := &world{Stderr: &stderr, Now: time.Now, Hurry: make(chan struct{})}
	w.Stage.Enter(c.stage)
	ctx, cancel := context.WithCancelCause(t.Context())
	signals, done := make(chan os.Signal), make(chan int, 1)
	began := time.Now()
	go send(signals, c.signals)
	go func() {
		<-ctx.Done()
		if c.ends > 0 {
			time.Sleep(c.ends)
			done <- status(context.Cause(ctx))
		}
	}()
	got := attend(w, cancel, signals, done)
	if took := time.Since(began); got != c.status || took != c.took {
		t.Errorf("status %d after %v, want %d after %v", got, took, c.status, c.took)
	}
	if says := stderr.String(); strings.Count(says, "\n") > 1 || strings.Contains(says, second) != (c.says != "") {
		t.Errorf("it says %q", says)
	}
	select {
	case <-w.Hurry:
	default:
		if c.hurried {
			t.Error("it is waited for")
		}
		return
	}
	if !c.hurried {
		t.Error("it is not waited for")
	}
}

// send sends signals, each after the durations before it.
func send(to chan<- os.Signal, all []any) {
	for _, what := range all {
		switch what := what.(type) {
		case os.Signal:
			to <- what
		case time.Duration:
			time.Sleep(what)
		}
	}
}

// What is stuck is not waited for, and its panic is an error.
func TestWhatIsStuckIsNotWaitedFor(t *testing.T) {
	w := &world{Hurry: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(t.Context())
	if _, err := run.UnlessStuck(ctx, w, func() (int, error) { panic("here") }); status(err) != statusPanicked {
		t.Errorf("got %v", err)
	}
	stuck := make(chan struct{})
	defer close(stuck)
	cancel(interrupted(syscall.SIGTERM))
	close(w.Hurry)
	_, err := run.UnlessStuck(ctx, w, func() (int, error) {
		<-stuck
		return 1, nil
	})
	if status(err) != statusTerminated {
		t.Errorf("got %v", err)
	}
}
