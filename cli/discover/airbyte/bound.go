package airbyte

import (
	"strconv"
	"strings"
	"time"

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
	format   timeFormat

	// isDay tells that a moment is the beginning of a day.
	isDay bool
}

// bound reads start_datetime or end_datetime; false: there is none, or it is refused.
func (p *slicing) bound(member string) (b bound, ok bool) {
	at := p.at.get(member)
	if at == nil {
		if member == "start_datetime" {
			p.stream.refuse(p.at, "start_datetime is missing")
		}
		return b, false
	}
	b.format = p.format
	text := at
	if at.kind() == "MinMaxDatetime" {
		text = at.get("datetime")
		if f := at.get("datetime_format"); f != nil && f.text() != "" {
			var err error
			b.format, err = formatOf(f.text())
			if err != nil {
				p.stream.refuse(f, err.Error())
				return b, false
			}
		}
	}
	m, err := p.conversion.scope().mean(text)
	if err != nil {
		p.stream.refuse(text, err.Error())
		return b, false
	}
	b.json, b.isMoment, b.isDay = m.json, m.moment, m.isDay
	said, isDecided := p.conversion.decided(text)
	if !isDecided && m.json == "" {
		said, isDecided = printed(m.constant), !m.nothing
	}
	if isDecided {
		if !p.know(&b, text, said) {
			return b, false
		}
	} else if !b.isMoment && !b.format.isTime() && b.format.text != "%s" {
		p.stream.refuse(text, "a time that is not known before the run cannot be written as "+b.format.text)
		return b, false
	}
	isOpen := b.isNow() || b.isAhead()
	isNow := member == "end_datetime" && isOpen
	return b, p.limit(&b, at) && !isNow
}

// aheadOfNow is a time that is always some days after that of the run.
var aheadOfNow = pattern(`^(` + daysAhead + `|\{"function":"date","args":\["[^"]*",` + daysAhead + `\]\})$`)

const daysAhead = `\{"function":"strtotime","args":\["\+[1-9]\d* (days|weeks|months|years)"\]\}`

// isAhead tells that the bound is after the time of each run.
func (b bound) isAhead() bool { return !b.isKnown && aheadOfNow().Match(tight(b.json)) }

// isNow tells that the bound is the time of the run, to the second.
func (b bound) isNow() bool {
	now := calling("time")
	if b.isMoment {
		return b.json == now
	}
	return b.format.tick == time.Second && b.json == calling("date", quote(b.format.date(0)), now)
}

// isoDate is what a text begins with that has a date and at most a time of day.
var isoDate = pattern(`^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$`)

// know notes the time that the values decide.
func (p *slicing) know(b *bound, at *node, said string) bool {
	if said == "" {
		p.stream.refuse(at, "the values have no time for it")
		return false
	}
	t, err := b.format.parse(said)
	if err != nil && isoDate().MatchString(said) {
		// What it is, is plain, though the platform reads it by its format alone.
		t, err = expr.ParseTime(said, time.Time{})
		b.json = ""
	}
	if err != nil {
		p.stream.refuse(at, b.format.mismatch(said))
		return false
	}
	b.at, b.isKnown, b.said = t, true, said
	return true
}

// limit moves a bound to what min_datetime and max_datetime allow.
func (p *slicing) limit(b *bound, at *node) bool {
	if at.kind() != "MinMaxDatetime" {
		return true
	}
	for _, name := range []string{"min_datetime", "max_datetime"} {
		limit := at.get(name)
		if limit == nil {
			continue
		}
		said, ok := p.conversion.decided(limit)
		if ok && said == "" {
			continue
		}
		t, err := b.format.parse(said)
		if ok && err != nil {
			p.stream.refuse(limit, b.format.mismatch(said))
			return false
		}
		if !ok || !b.isKnown {
			p.stream.refuse(limit, "a limit is understood only where the values decide it and what it limits")
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
func (b bound) sent(f timeFormat) string {
	isText := b.json != "" && !b.isMoment
	switch {
	case isText && b.isWritten(f):
		return b.json
	case b.isKnown:
		return quote(f.format(b.at))
	}
	return calling("date", quote(f.date(0)), b.seconds())
}

// isWritten tells that the text is what a format makes of its time: that platform reads it and writes it anew, so that Z
// becomes +0000, and .5 becomes .500000.
func (b bound) isWritten(f timeFormat) bool {
	if b.format.text != f.text {
		return false
	}
	if b.isKnown {
		return b.said == f.format(b.at)
	}
	hasVariants := f.hasZone || f.digits > 0
	return !hasVariants || strings.Contains(b.json, quote(f.date(0)))
}

// hasOffset tells that the time is not in UTC.
func (b bound) hasOffset() bool { return b.isKnown && !isUTC(b.at) }

// seconds is the bound as Unix seconds.
func (b bound) seconds() string {
	isNumber := b.isMoment || b.format.text == "%s"
	switch {
	case b.isKnown:
		return strconv.FormatInt(b.at.Unix(), 10)
	case isNumber:
		return b.json
	}
	return calling("strtotime", b.json)
}

// readable is the bound as windows read it.
func (b bound) readable() string {
	isText := b.json != "" && b.format.isTime() && !b.isMoment
	switch {
	case isText:
		return b.json
	case b.isKnown:
		return quote(readable(b.at))
	}
	return b.seconds()
}

// dated is the bound as a text that strtotime reads.
func (b bound) dated() string {
	isSeconds := !b.isKnown && b.seconds() == b.json
	if isSeconds {
		return calling("date", quote(`Y-m-d\TH:i:s\Z`), b.json)
	}
	return b.readable()
}

// readable is a time as people write it.
func readable(t time.Time) string {
	t = t.UTC()
	if t.Truncate(day).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

// floor is the bound without what a format does not tell apart.
func (b bound) floor(tick time.Duration) bound {
	isFloored := b.format.tick >= tick && !b.isMoment
	if isFloored {
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
	if tick < day {
		letters = "Y-m-d H:i"
	}
	f, _ := formatOf("%Y-%m-%d")
	return bound{json: calling("date", quote(letters), b.seconds()), format: f}
}

// plus is the bound moved by whole seconds.
func (b bound) plus(length time.Duration) string {
	if b.isKnown {
		return quote(readable(b.at.Add(length)))
	}
	if length == 0 {
		return b.readable()
	}
	return calling("strtotime", quote("+"+inSeconds(length)), b.seconds())
}
