package expr

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A timeForm is a form of an element of a time. Where an element begins, the longest that fits is taken, of
// equally long ones the first, as in PHP: "12:34:56 +1 day" has no zone, "5 Mar, 2026" has no year but an hour.
// The forms that only PHP reads are here too, without take: they are refused, and not taken for two others.
type timeForm struct {
	pattern *regexp.Regexp
	take    func(*saidTime, timeParts) bool
}

// parts are the parts of an element by their names.
type timeParts map[string]string

func (p timeParts) number(name string) int {
	n, _ := strconv.Atoi(p[name])
	return n
}

// longestTime is how many bytes a text that is a time may have.
const longestTime = 1000

// readTime reads the elements of a text one after the other.
func readTime(text string) (s saidTime, good bool) {
	rest := strings.TrimSpace(text)
	if len(rest) > longestTime {
		return s, false
	}
	for rest != "" {
		if strings.ContainsAny(rest[:1], " \t.,") {
			rest = rest[1:]
			continue
		}
		f, found := longestForm(rest)
		if f.take == nil || !f.take(&s, found) {
			return s, false
		}
		good = true
		rest = rest[len(found["all"]):]
	}
	// A weekday needs a word such as next, or a date.
	unplaced := s.weekday.named && !s.weekday.placed
	return s, good && (s.hasDate || !unplaced)
}

// longestForm returns the form of the longest element at the beginning of a text, and its parts, if there is one.
func longestForm(text string) (best timeForm, found timeParts) {
	size := 0
	for _, f := range timeForms() {
		at := f.pattern.FindStringSubmatchIndex(text)
		if at == nil || at[1] <= size {
			continue
		}
		size = at[1]
		best = f
		found = timeParts{"all": text[:size]}
		for i, name := range f.pattern.SubexpNames() {
			if name != "" && at[2*i] >= 0 {
				found[name] = text[at[2*i]:at[2*i+1]]
			}
		}
	}
	return best, found
}

// timeWords stand for the parts in the patterns of forms. Those that end with 2 have two digits.
var timeWords = strings.NewReplacer(
	"{year}", `(?P<year>\d{1,4})`,
	"{year4}", `(?P<year>\d{4})`,
	"{month}", `(?P<month>0?\d|1[0-2])`,
	"{month2}", `(?P<month>0\d|1[0-2])`,
	"{name}", monthName,
	"{abbr}", `(?P<name>(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec))`,
	"{day}", dayNumber,
	"{day2}", `(?P<day>[0-2]\d|3[01])`,
	"{name day}", monthName+`[ \t.-]*`+dayNumber+`[,.stndrh\t ]+`,
	"{hour}", `(?P<hour>[01]?\d|2[0-4])`,
	"{hour2}", `(?P<hour>[01]\d|2[0-4])`,
	"{hour12}", `(?P<hour>0?[1-9]|1[0-2])`,
	"{minute}", `(?P<minute>[0-5]?\d)`,
	"{minute2}", `(?P<minute>[0-5]\d)`,
	"{second}", `(?P<second>[0-5]?\d|60)`,
	"{second2}", `(?P<second>[0-5]\d|60)`,
	"{fraction}", `(?P<fraction>\.\d+)`,
	"{half}", `(?P<half>[AaPp])\.?[Mm]\.?(?:[ \t]|$)`,
	"{offset}", `(?P<zone>`+zoneOffset+`)`,
	"{zone}", `(?P<zone>`+zoneOffset+`|\(?[A-Za-z]{1,6}\)?|[A-Z][a-z]+(?:[_/-][A-Za-z]+)+)`,
	"{weekday}", `(?P<weekday>(?i:`+weekdayNames+`))`,
	"{unit}", `(?P<unit>(?i:weeks?|weekdays?|ms|µs|(?:`+unitNames+`)s?))`,
	"{which}", `(?P<which>(?i:next|last|previous|this))`,
	"{count}", `(?i:first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth)`,
)

