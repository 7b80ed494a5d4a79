package expr

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// when says from when on a value is known.
type when int

const (
	// From compilation on, for ever.
	fixed when = iota
	// At any time, but it changes with the clock.
	clock
	// At evaluation, from a context whose lookup was nil before.
	later
	// never: its problems are reported.
	broken
)

// compiler compiles what stands at one place.
type compiler struct {
	problems   *config.Problems
	evaluation evaluation
}

// compile compiles n; arg says whether it stands inside args.
func (c *compiler) compile(n *config.Node, arg bool) Expr {
	switch n.Kind {
	case '{':
		return c.object(n, arg)
	case '[':
		return c.collection(nil, n.Elems, arg)
	}
	return Expr{sample: Value{JSON: n.Raw}}
}

// collection compiles the values in an array or, with quoted names, an object.
func (c *compiler) collection(names [][]byte, nodes []*config.Node, arg bool) Expr {
	parts := make([]Expr, len(nodes))
	for i, n := range nodes {
		if parts[i] = c.compile(n, arg); parts[i].sample.JSON == nil {
			// For what comes later: the whole is known as far as it can be.
			parts[i].sample.JSON = []byte("null")
		}
	}
	whole := c.combine(parts, func(_ *evaluation, values []Value) (Value, error) {
		out := Value{JSON: []byte{'['}}
		if names != nil {
			out.JSON[0] = '{'
		}
		// Two after the opening one in ASCII.
		closing := out.JSON[0] + 2
		for i, v := range values {
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
	})
	whole.data = true
	return whole
}

// combine makes one expression of several. A fixed value takes the place of its parts; any other is only tried.
func (c *compiler) combine(parts []Expr, apply applied) Expr {
	whole, samples := Expr{parts: parts, apply: apply}, make([]Value, len(parts))
	for i, p := range parts {
		whole.when, whole.token = max(whole.when, p.when), whole.token || p.token
		samples[i] = p.sample
	}
	if whole.when == broken {
		return whole
	}
	trial := c.evaluation
	if whole.when == later {
		// What is made of a sample is no secret.
		trial.env.Secret = nil
	}
	v, err := apply(&trial, samples)
	c.evaluation.now = trial.now
	// Else it is errUnknown.
	var f *fault
	if errors.As(err, &f) {
		return c.problem(f.at, "%s", f.text)
	}
	if trial.clocked {
		whole.when = max(whole.when, clock)
	}
	whole.sample = v
	return whole
}

// object compiles an expression, a reference, or plain data.
func (c *compiler) object(n *config.Node, arg bool) Expr {
	if slices.ContainsFunc(n.Members, func(m config.Member) bool { return m.Name == "function" }) {
		return c.call(n)
	}
	if len(n.Members) == 1 {
		if _, exists := c.evaluation.env.Contexts[n.Members[0].Name]; exists {
			return c.reference(n, arg)
		}
	}
	if arg {
		here := cmp.Or(strings.Join(slices.Sorted(maps.Keys(c.evaluation.env.Contexts)), ", "), "none")
		if len(n.Members) == 1 {
			return c.problem(n, "unknown context %q (here: %s)", n.Members[0].Name, here)
		}
		return c.problem(
			n,
			"an object inside args must be a function expression or a reference with one member (here: %s)",
			here,
		)
	}
	c.slip(n)
	names, nodes := make([][]byte, len(n.Members)), make([]*config.Node, len(n.Members))
	for i, m := range n.Members {
		names[i], nodes[i] = item.Quote(m.Name), m.Value
	}
	return c.collection(names, nodes, false)
}

// slip warns of data that looks like a reference or an expression.
func (c *compiler) slip(n *config.Node) {
	call := len(n.Members) == 2 && n.Member("args") != nil
	if len(n.Members) != 1 && !call {
		return
	}
	known := []string{"function"}
	if !call {
		known = append(known, slices.Sorted(maps.Keys(c.evaluation.env.Contexts))...)
	}
	for _, m := range n.Members {
		meant := config.Nearest(m.Name, known)
		if meant == "" || m.Value.Kind != '"' {
			continue
		}
		// Others than these have nothing to do with that context, such as {"mime": "text/csv"}.
		if meant == "time" && config.Nearest(m.Value.Text(), []string{"previousStart", "currentStart"}) == "" {
			continue
		}
		c.problems.Notef(
			n,
			"an object with the member %q is sent as it stands: did you mean %q?",
			m.Name,
			meant,
		)
	}
}

// RefuseText reports a string that is the JSON text of an expression, an older form, and tells whether it is
// one. now is the form that it has now; nil is the expression in it.
func RefuseText(n *config.Node, now []byte, p *config.Problems) bool {
	if n == nil || n.Kind != '"' || !strings.HasPrefix(strings.TrimSpace(n.Text()), "{") {
		return false
	}
	inner := config.Parse("", []byte(n.Text()), &config.Problems{})
	if inner == nil || inner.Member("function") == nil && inner.Member("attr") == nil {
		return false
	}
	if now == nil {
		now = inner.Raw
	}
	p.Errorf(n, "is an older form, the text of an expression: write the expression itself, %s", now)
	return true
}

func (c *compiler) reference(n *config.Node, arg bool) Expr {
	m := n.Members[0]
	if m.Value.Kind != '"' {
		return c.problem(n, "%s must be a string, the path of a value", m.Name)
	}
	path, v, ok := m.Value.Text(), Value{}, true
	if lookup := c.evaluation.env.Contexts[m.Name]; lookup != nil {
		v, ok = lookup(path)
	}
	switch {
	case ok && v.JSON == nil:
		return Expr{when: later, apply: reference(n, m.Name, path, !arg)}
	case ok:
		return Expr{sample: v}
	case m.Name == "attr":
		c.problems.Absent(n, fmt.Sprintf("attr %q is missing", path), path)
		return Expr{when: broken}
	}
	return c.problem(n, "%s", cmp.Or(v.Fault, fmt.Sprintf("%s %q is missing", m.Name, path)))
}

// reference is a value that is known only at evaluation. With scalar, an array or an object will not do.
func reference(n *config.Node, context, path string, scalar bool) applied {
	return func(ev *evaluation, _ []Value) (v Value, err error) {
		problem := "is missing"
		if lookup := ev.env.Contexts[context]; lookup == nil {
			problem = "is not known yet"
		} else if found, ok := lookup(path); ok {
			switch kind := item.Kind(found.JSON); {
			case kind == 'n':
				problem = "is null"
			case scalar && (kind == '{' || kind == '['):
				problem = "is " + item.Noun(kind) + ", want a string, a number or a boolean"
			default:
				return found, nil
			}
		}
		return Value{}, &fault{n, fmt.Sprintf("%s %q %s", context, path, problem)}
	}
}

func (c *compiler) call(n *config.Node) Expr {
	members := config.NewObject(n, c.problems)
	name := members.Any("function", "")
	list := members.Any("args", "")
	members.Done()

	var nodes []*config.Node
	if list != nil {
		if list.Kind != '[' {
			return c.problem(list, "must be an array of arguments")
		}
		nodes = list.Elems
	}
	// First, so that their problems are reported in any case.
	args := make([]Expr, len(nodes))
	for i, n := range nodes {
		// Claims and members of the header.
		data := name != nil && name.Text() == signJWT && i%2 == 1
		args[i] = c.compile(n, !data)
	}
	if name == nil || name.Kind != '"' {
		return c.problem(n, "function must be a string, the name of a function")
	}
	f, exists := functions[name.Text()]
	if !exists {
		return c.problem(n, "unknown function %q%s", name.Text(), config.Have(name.Text(), Names()))
	}
	if len(args) < f.min || len(args) > f.max {
		return c.problem(n, "wrong number of arguments for %s: %d, want %s", name.Text(), len(args), f.takes())
	}
	if name.Text() == signJWT {
		c.hideKey(args[2].sample)
	}
	in := input{at: n, name: name.Text(), nodes: nodes}
	whole := c.combine(args, in.call(f))
	if whole.when == later {
		whole.sample = Value{}
	}
	whole.token = whole.token || in.name == signJWT
	return whole
}

// call applies a function to arguments; in has its place and its name.
func (in input) call(f function) applied {
	return func(ev *evaluation, args []Value) (Value, error) {
		in := in
		in.clock, in.last, in.values = ev.clock, ev.env.Last, args
		made := f.apply(&in)
		if len(made) > longest {
			in.tooLong()
		}
		if in.err != nil {
			return Value{}, in.err
		}
		hidden := in.name == signJWT || slices.ContainsFunc(args, func(v Value) bool { return v.Secret })
		if text, ok := item.Text(made); ok && hidden && ev.env.Secret != nil {
			ev.env.Secret(in.name, text)
		}
		return Value{JSON: made, Secret: hidden}, nil
	}
}

// Names lists the functions, in order.
func Names() []string { return slices.Sorted(maps.Keys(functions)) }

// takes says how many arguments the function takes.
func (f function) takes() string {
	switch {
	case f.max == many:
		return fmt.Sprintf("%d or more", f.min)
	case f.min < f.max:
		return fmt.Sprintf("%d to %d", f.min, f.max)
	}
	return strconv.Itoa(f.min)
}

func (c *compiler) problem(n *config.Node, format string, args ...any) Expr {
	c.problems.Errorf(n, format, args...)
	return Expr{when: broken}
}
