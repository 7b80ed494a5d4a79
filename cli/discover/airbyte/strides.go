package airbyte

import (
	"time"

	"sluice/source/expr"
)

// strides are the slices of that platform up to a time: whether one would begin there, and whether windows of ours meet at
// other times. A month after the 31st is there the last day of a shorter one, while ours is in the next.
func (s period) strides(from, to time.Time) (isMet, isOther bool) {
	ours := expr.TimeFrom(s.text(""))
	for at := from; at.Before(to); {
		next := s.after(at)
		end, err := ours(at)
		isSame := err == nil && end.Equal(next)
		if !next.Before(to) {
			return isSame && next.Equal(to), isOther
		}
		if !next.After(at) {
			return false, isOther
		}
		isOther = isOther || !isSame
		at = next
	}
	return false, isOther
}

// after is a time one period on; a day that the month does not have is its last one.
func (s period) after(t time.Time) time.Time {
	i := interval{}
	for _, a := range s.amounts {
		switch a.unit {
		case "year":
			i.years += int(a.n)
		case "month":
			i.months += int(a.n)
		}
	}
	return point{time: t}.plus(i, 1).time.Add(s.exact)
}

// compare says what windows do otherwise than the slices of that platform, of which the last one has the end even where
// another could begin there.
func (p *slicing) compare(start, end bound, step period, hasEnd bool) {
	tick := p.format.tick
	hasTick := step.exact == tick && end.tick() == tick
	isMet, isOther := hasTick && !step.isCalendar, false
	if start.isKnown {
		to := p.conversion.scope().values.now
		if end.isKnown {
			to = end.at
		}
		isEnd, other := step.strides(start.at.Truncate(tick), to)
		isMet, isOther = isMet || isEnd, other
	}
	hasGap := hasEnd && p.gap > 0
	if isMet && hasGap {
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
		return day
	case b.isMoment:
		return time.Second
	}
	return b.format.tick
}
