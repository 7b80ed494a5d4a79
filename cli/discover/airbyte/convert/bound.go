package convert

import (
	"strconv"
	"strings"
	"time"

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
		if member == "start_datetime" {
			p.stream.Refuse(p.at, "start_datetime is missing")
		}
		return b, false
	}
	b.format = p.format
	text := at
	if at.Kind() == "MinMaxDatetime" {
		text = at.Get("datetime")
		if f := at.Get("datetime_format"); f != nil && f.Text() != "" {
			var err error
			b.format, err = times.ParseFormat(f.Text())
			if err != nil {
				p.stream.Refuse(f, err.Error())
				return b, false
			}
		}
	}
	m, err := p.conversion.scope().Mean(text)
	if err != nil {
		p.stream.Refuse(text, err.Error())
		return b, false
	}
	b.json, b.isMoment, b.isDay = m.Expr, m.Moment, m.IsDay
	said, isDecided := p.conversion.decided(text)
	if !isDecided && m.Expr == "" {
		said, isDecided = python.Printed(m.Constant), !m.Nothing
	}
	if isDecided {
		if !p.know(&b, text, said) {
			return b, false
		}
	} else if !b.isMoment && !b.format.IsTime() && b.format.Text != "%s" {
		p.stream.Refuse(text, "a time that is not known before the run cannot be written as "+b.format.Text)
		return b, false
	}
	return b, p.limit(&b, at) && (member != "end_datetime" || !b.isNow() && !b.isAhead())
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
	return b.format.Tick == time.Second && b.json == write.Calling("date", write.Quote(b.format.Date(0)), now)
}

// isoDate is what a text begins with that has a date and at most a time of day.
var isoDate = pattern.Lazy(`^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$`)

// know notes the time that the values decide.
func (p *slicing) know(b *bound, at *manifest.Node, said string) bool {
	if said == "" {
		p.stream.Refuse(at, "the values have no time for it")
		return false
	}
	t, err := b.format.Read(said)
	if err != nil && isoDate().MatchString(said) {
		// What it is, is plain, though the platform reads it by its format alone.
		t, err = expr.ParseTime(said, time.Time{})
		b.json = ""
	}
	if err != nil {
		p.stream.Refuse(at, b.format.Mismatch(said))
		return false
	}
	b.at, b.isKnown, b.said = t, true, said
	return true
}

// limit moves a bound to what min_datetime and max_datetime allow.
func (p *slicing) limit(b *bound, at *manifest.Node) bool {
	if at.Kind() != "MinMaxDatetime" {
		return true
	}
	for _, name := range []string{"min_datetime", "max_datetime"} {
		limit := at.Get(name)
		if limit == nil {
			continue
		}
		said, ok := p.conversion.decided(limit)
		if ok && said == "" {
			continue
		}
		t, err := b.format.Read(said)
		if ok && err != nil {
			p.stream.Refuse(limit, b.format.Mismatch(said))
			return false
		}
		if !ok || !b.isKnown {
			p.stream.Refuse(limit, "a limit is understood only where the values decide it and what it limits")
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
	isText := b.json != "" && !b.isMoment
	switch {
	case isText && b.isWritten(f):
		return b.json
	case b.isKnown:
		return write.Quote(f.Write(b.at))
	}
	return write.Calling("date", write.Quote(f.Date(0)), b.seconds())
}

// isWritten tells that the text is what a format makes of its time: that platform reads it and writes it anew, so
// that Z becomes +0000, and .5 becomes .500000.
func (b bound) isWritten(f times.Format) bool {
	if b.format.Text != f.Text {
		return false
	}
	if b.isKnown {
		return b.said == f.Write(b.at)
	}
	return !f.HasZone && f.Digits <= 0 || strings.Contains(b.json, write.Quote(f.Date(0)))
}

// hasOffset tells that the time is not in UTC.
func (b bound) hasOffset() bool { return b.isKnown && !times.IsUTC(b.at) }

// seconds is the bound as Unix seconds.
func (b bound) seconds() string {
	isNumber := b.isMoment || b.format.Text == "%s"
	switch {
	case b.isKnown:
		return strconv.FormatInt(b.at.Unix(), 10)
	case isNumber:
		return b.json
	}
	return write.Calling("strtotime", b.json)
}

// readable is the bound as windows read it.
func (b bound) readable() string {
	isText := b.json != "" && b.format.IsTime() && !b.isMoment
	switch {
	case isText:
		return b.json
	case b.isKnown:
		return write.Quote(readable(b.at))
	}
	return b.seconds()
}

// dated is the bound as a text that strtotime reads.
func (b bound) dated() string {
	if !b.isKnown && b.seconds() == b.json {
		return write.Calling("date", write.Quote(`Y-m-d\TH:i:s\Z`), b.json)
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
	if b.format.Tick >= tick && !b.isMoment {
		return b
	}
	if b.isKnown {
		floored := b.at.Truncate(tick)
		if !floored.Equal(b.at) {
			b.at, b.json = floored, ""
		}
		return b
	}
	if tick <= time.Second {
		return b
	}
	letters := "Y-m-d"
	if tick < times.Day {
		letters = "Y-m-d H:i"
	}
	f, _ := times.ParseFormat("%Y-%m-%d")
	return bound{json: write.Calling("date", write.Quote(letters), b.seconds()), format: f}
}

// plus is the bound moved by whole seconds.
func (b bound) plus(length time.Duration) string {
	if b.isKnown {
		return write.Quote(readable(b.at.Add(length)))
	}
	if length == 0 {
		return b.readable()
	}
	return write.Calling("strtotime", write.Quote("+"+inSeconds(length)), b.seconds())
}
