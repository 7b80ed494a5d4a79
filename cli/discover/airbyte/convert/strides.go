package convert

import (
	"time"

	"sluice/cli/discover/airbyte/times"
)

// compare says what windows do otherwise than the slices of that platform, of which the last one has the end even where
// another could begin there.
func (p *slicing) compare(start, end bound, step times.Period, hasEnd bool) {
	tick := p.format.Tick
	hasTick := step.Exact == tick && end.tick() == tick
	isMet, isOther := hasTick && !step.IsCalendar, false
	if start.isKnown {
		to := p.conversion.scope().Values.Now
		if end.isKnown {
			to = end.at
		}
		isEnd, other := step.Strides(start.at.Truncate(tick), to)
		isMet, isOther = isMet || isEnd, other
	}
	if isMet && hasEnd && p.gap > 0 {
		p.stream.widen(
			p.at,
			"the end is a window of its own, where that platform joins it to the one before: the same time in all",
		)
	}
	if isOther {
		p.stream.widen(
			p.at,
			"where a month lacks the day of the start, windows end in the next one and not on its last day: "+
				"the same time in all",
		)
	}
}

// tick is the shortest time that the bound tells apart.
func (b bound) tick() time.Duration {
	switch {
	case b.isDay:
		return times.Day
	case b.isMoment:
		return time.Second
	}
	return b.format.Tick
}
