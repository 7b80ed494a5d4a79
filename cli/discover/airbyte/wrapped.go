package airbyte

import (
	"errors"
)

// Some APIs take the token of the next page in an object, whose text a template puts together.
var (
	beforeToken = pattern(`^\s*\{\s*"([^"\\{}]+)"\s*:\s*"$`)
	afterToken  = pattern(`^"\s*\}\s*$`)
)

// wrapped is the one value of an object whose text an expression puts together, and its name there.
func wrapped(e expression) (name string, of expression, ok bool) {
	parts := summands(e)
	if len(parts) != 3 {
		return "", nil, false
	}
	before, isBefore := constantText(parts[0])
	after, isAfter := constantText(parts[2])
	match := beforeToken().FindStringSubmatch(before)
	isObject := isBefore && isAfter && match != nil && afterToken().MatchString(after)
	if !isObject {
		return "", nil, false
	}
	return match[1], parts[1], true
}

// summands are the texts that are put together.
func summands(e expression) []expression {
	b, ok := unwrapped(e).(binary)
	if !ok || b.operator != "+" && b.operator != "~" {
		return []expression{e}
	}
	return append(summands(b.left), summands(b.right)...)
}

// unwrap has the token stand below the place of its option where it is the value of an object. What is no text,
// or missing, would make an error or another object of it, so something has to say first that it is there.
func (p *paging) unwrap(e expression, ends []end) (expression, error) {
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
