package expr

import (
	"fmt"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A term is a part of a compiled expression; its errors are faults.
type term interface {
	eval(ev *evaluation) (Value, error)
}

// constant is a value that is known.
type constant Value

func (c constant) eval(*evaluation) (Value, error) { return Value(c), nil }

// reference is a value that is known only at evaluation.
type reference struct {
	at      *config.Node
	context string
	path    string
	scalar  bool // it stands outside args, where only a scalar will do
}

func (r *reference) eval(ev *evaluation) (Value, error) {
	lookup := ev.env.Contexts[r.context]
	if lookup == nil {
		return Value{}, r.fault("is not known yet")
	}
	v, ok := lookup(r.path)
	if !ok {
		return Value{}, r.fault("is missing")
	}
	switch kind := item.Kind(v.JSON); {
	case kind == 'n':
		return Value{}, r.fault("is null")
	case r.scalar && (kind == '{' || kind == '['):
		return Value{}, r.fault("is %s, want a string, a number or a boolean", item.Noun(item.Kind(v.JSON)))
	}
	return v, nil
}

func (r *reference) fault(format string, args ...any) error {
	return &fault{r.at, fmt.Sprintf("%s %q ", r.context, r.path) + fmt.Sprintf(format, args...)}
}

// list is an array of terms.
type list []term

func (l list) eval(ev *evaluation) (Value, error) {
	out := Value{JSON: []byte{'['}}
	for i, element := range l {
		v, err := element.eval(ev)
		if err != nil {
			return Value{}, err
		}
		if i > 0 {
			out.JSON = append(out.JSON, ',')
		}
		out.JSON = append(out.JSON, v.JSON...)
		out.Secret = out.Secret || v.Secret
	}
	out.JSON = append(out.JSON, ']')
	return out, nil
}

// object is plain data with terms as values.
type object struct {
	names  [][]byte // quoted
	values []term
}

func (o object) eval(ev *evaluation) (Value, error) {
	out := Value{JSON: []byte{'{'}}
	for i, value := range o.values {
		v, err := value.eval(ev)
		if err != nil {
			return Value{}, err
		}
		if i > 0 {
			out.JSON = append(out.JSON, ',')
		}
		out.JSON = append(append(out.JSON, o.names[i]...), ':')
		out.JSON = append(out.JSON, v.JSON...)
		out.Secret = out.Secret || v.Secret
	}
	out.JSON = append(out.JSON, '}')
	return out, nil
}

// call applies a function.
type call struct {
	at       *config.Node
	name     string
	function function
	args     []term
	nodes    []*config.Node // the arguments in the configuration
}

func (c *call) eval(ev *evaluation) (Value, error) {
	in := &input{call: c, values: make([]Value, len(c.args)), clock: ev.clock}
	out := Value{}
	for i, arg := range c.args {
		v, err := arg.eval(ev)
		if err != nil {
			return Value{}, err
		}
		in.values[i] = v
		out.Secret = out.Secret || v.Secret
	}
	if ev.env.Call != nil {
		if v, ok := ev.env.Call(c.name, in.values); ok {
			return v, nil
		}
	}
	var err error
	if out.JSON, err = c.function.apply(in); err != nil {
		return Value{}, err
	}
	if len(out.JSON) > longest {
		return Value{}, in.tooLong()
	}
	if out.Secret && ev.env.Secret != nil {
		if text, ok := item.Text(out.JSON); ok {
			ev.env.Secret(text)
		}
	}
	return out, nil
}
