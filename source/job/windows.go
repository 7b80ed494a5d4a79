package job

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A Window is a part of the time that a job asks for.
type Window struct {
	From, To expr.Value
	// Place is that of its walk among the root walks of the run.
	Place int
}

// UnknownWindow is a window in a plan, in which these stand for its bounds: functions
// tell what they make of them.
func UnknownWindow(from, to jsontext.Value) *Window {
	return &Window{
		From: expr.Value{JSON: from, Secret: true},
		To:   expr.Value{JSON: to, Secret: true},
	}
}

// Name names the window for people.
func (w *Window) Name() string {
	from, _ := item.Text(w.From.JSON)
	to, _ := item.Text(w.To.JSON)
	return fmt.Sprintf("window from %s to %s", from, to)
}

// at is the value at a path of the context window.
func (w *Window) at(path string) (v expr.Value, ok bool) {
	switch path {
	case "from":
		return w.From, true
	case "to":
		return w.To, true
	}
	return expr.Value{}, false
}

// Timing is the time that a job asks for, before it is divided into windows.
type Timing struct {
	// From and To are Unix seconds, dates, or texts such as today; nil is Now.
	From, To *expr.Expr
	// Now is the time of the run.
	Now time.Time
	// Step returns where the window ends that begins at a time.
	Step func(time.Time) (time.Time, error)
	// Gap is taken off the ends that are sent.
	Gap time.Duration
	// Format is in the letters of the function date.
	Format string
}

// varies tells whether the parents of a child job have times of their own.
func (t *Timing) varies() bool {
	isOwn := func(e *expr.Expr) bool { return e != nil && !e.Ready() }
	return isOwn(t.From) || isOwn(t.To)
}

// A WindowsError is what is wrong with windows.
type WindowsError struct {
	// Member is from, to, step or gap.
	Member string
	Text   string
}

func (e *WindowsError) Error() string { return "windows." + e.Member + ": " + e.Text }

// Moment evaluates a bound; member is its name.
func (t *Timing) Moment(e *expr.Expr, member string, env expr.Env) (time.Time, error) {
	text := "now"
	if e != nil {
		v, err := e.Eval(env)
		if err != nil {
			return time.Time{}, err
		}
		text = momentText(v.JSON)
	}
	at, err := expr.ParseTime(text, t.Now)
	if err != nil {
		return at, &WindowsError{member, err.Error()}
	}
	return at, nil
}

// momentText is a moment as [expr.ParseTime] reads it. Digits that are too many for
// a date are Unix seconds.
func momentText(value []byte) string {
	text, _ := item.Text(value)
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return text
	}
	if item.Kind(value) == '0' || len(text) >= 9 && len(text) <= 11 {
		return "@" + text
	}
	return text
}

const mostWindows = 100_000

// Divide returns the windows between two times, oldest first. The first step is looked
// at even if there is none.
func (t *Timing) Divide(from, to time.Time) (all []Window, err error) {
	end, err := t.step(from)
	for err == nil && from.Before(to) {
		if len(all) == mostWindows {
			text := fmt.Sprintf("makes more than %d windows", mostWindows)
			return nil, &WindowsError{"step", text}
		}
		if !end.Before(to) {
			end = to
		}
		all = append(all, t.window(from, end))
		from = end
		if from.Before(to) {
			end, err = t.step(from)
		}
	}
	return all, err
}

// step returns where a window ends that is not the last. One that would end behind the year 9999 is the last.
func (t *Timing) step(from time.Time) (time.Time, error) {
	next, err := t.Step(from)
	if errors.Is(err, expr.ErrBeyondCalendar) {
		err = nil
	}
	if err != nil || !next.After(from) {
		return next, &WindowsError{"step", "must be an amount of time, such as 31 days or 1 month"}
	}
	length := next.Sub(from)
	if t.Gap >= length {
		text := fmt.Sprintf("must be shorter than step, which is %s", length)
		return next, &WindowsError{"gap", text}
	}
	return next, nil
}

// window is one, as it is sent.
func (t *Timing) window(from, to time.Time) Window {
	last := to.Add(-t.Gap)
	if last.Before(from) {
		last = from
	}
	return Window{From: sentTime(t.Format, from), To: sentTime(t.Format, last)}
}

// sentTime is a bound of a window as it is sent: with the format U a number.
func sentTime(format string, t time.Time) expr.Value {
	text := expr.FormatDate(format, t)
	if format == "U" {
		return expr.Value{JSON: []byte(text)}
	}
	return expr.Value{JSON: item.Quote(text)}
}
