package expr

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// placeCompiler compiles what stands at one place.
type placeCompiler struct {
	problems   *config.Problems
	evaluation evaluation
}

// compile compiles n; arg says whether it stands inside args.
func (c *placeCompiler) compile(n *config.Node, arg bool) Expr {
	e := Expr{sample: Value{JSON: n.Raw}}
	switch n.Kind {
	case '{':
		e = c.object(n, arg)
	case '[':
		e = c.collection(nil, n.Elems, arg)
	}
	e.node = n
	return e
}

// collection compiles the values in an array or, with quoted names, an object.
func (c *placeCompiler) collection(names [][]byte, nodes []*config.Node, arg bool) Expr {
	parts := make([]Expr, len(nodes))
	for i, n := range nodes {
		parts[i] = c.compile(n, arg)
		if parts[i].sample.JSON == nil {
			// What comes later is null in the sample, so that the whole has one.
			parts[i].sample.JSON = []byte("null")
		}
	}
	whole := c.combine(parts, func(_ *evaluation, values []Value) (Value, error) {
		return assemble(names, values), nil
	})
	whole.data = true
	return whole
}

// assemble makes an array of values or, with quoted names, an object.
func assemble(names [][]byte, values []Value) Value {
	out := Value{JSON: []byte{'['}}
	if names != nil {
		out.JSON[0] = '{'
	}
	// In ASCII, a closing bracket is two after its opening one.
	closing := out.JSON[0] + 2
	for i, v := range values {
		if i > 0 {
			out.JSON = append(out.JSON, ',')
		}
		if names != nil {
			out.JSON = append(out.JSON, names[i]...)
			out.JSON = append(out.JSON, ':')
		}
		out.JSON = append(out.JSON, v.JSON...)
		out.Secret = out.Secret || v.Secret
	}
	out.JSON = append(out.JSON, closing)
	return out
}

