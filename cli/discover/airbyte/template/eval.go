package template

import (
	"errors"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
)

// Bounds of what an expression makes: how many steps it takes, how many bytes its values have.
const (
	maxSteps = 20_000
	maxValue = 4 * python.MaxText
)

// eval is an expression with all its constant parts evaluated; settings stay where they stand alone.
func (sc Scope) eval(e Expression) (Expression, error) {
	made, err := sc.evalOnce(e)
	if err != nil {
		return nil, err
	}
	sc.Values.Steps++
	if c, ok := made.(Constant); ok {
		elements, bytes := measured(c.Value)
		sc.Values.Steps += elements
		if bytes > maxValue {
			return nil, errors.New("it makes too much")
		}
	}
	if sc.Values.Steps > maxSteps {
		return nil, errors.New("it takes too many steps")
	}
	return made, nil
}

// measured is how many elements a value has, at any depth, and how many bytes its texts.
func measured(v any) (elements, bytes int) {
	switch v := v.(type) {
	case string:
		return 0, len(v)
	case []any:
		for _, e := range v {
			n, m := measured(e)
			elements, bytes = elements+n+1, bytes+m
		}
	case map[string]any:
		for name, e := range v {
			n, m := measured(e)
			elements, bytes = elements+n+1, bytes+m+len(name)
		}
	}
	return elements, bytes
}

func (sc Scope) evalOnce(e Expression) (Expression, error) {
	if v, ok := sc.variable(e); ok {
		return v, nil
	}
	switch e := e.(type) {
	case Name:
		return sc.name(e)
	case Index:
		return sc.index(e)
	case Call:
		return sc.call(e)
	case Filter:
		return sc.filter(e)
	case Unary:
		return sc.unary(e)
	case Binary:
		return sc.binary(e)
	case Choice:
		return sc.choice(e)
	case List:
		return sc.list(e)
	case Dict:
		return sc.dict(e)
	case Joined:
		return sc.joined(e)
	default:
		return e, nil
	}
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
	m, err := bound(path)
	switch {
	case err != nil, m.Expr != "":
		return e, true
	case m.Nothing:
		return Constant{python.Undefined{}}, true
	default:
		return Constant{m.Constant}, true
	}
}

func (sc Scope) name(e Name) (Expression, error) {
	switch e.Name {
	case "config":
		if sc.Values.Fault != nil {
			return nil, sc.Values.Fault
		}
		return Constant{group{members: sc.Values.All}}, nil
	case "parameters", "options":
		return Constant{given(sc.parameters)}, nil
	}
	return nil, unknownName(e.Name)
}

// An unknownName is a variable that is not known where it stands.
type unknownName string

func (u unknownName) Error() string { return string(u) + " is not known here" }

func (sc Scope) unary(e Unary) (Expression, error) {
	of, err := sc.eval(e.Of)
	if err != nil {
		return nil, err
	}
	if e.Operator == "not" {
		is, isConstant, err := sc.truth(of)
		if err != nil || !isConstant {
			return Unary{"not", of}, err
		}
		return Constant{!is}, nil
	}
	v, isConstant, err := sc.plain(of)
	if err != nil || !isConstant {
		return Unary{e.Operator, of}, err
	}
	if e.Operator == "-" {
		v, err = python.Arithmetic("-", int64(0), v)
	}
	return Constant{v}, err
}

func (sc Scope) binary(e Binary) (Expression, error) {
	switch e.Operator {
	case "and", "or":
		return sc.either(e)
	case "is", "is not":
		return sc.is(e)
	}
	left, err := sc.eval(e.Left)
	if err != nil {
		return nil, err
	}
	right, err := sc.eval(e.Right)
	if err != nil {
		return nil, err
	}
	if slices.Contains(levels[comparisons], e.Operator) {
		is, ok, err := sc.compared(e.Operator, left, right)
		if ok || err != nil {
			return Constant{is}, err
		}
	}
	if made, ok, err := clocked(e.Operator, left, right); ok || err != nil {
		if isMonthly(left, right) {
			sc.Values.Note(
				"months before now are those of the calendar: where a month lacks the day, such as " +
					"31 February, the time is some days later than that of the manifest",
			)
		}
		return made, err
	}
	if (e.Operator == "~" || e.Operator == "+") && (isOutside(left) || isOutside(right)) {
		return Binary{e.Operator, left, right}, nil
	}
	both, areConstant, err := sc.plains([]Expression{left, right})
	if err != nil || !areConstant {
		return Binary{e.Operator, left, right}, err
	}
	v, err := python.Operate(e.Operator, both[0], both[1])
	return Constant{v}, err
}

