package expr

import (
	"cmp"
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
		if !s.element() {
			return time.Time{}, errors.New(notTime)
		}
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

const notTime = `this is not a time in a form that is known (YYYY-MM-DD hh:mm:ss, RFC 3339, RFC 1123, @seconds, ` +
	`now, today, midnight, noon, yesterday, tomorrow, -7 days, 2 hours ago, +3 weekdays, next month, last monday, monday this week, ` +
	`first day of next month)`

// zoneComment is the name of the zone at the end, in mail and in the times that browsers write.
var zoneComment = regexp.MustCompile(`\([^(]*\)\s*$`)

// timeScanner reads one element after the other.
type timeScanner struct {
	rest     string // in lower case
	elements int
	base     time.Time // what is taken for what the text does not say

	year, day int
	month     time.Month
	clock     time.Duration // since midnight
	offset    int           // of the zone, in seconds

	hasDate, hasYear, hasTime bool

	hasZone bool
	utc     bool // the zone is UTC by name, so that an offset may follow
	stamped bool // base is the text's own
	reset   bool // a word said midnight

	amounts [4]int64 // of months, days, seconds and workdays
	ends    string   // first or last: that day of the month

	weekday bool // a weekday is named
	moves   bool // the date moves to the weekday day
	day7    int  // Sunday is 0
	least   int  // a weekday is at least so many days ahead, 0 or 1; 2: it is that of the week, which begins on Monday
}

func (s *timeScanner) skip() { s.rest = strings.TrimLeft(s.rest, " \t\r\n,") }

// element reads the next one. It is tried on a copy, since one that fits may be unable to stand there.
func (s *timeScanner) element() bool {
	for _, e := range elements() {
		part := e.pattern.FindStringSubmatch(s.rest)
		if part == nil {
			continue
		}
		next := *s
		next.rest = part[len(part)-1]
		if e.take(&next, part) {
			next.elements++
			*s = next
			return true
		}
	}
	return false
}

// stamp takes Unix seconds.
func (s *timeScanner) stamp(part []string) bool {
	n, err := strconv.ParseInt(part[1], 10, 64)
	s.base, s.stamped = time.Unix(n, 0).UTC(), true
	return err == nil && s.elements == 0 && inCalendar(s.base)
}

// monthEnd takes first day of, and last day of: of the month that the rest makes.
func (s *timeScanner) monthEnd(part []string) bool {
	once := s.ends == ""
	s.ends = part[1]
	return once
}

// relative takes last, previous, this or next, and a unit or a weekday. With week the
// date moves to its Monday, or to the weekday that is named.
func (s *timeScanner) relative(part []string) bool {
	n := map[string]int64{"last": -1, "previous": -1, "this": 0, "next": 1}[part[1]]
	day := named(part[2], weekdays)
	switch {
	case day >= 0:
		if s.weekday || s.moves {
			return false
		}
		s.midnight()
		s.weekday, s.moves, s.day7 = true, true, day
		if s.amounts[1] += min(n, 0) * 7; n == 0 {
			s.least = 1
		}
	case part[2] == "week":
		if s.moves {
			return false
		}
		if !s.weekday {
			s.day7 = 1
		}
		s.moves, s.least = true, 2
		s.amounts[1] += n * 7
	default:
		if strings.HasPrefix(part[2], "weekday") {
			s.midnight()
		}
		return s.add(n, part[2])
	}
	return true
}

// word takes one of the words that stand alone.
func (s *timeScanner) word(part []string) bool {
	switch word := part[1]; word {
	case "now":
	case "today", "midnight":
		s.midnight()
	case "noon":
		s.midnight()
		s.clock, s.hasTime = 12*time.Hour, true
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
		return !s.moves
	default:
		day := named(word, weekdays)
		if day < 0 {
			return s.zone(word)
		}
		s.midnight()
		once := !s.weekday
		s.weekday, s.day7 = true, day
		return once
	}
	return true
}

// midnight takes back a time of day that stands before, as PHP does.
func (s *timeScanner) midnight() { s.reset, s.hasTime, s.clock = true, false, 0 }

// units are the names of units, in months, days, seconds and workdays; an s may follow.
var units = map[string][4]int64{
	"sec": {2: 1}, "second": {2: 1},
	"min": {2: 60}, "minute": {2: 60},
	"hour":      {2: 3600},
	"day":       {1: 1},
	"weekday":   {3: 1},
	"week":      {1: 7},
	"fortnight": {1: 14},
	"month":     {0: 1},
	"year":      {0: 12},
}

// amount takes a number, with a sign or without, and a unit.
func (s *timeScanner) amount(part []string) bool {
	n, err := strconv.ParseInt(part[1]+part[2], 10, 64)
	return err == nil && s.add(n, part[3])
}

// add adds an amount of a unit; false if there is none, or if it is too much.
func (s *timeScanner) add(n int64, unit string) bool {
	most := [4]int64{4_000_000, 4_000_000, 400_000_000_000, 4_000_000} // 10,000 years have less of them
	u, good := units[strings.TrimSuffix(unit, "s")]
	good = good && max(n, -n) <= most[2]
	for i := range s.amounts {
		s.amounts[i] += n * u[i]
		good = good && max(s.amounts[i], -s.amounts[i]) <= most[i]
	}
	return good
}

// lateYear takes the year of a date that stands after the time of day.
func (s *timeScanner) lateYear(part []string) bool {
	missing := s.hasDate && !s.hasYear
	s.year, _ = strconv.Atoi(part[1])
	s.hasYear = true
	return missing
}

// zones are names of zones and how many minutes they are ahead of UTC: those of RFC 822 and of Europe.
var zones = map[string]int{
	"z": 0, "utc": 0, "gmt": 0, "ut": 0,
	"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
	"wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "eet": 120, "eest": 180, "msk": 180,
}

// zone takes the name of a zone.
func (s *timeScanner) zone(name string) bool {
	minutes, known := zones[name]
	known = known && !s.hasZone && !s.stamped
	s.offset, s.hasZone, s.utc = minutes*60, true, name == "utc" || name == "gmt"
	return known
}

// zoneOffset takes +hh, +hhmm or +hh:mm, after a time of day, or after UTC or GMT.
func (s *timeScanner) zoneOffset(part []string) bool {
	good := s.utc || s.hasTime && !s.hasZone
	hours, _ := strconv.Atoi(part[2])
	minutes, _ := strconv.Atoi(part[3])
	if s.offset = hours*3600 + minutes*60; part[1] == "-" {
		s.offset = -s.offset
	}
	s.hasZone, s.utc = true, false
	return good
}

// time puts the elements together: first the date and the time of day, then the
// amounts. Those of months and days work on the calendar of the zone, and what
// overflows goes over to the next month.
func (s *timeScanner) time() time.Time {
	zone := time.FixedZone("", s.offset)
	base := s.base.In(zone)
	year, month, day := base.Date()
	clock := base.Sub(time.Date(year, month, day, 0, 0, 0, 0, zone))
	if s.hasDate {
		month, day = s.month, s.day
	}
	if s.hasYear {
		year = s.year
	}
	if s.hasDate || s.hasTime || s.reset {
		clock = s.clock
	}
	t := time.Date(year, month, day, 0, 0, 0, 0, zone).Add(clock)
	if s.moves {
		t = s.atEnd(t)
		t = t.AddDate(0, 0, s.daysAhead(int(t.Weekday())))
	}
	t = s.atEnd(t)
	if months := int(s.amounts[0]); s.ends != "" { // it is that of the month, whatever days are added
		t = s.atEnd(t.AddDate(0, months, 1-t.Day()))
	} else {
		t = t.AddDate(0, months, int(s.amounts[1]))
	}
	t = time.Unix(t.Unix()+s.amounts[2], int64(t.Nanosecond())).In(zone)
	return t.AddDate(0, 0, workdays(int(t.Weekday()), int(s.amounts[3]))).UTC()
}

// atEnd is the first or last day of the month of t, if the text says so.
func (s *timeScanner) atEnd(t time.Time) time.Time {
	switch s.ends {
	case "first":
		return t.AddDate(0, 0, 1-t.Day())
	case "last":
		return t.AddDate(0, 1, -t.Day())
	}
	return t
}

// daysAhead is how far the weekday that the text asks for is from today's.
func (s *timeScanner) daysAhead(today int) int {
	if s.least == 2 {
		return (s.day7+6)%7 - (today+6)%7
	}
	ahead := s.day7 - today
	if s.amounts[1] < 0 && ahead < 0 || s.amounts[1] >= 0 && ahead <= -s.least {
		ahead += 7
	}
	return ahead
}

// workdays is how many days n days without Saturdays and Sundays are from a weekday.
func workdays(day, n int) (days int) {
	for step := cmp.Compare(n, 0); n != 0; {
		days += step
		if at := ((day+days)%7 + 7) % 7; at != 0 && at != 6 {
			n -= step
		}
	}
	return days
}
