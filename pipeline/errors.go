package pipeline

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// A Panic is a panic on a goroutine of the run that became an error, so that the sink is closed.
type Panic struct {
	Value any

	// Of the goroutine, as it was.
	Stack []byte
}

// Error shows the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Guard calls f and returns its error, or its panic as a [*Panic]. Every goroutine of a run begins with it.
func Guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Panic{v, debug.Stack()}
		}
	}()
	return f()
}

// Temporary marks err as one that may be gone when the same run is tried again later: the API or the
// destination was unavailable after all retries (exit status 75).
func Temporary(err error) error {
	return temporary{err}
}

// IsTemporary tells whether err, or an error it wraps, was marked by [Temporary].
func IsTemporary(err error) bool {
	return errors.As(err, &temporary{})
}

type temporary struct{ error }

func (t temporary) Unwrap() error { return t.error }
