package convert

import (
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
	"sluice/source/expr"
)

// A bound is where a time begins or ends.
type bound struct {
	// at is the time, if isKnown: the values decide it.
	at      time.Time
	isKnown bool

	// said is how the values write it.
	said string

	// expr is one of ours; nil: it is just the time. It gives Unix seconds if isMoment, else a text that is written as
	// format.
	expr     write.ConfigValue
	isMoment bool
	format   times.Layout

	// isDay tells that a moment is the beginning of a day.
	isDay bool
}

// someDays are the steps of strtotime that lead some days ahead.
var someDays = pattern.Lazy(`^\+[1-9]\d* (days|weeks|months|years)$`)

// isAhead tells that the bound is always some days after the time of the run.
func (b bound) isAhead() bool {
	at := b.expr
	if _, of, isDate := datedBy(at); isDate {
		at = of
	}
	c, _ := at.(write.Function)
	isStep := c.Name == "strtotime" && len(c.Arguments) == 1
	if b.isKnown || !isStep {
		return false
	}
	step, _ := c.Arguments[0].(write.Text)
	return someDays().MatchString(string(step))
}

// isNow tells that the bound is the time of the run, to the second.
func (b bound) isNow() bool {
	now := write.Calling("time")
	if b.isMoment {
		return write.Same(b.expr, now)
	}
	letters, of, isDate := datedBy(b.expr)
	if !isDate || !write.Same(of, now) || b.format.Tick != time.Second {
		return false
	}
	some := time.Date(2023, 4, 5, 16, 17, 18, 0, time.UTC)
	read, err := b.format.Read(expr.FormatDate(letters, some))
	return err == nil && read.Equal(some)
}

// dateOf is a number of seconds as a text, in letters of the function date.
func dateOf(letters string, seconds ...write.ConfigValue) write.ConfigValue {
	return write.Calling("date", append([]write.ConfigValue{write.Text(letters)}, seconds...)...)
}

// datedBy are the letters and the seconds of such a text; not ok: it is another.
func datedBy(e write.ConfigValue) (letters string, seconds write.ConfigValue, ok bool) {
	c, _ := e.(write.Function)
	if c.Name != "date" || len(c.Arguments) != 2 {
		return "", nil, false
	}
	text, ok := c.Arguments[0].(write.Text)
	return string(text), c.Arguments[1], ok
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
		b.expr = nil
	}
	fault.If(err != nil, "%s", b.format.Mismatch(said))
	b.at, b.isKnown, b.said = t, true, said
}

// sent is the bound as a request has it.
func (b bound) sent(f times.Layout) write.ConfigValue {
	switch {
	case b.expr != nil && !b.isMoment && b.isWritten(f):
		return b.expr
	case b.isKnown:
		return write.Text(f.Write(b.at))
	}
	return dateOf(f.Date(0), b.seconds())
}

// isWritten tells that the text is what a format makes of its time: Airbyte reads it and writes it anew, so
// that Z becomes +0000, and .5 becomes .500000.
func (b bound) isWritten(f times.Layout) bool {
	switch {
	case b.format.Text != f.Text:
		return false
	case b.isKnown:
		return b.said == f.Write(b.at)
	}
	isLetters := func(e write.ConfigValue) bool { return e == write.Text(f.Date(0)) }
	return !f.HasZone && f.Digits <= 0 || write.Has(b.expr, isLetters)
}

// hasOffset tells that the time is not in UTC.
func (b bound) hasOffset() bool { return b.isKnown && !times.IsUTC(b.at) }

// hasFraction tells that a request would have a fraction of a second.
func (b bound) hasFraction(f times.Layout) bool {
	return b.isKnown && f.Digits > 0 && b.at.Nanosecond() > 0
}

// seconds is the bound as Unix seconds.
func (b bound) seconds() write.ConfigValue {
	switch {
	case b.isKnown:
		return number(b.at.Unix())
	case b.isMoment, b.format.Text == "%s":
		return b.expr
	}
	return write.Calling("strtotime", b.expr)
}

// readable is the bound as windows read it.
func (b bound) readable() write.ConfigValue {
	switch {
	case b.expr != nil && b.format.IsTime() && !b.isMoment:
		return b.expr
	case b.isKnown:
		return write.Text(readable(b.at))
	}
	return b.seconds()
}

// dated is the bound as a text that strtotime reads.
func (b bound) dated() write.ConfigValue {
	if !b.isKnown && write.Same(b.seconds(), b.expr) {
		return dateOf(`Y-m-d\TH:i:s\Z`, b.expr)
	}
	return b.readable()
}

// number is a whole number.
func number(n int64) write.ConfigValue { return write.Data(n) }

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
		b.at, b.expr = floored, nil
		return b
	}
	letters := "Y-m-d"
	if tick < times.Day {
		letters = "Y-m-d H:i"
	}
	f, _ := times.ParseLayout("%Y-%m-%d")
	return bound{expr: dateOf(letters, b.seconds()), format: f}
}

// plus is the bound moved by whole seconds.
func (b bound) plus(length time.Duration) write.ConfigValue {
	switch {
	case b.isKnown:
		return write.Text(readable(b.at.Add(length)))
	case length == 0:
		return b.readable()
	}
	return write.Calling("strtotime", write.Text("+"+inSeconds(length)), b.seconds())
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

// inSeconds is a whole number of seconds as strtotime reads it.
func inSeconds(d time.Duration) string {
	amount := times.Amount{N: int64(d / time.Second), Unit: "second"}
	if d%times.Day == 0 {
		amount = times.Amount{N: int64(d / times.Day), Unit: "day"}
	}
	return times.Period{Amounts: []times.Amount{amount}}.Text("")
}
