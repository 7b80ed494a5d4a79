package template

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
)

// Fold is the expression with all that the values decide in it evaluated: an expression that is a constant
// then, or the same with less in it. Conditions of which the values decide a part become simpler. Constants are
// those of JSON, and undefined{}; what a secret is stays a reference to config.
func (sc Scope) Fold(e Expression) Expression {
	sc = sc.ready()
	return sc.settled(sc.eval(e))
}

// settled has no settings, but for secrets and what is missing.
func (sc Scope) settled(e Expression) Expression {
	switch c := e.(type) {
	case Constant:
		if isOutside(e) {
			return e
		}
		return Constant{sc.settle(c.Value)}
	case Dict, Joined:
		return e
	}
	return rewritten(e, sc.settled)
}

// eval is an expression with all its constant parts evaluated; settings stay where they stand alone.
func (sc Scope) eval(e Expression) Expression {
	made := sc.evalOnce(e)
	sc.Values.Steps++
	if c, ok := made.(Constant); ok {
		elements, bytes := measured(c.Value)
		sc.Values.Steps += elements
		fault.If(bytes > maxValue, "its result is too long")
	}
	fault.If(sc.Values.Steps > maxSteps, "its evaluation takes too many steps")
	return made
}

// measured is how many elements a value has, at any depth, and how many bytes its texts.
func measured(v any) (elements, bytes int) {
	python.Everywhere(v, func(v any) any {
		elements++
		switch v := v.(type) {
		case string:
			bytes += len(v)
		case map[string]any:
			for name := range v {
				bytes += len(name)
			}
		}
		return v
	})
	return elements - 1, bytes
}

func (sc Scope) evalOnce(e Expression) Expression {
	if v, ok := sc.variable(e); ok {
		return v
	}
	switch e := e.(type) {
	case Name:
		return sc.name(e)
	case Index:
		return sc.index(e)
	case Invocation:
		return sc.call(e)
	case Filter:
		return sc.filter(e)
	case Unary:
		return sc.unary(e.Operator, sc.eval(e.Of))
	case Binary:
		return sc.binary(e)
	case Ternary:
		return sc.choice(e)
	case Sequence:
		all := sc.evals(e.Elements)
		if values, areConstant := sc.plains(all); areConstant {
			return Constant{append([]any{}, values...)}
		}
		return Sequence{all}
	case Dict:
		return sc.dict(Dict{sc.evals(e.Keys), sc.evals(e.Values)})
	case Joined:
		return sc.joined(e)
	}
	return e
}

func (sc Scope) evals(all []Expression) (made []Expression) {
	for _, e := range all {
		made = append(made, sc.eval(e))
	}
	return made
}

// variable is what a reference means where it is a constant; else the reference stays.
func (sc Scope) variable(e Expression) (Expression, bool) {
	variable, path, ok := Reference(e)
	if !ok {
		return nil, false
	}
	bound := sc.variables[variable]
	if bound == nil {
		return e, slices.Contains(later, variable)
	}
	m, err := fault.Result(func() Meaning { return bound(path) })
	switch {
	case err != nil, m.Expr != nil:
		return e, true
	case m.Nothing:
		return Constant{python.Undefined{}}, true
	}
	return Constant{m.Constant}, true
}

func (sc Scope) name(e Name) Expression {
	switch e.Name {
	case "config":
		fault.Check(sc.Values.Fault)
		return Constant{group{members: sc.Values.All}}
	case "parameters", "options":
		return Constant{given(sc.parameters)}
	}
	panic(fault.New("%w", unknownName(e.Name)))
}

func (sc Scope) unary(operator string, of Expression) Expression {
	if operator == "not" {
		if is, isConstant := sc.truth(of); isConstant {
			return Constant{!is}
		}
		return Unary{"not", of}
	}
	v, isConstant := sc.plain(of)
	switch {
	case !isConstant:
		return Unary{operator, of}
	case operator == "-":
		v = python.Operate("-", int64(0), v)
	}
	return Constant{v}
}

