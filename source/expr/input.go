package expr

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// longest bounds what a function makes, in bytes: nested encodings could fill the memory.
const longest = 4 << 20

// functionInput is what one call of a function works on. Values that come later have no JSON: they read as empty
// texts and zeros, and faults that concern them are [errUnknown].
type functionInput struct {
	at   *config.Node
	name string

	// The arguments in the configuration.
	nodes []*config.Node

	values []Value
	clock  func() time.Time

	// See [Env]; nil where there is no last value.
	last func(path string) (value jsontext.Value, known bool)

	// The first fault. With one, what the function gives is of no use.
	err error
}

// unknown tells whether an argument comes later.
func (in *functionInput) unknown(i int) bool { return in.values[i].JSON == nil }

// text returns an argument as text, null as the empty text.
func (in *functionInput) text(i int) string {
	text, ok := item.Text(in.values[i].JSON)
	kind := item.Kind(in.values[i].JSON)
	if !ok && kind != 'n' {
		in.fault(i, "%s needs text here, not %s", in.name, item.Noun(kind))
	}
	return text
}

// texts returns all arguments as text.
func (in *functionInput) texts() []string {
	all := make([]string, len(in.values))
	for i := range all {
		all[i] = in.text(i)
	}
	return all
}

// moment returns an argument, Unix seconds, as a time; without it that of the evaluation.
func (in *functionInput) moment(i int) time.Time {
	if i >= len(in.values) {
		return in.clock()
	}
	t := time.Unix(number(in, i, integer), 0).UTC()
	if !inCalendar(t) {
		in.fault(i, "%s needs Unix seconds between the years 0 and 9999 here (are these milliseconds?)",
			in.name)
	}
	return t
}

// number returns the number that read makes of an argument's text.
func number[N int64 | float64](in *functionInput, i int, read func(string) (N, bool)) N {
	n, ok := read(in.text(i))
	if !ok && !in.unknown(i) {
		in.fault(i, "%s needs a number here", in.name)
	}
	return n
}

// fault notes an error about an argument, and returns nothing. The error must show no value: it may be secret.
func (in *functionInput) fault(i int, format string, args ...any) jsontext.Value {
	if in.unknown(i) {
		return in.fail(errUnknown)
	}
	return in.fail(&placedError{in.nodes[i], fmt.Sprintf(format, args...)})
}

// fail notes the first error.
func (in *functionInput) fail(err error) jsontext.Value {
	in.err = cmp.Or(in.err, err)
	return nil
}

func (in *functionInput) tooLong() jsontext.Value {
	return in.fail(&placedError{in.at, fmt.Sprintf("%s makes more than %d MiB", in.name, longest>>20)})
}

// inCalendar tells whether every layout can show the time.
func inCalendar(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 9999 }

// join makes one text of several, unless that is too long.
func (in *functionInput) join(all []string, glue string) jsontext.Value {
	length := len(glue) * len(all)
	for _, text := range all {
		length += len(text)
	}
	if length > longest {
		return in.tooLong()
	}
	return item.Quote(strings.Join(all, glue))
}

// integer reads a number, as PHP writes numbers, and drops its fraction.
func integer(text string) (int64, bool) {
	text = strings.TrimSpace(text)
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, true
	}
	f, ok := float(text)
	if !ok || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// float reads a number as PHP writes numbers: no hexadecimal, infinity or underscores.
func float(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// onText makes a function of one text.
func onText(f func(string) string) func(*functionInput) jsontext.Value {
	return func(in *functionInput) jsontext.Value { return item.Quote(f(in.text(0))) }
}
