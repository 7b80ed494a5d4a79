package view

import (
	"io"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// Live is the observer that draws how far a run is below the log, which is written through it. A nil Live shows nothing.
type Live struct {
	W io.Writer

	// Size is that of the terminal now, in columns and lines.
	Size func() (width, height int)

	Now     func() time.Time
	Colours bool
	Secrets *secret.Set

	mu sync.Mutex

	// nil while nothing is drawn.
	screen *screen

	// Ends the drawing.
	stop func()

	progress runProgress

	// What all jobs wait for.
	waits waits
}

// Observe implements [pipeline.Observer].
func (v *Live) Observe(e pipeline.Event) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.screen == nil {
		return
	}
	v.waits.note(e)
	v.progress.note(e)
}
