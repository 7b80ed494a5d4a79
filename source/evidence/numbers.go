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
func (a *Answer) Numbers() (all Numbers) {
	for _, m := range a.Around {
		all = all.With(m.Path[len(m.Path)-1], m.Value, 0)
	}
	return all
}

// With takes a number, and those in a container that is so deep.
func (all Numbers) With(name string, value []byte, depth int) Numbers {
	if n, ok := item.Integer(value); ok {
		all = append(all, Number{name, n})
	}
	m := read(name)
	isContainer := item.Kind(value) == '{' && m.isContainer()
	if !isContainer || depth == 2 {
		return all
	}
	for name, value := range item.Members(value) {
		all = all.With(item.Unquote(name), value, depth+1)
	}
	return all
}

// First returns the first number whose name is of the class.
func (all Numbers) First(is ParameterClass) *Number {
	i := slices.IndexFunc(all, func(n Number) bool { return Is(n.Name, is) })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Full tells whether a page has as many items as the answer itself says that a page
// has.
func (a *Answer) Full() bool {
	size := a.Numbers().First(SizeNames)
	if size == nil || size.Value <= 0 {
		return false
	}
	return size.Value <= int64(a.Items)
}

// mayBeFull tells whether a page has as many items as pages have, by what the answer
// says or since people choose such numbers.
func (a *Answer) mayBeFull() bool { return Round(a.Items) || a.Full() }

// round are the numbers that people choose as the size of a page. Each more of them doubts lists that just have so many: of
// 2,303 lists that were drawn at random, and that came whole, 40, 60, 75, 80, 120 and 150 doubt four.
var round = []int{LeastRound, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250, 500, 1000, 2000, 5000, 10000}

// LeastRound is the least of them.
const LeastRound = 10

// Round tells whether people choose such a number as the size of a page.
func Round(n int) bool {
	_, found := slices.BinarySearch(round, n)
	return found
}