const (
	monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|` +
		`jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec`
	monthName    = `(?P<name>(?i:` + monthNames + `)|I{1,3}|I[VX]|VI{0,3}|XI{0,2})`
	weekdayNames = `(?:sun|mon|fri)(?:days?)?|tue(?:sdays?)?|wed(?:nesdays?)?|thu(?:rsdays?)?|sat(?:urdays?)?`
	unitNames    = `msec|millisecond|µsec|microsecond|usec|sec|second|min|minute|hour|day|forth?night|month|year`
	dayNumber    = `(?P<day>[0-2]?\d|3[01])(?:st|nd|rd|th)?`
	hours        = `(?:[01]\d|2[0-4])`
	zoneOffset   = `(?:GMT)?[+-](?:` +
		`(?:[01]?\d|2[0-4])(?::?[0-5]?\d)?|` + hours + `(?:[0-5]\d){2}|` + hours + `(?::[0-5]\d){2})`
)

// timeForms are in the order in which PHP prefers them.
var timeForms = sync.OnceValue(func() (all []timeForm) {
	for _, of := range [][]patternOf{wordForms(), clockForms(), dateForms(), dateClockForms(), otherForms()} {
		for _, f := range of {
			pattern := regexp.MustCompile(`^(?:` + timeWords.Replace(f.text) + `)`)
			pattern.Longest()
			all = append(all, timeForm{pattern, f.take})
		}
	}
	return all
})

type patternOf struct {
	text string
	take func(*saidTime, timeParts) bool
}

func wordForms() []patternOf {
	return []patternOf{
		{`\((?P<comment>[^()]*)\)$`, (*saidTime).comment},
		{`(?P<word>(?i:now|today|midnight|noon|yesterday|tomorrow|ago))`, (*saidTime).word},
		{`@(?P<unix>-?\d+)`, (*saidTime).unix},
		{`@-?\d+\.\d{0,6}`, nil},
		{`(?P<ends>(?i:first|last)) (?i:day of)`, (*saidTime).monthEnd},
		{`(?i:back|front)(?i: of ){hour}[ \t]*(?:{half})?`, nil},
		{`(?:{count}|{which})[ \t]+{weekday}[ \t]+(?i:of)`, nil},
	}
}

func clockForms() []patternOf {
	return []patternOf{
		{`{hour12}(?::{minute2}(?::{second2})?)?[ \t]*{half}`, (*saidTime).fields},
		{`{hour12}:{minute2}:{second2}[:.]\d+{half}`, nil},
		{`[Tt]?{hour}:{minute}(?::{second}{fraction}?)?`, (*saidTime).fields},
		{`{hour}:{minute2}:{second2}(?P<fraction>,\d{1,3})(?:Z|{offset})?$`, (*saidTime).fields},
		{`[Tt]?{hour}[:.]{minute}(?:[:.]{second}{fraction}?)?`, nil},
		{`[Tt]{hour}`, (*saidTime).fields},
		{`[Tt]{hour2}{minute2}{second2}?`, (*saidTime).fields},
		{`{hour2}{minute2}{second2}`, (*saidTime).digits},
	}
}

func dateForms() []patternOf {
	return []patternOf{
		{`{month}/{day}(?:/{year})?`, (*saidTime).fields},
		{`{year4}/{month}/{day}`, (*saidTime).fields},
		{`{year4}-{month}-{day}`, (*saidTime).fields},
		{`[+-]?\d{1,19}-{month}-{day}`, nil},
		{`{year4}-{month}`, (*saidTime).fields},
		{`{day}[ \t.-]*{name}[ \t.-]*{year}`, (*saidTime).fields},
		{`{day}[.\t-]{month}[.-]{year4}`, (*saidTime).fields},
		{`{day}[.\t]{month}\.\d\d`, nil},
		{`{name}[ \t.-]*{year4}`, (*saidTime).fields},
		{`{year4}[ \t.-]*{name}`, (*saidTime).fields},
		{`{name day}{year}?`, (*saidTime).fields},
		{`{name}[ \t.-]*{day}$`, (*saidTime).fields},
		{`{day}[ \t.-]*{name}`, (*saidTime).fields},
		{`{year4}{month2}{day2}`, (*saidTime).fields},
		{`\d{4}[.-]?(?:0[1-9]\d|00[1-9]|[12]\d\d|3[0-5]\d|36[0-6])`, nil},
		{`\d{4}-?W(?:0[1-9]|[1-4]\d|5[0-3])(?:-?[0-7])?`, nil},
		{`{abbr}-{day2}-{year}`, (*saidTime).fields},
		{`{year}-{abbr}-{day2}`, (*saidTime).fields},
	}
}

func dateClockForms() []patternOf {
	return []patternOf{
		{`{year4}:{month2}:{day2} {hour2}:{minute2}:{second2}`, (*saidTime).fields},
		{`{year4}-{month}-{day}T{hour}:{minute}:{second}`, (*saidTime).fields},
		{`{year4}-{month2}-{day2}T{hour2}:{minute2}:{second2}{fraction}{offset}?`, (*saidTime).openFields},
		{`{year4}{month2}{day2}T{hour}:{minute2}:{second2}`, (*saidTime).fields},
		{`{year4}{month2}{day2}[Tt]{hour2}{minute2}{second2}`, (*saidTime).fields},
		{`{year4}{month2}{day2}[Tt]{hour}{minute2}{second2}`, nil},
		{`{day}/{abbr}/{year4}:{hour2}:{minute2}:{second2}[ \t]+{offset}`, (*saidTime).openFields},
		{`{name day}{hour12}:{minute2}(?::{second2})?[ \t]*{half}`, (*saidTime).fields},
		{`{name day}[Tt]?{hour}:{minute}(?::{second})?`, (*saidTime).fields},
		{`{name day}[Tt]?{hour}[:.]{minute}(?:[:.]{second})?`, nil},
		{`{name day}[Tt]?{hour}:{minute}:{second2}[ \t]*{zone}`, (*saidTime).openFields},
	}
}

func otherForms() []patternOf {
	return []patternOf{
		{`(?P<late>\d{4})`, (*saidTime).lateYear},
		{`{weekday}`, (*saidTime).onWeekday},
		{`(?i:weekdays?)`, nil},
		{`{which}[ \t]+(?:{unit}|{weekday})`, (*saidTime).relative},
		{`{count}[ \t]+(?:{unit}|{weekday})`, nil},
		{`(?i:` + monthNames + `)`, nil},
		{`{zone}`, (*saidTime).fields},
		{`(?P<sign>[+-]*)[ \t]*(?P<amount>\d{1,13})[ \t]*(?:{unit}|{weekday})`, (*saidTime).amount},
	}
}

// fields takes a date, a time of day and a zone, as far as the element has them.
func (s *saidTime) fields(p timeParts) bool {
	good := true
	if p["month"] != "" || p["name"] != "" {
		good = s.setDate(p)
	}
	if good && p["hour"] != "" {
		good = s.setClock(p)
	}
	if good && p["zone"] != "" {
		good = s.setZone(p["zone"])
	}
	return good
}

// openFields takes fields in a form whose zone gives way to one that follows.
func (s *saidTime) openFields(p timeParts) bool {
	good := s.fields(p)
	s.hasZone = false
	return good
}

func (s *saidTime) setDate(p timeParts) bool {
	month := p.number("month")
	if name := p["name"]; name != "" {
		month = monthNamed(name)
	}
	day := 1
	if p["day"] != "" {
		day = p.number("day")
	}
	// February has 29 days while the year is not known.
	year := 2000
	if p["year"] != "" {
		year = fullYear(p["year"])
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	exists := date.Day() == day && int(date.Month()) == month
	if s.hasDate || !exists {
		return false
	}
	s.hasDate = true
	s.hasYear = p["year"] != ""
	s.year, s.month, s.day = date.Date()
	return true
}

// fullYear is the year that a text of digits means: below 70 one of this century, below 100 one of the last.
func fullYear(text string) int {
	year, _ := strconv.Atoi(text)
	switch {
	case len(text) == 4 || year > 99:
		return year
	case year < 70:
		return 2000 + year
	}
	return 1900 + year
}

// monthNamed returns 0 for Roman numbers.
func monthNamed(name string) int {
	months := strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")
	return 1 + slices.Index(months, strings.ToLower(name[:min(3, len(name))]))
}

func (s *saidTime) setClock(p timeParts) bool {
	hour, minute, second := p.number("hour"), p.number("minute"), p.number("second")
	if s.hasClock || hour > 23 || second > 59 {
		return false
	}
	if half := strings.ToLower(p["half"]); half != "" {
		hour %= 12
		if half == "p" {
			hour += 12
		}
	}
	s.clock = time.Duration(hour*3600+minute*60+second) * time.Second
	if digits := p["fraction"]; digits != "" {
		nanoseconds, _ := strconv.Atoi((digits[1:] + "000000000")[:9])
		s.clock += time.Duration(nanoseconds)
	}
	s.hasClock = true
	return true
}

// digits takes hhmmss: alone it could be any number.
func (s *saidTime) digits(p timeParts) bool { return s.hasDate && s.setClock(p) }

// setZone takes a name of UTC or, after a time of day, an offset: +h, +hh, +hhmm, +h:mm or +hh:mm.
func (s *saidTime) setZone(text string) bool {
	if s.hasZone {
		return false
	}
	s.hasZone = true
	s.offset = 0
	signed := strings.TrimPrefix(text, "GMT")
	digits := strings.TrimLeft(signed, "+-")
	if digits == signed {
		return isUTC(strings.Trim(text, "()"))
	}
	hours, minutes, divided := strings.Cut(digits, ":")
	if !divided && len(hours) == 4 {
		hours, minutes = hours[:2], hours[2:]
	}
	if len(hours) > 2 || len(minutes) > 2 {
		return false
	}
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(minutes)
	s.offset = (h*60 + m) * 60
	if signed[0] == '-' {
		s.offset = -s.offset
	}
	return s.hasClock && h < 24
}

func isUTC(name string) bool {
	return slices.Contains([]string{"z", "utc", "gmt", "ut"}, strings.ToLower(name))
}

// comment takes what stands in brackets at the end: behind a zone its name, as in mail and in what browsers
// write, else UTC.
func (s *saidTime) comment(p timeParts) bool {
	if s.hasZone {
		return true
	}
	s.hasZone = true
	s.offset = 0
	return isUTC(p["comment"])
}

// unix takes Unix seconds, at the beginning only.
func (s *saidTime) unix(p timeParts) bool {
	n, err := strconv.ParseInt(p["unix"], 10, 64)
	if err != nil || *s != (saidTime{}) {
		return false
	}
	s.year, s.month, s.day = 1970, time.January, 1
	s.hasDate, s.hasYear, s.hasClock, s.hasZone = true, true, true, true
	return s.add(n, "second")
}

func (s *saidTime) monthEnd(p timeParts) bool {
	once := s.ends == ""
	s.ends = strings.ToLower(p["ends"])
	return once
}

// word takes one of the words that stand alone.
func (s *saidTime) word(p timeParts) bool {
	switch strings.ToLower(p["word"]) {
	case "today", "midnight":
		s.atMidnight()
	case "noon":
		s.clock = 12 * time.Hour
		s.hasClock = true
	case "yesterday":
		s.atMidnight()
		// It takes the place of any amount before.
		s.amounts.days = -1
	case "tomorrow":
		s.atMidnight()
		s.amounts.days = 1
	case "ago":
		s.amounts.turn()
		return !s.weekday.named && !s.weekday.placed
	}
	return true
}

// atMidnight takes back a time of day that stands before.
func (s *saidTime) atMidnight() {
	s.midnight = true
	s.hasClock = false
	s.clock = 0
}

// lateYear takes the year of a date that stands behind the time of day.
func (s *saidTime) lateYear(p timeParts) bool {
	missing := s.hasDate && !s.hasYear
	s.year = p.number("late")
	s.hasYear = true
	return missing && s.hasClock
}

// onWeekday takes a weekday, which moves the date unless it is that of the date.
func (s *saidTime) onWeekday(p timeParts) bool {
	if s.weekday.named {
		return false
	}
	s.atMidnight()
	s.weekday.named = true
	s.weekday.day = weekdayNamed(p["weekday"])
	return true
}

func weekdayNamed(name string) time.Weekday {
	days := strings.Fields("sun mon tue wed thu fri sat")
	return time.Weekday(slices.Index(days, strings.ToLower(name[:min(3, len(name))])))
}

// relative takes last, previous, this or next, and what stands behind it: a weekday or a unit. With week the
// date moves to its Monday, or to the weekday that is named.
func (s *saidTime) relative(p timeParts) bool {
	n := map[string]int64{"last": -1, "previous": -1, "this": 0, "next": 1}[strings.ToLower(p["which"])]
	unit := strings.ToLower(p["unit"])
	switch {
	case unit == "":
		return s.onWhich(n, weekdayNamed(p["weekday"]))
	case unit == "week":
		return s.inWeek(n)
	case strings.HasPrefix(unit, "weekday"):
		s.atMidnight()
	}
	return s.add(n, unit)
}

func (s *saidTime) onWhich(n int64, day time.Weekday) bool {
	w := &s.weekday
	if w.named || w.placed {
		return false
	}
	s.atMidnight()
	*w = weekdayMove{named: true, placed: true, day: day, rule: afterToday}
	if n == 0 {
		w.rule = todayCounts
	}
	return s.add(min(n, 0), "week")
}

func (s *saidTime) inWeek(n int64) bool {
	w := &s.weekday
	if w.placed {
		return false
	}
	w.placed = true
	w.rule = sameWeek
	if !w.named {
		w.day = time.Monday
	}
	return s.add(n, "week")
}

// amount takes a number, with signs or without, and a unit.
func (s *saidTime) amount(p timeParts) bool {
	n, _ := strconv.ParseInt(p["amount"], 10, 64)
	if strings.Count(p["sign"], "-")%2 != 0 {
		n = -n
	}
	return s.add(n, strings.ToLower(p["unit"]))
}

// ParseTime reads a time as PHP's strtotime does, or refuses it: it never reads another time than PHP. Its
// elements may stand together: "tomorrow +2 hours", "2026-01-31 +1 month" (the 31st of February, so the 3rd of
// March), "last day of next month". What the text does not say is taken from now, but a date without a time of
// day begins at midnight. Without a zone it is UTC; the result always is. The error does not show the text.
func ParseTime(text string, now time.Time) (time.Time, error) { return TimeFrom(text)(now) }

// TimeFrom is ParseTime for many times of now.
func TimeFrom(text string) func(now time.Time) (time.Time, error) {
	said, good := readTime(text)
	return func(now time.Time) (time.Time, error) {
		if !good {
			return time.Time{}, errors.New(notTime)
		}
		t := said.from(now.UTC())
		if !inCalendar(t) {
			return t, ErrBeyondCalendar
		}
		return t, nil
	}
}

const notTime = `this is not a time in a form that is known (YYYY-MM-DD hh:mm:ss, RFC 3339, RFC 1123, @seconds; ` +
	`now, today, midnight, noon, yesterday, tomorrow; -7 days, 2 hours ago, +3 weekdays; next month, last monday, ` +
	`monday this week, first day of next month)`
