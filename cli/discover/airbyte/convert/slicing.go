package convert

import (
	"fmt"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
)

// A slicing is what makes a cursor of a component.
type slicing struct {
	conversion *Conversion
	scope      template.Scope
	stream     *Stream
	at         *manifest.Section

	// whole is the stream itself, whether requests have the time or not.
	whole *Stream

	// isWhole tells that each run reads all: what the last one saw does not count.
	isWhole bool

	// format is how bounds are sent, items how those of the items may be written.
	format times.Format
	items  []times.Format

	// path is where items have the time, empty where it is not known.
	path string

	lookback times.Period

	// gap is what windows end short of.
	gap time.Duration
}

// cursor reads the formats and bounds.
func (p *slicing) cursor(n *manifest.Section) *timeCursor {
	k := &timeCursor{
		startName:   p.name("partition_field_start", "start_time"),
		endName:     p.name("partition_field_end", "end_time"),
		startOption: p.at.Get("start_time_option"),
		endOption:   p.at.Get("end_time_option"),
		said:        p.stream,
	}
	text, _ := decided(p.scope, p.at.Get("datetime_format"))
	isRead := p.stream.try(p.member("datetime_format"), func() {
		var err error
		p.format, err = times.ParseFormat(text)
		fault.Check(err)
		fault.If(text == "", "--values does not determine datetime_format")
	})
	k.isNumeral, k.format = p.format.IsNumeral(), text
	for _, e := range p.at.Get("cursor_datetime_formats").Elements() {
		// One that we cannot write is one that we cannot follow.
		f, _ := times.ParseFormat(e.Text())
		p.items = append(p.items, f)
	}
	if p.items == nil {
		p.items = []times.Format{p.format}
	}
	p.lookback = p.period("lookback_window")
	p.at.Ignore("cursor_field")
	if !p.isWhole {
		p.path = p.stream.followed(p.conversion, n, p.at)
	}
	start, isSaid := p.bound("start_datetime")
	end, hasEnd := p.bound("end_datetime")
	if !isRead || !isSaid {
		p.at.Ignore("step", "cursor_granularity")
		return k
	}
	p.check(start, end, hasEnd)
	if hasEnd && p.isAfterNow(end) {
		k.late = p.at.Get("end_datetime")
		hasEnd = false
	}
	step, granularity := p.period("step"), p.period("cursor_granularity")
	if step.IsZero() {
		k.start, k.end = p.since(start), dateOf(p.format.Date(0))
		if hasEnd {
			k.end = end.sent(p.format)
		}
		return k
	}
	isDivided := p.stream.try(p.member("step"), func() { p.divide(k, start, step, granularity) })
	if isDivided {
		p.compare(start, end, step, hasEnd)
	}
	if isDivided && hasEnd {
		p.endAt(k, end)
	}
	return k
}

// isAfterNow tells that a time is after that of the conversion.
func (p *slicing) isAfterNow(b bound) bool { return b.isKnown && b.at.After(p.scope.Values.Now) }

// check refuses a time in which Airbyte asks for nothing.
func (p *slicing) check(start, end bound, hasEnd bool) {
	areKnown := hasEnd && start.isKnown && end.isKnown
	switch {
	case p.isAfterNow(start):
		p.whole.Refuse(p.at.Get("start_datetime"), "the start is after now, so Airbyte sends no request yet")
	case areKnown && !start.at.Before(end.at):
		p.whole.Refuse(p.at.Get("end_datetime"), "the end is not after the start, so Airbyte sends no request")
	}
}

// member is a member of the component, or the component where it lacks it.
func (p *slicing) member(name string) *manifest.Section {
	if at := p.at.Get(name); at != nil {
		return at
	}
	return p.at
}

// name is a name that the values decide.
func (p *slicing) name(member, byDefault string) string {
	at := p.at.Get(member)
	if at == nil {
		return byDefault
	}
	text, ok := decided(p.scope, at)
	p.stream.refuseIf(!ok, at, "--values does not determine the name")
	return text
}

// period is a length of time, zero where there is none.
func (p *slicing) period(member string) times.Period {
	at := p.at.Get(member)
	text, ok := decided(p.scope, at)
	if at == nil || ok && text == "" {
		return times.Period{}
	}
	length, isPeriod := times.ParsePeriod(text)
	p.stream.refuseIf(!ok || !isPeriod, at, "it is not a length of time such as P30D that --values determines")
	return length
}

