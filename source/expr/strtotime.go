package expr

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ParseTime reads a time as PHP's strtotime does (docs/decisions.md, section 4). Its elements may stand together:
// "tomorrow +2 hours", "2026-01-31 +1 month" (the 31st of February, so the 3rd of March), "last day of next month".
// What the text does not say is taken from now, but a date without a time of day begins at midnight. Without a zone it
// is UTC; the result always is. The error does not show the text.
func ParseTime(text string, now time.Time) (time.Time, error) { return TimeFrom(text)(now) }

// TimeFrom is ParseTime for many times of now.
func TimeFrom(text string) func(now time.Time) (time.Time, error) {
	text = strings.ToUpper(text)
	for _, s := range spacings() {
		text = s.pattern.ReplaceAllString(text, s.with)
	}
	words := strings.Fields(text)
	return func(now time.Time) (time.Time, error) { return readTime(words, now) }
}

func readTime(words []string, now time.Time) (time.Time, error) {
	s := timeReader{base: now.UTC()}
	good := len(words) > 0
	if good && words[0][0] == '@' {
		good = s.unix(words[0][1:])
		words = words[1:]
	}
	for good && len(words) > 0 {
		taken := s.element(words)
		words, good = words[taken:], taken > 0
	}
	if !good || s.weekday && !s.hasDate && !s.moves {
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

// A spacing puts blanks between elements.
type spacing struct {
	pattern *regexp.Regexp
	with    string
}

var spacings = sync.OnceValue(func() []spacing {
	return []spacing{
		{regexp.MustCompile(`([-+]\d\d:?\d\d|UTC|GMT|UT|\dZ)\s*\([^()]*\)\s*$`), "$1"}, // the name of the zone, as in mail
		{regexp.MustCompile(`\b(\d{8})T?(\d\d)(\d\d)(\d\d)`), "$1 $2:$3:$4"},
		{regexp.MustCompile(`(\d)T(\d)`), "$1 $2"},
		{regexp.MustCompile(`(\d{4}):(\d\d:)`), "$1 $2"}, // as logs have it
		{regexp.MustCompile(`(\d)([A-Z])`), "$1 $2"},
		{regexp.MustCompile(`(:\d\d[.,\d]*)([-+])`), "$1 $2"},
		{regexp.MustCompile(`([A-Z])([-+]?\d+ (?:SEC|MIN|HOUR|DAY|WEEK|FORT|MONTH|YEAR))`), "$1 $2"},
		{regexp.MustCompile(`([-+])\s+(\d)`), "$1$2"}, // a sign belongs to its number
		{regexp.MustCompile(`,(\D|$)`), " $1"},
	}
})

// The layouts of dates and of times of day.
var (
	datesRead = []string{
		"2006-1-2", "2006/1/2", "2006-1", "20060102", "2.1.2006", "2-1-2006", "1/2/2006",
		"2 Jan 2006", "2 January 2006", "2 Jan 06", "2 Jan", "2 January", "2-Jan-2006", "2-Jan-06", "2/Jan/2006",
		"Jan 2 2006", "January 2 2006", "Jan 2", "January 2",
	}
	clocksRead = []string{"15:04:05", "15:04", "3:04:05 PM", "3:04 PM"}
)

// timeReader reads one element after the other.
type timeReader struct {
	base time.Time // what is taken for what the text does not say

	year, day int
	month     time.Month
	clock     time.Duration  // since midnight
	zone      *time.Location // nil: the text does not say it

	hasDate, hasYear, hasTime bool

	reset   bool     // a word said midnight
	amounts [4]int64 // of months, days, seconds and workdays
	ends    string   // FIRST or LAST: that day of the month

	weekday bool // a weekday is named
	moves   bool // the date moves to the weekday day7
	day7    int  // Sunday is 0
	least   int  // a weekday is at least so many days ahead, 0 or 1; 2: it is that of the week, which begins on Monday
}

// unix takes Unix seconds.
func (s *timeReader) unix(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	t := time.Unix(n, 0).UTC()
	s.setDate(t, true)
	s.clock, s.zone, s.hasTime = sinceMidnight(t), time.UTC, true
	return err == nil && inCalendar(t)
}

func (s *timeReader) setDate(t time.Time, year bool) {
	s.hasDate, s.hasYear = true, year
	s.year, s.month, s.day = t.Date()
}

// element takes the one at the beginning, and returns how many words it has, 0 if there is none.
func (s *timeReader) element(words []string) int {
	next := append(slices.Clip(words), "", "")
	word, second := next[0], next[1]
	n, err := strconv.ParseInt(word, 10, 64)
	steps, relative := map[string]int64{"LAST": -1, "PREVIOUS": -1, "THIS": 0, "NEXT": 1}[word]
	switch {
	case second == "DAY" && next[2] == "OF" && (word == "FIRST" || word == "LAST") && s.ends == "":
		s.ends = word
		return 3
	case err == nil && s.add(n, second), relative && s.relative(steps, second):
		return 2
	case s.word(word):
		return 1
	}
	return s.absolute(words)
}

// absolute takes a date, a time of day, or the year of a date that stands before it.
func (s *timeReader) absolute(words []string) int {
	for n := min(len(words), 3); n > 0; n-- {
		text := strings.Join(words[:n], " ")
		if t, layout := parseAny(datesRead, text); layout != "" && !s.hasDate && !strings.ContainsAny(words[n-1][:1], "+-") { // time.Parse would take +1 for a year
			s.setDate(t, strings.Contains(layout, "06"))
			return n
		}
		if t, layout := parseAny(clocksRead, text); layout != "" && !s.hasTime {
			s.clock, s.hasTime = sinceMidnight(t), true
			return n
		}
	}
	if t, err := time.Parse("2006", words[0]); err == nil && s.hasDate && !s.hasYear {
		s.year, s.hasYear = t.Year(), true
		return 1
	}
	return 0
}

// parseAny returns the layout that fits the text, empty if none does.
func parseAny(layouts []string, text string) (time.Time, string) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, layout
		}
	}
	return time.Time{}, ""
}

