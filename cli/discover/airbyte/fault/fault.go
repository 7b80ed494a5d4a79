// Package fault ends the reading of a part of a manifest of which something is not understood. As in a parser, the fault
// goes up as a panic, to whoever goes on without that part.
package fault

import "fmt"

// A Fault is why a part is not understood.
type Fault struct{ error }

// New is a fault to panic with.
func New(format string, of ...any) Fault { return Fault{fmt.Errorf(format, of...)} }

// If raises a fault where something is wrong.
func If(isWrong bool, format string, of ...any) {
	if isWrong {
		panic(New(format, of...))
	}
}

// Check raises an error, if there is one.
func Check(err error) {
	if err != nil {
		panic(Fault{err})
	}
}

// Of is a value, or raises the error beside it.
func Of[T any](v T, err error) T {
	Check(err)
	return v
}

// Try does something, and is the fault that ended it; nil: none did.
func Try(do func()) (err error) {
	defer func() {
		switch raised := recover().(type) {
		case nil:
		case Fault:
			err = raised.error
		default:
			panic(raised)
		}
	}()
	do()
	return nil
}

// Result is what a function gives, or the fault that ended it.
func Result[T any](of func() T) (v T, err error) {
	err = Try(func() { v = of() })
	return v, err
}

// Within is what a function gives; a fault that ends it is said to be one of something.
func Within[T any](what string, of func() T) T {
	v, err := Result(of)
	if err != nil {
		panic(New("%s: %w", what, err))
	}
	return v
}
