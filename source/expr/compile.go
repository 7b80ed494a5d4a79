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
	fixed  when = iota // from compilation on, for ever
	clock              // at any time, but it changes with the clock
	later              // at evaluation, from a context whose lookup was nil before
	broken             // never: its problems are reported
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
		elements := withNulls(c.all(n.Elems, arg))
		list := c.combine(elements, func(elements []term) term { return collection(nil, elements) })
		list.data = true
		return list
	}
	return known(Value{JSON: n.Raw})
}

func (c *compiler) all(nodes []*config.Node, arg bool) []Expr {
	parts := make([]Expr, len(nodes))
	for i, n := range nodes {
		parts[i] = c.compile(n, arg)
	}
	return parts
}

func known(v Value) Expr { return Expr{term: constant(v), sample: v} }

// withNulls lets null stand in the samples for what comes later: the array or
// object around it is then known as far as it can be.
func withNulls(parts []Expr) []Expr {
	for i := range parts {
		if parts[i].sample.JSON == nil {
			parts[i].sample.JSON = []byte("null")
		}
	}
	return parts
}

// combine makes one expression of several. A value that is fixed takes the place of
// its parts; any other is only tried.
func (c *compiler) combine(parts []Expr, build func([]term) term) Expr {
	whole := Expr{}
	terms, samples := make([]term, len(parts)), make([]term, len(parts))
	for i, p := range parts {
		whole.when, whole.token = max(whole.when, p.when), whole.token || p.token
		terms[i], samples[i] = p.term, constant(p.sample)
	}
	if whole.when == broken {
		return whole
	}
	trial := c.evaluation
	if whole.when == later {
		trial.env.Secret = nil // what is made of a sample is no secret
	}
	v, err := build(samples)(&trial)
	c.evaluation.now = trial.now
	if err != nil && !errors.Is(err, errUnknown) {
		return c.report(err)
	}
	if trial.clocked {
		whole.when = max(whole.when, clock)
	}
	whole.sample, whole.term = v, build(terms)
	if whole.when == fixed {
		whole.term = constant(v)
	}
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
		return c.notArgument(n)
	}
	c.slip(n)
	names, parts := make([][]byte, len(n.Members)), make([]Expr, len(n.Members))
	for i, m := range n.Members {
		names[i], parts[i] = item.Quote(m.Name), c.compile(m.Value, false)
	}
	object := c.combine(withNulls(parts), func(values []term) term { return collection(names, values) })
	object.data = true
	return object
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
		c.problems.Notef(n, "an object with the member %q is sent as it stands: did you mean %q?", m.Name, meant)
	}
}

// RefuseText reports a string that is the JSON text of an expression, as an older form
// of the dialect has it, and tells whether it is one. now is the form that it has now;
// nil is the expression in it.
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

func (c *compiler) notArgument(n *config.Node) Expr {
	here := cmp.Or(strings.Join(slices.Sorted(maps.Keys(c.evaluation.env.Contexts)), ", "), "none")
	if len(n.Members) == 1 {
		return c.problem(n, "unknown context %q (here: %s)", n.Members[0].Name, here)
	}
	return c.problem(n, "an object inside args must be a function expression or a reference with one member (here: %s)", here)
}

func (c *compiler) reference(n *config.Node, arg bool) Expr {
	m := n.Members[0]
	if m.Value.Kind != '"' {
		return c.problem(n, "%s must be a string, the path of a value", m.Name)
	}
	path, lookup := m.Value.Text(), c.evaluation.env.Contexts[m.Name]
	if lookup == nil {
		return Expr{term: reference(n, m.Name, path, !arg), when: later}
	}
	v, ok := lookup(path)
	if !ok && m.Name == "attr" {
		c.problems.Absent(n, fmt.Sprintf("attr %q is missing", path), path)
		return Expr{when: broken}
	}
	if !ok {
		return c.report(referenceFault(n, m.Name, path, "is missing"))
	}
	return known(v)
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
	args := make([]Expr, len(nodes)) // first, so that their problems are reported in any case
	for i, n := range nodes {
		data := name != nil && name.Text() == signJWT && i%2 == 1 // claims and members of the header
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
	whole := c.combine(args, func(args []term) term { return call(in, f, args) })
	if whole.when == later {
		whole.sample = Value{}
	}
	whole.token = whole.token || in.name == signJWT
	return whole
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

func (c *compiler) report(err error) Expr {
	var f *fault
	if errors.As(err, &f) {
		return c.problem(f.at, "%s", f.text)
	}
	return c.problem(nil, "%s", err)
}
