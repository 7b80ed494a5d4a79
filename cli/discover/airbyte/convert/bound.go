package convert

import (
	"strconv"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
	"sluice/source/expr"
)

// A bound is where a time begins or ends.
type bound struct {
	// at is the time, if isKnown: the values decide it.
	at      time.Time
	isKnown bool

	// said is how the values write it.
	said string

	// json is an expression of ours; empty: it is just the time. It gives Unix seconds if isMoment, else a text that is
	// written as format.
	json     string
	isMoment bool
	format   times.Format

	// isDay tells that a moment is the beginning of a day.
	isDay bool
}

// bound reads start_datetime or end_datetime; false: there is none, or it is refused.
func (p *slicing) bound(member string) (b bound, ok bool) {
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
				b.format = fault.Of(times.ParseFormat(f.Text()))
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
func (p *slicing) meant(b *bound, text *manifest.Node) {
	m := p.scope.Mean(text)
	b.json, b.isMoment, b.isDay = m.Expr, m.Moment, m.IsDay
	said, isDecided := decided(p.scope, text)
	if !isDecided && m.Expr == "" {
		said, isDecided = python.Printed(m.Constant), !m.Nothing
	}
	switch {
	case isDecided:
		b.know(said)
	case !b.isMoment && !b.format.IsTime() && b.format.Text != "%s":
		panic(fault.New("a time that is not known before the run cannot be written as %s", b.format.Text))
	}
}

// someDays are the steps of strtotime that lead some days ahead.
var someDays = pattern.Lazy(`^\+[1-9]\d* (days|weeks|months|years)$`)

// isAhead tells that the bound is always some days after the time of the run.
func (b bound) isAhead() bool {
	function, args := write.Call(b.json)
	if function == "date" && len(args) == 2 && write.IsQuoted(args[0]) {
		function, args = write.Call(args[1])
	}
	return !b.isKnown && function == "strtotime" && len(args) == 1 && someDays().MatchString(write.TextOf(args[0]))
}

// isNow tells that the bound is the time of the run, to the second.
func (b bound) isNow() bool {
	now := write.Calling("time")
	if b.isMoment {
		return b.json == now
	}
	function, args := write.Call(b.json)
	isNow := function == "date" && len(args) == 2 && args[1] == now && write.IsQuoted(args[0]) && b.format.Tick == time.Second
	if !isNow {
		return false
	}
	some := time.Date(2023, 4, 5, 16, 17, 18, 0, time.UTC)
	read, err := b.format.Read(expr.FormatDate(write.TextOf(args[0]), some))
	return err == nil && read.Equal(some)
}

// dateOf is a number of seconds as a text, in letters of the function date.
func dateOf(letters string, seconds ...string) string {
	return write.Calling("date", append([]string{write.Quote(letters)}, seconds...)...)
}

// isoDate is what a text begins with that has a date and at most a time of day.
var isoDate = pattern.Lazy(`^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$`)

// know notes the time that the values decide.
func (b *bound) know(said string) {
	fault.If(said == "", "--values has no time for it")
	t, err := b.format.Read(said)
	if err != nil && isoDate().MatchString(said) {
		// What it is, is plain, though the platform reads it by its format alone.
		t, err = expr.ParseTime(said, time.Time{})
		b.json = ""
	}
	fault.If(err != nil, "%s", b.format.Mismatch(said))
	b.at, b.isKnown, b.said = t, true, said
}

// limit moves a bound to what min_datetime and max_datetime allow.
func (p *slicing) limit(b *bound, at *manifest.Node) bool {
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
			b.at, b.json = t, ""
		}
	}
	return true
}

// sent is the bound as a request has it.
func (b bound) sent(f times.Format) string {
	switch {
	case b.json != "" && !b.isMoment && b.isWritten(f):
		return b.json
	case b.isKnown:
		return write.Quote(f.Write(b.at))
	}
	return dateOf(f.Date(0), b.seconds())
}

// isWritten tells that the text is what a format makes of its time: Airbyte reads it and writes it anew, so
// that Z becomes +0000, and .5 becomes .500000.
func (b bound) isWritten(f times.Format) bool {
	switch {
	case b.format.Text != f.Text:
		return false
	case b.isKnown:
		return b.said == f.Write(b.at)
	}
	return !f.HasZone && f.Digits <= 0 || strings.Contains(b.json, write.Quote(f.Date(0)))
}

// hasOffset tells that the time is not in UTC.
func (b bound) hasOffset() bool { return b.isKnown && !times.IsUTC(b.at) }

// hasFraction tells that a request would have a fraction of a second.
func (b bound) hasFraction(f times.Format) bool {
	return b.isKnown && f.Digits > 0 && b.at.Nanosecond() > 0
}

// seconds is the bound as Unix seconds.
func (b bound) seconds() string {
	switch {
	case b.isKnown:
		return strconv.FormatInt(b.at.Unix(), 10)
	case b.isMoment, b.format.Text == "%s":
		return b.json
	}
	return write.Calling("strtotime", b.json)
}

// readable is the bound as windows read it.
func (b bound) readable() string {
	switch {
	case b.json != "" && b.format.IsTime() && !b.isMoment:
		return b.json
	case b.isKnown:
		return write.Quote(readable(b.at))
	}
	return b.seconds()
}

// dated is the bound as a text that strtotime reads.
func (b bound) dated() string {
	if !b.isKnown && b.seconds() == b.json {
		return dateOf(`Y-m-d\TH:i:s\Z`, b.json)
	}
	return b.readable()
}

// readable is a time as people write it.
func readable(t time.Time) string {
	t = t.UTC()
	if t.Truncate(times.Day).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

// floor is the bound without what a format does not tell apart.
func (b bound) floor(tick time.Duration) bound {
	floored := b.at.Truncate(tick)
	switch {
	case b.format.Tick >= tick && !b.isMoment, b.isKnown && floored.Equal(b.at), !b.isKnown && tick <= time.Second:
		return b
	case b.isKnown:
		b.at, b.json = floored, ""
		return b
	}
	letters := "Y-m-d"
	if tick < times.Day {
		letters = "Y-m-d H:i"
	}
	f, _ := times.ParseFormat("%Y-%m-%d")
	return bound{json: dateOf(letters, b.seconds()), format: f}
}

// plus is the bound moved by whole seconds.
func (b bound) plus(length time.Duration) string {
	switch {
	case b.isKnown:
		return write.Quote(readable(b.at.Add(length)))
	case length == 0:
		return b.readable()
	}
	return write.Calling("strtotime", write.Quote("+"+inSeconds(length)), b.seconds())
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