// combine makes one expression of several. A fixed value takes the place of its parts; any other is only tried.
func (c *placeCompiler) combine(parts []Expr, apply applied) Expr {
	whole := Expr{parts: parts, apply: apply}
	samples := make([]Value, len(parts))
	for i, p := range parts {
		whole.when = max(whole.when, p.when)
		whole.token = whole.token || p.token
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
	// Any other error is errUnknown.
	var f *placedError
	if errors.As(err, &f) {
		return c.problem(f.at, "%s", f.text)
	}
	if trial.clocked {
		whole.when = max(whole.when, clock)
	}
	if trial.follows {
		whole.when = later
	}
	whole.sample = v
	return whole
}

// object compiles an expression, a reference, or plain data.
func (c *placeCompiler) object(n *config.Node, arg bool) Expr {
	isFunction := func(m config.Member) bool { return m.Name == "function" }
	if slices.ContainsFunc(n.Members, isFunction) {
		return c.call(n)
	}
	if len(n.Members) == 1 {
		if _, exists := c.evaluation.env.Contexts[n.Members[0].Name]; exists {
			return c.reference(n, arg)
		}
	}
	if arg {
		return c.noExpression(n)
	}
	c.slip(n)
	names := make([][]byte, len(n.Members))
	nodes := make([]*config.Node, len(n.Members))
	for i, m := range n.Members {
		names[i] = item.Quote(m.Name)
		nodes[i] = m.Value
	}
	return c.collection(names, nodes, false)
}

// contexts are the names of those that exist at this place, in order.
func (c *placeCompiler) contexts() []string {
	return slices.Sorted(maps.Keys(c.evaluation.env.Contexts))
}

// noExpression reports an object inside args that is neither an expression nor a reference.
func (c *placeCompiler) noExpression(n *config.Node) Expr {
	here := strings.Join(c.contexts(), ", ")
	if here == "" {
		here = "none"
	}
	if len(n.Members) == 1 {
		return c.problem(n, "unknown context %q (here: %s)", n.Members[0].Name, here)
	}
	return c.problem(n,
		"an object inside args must be a function expression or a reference with one member (here: %s)", here)
}

// slip warns of data that looks like a reference or an expression.
func (c *placeCompiler) slip(n *config.Node) {
	call := len(n.Members) == 2 && n.Member("args") != nil
	if len(n.Members) != 1 && !call {
		return
	}
	known := []string{"function"}
	if !call {
		known = append(known, c.contexts()...)
		c.misplaced(n)
	}
	for _, m := range n.Members {
		meant := config.Nearest(m.Name, known)
		if meant == "" || m.Value.Kind != '"' {
			continue
		}
		// Other values have nothing to do with the context time, such as {"mime": "text/csv"}.
		if meant == "time" && config.Nearest(m.Value.Text(), timesOfRuns) == "" {
			continue
		}
		c.problems.Notef(n,
			"an object with the member %q is sent as it stands: did you mean %q?", m.Name, meant)
	}
}

// misplaced warns of data that looks like a reference to what there is for other jobs.
func (c *placeCompiler) misplaced(n *config.Node) {
	m := n.Members[0]
	if m.Value.Kind != '"' {
		return
	}
	isBound := m.Value.Text() == "from" || m.Value.Text() == "to"
	switch {
	case m.Name == "placeholder":
		c.problems.Notef(n, "an object with the member placeholder is sent as it stands: "+
			"there are placeholders in child jobs only")
	case m.Name == "window" && isBound:
		c.problems.Notef(n, "an object with the member window is sent as it stands: "+
			"there are windows in jobs that have the member windows only")
	}
}

// timesOfRuns are the values in the context time.
var timesOfRuns = []string{"previousStart", "currentStart"}

// RefuseText reports a string that is the JSON text of an expression, an older form, and tells whether it is
// one. The message shows the newer form, which is the expression in the text if newer is nil.
func RefuseText(n *config.Node, newer []byte, p *config.Problems) bool {
	inner := expressionInText(n)
	if inner == nil {
		return false
	}
	if newer == nil {
		newer = inner.Raw
	}
	p.Errorf(n, "is an older form, the text of an expression: write the expression itself, %s", newer)
	return true
}

// expressionInText parses a string that is the JSON text of an expression; nil if it is none.
func expressionInText(n *config.Node) *config.Node {
	if n == nil || n.Kind != '"' {
		return nil
	}
	if !strings.HasPrefix(strings.TrimSpace(n.Text()), "{") {
		return nil
	}
	inner := config.Parse("", []byte(n.Text()), &config.Problems{})
	if inner.Member("function") == nil && inner.Member("attr") == nil {
		return nil
	}
	return inner
}

func (c *placeCompiler) reference(n *config.Node, arg bool) Expr {
	m := n.Members[0]
	if m.Value.Kind != '"' {
		return c.problem(n, "%s must be a string, the path of a value", m.Name)
	}
	path := m.Value.Text()
	known := Value{}
	ok := true
	if lookup := c.evaluation.env.Contexts[m.Name]; lookup != nil {
		known, ok = lookup(path)
	}
	switch {
	case ok && known.JSON == nil:
		return Expr{when: later, apply: reference(n, m.Name, path, !arg)}
	case ok:
		return Expr{sample: known}
	case m.Name == "attr":
		c.problems.Absent(n, fmt.Sprintf("attr %q is missing", path), path)
		return Expr{when: broken}
	case known.Fault != "":
		return c.problem(n, "%s", known.Fault)
	}
	return c.problem(n, "%s %q is missing", m.Name, path)
}

// reference is a value that is known only at evaluation. With scalar, an array or an object will not do.
func reference(n *config.Node, context, path string, scalar bool) applied {
	return func(ev *evaluation, _ []Value) (Value, error) {
		found, problem := look(ev.env.Contexts[context], path, scalar)
		if problem != "" {
			return Value{}, &placedError{n, fmt.Sprintf("%s %q %s", context, path, problem)}
		}
		return found, nil
	}
}

// look finds the value at a path of a context, or says what is the matter with it.
func look(lookup func(string) (Value, bool), path string, scalar bool) (found Value, problem string) {
	if lookup == nil {
		return Value{}, "is not known yet"
	}
	found, ok := lookup(path)
	if !ok {
		return Value{}, "is missing"
	}
	kind := item.Kind(found.JSON)
	isContainer := kind == '{' || kind == '['
	switch {
	case kind == 'n':
		return Value{}, "is null"
	case scalar && isContainer:
		return Value{}, "is " + item.Noun(kind) + ", want a string, a number or a boolean"
	}
	return found, ""
}

func (c *placeCompiler) call(n *config.Node) Expr {
	members := config.NewObjectDecoder(n, c.problems)
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
	// They are compiled first, so that their problems are reported in any case.
	args := make([]Expr, len(nodes))
	isJWT := name != nil && name.Text() == signJWT
	for i, n := range nodes {
		// The claims and the header of a token are objects of data.
		isData := isJWT && i%2 == 1
		args[i] = c.compile(n, !isData)
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
	in := functionInput{at: n, name: name.Text(), nodes: nodes}
	whole := c.combine(args, in.call(f))
	if whole.when == later {
		whole.sample = Value{}
	}
	whole.token = whole.token || in.name == signJWT
	return whole
}

// handsOn tells whether what a function made is one of its arguments, as it came.
func handsOn(args []Value, made []byte) bool {
	return slices.ContainsFunc(args, func(v Value) bool { return bytes.Equal(v.JSON, made) })
}

// call applies a function to arguments; in has its place and its name.
func (in functionInput) call(f builtin) applied {
	return func(ev *evaluation, args []Value) (Value, error) {
		in := in
		in.clock = ev.clock
		if ev.env.Last != nil {
			in.last = ev.last
		}
		in.values = args
		made := f.apply(&in)
		if len(made) > longest && !handsOn(args, made) {
			in.tooLong()
		}
		if in.err != nil {
			return Value{}, in.err
		}
		isSecret := func(v Value) bool { return v.Secret }
		hidden := in.name == signJWT || slices.ContainsFunc(args, isSecret)
		if hidden && ev.env.Secret != nil {
			text, ok := item.Text(made)
			if ok {
				ev.env.Secret(in.name, text)
			}
		}
		return Value{JSON: made, Secret: hidden}, nil
	}
}

// Names lists the functions, in order.
func Names() []string { return slices.Sorted(maps.Keys(functions)) }

// takes says how many arguments the function takes.
func (f builtin) takes() string {
	switch {
	case f.max == many:
		return fmt.Sprintf("%d or more", f.min)
	case f.min < f.max:
		return fmt.Sprintf("%d to %d", f.min, f.max)
	}
	return strconv.Itoa(f.min)
}

func (c *placeCompiler) problem(n *config.Node, format string, args ...any) Expr {
	c.problems.Errorf(n, format, args...)
	return Expr{when: broken}
}

// Compile reads n, which must not be nil, and all expressions in it. Every problem goes to p, and the Expr is
// then good for nothing. What depends on nothing later is evaluated at once. What reads the clock is tried, so
// that its problems show, and evaluated anew each time.
func Compile(n *config.Node, env Env, p *config.Problems) *Expr {
	c := placeCompiler{problems: p, evaluation: evaluation{env: env}}
	root := c.compile(n, false)
	return &root
}

// hideKey makes a key secret, and each line of it: a message may show a part.
func (c *placeCompiler) hideKey(key Value) {
	text, _ := item.Text(key.JSON)
	if c.evaluation.env.Secret == nil || text == "" {
		return
	}
	c.evaluation.env.Secret(signJWT, text)
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if !strings.HasPrefix(bare, "-----") {
			c.evaluation.env.Secret(signJWT, bare)
		}
	}
}
