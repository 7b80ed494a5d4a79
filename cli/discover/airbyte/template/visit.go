package template

import (
	"maps"
	"slices"
)

// rewritten is an expression with, in the place of each one in it, what a function makes of that; nil stays nil.
func rewritten(e Expression, by func(Expression) Expression) Expression {
	one := func(e Expression) Expression {
		if e == nil {
			return nil
		}
		return by(e)
	}
	all := func(of []Expression) []Expression {
		made := make([]Expression, len(of))
		for i, e := range of {
			made[i] = one(e)
		}
		return made
	}
	named := func(of map[string]Expression) map[string]Expression {
		made := maps.Clone(of)
		for name, e := range of {
			made[name] = one(e)
		}
		return made
	}
	switch e := e.(type) {
	case Index:
		return Index{one(e.Of), one(e.Key), e.isDotted}
	case cut:
		return cut{one(e.from), one(e.to)}
	case Call:
		return Call{one(e.Of), all(e.Arguments), named(e.Keywords)}
	case Filter:
		return Filter{one(e.Of), e.Name, all(e.Arguments), named(e.Keywords)}
	case Unary:
		return Unary{e.Operator, one(e.Of)}
	case Binary:
		return Binary{e.Operator, one(e.Left), one(e.Right)}
	case Choice:
		return Choice{one(e.Condition), one(e.Yes), one(e.No)}
	case List:
		return List{all(e.Elements)}
	case Dict:
		return Dict{all(e.Keys), all(e.Values)}
	case Joined:
		made := slices.Clone(e.Template)
		for i := range made {
			made[i].Expression = one(made[i].Expression)
		}
		return Joined{made}
	default:
		return e
	}
}

// Names tells whether an expression names one of these variables.
func Names(e Expression, variables ...string) bool {
	n, isName := e.(Name)
	found := isName && slices.Contains(variables, n.Name)
	rewritten(e, func(within Expression) Expression {
		found = found || Names(within, variables...)
		return within
	})
	return found
}
