// Package expr compiles and evaluates function expressions and references at any depth inside other
// JSON: {"function": …, "args": […]}, {"attr": …}, {"response": …}.
//
// Outside args, an object whose only member is named like a context of that place is a reference. Any other
// object without a member function is plain data.
package expr

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/config"
)

// A Value is what an expression gives, with the digits and the order of the configuration or context.
type Value struct {
	// JSON is compact, and not to be changed.
	JSON jsontext.Value

	// Secret tells that a secret went into it: it must not be shown.
	Secret bool

	// Fault says why a context has no value at a path, if there is more to say than that it is missing.
	Fault string
}

// Contexts maps the names of the contexts that exist at a place to functions that find the value at a path; ok
// is false if there is none. With a nil function, or one that gives no JSON at compilation, the values are
// known only at evaluation.
type Contexts map[string]func(path string) (v Value, ok bool)

// Env is what expressions draw upon.
type Env struct {
	Contexts Contexts

	// Now is the clock; nil is the system's.
	Now func() time.Time

	// Last gives the function last the greatest value that the items of the job had at a path before, nil if
	// there is none; not known: it comes at evaluation. Where Last is nil the function is an error.
	Last func(path string) (value jsontext.Value, known bool)

	// Secret, if set, is told each text that a function made of a secret.
	Secret func(function, text string)
}

// An Expr is a compiled value of the configuration. It is immutable.
type Expr struct {
	node *config.Node
	when when

	// Of a function the arguments, of an array or an object the values.
	parts []Expr

	// Unless the value is fixed, this makes it of those of the parts.
	apply applied

	// The value holds a token of jwt.
	token bool

	// It is an array, or an object that is neither an expression nor a reference.
	data bool

	// The value at compilation, on which the functions around it are tried. It has no JSON if it comes later.
	sample Value
}

// when says from when on a value is known.
type when int

const (
	// A fixed value is known from compilation on, for ever.
	fixed when = iota
	// This one is known at any time, but it changes with the clock.
	clock
	// This one is known at evaluation, from a context whose lookup was nil before.
	later
	// A broken one is never known: its problems are reported.
	broken
)

// applied makes a value of those of the parts of an expression; its errors are faults.
type applied func(ev *evaluation, parts []Value) (Value, error)

// Eval gives the value. The contexts that were not known when e was compiled have values of an answer: null is
// an error there as if it was missing, and outside args so is an array or an object. Errors begin with the
// JSON path of the expression and show no value.
func (e *Expr) Eval(env Env) (Value, error) {
	if e.when == broken {
		return Value{}, &placedError{e.node, "cannot be evaluated: it has problems"}
	}
	return e.eval(&evaluation{env: env})
}

func (e *Expr) eval(ev *evaluation) (Value, error) {
	if e.when == fixed {
		return e.sample, nil
	}
	values := make([]Value, len(e.parts))
	for i := range e.parts {
		v, err := e.parts[i].eval(ev)
		if err != nil {
			return Value{}, err
		}
		values[i] = v
	}
	return e.apply(ev, values)
}

// Literal returns the text if the value is a plain string in the configuration.
func (e *Expr) Literal() (text string, ok bool) {
	if e.node.Kind != '"' {
		return "", false
	}
	return e.node.Text(), true
}

// PerRequest tells whether the value is evaluated for each request, since it holds a token.
func (e *Expr) PerRequest() bool { return e.token && e.when > fixed }

// Ready tells whether [Expr.Eval] needs no context that was not known when e was compiled.
func (e *Expr) Ready() bool { return e.when < later }

// A placedError is an error at one place of the configuration.
type placedError struct {
	at   *config.Node
	text string
}

func (f *placedError) Error() string { return fmt.Sprintf("%s: %s", f.at.Path, f.text) }

// errUnknown is, at compilation only, the error of a function that needs a value which comes later.
var errUnknown = errors.New("the value is not known yet")

// evaluation is one evaluation of one expression.
type evaluation struct {
	env Env

	// The time of this evaluation; zero until the clock is read.
	now time.Time

	// The clock was read.
	clocked bool

	// A last value comes later.
	follows bool
}

// last is that of the environment.
func (ev *evaluation) last(path string) (value jsontext.Value, known bool) {
	value, known = ev.env.Last(path)
	ev.follows = ev.follows || !known
	return value, known
}

// clock returns the time of this evaluation, in UTC.
func (ev *evaluation) clock() time.Time {
	ev.clocked = true
	if ev.now.IsZero() {
		now := ev.env.Now
		if now == nil {
			now = time.Now
		}
		ev.now = now().UTC()
	}
	return ev.now
}
