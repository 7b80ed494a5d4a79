package expr

import (
	"fmt"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A term evaluates a part of an expression; its errors are faults.
type term func(ev *evaluation) (Value, error)

// constant is a value that is known.
func constant(v Value) term { return func(*evaluation) (Value, error) { return v, nil } }

// reference is a value of a context that is known only at evaluation. Where scalar
// is set, outside args, an array or an object will not do.
func reference(n *config.Node, context, path string, scalar bool) term {
	return func(ev *evaluation) (Value, error) {
		lookup := ev.env.Contexts[context]
		if lookup == nil {
			return Value{}, referenceFault(n, context, path, "is not known yet")
		}
		v, ok := lookup(path)
		if !ok {
			return Value{}, referenceFault(n, context, path, "is missing")
		}
		switch kind := item.Kind(v.JSON); {
		case kind == 'n':
			return Value{}, referenceFault(n, context, path, "is null")
		case scalar && (kind == '{' || kind == '['):
			return Value{}, referenceFault(n, context, path, "is "+item.Noun(kind)+", want a string, a number or a boolean")
		}
		return v, nil
	}
}

func referenceFault(n *config.Node, context, path, problem string) error {
	return &fault{n, fmt.Sprintf("%s %q %s", context, path, problem)}
}

// collection is an array of terms or, with quoted names, an object.
func collection(names [][]byte, terms []term) term {
	return func(ev *evaluation) (Value, error) {
		opening, closing := byte('['), byte(']')
		if names != nil {
			opening, closing = '{', '}'
		}
		out := Value{JSON: []byte{opening}}
		for i, t := range terms {
			v, err := t(ev)
			if err != nil {
				return Value{}, err
			}
			if i > 0 {
				out.JSON = append(out.JSON, ',')
			}
			if names != nil {
				out.JSON = append(append(out.JSON, names[i]...), ':')
			}
			out.JSON = append(out.JSON, v.JSON...)
			out.Secret = out.Secret || v.Secret
		}
		out.JSON = append(out.JSON, closing)
		return out, nil
	}
}

// call applies a function; in has its place and its name.
func call(in input, f function, args []term) term {
	return func(ev *evaluation) (Value, error) {
		in := in
		in.clock, in.last, in.values = ev.clock, ev.env.Last, make([]Value, len(args))
		out := Value{Secret: in.name == signJWT}
		for i, arg := range args {
			v, err := arg(ev)
			if err != nil {
				return Value{}, err
			}
			in.values[i] = v
			out.Secret = out.Secret || v.Secret
		}
		var err error
		if out.JSON, err = f.apply(&in); err != nil {
			return Value{}, err
		}
		if len(out.JSON) > longest {
			return Value{}, in.tooLong()
		}
		if text, ok := item.Text(out.JSON); ok && out.Secret && ev.env.Secret != nil {
			ev.env.Secret(in.name, text)
		}
		return out, nil
	}
}