func sinceMidnight(t time.Time) time.Duration {
	year, month, day := t.Date()
	return t.Sub(time.Date(year, month, day, 0, 0, 0, 0, t.Location()))
}

// relative takes what stands after last, previous, this or next: a unit or a weekday. With week the
// date moves to its Monday, or to the weekday that is named.
func (s *timeReader) relative(n int64, unit string) bool {
	day := weekdayOf(unit)
	switch {
	case day >= 0 && !s.weekday && !s.moves:
		s.midnight()
		s.weekday, s.moves, s.day7 = true, true, day
		if s.amounts[1] += min(n, 0) * 7; n == 0 {
			s.least = 1
		}
		return true
	case unit == "WEEK" && !s.moves:
		if !s.weekday {
			s.day7 = 1
		}
		s.moves, s.least = true, 2
		return s.add(n, unit)
	case strings.HasPrefix(unit, "WEEKDAY"):
		s.midnight()
	}
	return unit != "WEEK" && s.add(n, unit)
}

// weekdayOf returns the weekday that begins with a word of three letters or more, -1 if none does.
func weekdayOf(word string) int {
	days := strings.Fields("SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY")
	return slices.IndexFunc(days, func(day string) bool { return len(word) > 2 && strings.HasPrefix(day, word) })
}

// word takes one of the words that stand alone.
func (s *timeReader) word(word string) bool {
	switch word {
	case "NOW":
	case "TODAY", "MIDNIGHT":
		s.midnight()
	case "NOON":
		s.midnight()
		s.clock, s.hasTime = 12*time.Hour, true
	case "YESTERDAY":
		s.midnight()
		s.amounts[1] = -1 // in place of any amount before, as PHP does
	case "TOMORROW":
		s.midnight()
		s.amounts[1] = 1
	case "AGO":
		for i := range s.amounts {
			s.amounts[i] = -s.amounts[i]
		}
		return !s.moves
	default:
		day := weekdayOf(word)
		if day < 0 || s.weekday {
			return s.inZone(word)
		}
		s.midnight()
		s.weekday, s.day7 = true, day
	}
	return true
}

// midnight takes back a time of day that stands before, as PHP does.
func (s *timeReader) midnight() { s.reset, s.hasTime, s.clock = true, false, 0 }

// units are the names of units, in months, days, seconds and workdays; an S may follow.
var units = map[string][4]int64{
	"SEC": {2: 1}, "SECOND": {2: 1},
	"MIN": {2: 60}, "MINUTE": {2: 60},
	"HOUR":      {2: 3600},
	"DAY":       {1: 1},
	"WEEKDAY":   {3: 1},
	"WEEK":      {1: 7},
	"FORTNIGHT": {1: 14},
	"MONTH":     {0: 1},
	"YEAR":      {0: 12},
}

// add adds an amount of a unit; false if there is none, or if it is too much.
func (s *timeReader) add(n int64, unit string) bool {
	most := [4]int64{4_000_000, 4_000_000, 400_000_000_000, 4_000_000} // 10,000 years have less of them
	u, good := units[strings.TrimSuffix(unit, "S")]
	good = good && max(n, -n) <= most[2]
	for i := range s.amounts {
		s.amounts[i] += n * u[i]
		good = good && max(s.amounts[i], -s.amounts[i]) <= most[i]
	}
	return good
}

// inZone takes a name of UTC or, after a time of day, +hh, +hhmm or +hh:mm.
func (s *timeReader) inZone(word string) bool {
	t, layout := parseAny([]string{"-07", "-0700", "-07:00"}, word)
	if s.zone != nil || !(layout != "" && s.hasTime || slices.Contains([]string{"Z", "UTC", "GMT", "UT"}, word)) {
		return false
	}
	_, offset := t.Zone()
	s.zone = time.FixedZone("", offset)
	return true
}

// time puts the elements together: the date and the time of day, then the amounts, on the calendar of the
// zone. What overflows goes over to the next month.
func (s *timeReader) time() time.Time {
	zone := cmp.Or(s.zone, time.UTC)
	base := s.base.In(zone)
	year, month, day := base.Date()
	clock := sinceMidnight(base)
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
func (s *timeReader) atEnd(t time.Time) time.Time {
	switch s.ends {
	case "FIRST":
		return t.AddDate(0, 0, 1-t.Day())
	case "LAST":
		return t.AddDate(0, 1, -t.Day())
	}
	return t
}

// daysAhead is how far the weekday that the text asks for is from today's.
func (s *timeReader) daysAhead(today int) int {
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
