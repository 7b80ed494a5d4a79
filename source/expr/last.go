package expr

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// last gives the greatest value that the items of the job had at a path in earlier runs,
// its second argument without one. A date is moved back by the third
// (docs/decisions.md, section 20).
func last(in *input) (jsontext.Value, error) {
	if in.last == nil {
		return nil, &fault{in.at, "last is for the parameters, headers, userData and windows of a job that is below no other"}
	}
	path, err := in.text(0)
	if err != nil || in.unknown(0) {
		return nil, err
	}
	value := in.last(path)
	switch {
	case value == nil:
		return in.values[1].JSON, nil
	case len(in.values) < 3:
		return value, nil
	}
	step, err := in.text(2)
	if err != nil {
		return nil, err
	}
	t, layout, ok := ParseDate(value)
	if !ok {
		return nil, in.fault(2, `last steps back from dates only, and the last value is none: from Unix seconds step back with {"function": "strtotime", "args": ["-10 minutes", {"function": "last", …}]}`)
	}
	back, err := ParseTime(step, t)
	if err != nil || back.After(t) {
		return nil, in.fault(2, `last needs a step back here, such as "-10 minutes"`)
	}
	return item.Quote(back.In(t.Location()).Format(layout)), nil
}

// dateLayoutsRead are the layouts of the dates that are compared as times, the commonest first.
var dateLayoutsRead = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z0700",
	"2006-01-02T15:04Z07:00", "2006-01-02 15:04", "2006-01-02", "Mon, 02 Jan 2006 15:04:05 GMT", time.RFC1123Z,
}

// ParseDate reads a JSON text that is a date, in UTC if it names no zone, and the layout in
// which it is written.
func ParseDate(value []byte) (t time.Time, layout string, ok bool) {
	if item.Kind(value) != '"' || len(value) < len(`"2006-01-02"`) || len(value) > 42 {
		return time.Time{}, "", false
	}
	text := item.Unquote(value)
	for _, layout := range dateLayoutsRead {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if seconds, fraction, ok := strings.Cut(text, "."); ok && len(seconds) == len("2006-01-02T15:04:05") {
			digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789"))
			layout = strings.Replace(layout, ":05", ":05."+strings.Repeat("0", digits), 1)
		}
		return t, layout, true
	}
	return time.Time{}, "", false
}
