package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/transform"
)

// A Child is a child job at the place where its parent has it.
type Child struct {
	Job *Job
	// Filter is nil if every item of the parent has the child.
	Filter *expr.Filter
	// Placeholders are the inherited ones first.
	Placeholders []Placeholder

	names names
}

// NewChild is a child with these placeholders, whose names have no closing brace.
func NewChild(placeholders []Placeholder) *Child {
	return &Child{Placeholders: placeholders, names: namesOf(placeholders)}
}

// A Placeholder is what stands for {name} in a child's endpoint.
type Placeholder struct {
	// Name is that of the configuration, a level before it included.
	Name string
	// Path is that in the item.
	Path string
	// Level 1 is the item right above, 2 the one above that.
	Level int
	// Kept is the index of the value among those that are kept of that item.
	Kept int
	// Above is its number among the placeholders of the job above, which it is
	// inherited from; 0: it is the child's own.
	Above int
	// Value is what is made of the value; nil: nothing.
	Value *expr.Expr
	// Optional: an item without a value has no walk.
	Optional bool
	// Escaped tells that Value escapes it for a URL.
	Escaped bool
	// Member is its name in the child's items.
	Member string
}

// BareName is the name without a level.
func (p *Placeholder) BareName() string {
	return p.Name[strings.IndexByte(p.Name, ':')+1:]
}

// Ancestors is what a walk knows of the items above it, the nearest first.
type Ancestors struct {
	// Item has their numbers in their pages, from 1.
	Item []int
	// Kept is what was kept of each; nil is missing.
	Kept [][]jsontext.Value
	// Values are those of the walk's placeholders, functions applied.
	Values []jsontext.Value
	// Unknown stands for these in a plan; nil in a run.
	Unknown *Unknown `json:"-"`
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
		isMissing := p.Optional && len(options) == 0
		if isMissing {
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
	isMissing := item.Kind(value) == 'n'
	if isMissing && !p.Optional {
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
		isMissing := p.Optional && item.Kind(made) == 'n'
		if !isMissing {
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
	isMissing := p.Optional && item.Kind(v) == 'n'
	if isMissing {
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
