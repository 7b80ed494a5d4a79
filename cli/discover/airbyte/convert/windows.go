package convert

import (
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
)

// divide makes windows. Their ends are sent short of a granularity; what the format cuts off anyway need not be taken
// off, which keeps the last end what it is.
func (p *slicing) divide(k *timeCursor, start bound, step, granularity times.Period) {
	f := p.format
	fraction := granularity.Exact % time.Second
	gap := granularity.Exact - fraction
	if fraction > 0 {
		gap += time.Second
		fraction = time.Second - fraction
	}
	if gap > time.Second {
		gap = max(time.Second, gap-f.Tick+time.Second)
	}
	fault.If(granularity.IsCalendar || p.at.Get("cursor_granularity") == nil,
		"beside step cursor_granularity must be a length such as PT1S or P1D")
	fault.If(!step.IsCalendar && step.Exact <= gap,
		"windows that are not longer than cursor_granularity are not supported")
	fault.If(start.isKnown && !step.IsCalendar && p.scope.Values.Now.Sub(start.at)/step.Exact > 90_000,
		"the start makes more than 90,000 windows: begin later, or with a longer step")
	p.inUTC("start_datetime", start)
	p.sayCut(start)
	p.gap = gap
	k.windows = &write.TimeWindows{From: p.from(start.floor(f.Tick)), Step: step.Text("")}
	if gap > time.Second {
		k.windows.To = write.Text("+" + inSeconds(gap))
	}
	if gap > 0 {
		k.windows.Gap = inSeconds(gap)
	}
	letters := f.Date(0)
	k.start, k.end = write.Window("from"), write.Window("to")
	if fraction > 0 && f.Digits > 0 {
		k.start, k.end = dateOf(letters, k.start), dateOf(f.Date(fraction), k.end)
		letters = "U"
	} else {
		k.isNumber = letters == "U"
	}
	if letters != `Y-m-d\TH:i:s\Z` {
		k.windows.Format = letters
	}
}

// from is where the first window begins.
func (p *slicing) from(start bound) write.ConfigValue {
	switch {
	case p.followsDates():
		return p.last(start.readable())
	case p.followsNumbers():
		if last := p.lastSeconds(start); last != nil {
			return last
		}
	}
	p.giveUp()
	return start.readable()
}

// endAt ends the windows at a time, so that the last one is sent with it.
func (p *slicing) endAt(k *timeCursor, end bound) {
	p.inUTC("end_datetime", end)
	if end.hasFraction(p.format) {
		end.at, end.expr = end.at.Truncate(time.Second).Add(time.Second), nil
		p.stream.widen(p.at.Get("end_datetime"), "the end is sent as the next whole second: up to a second more comes")
	}
	p.stream.widenIf(!write.Same(k.start, write.Window("from")) && end.isKnown, p.at,
		"the last window ends up to a second later: the ends of windows have a fraction of one")
	k.windows.To = end.floor(p.format.Tick).plus(p.gap)
}

// compare says what windows do otherwise than the slices of Airbyte, of which the last one has the end even where
// another could begin there.
func (p *slicing) compare(start, end bound, step times.Period, hasEnd bool) {
	tick := p.format.Tick
	isMet, isOther := step.Exact == tick && end.tick() == tick && !step.IsCalendar, false
	if start.isKnown {
		to := p.scope.Values.Now
		if end.isKnown {
			to = end.at
		}
		isEnd, other := step.Strides(start.at.Truncate(tick), to)
		isMet, isOther = isMet || isEnd, other
	}
	p.stream.widenIf(isMet && hasEnd && p.gap > 0, p.at,
		"the end is a window of its own, which Airbyte joins to the window before: the windows cover the same time")
	p.stream.widenIf(isOther, p.at,
		"if a month lacks the day of the start, windows end in the next month and not on its last day: "+
			"the windows cover the same time")
}
