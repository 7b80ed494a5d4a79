package expr

import (
	"strings"
	"time"

	"sluice/pipeline/item"
)

// The kinds of values that compare, in words.
const (
	aNumber = "a number"
	aDate   = "a date"
	aText   = "a text"
)

// A Comparable is a value that compares with others of its kind. The zero value is none.
type Comparable struct {
	// Kind is what the value is, in words; empty: it is none that compares.
	Kind string

	number item.Decimal
	date   time.Time
	text   string
}

// ComparableOf reads a JSON value: numbers and texts of digits compare as numbers, dates as times, and other texts as
// texts. Nothing else compares.
func ComparableOf(value []byte) Comparable {
	if kind := item.Kind(value); kind != '"' && kind != '0' {
		return Comparable{}
	}
	if number, ok := item.DecimalOf(value); ok {
		return Comparable{Kind: aNumber, number: number}
	}
	if at, _, ok := ParseDate(value); ok {
		return Comparable{Kind: aDate, date: at}
	}
	return Comparable{Kind: aText, text: item.Unquote(value)}
}

// ComparableTime is a date.
func ComparableTime(at time.Time) Comparable { return Comparable{Kind: aDate, date: at} }

// Compare is less than, equal to or greater than 0 as c is to another of its kind.
func (c *Comparable) Compare(other *Comparable) int {
	switch c.Kind {
	case aNumber:
		return c.number.Compare(other.number)
	case aDate:
		return c.date.Compare(other.date)
	}
	return strings.Compare(c.text, other.text)
}

// IsNumber tells whether the value is a number, and IsDate whether it is a date.
func (c *Comparable) IsNumber() bool { return c.Kind == aNumber }

// IsDate is told by [Comparable.IsNumber].
func (c *Comparable) IsDate() bool { return c.Kind == aDate }

// Later is a date so much later, and More a number so much greater.
func (c Comparable) Later(by time.Duration) Comparable {
	c.date = c.date.Add(by)
	return c
}

// More is told by [Comparable.Later].
func (c Comparable) More(by int64) Comparable {
	c.number, _ = item.ParseDecimal(string(c.number.Plus(by)))
	return c
}
