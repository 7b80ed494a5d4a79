package report

import (
	"errors"
	"fmt"
)

// ErrNotComplete ends a run whose verdict or number of items is not what was wanted.
var ErrNotComplete = errors.New("the data may not be complete")

// Wants is what must be known of the data before it is published; the zero value wants nothing.
type Wants struct {
	// The verdict is Complete.
	Strict bool

	// An end that is only assumed makes the verdict Unverified.
	Proof bool

	// No job has fewer items.
	MinItems int64
}

// Accept tells whether what a report says is good enough: its error is an [ErrNotComplete].
func (w Wants) Accept(r *Report) error {
	if w.Strict && r.Verdict != Complete {
		return fmt.Errorf("%w: the verdict is %s", ErrNotComplete, r.Verdict.Because(r.Reason))
	}
	for _, j := range r.Jobs {
		if j.Items < w.MinItems {
			return fmt.Errorf("%w: job %s has fewer items than --min-items wants: %d of %d",
				ErrNotComplete, j.ID, j.Items, w.MinItems)
		}
	}
	return nil
}
