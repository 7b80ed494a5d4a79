package expr

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ParseTime reads a time as PHP's strtotime does: Unix seconds after an @; dates
// and times of day in the layouts YYYY-MM-DD hh:mm:ss, RFC 3339, RFC 1123,
// RFC 850, ANSI C and the like; the words now, today, midnight, noon, yesterday and
// tomorrow; signed amounts of time, which ago turns back; last, this and next before a
// unit or a weekday; and first day of and last day of. They may stand together:
// "tomorrow +2 hours", "2026-01-31 +1 month" (the 31st of February, so the 3rd of
// March), "last day of next month", "monday this week".
//
// What the text does not say is taken from now, but a date without a time of day
// begins at midnight. Without a zone it is UTC; the result always is. The name of
// a weekday next to a date has no effect. The error does not show the text.
func ParseTime(text string, now time.Time) (time.Time, error) {
	s := timeScanner{rest: zoneComment.ReplaceAllString(strings.ToLower(text), ""), base: now.UTC()}
	for s.skip(); s.rest != ""; s.skip() {
		if !s.element() || s.wrong {
			return time.Time{}, errors.New(notTime)
		}
		s.elements++
	}
	if s.elements == 0 || s.weekday && !s.hasDate && !s.moves {
		return time.Time{}, errors.New(notTime)
	}
	t := s.time()
	if !inCalendar(t) {
		return time.Time{}, errors.New("this time is not between the years 0 and 9999")
	}
	return t, nil
}

const mostSeconds = 400_000_000_000

const notTime = `this is not a time in a form that is known (YYYY-MM-DD hh:mm:ss, RFC 3339, RFC 1123, @seconds, ` +
	`now, today, midnight, noon, yesterday, tomorrow, -7 days, 2 hours ago, +3 weekdays, next month, last monday, monday this week, ` +
	`first day of next month)`

// zoneComment is the name of the zone at the end, in mail and in the times that browsers write.
var zoneComment = regexp.MustCompile(`\([^(]*\)\s*$`)

// timeScanner reads one element after the other.
type timeScanner struct {
	rest     string // in lower case
	elements int
	wrong    bool      // an element is of a known form, and yet it cannot stand there
	base     time.Time // what is taken for what the text does not say

	year, month, day         int
	hour, minute, second, ns int
	offset                   int // of the zone, in seconds

	hasDate, hasYear, hasTime, hasZone bool

	stamped bool // base is the text's own
	reset   bool // a word said midnight

	amounts  [3]int64 // of months, days and seconds
	workdays int64    // an amount of them
	ends     int      // 1: the first day of the month, 2: the last

	weekday bool // a weekday is named
	moves   bool // the date moves to the weekday day
	day7    int  // Sunday is 0
	least   int  // a weekday is at least so many days ahead, 0 or 1; 2: it is that of the week, which begins on Monday
}

func (s *timeScanner) skip() { s.rest = strings.TrimLeft(s.rest, " \t\r\n,") }

func (s *timeScanner) element() bool {
	return s.stamp() || s.monthEnd() || s.relative() || s.word() || s.amount() || s.layout() || s.lateYear() || s.zone()
}

// stamp reads Unix seconds.
func (s *timeScanner) stamp() bool {
	text, ok := strings.CutPrefix(s.rest, "@")
	if !ok || s.elements > 0 {
		return false
	}
	digits, rest := leadingDigits(strings.TrimPrefix(text, "-"))
	n, err := strconv.ParseInt(text[:len(text)-len(rest)], 10, 64)
	if err != nil || digits == "" {
		return false
	}
	s.base, s.stamped, s.rest = time.Unix(n, 0).UTC(), true, rest
	s.wrong = !inCalendar(s.base)
	return true
}

// word reads one of the words that stand alone.
func (s *timeScanner) word() bool {
	word, rest := leadingWord(s.rest)
	switch word {
	case "now":
	case "today", "midnight":
		s.midnight()
	case "noon":
		s.midnight()
		s.hour, s.hasTime = 12, true
	case "yesterday":
		s.midnight()
		s.amounts[1] = -1 // in place of any amount before, as PHP does
	case "tomorrow":
		s.midnight()
		s.amounts[1] = 1
	case "ago":
		for i := range s.amounts {
			s.amounts[i] = -s.amounts[i]
		}
		s.workdays, s.wrong = -s.workdays, s.moves
	default:
		day, known := weekdays[word]
		if !known || s.weekday {
			return false
		}
		s.weekday, s.day7 = true, day
		s.midnight()
	}
	s.rest = rest
	return true
}

// midnight takes back a time of day that stands before, as PHP does.
func (s *timeScanner) midnight() {
	s.reset, s.hasTime = true, false
	s.hour, s.minute, s.second, s.ns = 0, 0, 0, 0
}

// units are the names of units, in months, days and seconds; an s may follow.
var units = map[string][3]int64{
	"sec": {0, 0, 1}, "second": {0, 0, 1},
	"min": {0, 0, 60}, "minute": {0, 0, 60},
	"hour":      {0, 0, 3600},
	"day":       {0, 1, 0},
	"week":      {0, 7, 0},
	"fortnight": {0, 14, 0},
	"month":     {1, 0, 0},
	"year":      {12, 0, 0},
}

// amount reads a number, with a sign or without, and a unit.
func (s *timeScanner) amount() bool {
	text := s.rest
	sign := int64(1)
	if text[0] == '-' {
		sign = -1
	}
	if text[0] == '-' || text[0] == '+' {
		text = strings.TrimLeft(text[1:], " \t")
	}
	digits, text := leadingDigits(text)
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > mostSeconds {
		return false
	}
	word, text := leadingWord(strings.TrimLeft(text, " \t"))
	if !s.add(n*sign, word) {
		return false
	}
	s.rest = text
	return true
}

