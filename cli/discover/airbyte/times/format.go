// Package times reads the formats of strftime and the lengths of ISO 8601, and says them in the words of our functions.
package times

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A Layout is how the manifest writes times, such as %Y-%m-%d.
type Layout struct {
	Text string

	// Letters are those of the function date, with a NUL where the digits of a second's fraction stand.
	Letters string

	// layouts are those of package time that read such a text; none: it is a number.
	layouts []string

	// Digits is how many a second's fraction has; isFloat tells that it has as many as it needs, one at least.
	Digits  int
	IsFloat bool

	// Tick is the shortest time that it tells apart, a second at the least.
	Tick time.Duration

	// HasZone tells that it has the offset from UTC.
	HasZone bool
}

// IsNumber tells that such a time is a number since 1970.
func (f Layout) IsNumber() bool { return f.layouts == nil }

// The formats of numbers since 1970.
var numberFormats = map[string]Layout{
	"%s":                  {Letters: "U"},
	"%s_as_float":         {Letters: "U.\x00", Digits: 1, IsFloat: true},
	"%ms":                 {Letters: "U\x00", Digits: 3},
	"%epoch_microseconds": {Letters: "U\x00", Digits: 6},
}

// ParseLayout reads a format. The error names what it has that cannot be said.
func ParseLayout(text string) (Layout, error) {
	if f, ok := numberFormats[text]; ok {
		f.Text, f.Tick = text, time.Second
		return f, nil
	}
	f := Layout{Text: text, Tick: Day}
	var letters, layout strings.Builder
	for d := range directivesOf(text, func(d directive) bool { return d.tick > 0 }) {
		if d.php == "" {
			return f, fmt.Errorf("the format %s has %s, for which there is no letter of date", text, d.text)
		}
		letter := d.php
		switch d.text {
		case "%f":
			f.Digits, letter = 6, "\x00"
		case "%_ms":
			f.Digits, letter = 3, "\x00"
		case "%z", "%:z":
			f.HasZone = true
		}
		f.Tick = min(f.Tick, d.tick)
		letters.WriteString(letter)
		layout.WriteString(d.lenient)
	}
	f.Letters = letters.String()
	zoned := func(zone string) string { return strings.ReplaceAll(layout.String(), "-0700", zone) }
	f.layouts = []string{zoned("Z0700"), zoned("Z07:00")}
	return f, nil
}

// Date are the letters of date, with a fraction of a second that is the same for all times.
func (f Layout) Date(fraction time.Duration) string {
	if f.Digits == 0 {
		return f.Letters
	}
	digits := fmt.Sprintf("%06d", fraction.Microseconds())
	switch {
	case f.IsFloat:
		digits = cmp.Or(strings.TrimRight(digits, "0"), "0")
	case fraction != 0:
		digits = digits[:f.Digits]
	case f.Digits == 3:
		digits = "v"
	default:
		digits = "u"
	}
	return strings.ReplaceAll(f.Letters, "\x00", digits)
}

// Write is a time as the manifest would send it, in its own zone.
func (f Layout) Write(t time.Time) string {
	return expr.FormatDate(f.Date(time.Duration(t.Nanosecond())), t)
}

// Read reads a time as the manifest's platform does, which keeps its offset; without a zone it is UTC.
func (f Layout) Read(text string) (time.Time, error) {
	if f.IsNumber() {
		return f.parseNumber(text)
	}
	for _, layout := range f.layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if !f.HasZone || IsUTC(t) {
			t = t.UTC()
		}
		return t, nil
	}
	return time.Time{}, errors.New(f.Mismatch(text))
}

// IsUTC tells that a time has no offset.
func IsUTC(t time.Time) bool {
	_, offset := t.Zone()
	return offset == 0
}

// Mismatch says that a text is not written so.
func (f Layout) Mismatch(text string) string { return text + " is not written as " + f.Text }

func (f Layout) parseNumber(text string) (time.Time, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if f.IsFloat {
		return time.UnixMicro(int64(seconds * 1e6)).UTC(), err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch f.Digits {
	case 3:
		return time.UnixMilli(n).UTC(), err
	case 6:
		return time.UnixMicro(n).UTC(), err
	}
	return time.Unix(n, 0).UTC(), err
}

// IsNumeral tells that such a text is one of digits.
func (f Layout) IsNumeral() bool {
	_, err := strconv.ParseFloat(f.Write(time.Unix(1e9, 0).UTC()), 64)
	return err == nil
}

// IsRead tells that the functions last and strtotime read such a text as that time.
func (f Layout) IsRead() bool {
	if f.IsNumber() {
		return false
	}
	at := time.Date(2023, 4, 5, 16, 17, 18, 123456000, time.UTC)
	text := f.Write(at)
	whole := at.Truncate(f.Tick)
	read, _, isDate := expr.ParseDate(item.Quote(text))
	said, err := expr.ParseTime(text, time.Time{})
	return isDate && err == nil && read.Truncate(time.Second).Equal(whole) && said.Truncate(time.Second).Equal(whole)
}

// IsTime tells that strtotime reads such a text as that time.
func (f Layout) IsTime() bool {
	if f.IsNumber() {
		return false
	}
	at := time.Date(2023, 4, 5, 16, 17, 18, 0, time.UTC).Truncate(f.Tick)
	said, err := expr.ParseTime(f.Write(at), time.Time{})
	return err == nil && said.Truncate(time.Second).Equal(at)
}
