package convert

import (
	"cmp"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A nextPageSum is a next page that is computed, or what ends paging: numbers of an answer, the number of its items as often as items
// says, and a constant.
type nextPageSum struct {
	ways     []template.Way
	items    int
	constant int64
}

// sumOf reads the terms of a sum. It is not ok where an expression is something else.
func (p *paginator) sumOf(e template.Expression) (s nextPageSum, ok bool) {
	e = template.Unwrapped(e)
	if p.isCount(e) {
		_, isPlain := p.j.DataField.Plain()
		return nextPageSum{items: 1}, isPlain
	}
	if f, isFilter := e.(template.Filter); isFilter && (f.Name == "int" || f.Name == "string") && len(f.Arguments) == 0 {
		return p.sumOf(f.Of)
	}
	if n, isNumber := numberOf(e); isNumber {
		return nextPageSum{constant: n}, true
	}
	if b, isBinary := e.(template.Binary); isBinary && (isSum(b) || isProduct(b)) {
		return p.computed(b)
	}
	w, isWay := template.Trail(e)
	isOfAnswer := w.Variable == "response" || w.Variable == "headers" && len(w.Steps) == 1
	isPlain := len(w.Steps) == 1 || !strings.Contains(strings.Join(w.Steps, ""), ".")
	isOfAnswer = isOfAnswer && len(w.Steps) > 0 && isPlain
	return nextPageSum{ways: []template.Way{w}}, isWay && isOfAnswer && (!w.HasDefault || !python.Truthy(w.ByDefault))
}

// isSum tells whether an expression is a sum or a difference.
func isSum(b template.Binary) bool { return b.Operator == "+" || b.Operator == "-" }

// isProduct tells whether an expression is any other that calculates.
func isProduct(b template.Binary) bool {
	return slices.Contains([]string{"*", "/", "//", "%", "**"}, b.Operator)
}

// computed is the sum that an operator makes; not ok: it makes something else.
func (p *paginator) computed(b template.Binary) (s nextPageSum, ok bool) {
	left, isLeft := p.sumOf(b.Left)
	right, isRight := p.sumOf(b.Right)
	ok = isLeft && isRight
	switch b.Operator {
	case "+":
		return left.plus(right), ok
	case "-":
		isConstant := len(right.ways)+right.items == 0
		right.constant = -right.constant
		return left.plus(right), ok && isConstant
	case "*":
		if len(left.ways)+left.items == 0 {
			left, right = right, left
		}
		isConstant := len(right.ways)+right.items == 0
		times := right.constant
		ok = ok && isConstant && times > 0 && times <= mostTerms
		for n := int64(0); ok && n < times; n++ {
			s = s.plus(left)
		}
		return s, ok
	}
	return s, false
}

// plus is a sum of both.
func (s nextPageSum) plus(other nextPageSum) nextPageSum {
	return nextPageSum{slices.Concat(s.ways, other.ways), s.items + other.items, s.constant + other.constant}
}

// isComputed tells that an expression has a product or the like in it.
func isComputed(e template.Expression) bool {
	switch e := template.Unwrapped(e).(type) {
	case template.Binary:
		return isProduct(e) || isComputed(e.Left) || isComputed(e.Right)
	case template.Filter:
		return isComputed(e.Of)
	}
	return false
}

// mostTerms is how many numbers add takes.
const mostTerms = 3

// size is how many numbers are added.
func (s nextPageSum) size() int {
	size := len(s.ways) + s.items
	if s.constant != 0 {
		size++
	}
	return size
}

// isNext tells whether a sum leads on: by numbers of an answer, of which there is more than one, or a constant.
func (s nextPageSum) isNext() bool {
	return len(s.ways) > 0 && s.constant >= 0 && s.size() > 1 && s.size() <= mostTerms
}

// terms are the numbers as add has them.
func (s nextPageSum) terms() (all write.Array) {
	for _, w := range s.ways {
		all = append(all, placeOf(w))
	}
	for range s.items {
		all = append(all, itemCount)
	}
	if s.constant != 0 {
		all = append(all, number(s.constant))
	}
	return all
}

// itemCount is the number of items of an answer, as add has it.
var itemCount = write.Object{}.And("items", write.Word("true"))

// isOf tells whether a sum has just the numbers of the answer that another one has.
func (s nextPageSum) isOf(other nextPageSum) bool {
	if len(s.ways) != len(other.ways) || s.items != other.items {
		return false
	}
	rest := slices.Clone(s.ways)
	for _, w := range other.ways {
		isSame := func(o template.Way) bool { return o.Variable == w.Variable && slices.Equal(o.Steps, w.Steps) }
		at := slices.IndexFunc(rest, isSame)
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

// A sumBound is a number of an answer that ends a sum: one that is not below it, or with upTo one that is greater.
type sumBound struct {
	at   template.Way
	upTo bool
}

// denied are the comparisons that hold where another does not.
var denied = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}

// boundOf is a condition that ends paging where a sum has reached a number of the answer.
func (p *paginator) boundOf(s nextPageSum, x pagingEnd) (b sumBound, ok bool) {
	c, isBinary := x.e.(template.Binary)
	if !isBinary {
		return b, false
	}
	operator := c.Operator
	if x.not {
		operator = denied[operator]
	}
	left, isLeft := p.sumOf(c.Left)
	right, isRight := p.sumOf(c.Right)
	if !isLeft || !isRight {
		return b, false
	}
	if !left.isOf(s) {
		left, right = right, left
		operator = cmp.Or(predicate.Swapped[operator], operator)
	}
	if !left.isOf(s) || len(right.ways) != 1 || right.items > 0 || right.isOf(s) {
		return b, false
	}
	b.at = right.ways[0]
	// What the sum is compared with, less the number there.
	above := right.constant + s.constant - left.constant
	switch operator {
	case ">":
		above++
	case ">=", "==":
	default:
		return b, false
	}
	b.upTo = above == 1
	return b, above == 0 || above == 1
}

// compared are the elements of sumStop that a comparison of numbers makes; not ok: it is something else, or cannot be said.
func (p *paginator) compared(x pagingEnd) (all write.Array, ok bool) {
	c, isBinary := x.e.(template.Binary)
	operator := c.Operator
	if x.not {
		operator = denied[operator]
	}
	left, isLeft := p.sumOf(c.Left)
	right, isRight := p.sumOf(c.Right)
	areKnown := isBinary && isLeft && isRight
	if !areKnown || len(left.ways)+left.items+len(right.ways)+right.items == 0 {
		return nil, false
	}
	if _, isFew := p.fewer(x); isFew {
		return nil, false
	}
	switch operator {
	case ">=":
		return stopOf(left, right, "below")
	case ">":
		return stopOf(left, right, "upTo")
	case "<=":
		return stopOf(right, left, "below")
	case "<":
		return stopOf(right, left, "upTo")
	case "!=":
		// A number is compared with 0 as a flag, too.
		one, isOne := stopOf(left, right, "upTo")
		other, isOther := stopOf(right, left, "upTo")
		return append(one, other...), isOne && isOther && !isFlag(x)
	case "==":
		if len(right.ways) > 0 && isGreatest(left) && !isGreatest(right) {
			left, right = right, left
		}
		isGrowing := len(left.ways) > 0 && isGreatest(right) && !isGreatest(left)
		all, ok = stopOf(left, right, "below")
		return all, ok && isGrowing
	}
	return nil, false
}

// isFlag tells a condition that is one of a flag.
func isFlag(x pagingEnd) bool {
	_, ok := flagged(x)
	return ok
}

// greatest are words in names of numbers that others grow up to.
var greatest = []string{"total", "last", "pages", "count", "max"}

// isGreatest tells a number that another one grows up to, by its name.
func isGreatest(s nextPageSum) bool {
	return slices.ContainsFunc(s.ways, func(w template.Way) bool {
		name := strings.ToLower(w.Steps[len(w.Steps)-1])
		return slices.ContainsFunc(greatest, func(word string) bool { return strings.Contains(name, word) })
	})
}

// stopOf is an element of sumStop: paging goes on while a sum is below another one, or up to it.
func stopOf(s, bound nextPageSum, member string) (write.Array, bool) {
	value := number(bound.constant)
	if len(bound.ways)+bound.items > 0 {
		// What is added to the bound is taken off the sum.
		s.constant -= bound.constant
	}
	switch {
	case len(bound.ways)+bound.items > 1 || s.size() > mostTerms:
		return nil, false
	case len(bound.ways) == 1:
		value = placeOf(bound.ways[0])
	case bound.items == 1:
		value = itemCount
	}
	terms := s.terms()
	if len(terms) == 0 {
		terms = write.Array{number(0)}
	}
	return write.Array{write.Object{}.And("add", terms).And(member, value)}, true
}

// placeOf is where a number of the answer stands, as response.param has it.
func placeOf(w template.Way) write.ConfigValue {
	if w.Variable == "headers" {
		return write.Object{}.And("header", write.Text(w.Steps[0]))
	}
	return write.Object{}.And("path", write.Text(strings.Join(w.Steps, ".")))
}

// endShort ends a paging at a page that has fewer items.
func (p *paginator) endShort(paging *write.Scroller, size int64) {
	if p.j.Format != xmlFormat {
		paging.AddFlag(p.fullPage(size))
		return
	}
	// Items of XML have no path of their own.
	sums, _ := stopOf(nextPageSum{constant: size}, nextPageSum{items: 1}, "upTo")
	paging.AddSums(sums)
}
