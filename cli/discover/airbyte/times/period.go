package times

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline/pattern"
	"sluice/source/expr"
)

// A Period is a length of time as ISO 8601 writes it: P1M, PT0.5S.
type Period struct {
	// Amounts are those of a calendar, such as 1 month.
	Amounts []Amount

	// Exact is the length but for years and months, of which there are some where isCalendar; Shortest has them at
	// their shortest.
	Exact, Shortest time.Duration
	IsCalendar      bool
}

// An Amount is a number of years, months, weeks, days, hours, minutes or seconds; the unit is the word for one.
type Amount struct {
	N    int64
	Unit string
}

var iso = pattern.Lazy(`^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?` +
	`(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.](\d+))?S)?)?$`)

// units are those of iso in order, each with its length at the shortest.
var units = []struct {
	name   string
	length time.Duration
}{
	{"year", 365 * Day}, {"month", 28 * Day}, {"week", 7 * Day}, {"day", Day},
	{"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second},
}

// firstExact is the number of the first unit that is always as long.
const firstExact = 2

// ParsePeriod reads a length of time.
func ParsePeriod(text string) (s Period, ok bool) {
	found := iso().FindStringSubmatch(text)
	if found == nil || text == "P" {
		return s, false
	}
	for i, unit := range units {
		n, err := strconv.ParseInt(found[i+1], 10, 32)
		if err != nil && found[i+1] != "" {
			return s, false
		}
		if n > 0 {
			s.Amounts = append(s.Amounts, Amount{n, unit.name})
			s.Shortest += time.Duration(n) * unit.length
			s.IsCalendar = s.IsCalendar || i < firstExact
			if i >= firstExact {
				s.Exact += time.Duration(n) * unit.length
			}
		}
	}
	if fraction := found[len(found)-1]; fraction != "" {
		part, err := time.ParseDuration("0." + fraction + "s")
		s.Exact += part
		s.Shortest += part
		return s, err == nil
	}
	return s, true
}

// HasFraction tells whether a part of a second is left over.
func (s Period) HasFraction() bool { return s.Exact%time.Second != 0 }

// Text is the period with a sign before each of its amounts, such as -1 month; a fraction counts as a second.
func (s Period) Text(sign string) string {
	amounts := s.Amounts
	if s.HasFraction() {
		amounts = append(amounts[:len(amounts):len(amounts)], Amount{1, "second"})
	}
	var all []string
	for _, a := range amounts {
		unit := a.Unit
		if a.N != 1 {
			unit += "s"
		}
		all = append(all, fmt.Sprintf("%s%d %s", sign, a.N, unit))
	}
	return strings.Join(all, " ")
}

// IsZero tells that there is no length.
func (s Period) IsZero() bool { return !s.IsCalendar && s.Exact == 0 }

// Strides are the slices of Airbyte up to a time: whether one would begin there, and whether windows of ours
// meet at other times. A month after the 31st is there the last day of a shorter one, while ours is in the next.
func (s Period) Strides(from, to time.Time) (isMet, isOther bool) {
	ours := expr.TimeFrom(s.Text(""))
	for at := from; at.Before(to); {
		next := s.after(at)
		end, err := ours(at)
		isSame := err == nil && end.Equal(next)
		if !next.Before(to) {
			return isSame && next.Equal(to), isOther
		}
		if !next.After(at) {
			return false, isOther
		}
		isOther = isOther || !isSame
		at = next
	}
	return false, isOther
}

// Months are the years and months of the period.
func (s Period) Months() (years, months int) {
	for _, a := range s.Amounts {
		switch a.Unit {
		case "year":
			years += int(a.N)
		case "month":
			months += int(a.N)
		}
	}
	return years, months
}

// after is a time one period on; a day that the month does not have is its last one.
func (s Period) after(t time.Time) time.Time {
	years, months := s.Months()
	return MonthsOn(t, years, months).Add(s.Exact)
}

// MonthsOn is a time some years and months on; a day that the month does not have is its last one.
func MonthsOn(t time.Time, years, months int) time.Time {
	first := t.AddDate(0, 0, 1-t.Day()).AddDate(years, months, 0)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// Day is what a date tells apart.
const Day = 24 * time.Hour