func (sc Scope) binary(e Binary) Expression {
	switch e.Operator {
	case "and", "or":
		return sc.either(e)
	case "is", "is not":
		return sc.is(e)
	}
	left, right := sc.eval(e.Left), sc.eval(e.Right)
	if slices.Contains(levels[comparisons], e.Operator) {
		if is, ok := sc.compared(e.Operator, left, right); ok {
			return Constant{is}
		}
	}
	if made, ok := sc.clocked(e.Operator, left, right); ok {
		return made
	}
	if (e.Operator == "~" || e.Operator == "+") && (isOutside(left) || isOutside(right)) {
		return Binary{e.Operator, left, right}
	}
	both, areConstant := sc.plains([]Expression{left, right})
	if !areConstant {
		return Binary{e.Operator, left, right}
	}
	return Constant{python.Operate(e.Operator, both[0], both[1])}
}

// either is and, or or: one of its sides if the left one decides.
func (sc Scope) either(e Binary) Expression {
	left := sc.eval(e.Left)
	is, isConstant := sc.truth(left)
	if isConstant && is == (e.Operator == "or") {
		return left
	}
	right := sc.eval(e.Right)
	if isConstant {
		return right
	}
	return Binary{e.Operator, left, right}
}

func (sc Scope) choice(e Ternary) Expression {
	condition := sc.eval(e.Condition)
	is, isConstant := sc.truth(condition)
	switch {
	case isConstant && is:
		return sc.eval(e.Yes)
	case isConstant:
		return sc.eval(e.No)
	}
	return Ternary{condition, sc.eval(e.Yes), sc.eval(e.No)}
}

func (sc Scope) dict(d Dict) Expression {
	names, areNamed := sc.plains(d.Keys)
	values, areConstant := sc.plains(d.Values)
	if !areNamed || !areConstant {
		return d
	}
	all := map[string]any{}
	for i, n := range names {
		name, ok := n.(string)
		fault.If(!ok, "a name in an object is not a text")
		all[name] = values[i]
	}
	return Constant{all}
}

// joined is the text of a template, if all of it is constant.
func (sc Scope) joined(e Joined) Expression {
	var all Template
	var b strings.Builder
	isConstant := true
	for _, p := range e.Template {
		if p.Expression == nil {
			b.WriteString(p.Literal)
			all = append(all, p)
			continue
		}
		made := sc.eval(p.Expression)
		all = append(all, templatePart{Expression: made})
		isConstant = isConstant && !isOutside(made)
		if isConstant {
			v, _ := sc.plain(made)
			b.WriteString(python.Rendered(v))
		}
	}
	if isConstant {
		return Constant{b.String()}
	}
	return Joined{all}
}

func (sc Scope) index(e Index) Expression {
	of := sc.eval(e.Of)
	if c, ok := e.Key.(cut); ok {
		return sc.cut(of, c)
	}
	key := sc.eval(e.Key)
	step, isKnown := sc.plain(key)
	c, isConstant := of.(Constant)
	if !isKnown || !isConstant {
		if _, ok := of.(moment); ok {
			panic(fault.New("%v of a time is not supported", step))
		}
		return Index{of, key, e.isDotted}
	}
	text, _ := step.(string)
	fault.If(e.isDotted && slices.Contains(ObjectMethods, text), "%s without parentheses is a method, not a value", text)
	return Constant{sc.element(c.Value, step)}
}

// cut is a part of a text or a list.
func (sc Scope) cut(of Expression, c cut) Expression {
	bounds := []Expression{Constant{nil}, Constant{nil}}
	for i, e := range []Expression{c.from, c.to} {
		if e != nil {
			bounds[i] = sc.eval(e)
		}
	}
	ends, isKnown := sc.plains(bounds)
	v, isConstant := sc.plain(of)
	text, isText := of.(clock)
	if !isText && isKnown {
		text, isText = sc.clockOf(of)
	}
	if isText && isKnown {
		if made, ok := text.cut(ends); ok {
			return made
		}
	}
	if !isKnown || !isConstant {
		return Index{Of: of, Key: cut{bounds[0], bounds[1]}}
	}
	switch v := v.(type) {
	case string:
		runes := []rune(v)
		from, to := span(ends, len(runes))
		return Constant{string(runes[from:to])}
	case []any:
		from, to := span(ends, len(v))
		return Constant{v[from:to]}
	case python.Undefined:
		fault.Check(python.ErrUndefined)
	}
	panic(fault.New("only texts and lists have parts"))
}
