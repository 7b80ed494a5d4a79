package view

import "sluice/pipeline"

// Start begins to draw a run of jobs, of which at most so many requests are in flight.
func (v *Live) Start(jobs []pipeline.Outline, concurrency int) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.progress = runProgress{
		secrets:     v.Secrets,
		began:       v.Now(),
		concurrency: concurrency,
		all:         jobProgress{history: []int64{0}},
		extents:     newExtents(jobs, v.Now()),
		byID:        make(map[string]*jobProgress),
	}
	v.screen = &screen{w: v.W}
	restore := obeyEscapes(v.W)
	stop := every(drawEvery, drawEvery, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.progress.measure()
		v.draw(nil)
	})
	v.stop = func() {
		stop()
		v.erase()
		restore()
	}
}

// Close removes what is drawn. The log is written as without a live view from then on.
func (v *Live) Close() {
	if v == nil || v.stop == nil {
		return
	}
	v.stop()
	v.stop = nil
}

// erase removes what is drawn, for good.
func (v *Live) erase() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.screen.replace(nil, nil)
	v.screen = nil
}

// Write takes lines of the log; each call must end with a line break.
func (v *Live) Write(lines []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.screen == nil {
		return v.W.Write(lines)
	}
	v.draw(lines)
	return len(lines), nil
}

// draw replaces what was drawn before, and writes lines of the log above it.
func (v *Live) draw(log []byte) {
	width, height := v.Size()
	var lines []string
	for _, l := range v.lines(v.Now(), width, height) {
		if v.Colours && l.colour != "" {
			l.text = l.colour + l.text + plain
		}
		lines = append(lines, l.text)
	}
	v.screen.replace(log, lines)
}
