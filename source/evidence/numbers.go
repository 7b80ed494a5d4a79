package evidence

import (
	"slices"

	"sluice/pipeline/item"
)

// A Number is one by which a page is asked for.
type Number struct {
	Name string
	// Value is that of the page at hand.
	Value int64
}

// Numbers are those by which a page is asked for; what is sure comes first.
type Numbers []Number

// Numbers returns those that the answer has.
func (f *Answer) Numbers() (all Numbers) {
	for _, m := range f.Around {
		all = all.With(m.Path[len(m.Path)-1], m.Value, 0)
	}
	return all
}

// With takes a number, and those in a container that is so deep.
func (all Numbers) With(name string, value []byte, depth int) Numbers {
	if n, ok := item.Integer(value); ok {
		all = append(all, Number{name, n})
	}
	if item.Kind(value) != '{' || classOf(name)&container == 0 || depth == 2 {
		return all
	}
	for name, value := range item.Members(value) {
		all = all.With(item.Unquote(name), value, depth+1)
	}
	return all
}

// First returns the first number whose name is of the class.
func (all Numbers) First(is Class) *Number {
	i := slices.IndexFunc(all, func(n Number) bool { return Is(n.Name, is) })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Full tells whether a page has as many items as the answer itself says that a page has.
func (f *Answer) Full() bool {
	size := f.Numbers().First(SizeNames)
	return size != nil && f.Items > 0 && size.Value <= int64(f.Items)
}
