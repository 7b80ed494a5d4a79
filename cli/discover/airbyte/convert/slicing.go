package convert

import (
	"errors"
	"fmt"
	"time"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// A slicing is what makes a cursor of a component.
type slicing struct {
	conversion *Conversion
	stream     *Stream
	at         *manifest.Node

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
func (p *slicing) cursor(n *manifest.Node) *cursor {
	k := &cursor{
		startName:   p.name("partition_field_start", "start_time"),
		endName:     p.name("partition_field_end", "end_time"),
		startOption: p.at.Get("start_time_option"),
		endOption:   p.at.Get("end_time_option"),
		said:        p.stream,
	}
	text, _ := p.conversion.decided(p.at.Get("datetime_format"))
	format, err := times.ParseFormat(text)
	if text == "" {
		err = errors.New("datetime_format is not decided by the values")
	}
	if err != nil {
		p.refuse("datetime_format", err.Error())
	}
	p.format = format
	k.isNumeral, k.format = format.IsNumeral(), text
	p.readItems()
	p.lookback = p.period("lookback_window")
	p.at.Ignore("cursor_field")
	if !p.isWhole {
		p.path = p.stream.followed(p.conversion, n, p.at)
	}
	start, isSaid := p.bound("start_datetime")
	end, hasEnd := p.bound("end_datetime")
	if err != nil || !isSaid {
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
		k.start, k.end = p.since(start), p.until(end, hasEnd)
		return k
	}
	p.divide(k, start, step, granularity)
	if k.windows != nil {
		p.compare(start, end, step, hasEnd)
	}
	if hasEnd {
		p.endAt(k, end)
	}
	return k
}

// isAfterNow tells that a time is after that of the conversion.
func (p *slicing) isAfterNow(b bound) bool {
	return b.isKnown && b.at.After(p.conversion.scope().Values.Now)
}

// check refuses a time in which that platform asks for nothing.
func (p *slicing) check(start, end bound, hasEnd bool) {
	areKnown := hasEnd && start.isKnown && end.isKnown
	switch {
	case p.isAfterNow(start):
		p.whole.Refuse(p.at.Get("start_datetime"), "the start is after now: that platform asks for nothing yet")
	case areKnown && !start.at.Before(end.at):
		p.whole.Refuse(p.at.Get("end_datetime"), "the end is not after the start: that platform asks for nothing")
	}
}

func (p *slicing) refuse(member, text string) {
	at := p.at.Get(member)
	if at == nil {
		at = p.at
	}
	p.stream.Refuse(at, text)
}

// name is a name that the values decide.
func (p *slicing) name(member, byDefault string) string {
	at := p.at.Get(member)
	if at == nil {
		return byDefault
	}
	text, ok := p.conversion.decided(at)
	if !ok {
		p.stream.Refuse(at, "the name is not decided by the values")
	}
	return text
}

// period is a length of time, zero where there is none.
func (p *slicing) period(member string) times.Period {
	at := p.at.Get(member)
	if at == nil {
		return times.Period{}
	}
	text, ok := p.conversion.decided(at)
	if ok && text == "" {
		return times.Period{}
	}
	length, isPeriod := times.ParsePeriod(text)
	if !ok || !isPeriod {
		p.stream.Refuse(at, "it is no length of time such as P30D that the values decide")
	}
	return length
}

// readItems reads how times in items may be written.
func (p *slicing) readItems() {
	all := p.at.Get("cursor_datetime_formats")
	if all == nil || len(all.Elements()) == 0 {
		p.items = []times.Format{p.format}
		return
	}
	for _, e := range all.Elements() {
		// One that we cannot write is one that we cannot follow.
		f, _ := times.ParseFormat(e.Text())
		p.items = append(p.items, f)
	}
}

// follows tells whether the times of items, as they may be written, can be asked for.
func (p *slicing) follows(isGood func(times.Format) bool) bool {
	if p.isWhole || p.path == "" {
		return false
	}
	for _, f := range p.items {
		if !isGood(f) {
			return false
		}
	}
	return true
}

// followsDates tells that the times of items are dates, followsNumbers that they are numbers of one unit.
func (p *slicing) followsDates() bool { return p.follows(times.Format.IsRead) }

func (p *slicing) followsNumbers() bool {
	first := p.items[0]
	return p.follows(func(f times.Format) bool { return f.Letters != "" && f.IsNumber() && f.Text == first.Text })
}

// giveUp notes that each run reads everything since the start.
func (p *slicing) giveUp() {
	if !p.isWhole && p.path != "" {
		p.stream.widen(
			p.at,
			"each run reads everything since the start: the times of items cannot be asked for as they are written",
		)
	}
}

// since is the start in requests, without windows.
func (p *slicing) since(start bound) string {
	isSame := len(p.items) == 1 && p.items[0].Text == p.format.Text
	switch {
	case p.followsDates():
		// The texts of items are sent as they are, but for Z, which that platform writes as +0000.
		if isSame && (start.hasOffset() || !p.format.HasZone || p.format.Digits > 0) {
			return p.last(start.sent(p.format))
		}
		p.inUTC("start_datetime", start)
		return write.Calling("date", write.Quote(p.format.Date(0)), write.Calling("strtotime", p.last(start.dated())))
	case p.followsNumbers():
		// A text, as the manifest sends it.
		if isSame && p.lookback.IsZero() {
			return write.Calling("last", write.Quote(p.path), start.sent(p.format))
		}
		if last := p.lastSeconds(start); last != "" {
			return write.Calling("date", write.Quote(p.format.Date(0)), last)
		}
	}
	p.giveUp()
	return start.sent(p.format)
}

// inUTC refuses a time that would be written in another zone than that platform does.
func (p *slicing) inUTC(member string, b bound) {
	if b.hasOffset() && !p.format.IsNumber() {
		p.refuse(member, "the time has an offset, which that platform keeps and ours does not: write it in UTC")
	}
}

// last is the greatest date of the items, moved back by the lookback; without one it is the start.
func (p *slicing) last(start string) string {
	if p.lookback.IsZero() {
		return write.Calling("last", write.Quote(p.path), start)
	}
	return write.Calling("last", write.Quote(p.path), start, write.Quote(p.lookback.Text("-")))
}

// lastSeconds is the greatest of numbers, as Unix seconds, moved back by the lookback; empty: it cannot be said.
// What is moved back is the start, too, so it is a lookback later.
func (p *slicing) lastSeconds(start bound) string {
	f := p.items[0]
	isKnown := start.isKnown && !p.lookback.IsCalendar
	isAsIt := f.Digits == 0 && p.lookback.IsZero()
	var first string
	switch {
	case isKnown:
		back := p.lookback.Exact.Truncate(time.Second)
		if p.lookback.Exact != back {
			back += time.Second
		}
		first = f.Write(start.at.Add(back))
	case isAsIt:
		first = start.seconds()
	default:
		return ""
	}
	last := write.Calling("last", write.Quote(p.path), first)
	switch {
	case f.IsFloat:
		last = write.Calling("sprintf", write.Quote("%d"), last)
	case f.Digits > 0:
		// The first ten of its digits are the seconds, which had nine until 2001.
		whole := write.Calling("sprintf", write.Quote(fmt.Sprintf("%%0%dd", 10+f.Digits)), last)
		last = write.Calling("sprintf", write.Quote("%.10s"), whole)
	}
	if p.lookback.IsZero() {
		return last
	}
	return write.Calling("strtotime", write.Quote(p.lookback.Text("-")), last)
}

// until is the end in requests, without windows.
func (p *slicing) until(end bound, hasEnd bool) string {
	if hasEnd {
		return end.sent(p.format)
	}
	return write.Calling("date", write.Quote(p.format.Date(0)))
}

// divide makes windows. Their ends are sent short of a granularity; what the format cuts off anyway need not be taken
// off, which keeps the last end what it is.
func (p *slicing) divide(k *cursor, start bound, step, granularity times.Period) {
	f := p.format
	exact := granularity.Exact
	isMissing := p.at.Get("cursor_granularity") == nil
	if granularity.IsCalendar || isMissing {
		p.refuse("cursor_granularity", "beside step it must be a length such as PT1S or P1D")
		return
	}
	fraction := exact % time.Second
	gap := exact - fraction
	if fraction > 0 {
		gap += time.Second
		fraction = time.Second - fraction
	}
	if gap > time.Second {
		gap = max(time.Second, gap-f.Tick+time.Second)
	}
	if !step.IsCalendar && step.Exact <= gap {
		p.refuse("step", "windows that are no longer than cursor_granularity are not understood")
		return
	}
	now := p.conversion.scope().Values.Now
	if start.isKnown && !step.IsCalendar && now.Sub(start.at)/step.Exact > 90_000 {
		p.refuse("step", "the start makes more than 90,000 windows: begin later, or with a longer step")
		return
	}
	p.inUTC("start_datetime", start)
	p.gap = gap
	k.windows = item.Object{"from", p.from(start.floor(f.Tick))}
	if gap > time.Second {
		k.windows = append(k.windows, "to", write.Quote("+"+inSeconds(gap)))
	}
	k.windows = append(k.windows, "step", write.Quote(step.Text("")))
	k.windows = k.windows.With(gap > 0, "gap", write.Quote(inSeconds(gap)))
	from, to := write.Window("from"), write.Window("to")
	letters := f.Date(0)
	if fraction > 0 && f.Digits > 0 {
		k.start = write.Calling("date", write.Quote(letters), from)
		k.end = write.Calling("date", write.Quote(f.Date(fraction)), to)
		letters = "U"
	} else {
		k.start, k.end = from, to
		k.isNumber = letters == "U"
	}
	if letters != `Y-m-d\TH:i:s\Z` {
		k.windows = append(k.windows, "format", write.Quote(letters))
	}
}

// from is where the first window begins.
func (p *slicing) from(start bound) string {
	switch {
	case p.followsDates():
		return p.last(start.readable())
	case p.followsNumbers():
		if last := p.lastSeconds(start); last != "" {
			return last
		}
	}
	p.giveUp()
	return start.readable()
}

// endAt ends the windows at a time, so that the last one is sent with it.
func (p *slicing) endAt(k *cursor, end bound) {
	if k.windows == nil {
		return
	}
	p.inUTC("end_datetime", end)
	hasFraction := k.start != write.Window("from")
	if hasFraction && end.isKnown {
		p.stream.widen(
			p.at,
			"the last window ends up to a second later: the ends of windows have a fraction of one",
		)
	}
	var all item.Object
	for i := 0; i < len(k.windows); i += 2 {
		all = all.With(k.windows[i] != "to", k.windows[i], k.windows[i+1])
	}
	k.windows = append(item.Object{all[0], all[1], "to", end.floor(p.format.Tick).plus(p.gap)}, all[2:]...)
}

// inSeconds is a whole number of seconds as strtotime reads it.
func inSeconds(d time.Duration) string {
	s := times.Period{Amounts: []times.Amount{{N: int64(d / time.Second), Unit: "second"}}}
	if d%times.Day == 0 {
		s = times.Period{Amounts: []times.Amount{{N: int64(d / times.Day), Unit: "day"}}}
	}
	return s.Text("")
}