// follows tells whether the times of items, as they may be written, can be asked for.
func (p *slicing) follows(isGood func(times.Format) bool) bool {
	for _, f := range p.items {
		if !isGood(f) {
			return false
		}
	}
	return !p.isWhole && p.path != ""
}

// followsDates tells that the times of items are dates, followsNumbers that they are numbers of one unit.
func (p *slicing) followsDates() bool { return p.follows(times.Format.IsRead) }

func (p *slicing) followsNumbers() bool {
	first := p.items[0]
	return p.follows(func(f times.Format) bool { return f.Letters != "" && f.IsNumber() && f.Text == first.Text })
}

// giveUp notes that each run reads everything since the start.
func (p *slicing) giveUp() {
	p.stream.widenIf(!p.isWhole && p.path != "", p.at,
		"each run reads everything since the start: the times of items cannot be asked for as they are written")
}

// since is the start in requests, without windows.
func (p *slicing) since(start bound) write.Expr {
	isSame := len(p.items) == 1 && p.items[0].Text == p.format.Text
	switch {
	case p.followsDates():
		// The texts of items are sent as they are, but for Z, which Airbyte writes as +0000.
		if isSame && (start.hasOffset() || !p.format.HasZone || p.format.Digits > 0) {
			return p.last(start.sent(p.format))
		}
		p.inUTC("start_datetime", start)
		p.sayCut(start)
		return dateOf(p.format.Date(0), write.Calling("strtotime", p.last(start.dated())))
	case p.followsNumbers():
		// A text, as the manifest sends it.
		if isSame && p.lookback.IsZero() {
			return write.Calling("last", write.Text(p.path), start.sent(p.format))
		}
		if last := p.lastSeconds(start); last != nil {
			p.sayCut(start)
			return dateOf(p.format.Date(0), last)
		}
	}
	p.giveUp()
	return start.sent(p.format)
}

// sayCut notes that the start is sent without its fraction of a second.
func (p *slicing) sayCut(start bound) {
	p.stream.widenIf(start.hasFraction(p.format), p.at.Get("start_datetime"),
		"the fraction of a second of the start is not sent: up to a second more comes")
}

// inUTC refuses a time that would be written in another zone than Airbyte does.
func (p *slicing) inUTC(member string, b bound) {
	p.stream.refuseIf(b.hasOffset() && !p.format.IsNumber(), p.member(member),
		"the time has an offset, which Airbyte keeps and sluice does not: write the time in UTC")
}

// last is the greatest date of the items, moved back by the lookback; without one it is the start.
func (p *slicing) last(start write.Expr) write.Expr {
	if p.lookback.IsZero() {
		return write.Calling("last", write.Text(p.path), start)
	}
	// It asks for nothing before the start.
	return write.Calling("last", write.Text(p.path), start, write.Text(p.lookback.Text("-")), start)
}

// lastSeconds is the greatest of numbers, as Unix seconds, moved back by the lookback; nil: it cannot be said.
// What is moved back is the start, too, so it is a lookback later.
func (p *slicing) lastSeconds(start bound) write.Expr {
	f := p.items[0]
	var first write.Expr
	switch {
	case start.isKnown && !p.lookback.IsCalendar:
		back := p.lookback.Exact.Truncate(time.Second)
		if p.lookback.Exact != back {
			back += time.Second
		}
		first = write.Word(f.Write(start.at.Add(back)))
	case f.Digits == 0 && p.lookback.IsZero():
		first = start.seconds()
	default:
		return nil
	}
	last := write.Calling("last", write.Text(p.path), first)
	if !p.lookback.IsZero() {
		last = write.Calling("last", write.Text(p.path), first, write.Text(""), first)
	}
	switch {
	case f.IsFloat:
		last = write.Calling("sprintf", write.Text("%d"), last)
	case f.Digits > 0:
		// The first ten of its digits are the seconds, which had nine until 2001.
		whole := write.Calling("sprintf", write.Text(fmt.Sprintf("%%0%dd", 10+f.Digits)), last)
		last = write.Calling("sprintf", write.Text("%.10s"), whole)
	}
	if p.lookback.IsZero() {
		return last
	}
	return write.Calling("strtotime", write.Text(p.lookback.Text("-")), last)
}

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
func (p *slicing) from(start bound) write.Expr {
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

// inSeconds is a whole number of seconds as strtotime reads it.
func inSeconds(d time.Duration) string {
	amount := times.Amount{N: int64(d / time.Second), Unit: "second"}
	if d%times.Day == 0 {
		amount = times.Amount{N: int64(d / times.Day), Unit: "day"}
	}
	return times.Period{Amounts: []times.Amount{amount}}.Text("")
}
