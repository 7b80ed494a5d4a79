package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// A sum is a next page that is computed: numbers of an answer, and a constant.
type sum struct {
	ways     []template.Way
	constant int64
}

// sumOf reads the terms of a sum. It is not ok where an expression is something else.
func sumOf(e template.Expression) (s sum, ok bool) {
	e = template.Unwrapped(e)
	if f, isFilter := e.(template.Filter); isFilter && (f.Name == "int" || f.Name == "string") && len(f.Arguments) == 0 {
		return sumOf(f.Of)
	}
	if n, isNumber := numberOf(e); isNumber {
		return sum{constant: n}, true
	}
	if b, isBinary := e.(template.Binary); isBinary && (b.Operator == "+" || b.Operator == "-") {
		left, isLeft := sumOf(b.Left)
		right, isRight := sumOf(b.Right)
		if b.Operator == "-" {
			isRight = isRight && len(right.ways) == 0
			right.constant = -right.constant
		}
		return sum{slices.Concat(left.ways, right.ways), left.constant + right.constant}, isLeft && isRight
	}
	w, isWay := template.Trail(e)
	isOfAnswer := w.Variable == "response" || w.Variable == "headers" && len(w.Steps) == 1
	isPlain := len(w.Steps) == 1 || !strings.Contains(strings.Join(w.Steps, ""), ".")
	isOfAnswer = isOfAnswer && len(w.Steps) > 0 && isPlain
	return sum{ways: []template.Way{w}}, isWay && isOfAnswer && (!w.HasDefault || !python.Truthy(w.ByDefault))
}

// numberOf is a whole number, which may be written as a text that a filter reads.
func numberOf(e template.Expression) (int64, bool) {
	c, _ := e.(template.Constant)
	switch v := c.Value.(type) {
	case int64:
		return v, true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// isNext tells whether a sum leads on: by numbers of an answer, of which there is more than one, or a constant.
func (s sum) isNext() bool {
	return len(s.ways) == 2 && s.constant == 0 || len(s.ways) == 1 && s.constant > 0
}

// isOf tells whether a sum has just these numbers of an answer.
func (s sum) isOf(ways []template.Way) bool {
	if len(s.ways) != len(ways) {
		return false
	}
	for _, w := range ways {
		isSame := func(o template.Way) bool { return o.Variable == w.Variable && slices.Equal(o.Steps, w.Steps) }
		if !slices.ContainsFunc(s.ways, isSame) {
			return false
		}
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
func (s sum) boundOf(x end) (b sumBound, ok bool) {
	c, isBinary := x.e.(template.Binary)
	if !isBinary {
		return b, false
	}
	operator := c.Operator
	if x.not {
		operator = denied[operator]
	}
	left, isLeft := sumOf(c.Left)
	right, isRight := sumOf(c.Right)
	if !isLeft || !isRight {
		return b, false
	}
	if !left.isOf(s.ways) {
		left, right = right, left
		operator = cmp.Or(predicate.Swapped[operator], operator)
	}
	if !left.isOf(s.ways) || len(right.ways) != 1 || right.isOf(s.ways) {
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

// placeOf is where a number of the answer stands, as response.param has it.
func placeOf(w template.Way) string {
	if w.Variable == "headers" {
		return item.Object{"header", write.Quote(w.Steps[0])}.String()
	}
	return item.Object{"path", write.Quote(strings.Join(w.Steps, "."))}.String()
}

// summed is the paging method of a sum, and what ends it.
func (p *paging) summed(s sum, ends []end) *write.Paging {
	p.injectable()
	fault.If(p.token.Kind() == "RequestPath", "a number is not an address")
	var terms []string
	for _, w := range s.ways {
		terms = append(terms, placeOf(w))
	}
	if s.constant > 0 {
		terms = append(terms, strconv.FormatInt(s.constant, 10))
	}
	value := item.Object{"add", write.List(terms)}
	rest := slices.DeleteFunc(slices.Clone(ends), func(x end) bool {
		b, ok := s.boundOf(x)
		if !ok || len(value) > 2 {
			return false
		}
		value = value.With(!b.upTo, "below", placeOf(b.at)).With(b.upTo, "upTo", placeOf(b.at))
		return true
	})
	fault.If(p.below != "", "a number is not supported as a token that stands in an object")
	name, to := parameterAt(p.place())
	value = value.With(to != "", "to", write.Quote(to))
	paging := &write.Paging{Method: "response.param", IncludesParams: p.use.onlyFirst == 0}
	paging.Members = item.Object{"params", item.Object{name, value.String()}.String()}
	p.endedSum(paging, s, rest)
	return paging
}

// parameterAt is the name of a parameter, and the part of a request that it goes into; empty: that of the job's.
func parameterAt(json string) (name, to string) {
	place := write.Tight(json)
	if write.IsQuoted(string(place)) {
		return write.TextOf(string(place)), ""
	}
	for part, at := range item.Members(place) {
		to, place = item.Unquote(part), at
	}
	if item.Kind(place) == '[' {
		steps := slices.Collect(item.Elements(place))
		fault.If(len(steps) != 1, "a next page that is calculated, or has several parts, is not supported within an object of a body")
		place = steps[0]
		if to == "" {
			to = "body"
		}
	}
	return write.TextOf(string(place)), to
}

// endedSum adds to a paging by a sum what else ends it. It ends by itself where one of its numbers is missing, and where
// a page has no items.
func (p *paging) endedSum(paging *write.Paging, s sum, ends []end) {
	isTerm := func(x end) bool {
		return slices.ContainsFunc(s.ways, func(w template.Way) bool {
			return p.isLacking(x, lead{variable: w.Variable, steps: w.Steps})
		})
	}
	ends = slices.DeleteFunc(ends, func(x end) bool { return isTerm(x) || p.isWithoutItems(x) })
	p.ended(paging, lead{}, ends)
	paging.EndsEmpty = false
}
