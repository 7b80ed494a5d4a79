package expr

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An element is one part of the text of a time.
type element struct {
	pattern *regexp.Regexp // of the element at the beginning of a text; the last group is what follows
	take    func(s *timeScanner, part []string) bool
}

// elements are all that there are, in the order in which they are tried.
var elements = sync.OnceValue(func() []element {
	all := []element{
		begin(`@(-?\d+)`, anything, (*timeScanner).stamp),
		begin(`(first|last) day of\b`, anything, (*timeScanner).monthEnd),
		begin(`(last|previous|this|next)[ \t]+([a-z]+)`, anything, (*timeScanner).relative),
		begin(`([a-z]+)`, anything, (*timeScanner).word),
		begin(`([-+]?)[ \t]*(\d+)[ \t]*([a-z]+)`, anything, (*timeScanner).amount),
	}
	for _, l := range layouts {
		pattern, letters, after := "", "", afterDate
		for _, letter := range l {
			if part, ok := layoutParts[letter]; ok {
				pattern, letters = pattern+part, letters+string(letter)
			} else {
				pattern += regexp.QuoteMeta(string(letter))
			}
		}
		letters = strings.ReplaceAll(letters, "_", "")
		if strings.ContainsAny(letters, "hH") {
			pattern, letters, after = pattern+`(?:[ \t]*([ap]m)\b)?`, letters+"p", afterTime
		}
		all = append(all, begin(pattern, after, func(s *timeScanner, part []string) bool { return s.layout(letters, part) }))
	}
	return append(all,
		begin(`(\d{4})`, afterDate, (*timeScanner).lateYear),
		begin(`([-+])(1[0-5]|0?\d)(?::?([0-5]\d))?`, afterTime, (*timeScanner).zoneOffset))
})

// What may follow an element.
const (
	anything  = `(.*)`
	afterDate = `(|[^0-9:./-].*)`
	afterTime = `(|[^0-9:.].*)`
)

func begin(pattern, after string, take func(*timeScanner, []string) bool) element {
	return element{regexp.MustCompile(`(?s)^` + pattern + after + `$`), take}
}

// layouts are those of dates, times and both, in lower case. Letters are those of
// layoutParts, the rest stands for itself. Of two that fit the longer one stands first.
var layouts = []string{
	"YmdHis", "YmdtHis", "D/N/Y:H:i:s",
	"Y-M-D", "Y/M/D", "Y-M", "Ymd", // ISO 8601
	"D.M.Y", "D-M-Y", "M/D/Y",
	"D_N_Y", "D_N_y", "D_N", "D-N-Y", "D-N-y", "D/N/Y", // RFC 1123, RFC 822, RFC 850
	"N_D_Y", "N_D,_Y", "N_D", // ANSI C: its year stands at the end
	"h:i:s.f", "h:i:s,f", "h:i:s", "h:i",
	"tH:i:s.f", "tH:i:s,f", "tH:i:s", "tH:i", "tHis.f", "tHis", "tHi", // ISO 8601
}

// layoutParts are what the letters of layouts stand for. Every month may have a 31st: it then
// is a day of the next month.
var layoutParts = map[rune]string{
	'Y': `(\d{4})`, 'y': `(\d\d)`,
	'M': `(0?[1-9]|1[0-2])`, 'm': `(0[1-9]|1[0-2])`, 'N': `([a-z]+)`,
	'D': `(0?[1-9]|[12]\d|3[01])`, 'd': `(0[1-9]|[12]\d|3[01])`,
	'h': `([01]?\d|2[0-4])`, 'H': `([01]\d|2[0-4])`, 'i': `([0-5]\d)`, 's': `([0-5]\d|60)`, 'f': `(\d+)`,
	'_': `[ \t]+`,
}

var (
	months   = strings.Fields("january february march april may june july august september october november december")
	weekdays = strings.Fields("sunday monday tuesday wednesday thursday friday saturday")
)

// named returns the index of the name that begins with a word of three letters or more, -1 if none does.
func named(word string, names []string) int {
	return slices.IndexFunc(names, func(name string) bool { return len(word) > 2 && strings.HasPrefix(name, word) })
}

// layout takes a date, a time of day, or both. A year of two digits is one from 1970 to 2069.
func (s *timeScanner) layout(letters string, part []string) bool {
	date, timeOfDay := strings.ContainsAny(letters, "MmN"), strings.ContainsAny(letters, "hH")
	if s.stamped || date && s.hasDate || timeOfDay && s.hasTime {
		return false
	}
	if date {
		s.hasDate, s.day = true, 1
	}
	if timeOfDay {
		s.hasTime, s.clock = true, 0
	}
	for i, letter := range letters {
		text := part[i+1]
		n, _ := strconv.Atoi(text)
		switch letter {
		case 'Y':
			s.year, s.hasYear = n, true
		case 'y':
			s.year, s.hasYear = 1970+(n+30)%100, true
		case 'M', 'm':
			s.month = time.Month(n)
		case 'N':
			s.month = time.Month(named(text, months) + 1)
		case 'D', 'd':
			s.day = n
		case 'h', 'H':
			s.clock += time.Duration(n) * time.Hour
		case 'i':
			s.clock += time.Duration(n) * time.Minute
		case 's':
			s.clock += time.Duration(n) * time.Second
		case 'f':
			n, _ = strconv.Atoi((text + "000000000")[:9])
			s.clock += time.Duration(n)
		case 'p':
			return s.halfDay(text)
		}
	}
	return s.month != 0
}

// halfDay takes am, pm or nothing after a time of day.
func (s *timeScanner) halfDay(text string) bool {
	const half = 12 * time.Hour
	if text == "" {
		return s.clock <= 2*half
	}
	good := s.clock >= time.Hour && s.clock < half+time.Hour
	s.clock %= half
	if text == "pm" {
		s.clock += half
	}
	return good
}
