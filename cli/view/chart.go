package view

import (
	"time"
)

const (
	// The most steps of a chart.
	mostSteps = 240
	// The most series of a chart: reasons may name ports, which are others each time.
	mostSeries = 1000
)

// chart is how much happened when, in steps of one length, which are joined in pairs when they are too many.
type chart struct {
	Began time.Time `json:"began"`

	// The length of a step, in microseconds.
	Step int64 `json:"step"`

	Series []*series `json:"series"`
	named  map[[2]string]*series
}

// series is what happened of a kind in each step: how often, or for how many microseconds.
type series struct {
	Kind string `json:"kind"`

	// The job of pages, the reason of waits; else empty.
	Of string `json:"of"`

	Steps []int64 `json:"steps"`
}

// count enters what happened n times, or took n microseconds, at a time.
func (c *chart) count(kind, of string, at, n int64) {
	for ; at/c.Step >= mostSteps; c.Step *= 2 {
		for _, s := range c.Series {
			for i, n := range s.Steps {
				s.Steps[i] = 0
				s.Steps[i/2] += n
			}
			s.Steps = s.Steps[:(len(s.Steps)+1)/2]
		}
	}
	name := [2]string{kind, of}
	if c.named[name] == nil && len(c.Series) >= mostSeries {
		// There are only a few kinds.
		name[1] = ""
	}
	s := c.named[name]
	if s == nil {
		s = &series{Kind: kind, Of: name[1]}
		c.named[name] = s
		c.Series = append(c.Series, s)
	}
	step := int(at / c.Step)
	s.Steps = append(s.Steps, make([]int64, max(0, step+1-len(s.Steps)))...)
	s.Steps[step] += n
}

// span enters what lasted, into each step the part that lies in it.
func (c *chart) span(kind, of string, from, until int64) {
	for from < until {
		end := min(until, (from/c.Step+1)*c.Step)
		c.count(kind, of, from, end-from)
		from = end
	}
}
