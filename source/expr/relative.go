package expr

import (
	"strings"
	"time"
)

// weekdays are the names of the days.
var weekdays = map[string]int{
	"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
	"sun": 0, "mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5, "sat": 6,
}

// monthEnd reads first day of, and last day of: of the month that the rest makes.
func (s *timeScanner) monthEnd() bool {
	for i, text := range []string{"first day of", "last day of"} {
		if word, rest := strings.CutPrefix(s.rest, text); rest && (word == "" || word[0] == ' ' || word[0] == '\t') && s.ends == 0 {
			s.rest, s.ends = word, i+1
			return true
		}
	}
	return false
}

// relative reads last, previous, this or next, and a unit or a weekday. With week the
// date moves to its Monday, or to the weekday that is named.
func (s *timeScanner) relative() bool {
	word, rest := leadingWord(s.rest)
	n, known := map[string]int64{"last": -1, "previous": -1, "this": 0, "next": 1}[word]
	word, rest = leadingWord(strings.TrimLeft(rest, " \t"))
	day, isDay := weekdays[word]
	switch {
	case !known:
		return false
	case isDay && !s.weekday && !s.moves:
		s.midnight()
		s.weekday, s.moves, s.day7 = true, true, day
		if s.amounts[1] += min(n, 0) * 7; n == 0 {
			s.least = 1
		}
	case word == "week":
		s.wrong = s.moves
		if !s.weekday {
			s.day7 = 1
		}
		s.moves, s.least = true, 2
		s.amounts[1] += n * 7
	case !s.add(n, word):
		return false
	case s.workdays != 0:
		s.midnight()
	}
	s.rest = rest
	return true
}

// atEnd is the first or last day of the month of t, if the text says so.
func (s *timeScanner) atEnd(t time.Time) time.Time {
	switch s.ends {
	case 1:
		return t.AddDate(0, 0, 1-t.Day())
	case 2:
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
	step := 1
	if n < 0 {
		step = -1
	}
	weeks := (max(n, -n) - 1) / 5
	days = step * weeks * 7
	for rest := max(n, -n) - weeks*5; rest > 0; {
		days += step
		if at := ((day+days)%7 + 7) % 7; at != 0 && at != 6 {
			rest--
		}
	}
	return days
}
