package evidence

import (
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// isTime tells whether a value is a date, a time, or a number that is one since 1970.
func isTime(value []byte) bool {
	if item.Kind(value) == '"' {
		text := strings.TrimSpace(item.Unquote(value))
		if timeText().MatchString(text) {
			return true
		}
	}
	n, ok := item.Integer(value)
	if !ok {
		return false
	}
	// In seconds, milliseconds or microseconds, from 2001 to 2064.
	for _, second := range []int64{1, 1e3, 1e6} {
		if billions := n / second / 1e9; billions == 1 || billions == 2 {
			return true
		}
	}
	return false
}

// timeText matches dates and times as a whole: one with more is a cursor.
var timeText = pattern.Lazy(
	`^(\d{4}[-/]\d\d?[-/]\d\d?)?([T ]*\d\d?:\d\d(:\d\d([.,]\d+)?)?)?[ ]*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$|` +
		`^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d`)