// isOutside tells a value that only a run has.
func isOutside(e Expression) bool {
	c, ok := e.(Constant)
	if !ok {
		return true
	}
	s, ok := c.Value.(manifest.Setting)
	return ok && (s.IsSecret || s.IsMissing)
}

// either is and, or or: one of its sides if the left one decides.
func (sc Scope) either(e Binary) (Expression, error) {
	left, err := sc.eval(e.Left)
	if err != nil {
		return nil, err
	}
	is, isConstant, err := sc.truth(left)
	if err != nil {
		return nil, err
	}
	if isConstant && is == (e.Operator == "or") {
		return left, nil
	}
	right, err := sc.eval(e.Right)
	if err != nil || isConstant {
		return right, err
	}
	return Binary{e.Operator, left, right}, nil
}

func (sc Scope) choice(e Choice) (Expression, error) {
	condition, err := sc.eval(e.Condition)
	if err != nil {
		return nil, err
	}
	is, isConstant, err := sc.truth(condition)
	if err != nil {
		return nil, err
	}
	no := e.No
	if no == nil {
		no = Constant{python.Undefined{}}
	}
	switch {
	case isConstant && is:
		return sc.eval(e.Yes)
	case isConstant:
		return sc.eval(no)
	}
	yes, err := sc.eval(e.Yes)
	if err != nil {
		return nil, err
	}
	no, err = sc.eval(no)
	return Choice{condition, yes, no}, err
}

func (sc Scope) list(e List) (Expression, error) {
	all, err := sc.evals(e.Elements)
	if err != nil {
		return nil, err
	}
	values, areConstant, err := sc.plains(all)
	if err != nil || !areConstant {
		return List{all}, err
	}
	return Constant{append([]any{}, values...)}, nil
}

func (sc Scope) evals(all []Expression) ([]Expression, error) {
	var made []Expression
	for _, e := range all {
		v, err := sc.eval(e)
		if err != nil {
			return nil, err
		}
		made = append(made, v)
	}
	return made, nil
}

func (sc Scope) dict(e Dict) (Expression, error) {
	keys, err := sc.evals(e.Keys)
	if err != nil {
		return nil, err
	}
	of, err := sc.evals(e.Values)
	if err != nil {
		return nil, err
	}
	names, isNamed, err := sc.plains(keys)
	if err != nil {
		return nil, err
	}
	values, areConstant, err := sc.plains(of)
	if err != nil {
		return nil, err
	}
	if !isNamed || !areConstant {
		return Dict{keys, of}, nil
	}
	all := map[string]any{}
	for i, n := range names {
		name, ok := n.(string)
		if !ok {
			return nil, errors.New("a name in an object is no text")
		}
		all[name] = values[i]
	}
	return Constant{all}, nil
}

// joined is the text of a template, if all of it is constant.
func (sc Scope) joined(e Joined) (Expression, error) {
	if len(e.Template) == 0 {
		return Constant{""}, nil
	}
	var all Template
	isConstant := true
	var b strings.Builder
	for _, p := range e.Template {
		if p.Expression == nil {
			b.WriteString(p.Literal)
			all = append(all, p)
			continue
		}
		made, err := sc.eval(p.Expression)
		if err != nil {
			return nil, err
		}
		all = append(all, piece{Expression: made})
		if isOutside(made) {
			isConstant = false
			continue
		}
		if isConstant {
			v, _, err := sc.plain(made)
			if err != nil {
				return nil, err
			}
			b.WriteString(python.Rendered(v))
		}
	}
	if isConstant {
		return Constant{b.String()}, nil
	}
	return Joined{all}, nil
}