// add adds an amount of a unit, which may have an s behind it; false if there is none.
func (s *timeScanner) add(n int64, unit string) bool {
	unit = strings.TrimSuffix(unit, "s")
	u, known := units[unit]
	if unit == "weekday" {
		s.workdays, known = n, true
	}
	most := [3]int64{4_000_000, 4_000_000, mostSeconds} // 10,000 years have less of them
	for i := range s.amounts {
		s.amounts[i] += n * u[i]
		s.wrong = s.wrong || max(s.amounts[i], -s.amounts[i]) > most[i]
	}
	s.wrong = s.wrong || max(s.workdays, -s.workdays) > most[1]
	return known
}

// layout reads a date, a time of day, or both.
func (s *timeScanner) layout() bool {
	const digits = "0123456789"
	found, rest := longestLayout(readBoth, s.rest, digits+":.")
	if found == nil {
		found, rest = longestLayout(readDates, s.rest, digits+":.-/")
	}
	if found == nil {
		found, rest = longestLayout(readTimes, s.rest, digits+":.")
	}
	if found == nil || s.stamped {
		return false
	}
	s.rest = rest
	_, date := found['M']
	_, timeOfDay := found['H']
	s.wrong = date && s.hasDate || timeOfDay && s.hasTime
	if date {
		s.year, s.hasYear = found['Y']
		s.month, s.day, s.hasDate = found['M'], max(found['D'], 1), true
	}
	if timeOfDay {
		s.timeOfDay(found)
	}
	return true
}

// timeOfDay takes a time, with am or pm after it.
func (s *timeScanner) timeOfDay(found map[byte]int) {
	s.hour, s.minute, s.second, s.ns, s.hasTime = found['H'], found['I'], found['S'], found['F'], true
	word, rest := leadingWord(strings.TrimLeft(s.rest, " \t"))
	if word != "am" && word != "pm" {
		s.wrong = s.wrong || s.hour == 24 && s.minute+s.second+s.ns > 0
		return
	}
	s.rest = rest
	s.wrong = s.wrong || s.hour < 1 || s.hour > 12
	s.hour %= 12
	if word == "pm" {
		s.hour += 12
	}
}

// lateYear reads the year of a date that stands after the time of day.
func (s *timeScanner) lateYear() bool {
	found, rest := longestLayout([]string{"Y"}, s.rest, "0123456789:.-/")
	if found == nil || !s.hasDate || s.hasYear {
		return false
	}
	s.year, s.hasYear, s.rest = found['Y'], true, rest
	return true
}

// zones are names of zones and how many minutes they are ahead of UTC: those of RFC 822 and of Europe.
var zones = map[string]int{
	"z": 0, "utc": 0, "gmt": 0, "ut": 0,
	"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
	"wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "eet": 120, "eest": 180, "msk": 180,
}

// zone reads the name of a zone, an offset, or an offset after UTC or GMT.
func (s *timeScanner) zone() bool {
	if s.hasZone || s.stamped {
		return false
	}
	name, rest := leadingWord(s.rest)
	minutes, known := zones[name]
	switch {
	case name == "":
		return s.hasTime && s.zoneOffset()
	case !known:
		return false
	}
	s.rest, s.offset, s.hasZone = rest, minutes*60, true
	if (name == "utc" || name == "gmt") && rest != "" && (rest[0] == '+' || rest[0] == '-') {
		return s.amount() || s.zoneOffset()
	}
	return true
}

// zoneOffset reads +hh, +hhmm or +hh:mm.
func (s *timeScanner) zoneOffset() bool {
	sign := map[byte]int{'+': 1, '-': -1}[s.rest[0]]
	found, rest := longestLayout([]string{"h", "Hi", "h:i"}, s.rest[1:], "0123456789:.")
	if sign == 0 || found == nil || found['H'] > 15 {
		return false
	}
	s.offset, s.hasZone, s.rest = sign*(found['H']*3600+found['I']*60), true, rest
	return true
}

// time puts the elements together: first the date and the time of day, then the
// amounts. Those of months and days work on the calendar of the zone, and what
// overflows goes over to the next month.
func (s *timeScanner) time() time.Time {
	zone := time.FixedZone("", s.offset)
	base := s.base.In(zone)
	year, month, day := base.Date()
	if s.hasDate {
		month, day = time.Month(s.month), s.day
		if s.hasYear {
			year = s.year
		}
	}
	hour, minute, second := base.Clock()
	ns := base.Nanosecond()
	if s.hasDate || s.hasTime || s.reset {
		hour, minute, second, ns = s.hour, s.minute, s.second, s.ns
	}
	t := time.Date(year, month, day, hour, minute, second, ns, zone)
	if s.moves {
		t = s.atEnd(t)
		t = t.AddDate(0, 0, s.daysAhead(int(t.Weekday())))
	}
	year, month, day = s.atEnd(t).Date()
	hour, minute, second = t.Clock() // 24:00 is 0:00
	t = time.Date(year, month+time.Month(s.amounts[0]), day+int(s.amounts[1]), hour, minute, second, ns, zone)
	if s.ends > 0 { // it is that of the month, whatever days are added
		t = s.atEnd(time.Date(year, month+time.Month(s.amounts[0]), 1, hour, minute, second, ns, zone))
	}
	t = time.Unix(t.Unix()+s.amounts[2], int64(t.Nanosecond())).In(zone)
	return t.AddDate(0, 0, workdays(int(t.Weekday()), int(s.workdays))).UTC()
}
