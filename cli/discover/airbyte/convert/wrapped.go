package convert

import (
	"errors"

	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/pattern"
)

// Some APIs take the token of the next page in an object, whose text a template puts together.
var (
	beforeToken = pattern.Lazy(`^\s*\{\s*"([^"\\{}]+)"\s*:\s*"$`)
	afterToken  = pattern.Lazy(`^"\s*\}\s*$`)
)

// wrapped is the one value of an object whose text an expression puts together, and its name there.
func wrapped(e template.Expression) (name string, of template.Expression, ok bool) {
	parts := summands(e)
	if len(parts) != 3 {
		return "", nil, false
	}
	before, isBefore := template.ConstantText(parts[0])
	after, isAfter := template.ConstantText(parts[2])
	match := beforeToken().FindStringSubmatch(before)
	if !isBefore || !isAfter || match == nil || !afterToken().MatchString(after) {
		return "", nil, false
	}
	return match[1], parts[1], true
}

// summands are the texts that are put together.
func summands(e template.Expression) []template.Expression {
	b, ok := template.Unwrapped(e).(template.Binary)
	if !ok || b.Operator != "+" && b.Operator != "~" {
		return []template.Expression{e}
	}
	return append(summands(b.Left), summands(b.Right)...)
}

// unwrap has the token stand below the place of its option where it is the value of an object. What is no text,
// or missing, would make an error or another object of it, so something has to say first that it is there.
func (p *paging) unwrap(e template.Expression, ends []end) (template.Expression, error) {
	name, of, ok := wrapped(e)
	if !ok {
		return e, nil
	}
	l, err := leadOf(of, p.j)
	if err != nil {
		return nil, err
	}
	if !p.isGuarded(l, ends) {
		return nil, errors.New(
			"the text of an object is understood only if it is not made where its value is missing",
		)
	}
	p.below = name
	return of, nil
}

// isGuarded tells that one of the conditions holds where a lead is missing.
func (p *paging) isGuarded(l lead, ends []end) bool {
	for _, x := range ends {
		if p.isLacking(x, l) {
			return true
		}
	}
	return false
}
