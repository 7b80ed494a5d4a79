package expr

import (
	"cmp"
	"errors"
	"strings"
	"time"
)

// ErrBeyondCalendar is the error of a time that no format can write. The time comes with it.
var ErrBeyondCalendar = errors.New("this time is not between the years 0 and 9999")

// saidTime is what a text says of a time.
type saidTime struct {
	year, day int
	month     time.Month
	hasDate   bool
	hasYear   bool

	// clock is the time since midnight, or 0 where a word said midnight.
	clock    time.Duration
	hasClock bool
	midnight bool

	// offset is that of the zone, in seconds.
	offset  int
	hasZone bool

	amounts amounts
	// ends is first or last: that day of the month.
	ends    string
	weekday weekdayMove
}

// amounts are what is added to a time.
type amounts struct{ months, days, seconds, workdays int64 }

// A weekdayMove moves a date to a weekday.
type weekdayMove struct {
	// named is whether the text names the weekday.
	named bool
	// placed is whether a word such as next says which one; without it a date must stand beside the weekday.
	placed bool
	// day is 0 on Sunday.
	day  time.Weekday
	rule weekdayRule
}

type weekdayRule int

const (
	// today counts: a date that is that weekday stays.
	todayCounts weekdayRule = iota
	// afterToday is the next one.
	afterToday
	// sameWeek is that of the week, which begins on Monday.
	sameWeek
)

// from puts together what is said, on the calendar of the zone: the date, its weekday, the amounts and, last,
// the workdays. What overflows goes over to the next month.
func (s *saidTime) from(now time.Time) time.Time {
	year, month, day := now.Date()
	clock := now.Sub(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	if s.hasDate {
		month, day = s.month, s.day
	}
	if s.hasYear {
		year = s.year
	}
	if s.hasDate || s.hasClock || s.midnight {
		clock = s.clock
	}
	date := s.move(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	t := time.Unix(date.Unix()+s.amounts.seconds, int64(clock)).UTC()
	t = t.AddDate(0, 0, workdays(int(t.Weekday()), int(s.amounts.workdays)))
	return t.Add(time.Duration(-s.offset) * time.Second)
}

// move moves a date by the weekday, the months and the days that are said.
func (s *saidTime) move(date time.Time) time.Time {
	date = s.atEnd(date)
	if s.weekday.named || s.weekday.placed {
		date = date.AddDate(0, 0, s.daysAhead(date.Weekday()))
	}
	months, days := int(s.amounts.months), int(s.amounts.days)
	if s.ends == "" {
		return date.AddDate(0, months, days)
	}
	// It is the end of that month, whatever days are added.
	return s.atEnd(date.AddDate(0, months, 1-date.Day()))
}

// atEnd is the first or last day of the month of a date, if the text says so.
func (s *saidTime) atEnd(date time.Time) time.Time {
	switch s.ends {
	case "first":
		return date.AddDate(0, 0, 1-date.Day())
	case "last":
		return date.AddDate(0, 1, -date.Day())
	}
	return date
}

// daysAhead is how far the weekday that is said is from that of the date.
func (s *saidTime) daysAhead(today time.Weekday) int {
	w := s.weekday
	if w.rule == sameWeek {
		return (int(w.day)+6)%7 - (int(today)+6)%7
	}
	ahead := int(w.day - today)
	past := ahead < 0
	if w.rule == afterToday && s.amounts.days >= 0 {
		past = ahead <= 0
	}
	if past {
		ahead += 7
	}
	return ahead
}

// workdays is how many days n days without Saturdays and Sundays are from a weekday.
func workdays(day, n int) (days int) {
	step := cmp.Compare(n, 0)
	for n != 0 {
		days += step
		at := ((day+days)%7 + 7) % 7
		if at != 0 && at != 6 {
			n -= step
		}
	}
	return days
}

// units are the names of units, which may end with an s.
var units = map[string]amounts{
	"sec": {seconds: 1}, "second": {seconds: 1},
	"min": {seconds: 60}, "minute": {seconds: 60},
	"hour":      {seconds: 3600},
	"day":       {days: 1},
	"weekday":   {workdays: 1},
	"week":      {days: 7},
	"fortnight": {days: 14},
	"month":     {months: 1},
	"year":      {months: 12},
}

// add adds an amount of a unit; false if there is no such unit, or if it is too much. Of several amounts of
// weekdays the last counts.
func (s *saidTime) add(n int64, unit string) bool {
	u, known := units[strings.TrimSuffix(unit, "s")]
	if !known || max(n, -n) > mostSeconds {
		return false
	}
	a := &s.amounts
	a.months += n * u.months
	a.days += n * u.days
	a.seconds += n * u.seconds
	if u.workdays != 0 {
		a.workdays = n
	}
	// No weekdays at all would still move a Sunday.
	isNone := n == 0 && u.workdays != 0
	return a.small() && !isNone
}

// These are more than 10,000 years have.
const mostSeconds, mostDays = 400_000_000_000, 4_000_000

func (a *amounts) small() bool {
	days := max(a.months, -a.months, a.days, -a.days, a.workdays, -a.workdays)
	return days <= mostDays && max(a.seconds, -a.seconds) <= mostSeconds
}

// turn makes of the amounts those of the past.
func (a *amounts) turn() {
	*a = amounts{-a.months, -a.days, -a.seconds, -a.workdays}
}
