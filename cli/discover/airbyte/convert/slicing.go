package convert

import (
	"fmt"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
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
	format times.Layout
	items  []times.Layout

	// path is where items have the time, empty where it is not known.
	path string

	lookback times.Period

	// gap is what windows end short of.
	gap time.Duration
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
func (p *slicing) follows(isGood func(times.Layout) bool) bool {
	for _, f := range p.items {
		if !isGood(f) {
			return false
		}
	}
	return !p.isWhole && p.path != ""
}

// followsDates tells that the times of items are dates, followsNumbers that they are numbers of one unit.
func (p *slicing) followsDates() bool { return p.follows(times.Layout.IsRead) }

func (p *slicing) followsNumbers() bool {
	first := p.items[0]
	return p.follows(func(f times.Layout) bool { return f.Letters != "" && f.IsNumber() && f.Text == first.Text })
}

// giveUp notes that each run reads everything since the start.
func (p *slicing) giveUp() {
	p.stream.widenIf(!p.isWhole && p.path != "", p.at,
		"each run reads everything since the start: the times of items cannot be asked for as they are written")
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
func (p *slicing) last(start write.ConfigValue) write.ConfigValue {
	if p.lookback.IsZero() {
		return write.Calling("last", write.Text(p.path), start)
	}
	// It asks for nothing before the start.
	return write.Calling("last", write.Text(p.path), start, write.Text(p.lookback.Text("-")), start)
}

// lastSeconds is the greatest of numbers, as Unix seconds, moved back by the lookback; nil: it cannot be said.
// What is moved back is the start, too, so it is a lookback later.
func (p *slicing) lastSeconds(start bound) write.ConfigValue {
	f := p.items[0]
	var first write.ConfigValue
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

// readBound reads start_datetime or end_datetime; false: there is none, or it is refused.
func (p *slicing) readBound(member string) (b bound, ok bool) {
	at := p.at.Get(member)
	if at == nil {
		p.stream.refuseIf(member == "start_datetime", p.at, "start_datetime is missing")
		return b, false
	}
	b.format = p.format
	text := at
	if at.Kind() == "MinMaxDatetime" {
		text = at.Get("datetime")
		f := at.Get("datetime_format")
		isRead := p.stream.try(f, func() {
			if f.Text() != "" {
				b.format = fault.Of(times.ParseLayout(f.Text()))
			}
		})
		if !isRead {
			return b, false
		}
	}
	if !p.stream.try(text, func() { p.meant(&b, text) }) {
		return b, false
	}
	return b, p.limit(&b, at) && (member != "end_datetime" || !b.isNow() && !b.isAhead())
}

// meant reads the template of a bound.
func (p *slicing) meant(b *bound, text *manifest.Section) {
	m := p.scope.Mean(text)
	b.expr, b.isMoment, b.isDay = m.Expr, m.Moment, m.IsDay
	said, isDecided := decided(p.scope, text)
	if !isDecided && m.Expr == nil {
		said, isDecided = python.Printed(m.Constant), !m.Nothing
	}
	switch {
	case isDecided:
		b.know(said)
	case !b.isMoment && !b.format.IsTime() && b.format.Text != "%s":
		panic(fault.New("a time that is not known before the run cannot be written as %s", b.format.Text))
	}
}

// limit moves a bound to what min_datetime and max_datetime allow.
func (p *slicing) limit(b *bound, at *manifest.Section) bool {
	if at.Kind() != "MinMaxDatetime" {
		return true
	}
	for _, name := range []string{"min_datetime", "max_datetime"} {
		limit := at.Get(name)
		said, ok := decided(p.scope, limit)
		if limit == nil || ok && said == "" {
			continue
		}
		t, err := b.format.Read(said)
		switch {
		case !ok || !b.isKnown:
			p.stream.Refuse(limit, "a limit is supported only if --values determines both the limit and what it limits")
			return false
		case err != nil:
			p.stream.Refuse(limit, b.format.Mismatch(said))
			return false
		}
		isBeyond := t.After(b.at)
		if name == "max_datetime" {
			isBeyond = t.Before(b.at)
		}
		if isBeyond {
			b.at, b.expr = t, nil
		}
	}
	return true
}
