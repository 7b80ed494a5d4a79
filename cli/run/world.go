package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
)

// A World is everything that a use case touches of what is around it. One process has one.
type World struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string

	// As package os gives it.
	Environ []string

	Now func() time.Time

	// nil: the runtime is left alone.
	Pace Pace

	// FinalStatus is the exit status of an error that will be the same when the run is tried again, 0 of any other.
	FinalStatus func(error) int

	// nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Listen waits for connections of this machine; nil: the network.
	Listen func(ctx context.Context, network, address string) (net.Listener, error)

	// Open opens an address in a browser; nil: there is none.
	Open func(address string) error

	// Stage says how far a run has come; whoever gets a signal reads it.
	Stage Stage

	// LoggingIn says that a login is under way which uses up what it is sent with; whoever gets a signal reads it.
	LoggingIn atomic.Bool

	// Hurry is closed once what is stuck is not waited for any more; nil: never.
	Hurry chan struct{}

	// Stdin has been read.
	drained bool
}

// A Stage says how far a run has come. It is used by several goroutines; the zero value is [Working].
type Stage struct{ now atomic.Int32 }

// The stages of a run.
const (
	// Nothing shows yet.
	Working int32 = iota
	// All is sealed, and becomes visible.
	Publishing
	// All is visible.
	Published
)

// Now returns the stage.
func (s *Stage) Now() int32 { return s.now.Load() }

// Enter begins another stage.
func (s *Stage) Enter(stage int32) { s.now.Store(stage) }

// ErrReaderGone says that nobody reads stdout any more.
var ErrReaderGone = errors.New("the reader of stdout went away")

// A UsageError is a mistake in how the program was called: nothing was requested.
type UsageError struct{ error }

// Error is one line, whatever a value in it holds.
func (u *UsageError) Error() string { return view.OneLine(u.error.Error()) }

// Unwrap returns the error as it is.
func (u *UsageError) Unwrap() error { return u.error }

// AsUsage makes a [UsageError] of an error.
func AsUsage(err error) error { return &UsageError{err} }

// Usagef makes a [UsageError].
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}

// An Interrupted is the cause of a cancellation when a signal came.
type Interrupted struct {
	Signal os.Signal

	// terminated or interrupted.
	Word string
}

// Error is the word for what the signal did.
func (i *Interrupted) Error() string { return i.Word }

// Cause prefers what cancelled ctx to what a cancelled part says about it, but for what is left.
func Cause(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if err == nil || cause == nil {
		return err
	}
	if left := (*pipeline.Left)(nil); errors.As(err, &left) {
		return errors.Join(cause, left)
	}
	return cause
}

// maxFile is the most that is read of a file that a flag names, in bytes.
const maxFile = 64 << 20

// Read returns what is in a file, or in stdin (-). It waits for who writes into a pipe only until ctx ends.
func (w *World) Read(ctx context.Context, name string) ([]byte, error) {
	if name == "-" && w.drained {
		return nil, errors.New("stdin can be read only once, and two arguments name it")
	}
	w.drained = w.drained || name == "-"
	return await(ctx, func() ([]byte, error) {
		if name == "-" {
			return readAll(w.Stdin, "stdin")
		}
		f, err := os.Open(name)
		if err != nil && isAddress(name) {
			return nil, fmt.Errorf("%s is an address: name a file, such as one that you have saved from there", name)
		}
		if err != nil {
			return nil, err
		}
		// What was wanted has been read.
		defer func() { _ = f.Close() }()
		return readAll(f, name)
	})
}

// isAddress tells whether a name is the address of something on the web.
func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// readAll reads to the end; what says in a message where from.
func readAll(from io.Reader, what string) ([]byte, error) {
	// A device has no end.
	text, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if errors.Is(err, syscall.EISDIR) {
		return nil, fmt.Errorf("%s is a folder: name a file in it", what)
	}
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s has more than %d MiB", what, maxFile>>20)
	}
	return text, err
}

// await does what may wait for somebody else, such as opening a FIFO, only until ctx ends.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		value, err = do()
		close(done)
	}()
	select {
	case <-done:
		return value, err
	case <-ctx.Done():
		return *new(T), context.Cause(ctx)
	}
}

// Listening is Listen, or that of the network.
func (w *World) Listening() func(ctx context.Context, network, address string) (net.Listener, error) {
	if w.Listen != nil {
		return w.Listen
	}
	return new(net.ListenConfig).Listen
}

// Say writes a line for people. There is nobody to tell if that fails.
func (w *World) Say(format string, args ...any) {
	_, _ = fmt.Fprintf(view.Printable(w.Stderr), "sluice: "+format+"\n", args...)
}

// UnlessStuck does something, and waits for it until the world is in a hurry.
func UnlessStuck[T any](ctx context.Context, w *World, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = pipeline.Guard(func() (err error) {
			o.value, err = do()
			return err
		})
		done <- o
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-w.Hurry:
		return *new(T), context.Cause(ctx)
	}
}

// A Pace is how the runtime does the work of an extraction, of which it is told all that happens.
type Pace interface {
	pipeline.Observer

	// Begin says, before anything comes, whether there is never more to do than what one request brings.
	Begin(inTurn bool)
}
