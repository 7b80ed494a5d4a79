package job

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/transform"
)

// NewChild is a child with these placeholders, whose names have no closing brace.
func NewChild(placeholders []Placeholder) *Child {
	return &Child{Placeholders: placeholders, names: namesOf(placeholders)}
}

// Members are the values of placeholders, which each item gets beside
// its own members.
func (c *Child) Members(values []jsontext.Value) (all []transform.AddedMember) {
	for i, value := range values {
		name := c.Placeholders[i].Member
		all = append(all, transform.AddedMember{Name: name, Value: value})
	}
	return all
}

// maxCombinations bounds the walks that one item begins of one child.
const maxCombinations = 1 << 20

// Combinations are those of the values that the placeholders of a child take.
type Combinations struct {
	// Size is how many there are.
	Size int
	// Lacks is an optional placeholder that has no value; there are none then.
	Lacks *Placeholder

	options [][]jsontext.Value
}

// Combine returns the combinations of an item's values. inherited are the values of
// the parent's own placeholders.
func (c *Child) Combine(above Ancestors, inherited []jsontext.Value) (all Combinations, err error) {
	all.Size = 1
	for i := range c.Placeholders {
		p := &c.Placeholders[i]
		options, wrong := c.optionsOf(p, above, inherited)
		if wrong != nil {
			if err == nil {
				err = fmt.Errorf("placeholder %s: %w", p.Name, wrong)
			}
			continue
		}
		if p.Optional && len(options) == 0 {
			// Whatever is wrong with others.
			return Combinations{Lacks: p}, nil
		}
		all.options = append(all.options, options)
		all.Size = min(all.Size*len(options), maxCombinations+1)
	}
	if err == nil && all.Size > maxCombinations {
		err = fmt.Errorf("it makes more than %d jobs", maxCombinations)
	}
	return all, err
}

// At is one of all, of which the last placeholder changes first.
func (all *Combinations) At(number int) []jsontext.Value {
	values := make([]jsontext.Value, len(all.options))
	for i, options := range slices.Backward(all.options) {
		values[i] = options[number%len(options)]
		number /= len(options)
	}
	return values
}

// HasOptional tells whether items may lack a value of a placeholder of the child's own.
func (c *Child) HasOptional() bool {
	isOptional := func(p Placeholder) bool { return p.Optional && p.Above == 0 }
	return slices.ContainsFunc(c.Placeholders, isOptional)
}

// optionsOf are the values that a placeholder takes: of an array each element.
func (c *Child) optionsOf(
	p *Placeholder, above Ancestors, inherited []jsontext.Value,
) (all []jsontext.Value, err error) {
	if p.Above > 0 {
		return []jsontext.Value{inherited[p.Above-1]}, nil
	}
	value := above.Kept[p.Level-1][p.Kept]
	if item.Kind(value) == 'n' && !p.Optional {
		return nil, fmt.Errorf("there is nothing at %s (level %d): "+
			"\"optional\": true in the placeholder, or \"recursionFilter\": \"%s!=\" in job %s, "+
			"leaves such items out", p.Path, p.Level, p.Path, c.Job.Up(p.Level-1).ID)
	}
	elements := elementsOf(value)
	all = elements[:0]
	for _, v := range elements {
		made, err := p.of(v)
		if err != nil {
			return nil, err
		}
		if !p.Optional || item.Kind(made) != 'n' {
			all = append(all, made)
		}
	}
	return all, nil
}

// elementsOf are those of an array, or the one value that is none.
func elementsOf(value jsontext.Value) (all []jsontext.Value) {
	if item.Kind(value) != '[' {
		return []jsontext.Value{value}
	}
	for element := range item.Elements(value) {
		all = append(all, jsontext.Value(element))
	}
	return all
}

// of is the value of the placeholder where v stands in the item; of an optional one it
// may be missing.
func (p *Placeholder) of(v jsontext.Value) (jsontext.Value, error) {
	if p.Optional && item.Kind(v) == 'n' {
		return nil, nil
	}
	if _, ok := item.Text(v); !ok {
		return nil, fmt.Errorf("the value at %s (level %d) must be "+
			"text, a number, a boolean, or an array of them", p.Path, p.Level)
	}
	return p.apply(v)
}

// apply is what is made of a value.
func (p *Placeholder) apply(v jsontext.Value) (jsontext.Value, error) {
	if p.Value == nil {
		return v, nil
	}
	value := func(path string) (expr.Value, bool) {
		return expr.Value{JSON: v}, path == "value"
	}
	made, err := p.Value.Eval(expr.Env{Contexts: expr.Contexts{"placeholder": value}})
	return made.JSON, err
}
