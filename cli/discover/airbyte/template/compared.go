package template

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/python"
	"sluice/source/expr"
)

// isClock tells a time that is known at the conversion, and another in each run.
func isClock(e Expression) bool {
	switch e := e.(type) {
	case moment:
		return e.known != nil
	case clock:
		return e.known != nil
	default:
		return false
	}
}

// compared compares times by the clock of the conversion, and notes how long that holds; not ok: they are none.
func (sc Scope) compared(operator string, left, right Expression) (is, ok bool, err error) {
	if !isClock(left) && !isClock(right) {
		return false, false, nil
	}
	a, isKnown, err := sc.present(left)
	if err != nil || !isKnown {
		return false, false, err
	}
	b, isKnown, err := sc.present(right)
	if err != nil || !isKnown {
		return false, false, err
	}
	v, err := python.Operate(operator, a, b)
	is, _ = v.(bool)
	if err != nil {
		return false, false, err
	}
	// A clock goes on: what is less than it stays less.
	constantIsLess, _ := python.Less(a, b)
	if isClock(left) {
		constantIsLess, _ = python.Less(b, a)
	}
	bothMove := isClock(left) && isClock(right)
	isOrder := !slices.Contains([]string{"==", "!="}, operator)
	if !bothMove && (!constantIsLess || !isOrder) {
		sc.Values.Note(
			fmt.Sprintf("%s %s %s is decided by the date of the conversion, %s: convert again when it changes",
				told(left, a), operator, told(right, b), sc.Values.Now.Format(time.DateOnly)),
		)
	}
	return is, true, nil
}

// told is a compared value for a person.
func told(e Expression, v any) string {
	if isClock(e) {
		return "a time before or after now"
	}
	return python.Printed(v)
}

// present is what an expression is at the conversion.
func (sc Scope) present(e Expression) (v any, ok bool, err error) {
	switch e := e.(type) {
	case moment:
		if e.known != nil {
			return e.known.Unix(), true, nil
		}
	case clock:
		if e.known != nil {
			return expr.FormatDate(e.php, e.known.Truncate(time.Second)), true, nil
		}
	}
	if isOutside(e) {
		return nil, false, nil
	}
	v, ok, err = sc.plain(e)
	if p, isPoint := v.(point); isPoint {
		return p.time.Unix(), true, nil
	}
	return v, ok, err
}

// widths are how many bytes letters of PHP's date have, where all times have as many.
var widths = map[byte]int{
	'Y': 4, 'm': 2, 'd': 2, 'H': 2, 'h': 2, 'i': 2, 's': 2, 'y': 2,
	'u': 6, 'v': 3, 'A': 2, 'M': 3, 'D': 3, 'O': 5, 'P': 6,
}

// cut is a part of the text of a clock, between two places in it; not ok: it ends within a number.
func (c clock) cut(ends []any) (clock, bool) {
	pieces, all := c.pieces()
	if pieces == nil {
		return c, false
	}
	from, to := span(ends, all)
	var b strings.Builder
	at := 0
	for _, p := range pieces {
		begin, end := max(from, at), min(to, at+p.width)
		at += p.width
		switch {
		case begin >= end:
		case end-begin == p.width:
			b.WriteString(p.php)
		case p.php == "u":
			// Of whole seconds.
			b.WriteString(strings.Repeat("0", end-begin))
		default:
			return c, false
		}
	}
	c.php = b.String()
	return c, true
}

// A letter of a format, or a byte that stands for itself.
type letter struct {
	php   string
	width int
}

// pieces are the letters of a format, and how long its texts are; nil: that differs.
func (c clock) pieces() ([]letter, int) {
	var pieces []letter
	all := 0
	for i := 0; i < len(c.php); i++ {
		p := letter{php: c.php[i : i+1], width: 1}
		switch b := c.php[i]; {
		case b == '\\' && i+1 < len(c.php):
			p.php = c.php[i : i+2]
			i++
		case python.IsLetter(b) && b != '_':
			p.width = widths[b]
		}
		if p.width == 0 {
			return nil, 0
		}
		all += p.width
		pieces = append(pieces, p)
	}
	return pieces, all
}
