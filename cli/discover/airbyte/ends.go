package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// An end is one of the conditions under which paging ends: an expression that holds, or, with not, one that
// does not.
type end struct {
	e   expression
	not bool

	// isText tells that its text counts, in which null is something.
	isText bool
}

// disjuncts are the conditions of which one is enough.
func disjuncts(e expression, not bool) []end {
	e = unwrapped(e)
	switch of := e.(type) {
	case unary:
		if of.operator == "not" {
			return disjuncts(of.of, !not)
		}
	case binary:
		isSplit := of.operator == "or" && !not || of.operator == "and" && not
		if isSplit {
			return append(disjuncts(of.left, not), disjuncts(of.right, not)...)
		}
		if opposite, ok := opposites[of.operator]; ok && not {
			return []end{{e: binary{opposite, of.left, of.right}}}
		}
	case choice:
		yes, isYes := isSwitch(of.yes)
		no, isNo := isSwitch(of.no)
		if isYes && isNo && yes != no {
			return disjuncts(of.condition, not == yes)
		}
	}
	return []end{{e: e, not: not}}
}

// isSwitch is a constant that a condition gives.
func isSwitch(e expression) (is, ok bool) {
	if e == nil {
		return false, true
	}
	c, ok := unwrapped(e).(constant)
	return ok && holds(c.value), ok
}

// isUnfollowed tells that a condition holds always.
func isUnfollowed(ends []end) bool {
	return slices.ContainsFunc(ends, func(x end) bool {
		is, ok := isSwitch(x.e)
		return ok && is != x.not
	})
}

// ended is a paging with what ends it.
func (p *paging) ended(paging item.Object, l lead, ends []end) item.Object {
	var flags []string
	isEmpty := false
	for _, x := range ends {
		_, isConstant := isSwitch(x.e)
		if isConstant || p.isLacking(x, l) {
			continue
		}
		if p.isWithoutItems(x) {
			isEmpty = true
			continue
		}
		f, err := p.flagOf(x)
		if err != nil {
			p.refuseTemplate(p.stopNode(), err.Error())
			return nil
		}
		if !slices.Contains(flags, f) {
			flags = append(flags, f)
			p.widenNull(x)
		}
	}
	if len(flags) > 1 {
		p.refuseTemplate(p.stopNode(), "more than one member that ends paging is not understood")
		return nil
	}
	isEmpty = isEmpty && l.variable != "last_record"
	paging = paging.With(isEmpty, "emptyStop", "true")
	if len(flags) == 1 {
		paging = append(paging, "nextPageFlag", flags[0])
	}
	return paging
}

// widenNull says that null does not end paging where what is missing does not: of a template's value the text
// counts, and that of null is something.
func (p *paging) widenNull(x end) {
	w, isMember := trail(x.e)
	f, ok := flagged(x)
	isOther := isMember && x.isText && ok && !f.ifMissing
	if isOther {
		p.s.widen(p.stopNode(), "where "+strings.Join(w.steps, ".")+" is null more pages come")
	}
}

// stopNode is where the conditions stand.
func (p *paging) stopNode() *node {
	if n := p.strategy.get("stop_condition"); n != nil {
		return n
	}
	return p.strategy.get("cursor_value")
}

// isLacking tells that a condition holds only where nothing leads to a next page.
func (p *paging) isLacking(x end, l lead) bool {
	b, isBinary := x.e.(binary)
	if isBinary && !x.not && b.operator == "and" {
		return p.isAnyLacking(l, disjuncts(b.left, false), disjuncts(b.right, false))
	}
	if isBinary && x.not && b.operator == "or" {
		return p.isAnyLacking(l, disjuncts(b.left, true), disjuncts(b.right, true))
	}
	if l.variable == "last_record" && p.isWithoutItems(x) {
		return true
	}
	way, ok := missed(x)
	return ok && l.isBelow(way)
}

// isAnyLacking tells that of several conditions, all of which hold, one is lacking what leads on.
func (p *paging) isAnyLacking(l lead, several ...[]end) bool {
	return slices.ContainsFunc(several, func(either []end) bool {
		return !slices.ContainsFunc(either, func(x end) bool { return !p.isLacking(x, l) })
	})
}

// isBelow tells whether a lead is what a way names, or below it.
func (l lead) isBelow(w way) bool {
	isRecords := l.variable == "last_record" && w.variable == "last_records"
	isSame := w.variable == l.variable || isRecords
	if !isSame || len(w.steps) > len(l.steps) {
		return false
	}
	for i, step := range w.steps {
		isHeader := l.variable == "headers" && i == 0
		isStep := step == l.steps[i] || isHeader && strings.EqualFold(step, l.steps[i])
		if !isStep {
			return false
		}
	}
	return true
}

// missed is what a condition says is missing, null or empty.
func missed(x end) (way, bool) {
	if x.not {
		return wayOfSize(x.e)
	}
	b, ok := x.e.(binary)
	if !ok {
		return way{}, false
	}
	if _, ok := knownValue(b.left); ok && b.operator == "==" {
		b.left, b.right = b.right, b.left
	}
	value, isConstant := knownValue(b.right)
	switch b.operator {
	case "==":
		isEmpty := isConstant && !truthy(value)
		w, ok := wayOfSize(b.left)
		return w, ok && isEmpty
	case "<":
		w, ok := wayOfSize(b.left)
		_, isSize := b.left.(filter)
		return w, ok && isSize && value == int64(1)
	case "not in":
		key, isKey := constantText(b.left)
		w, ok := trail(b.right)
		w.steps = append(slices.Clone(w.steps), key)
		return w, ok && isKey
	case "is", "is not":
		test, with := testNamed(b.right)
		isMissed := b.operator == "is" && (test == "none" || test == "undefined" || test == "false")
		isMissed = isMissed || b.operator == "is not" && test == "defined"
		if test == "sameas" {
			value, ok := knownValue(with)
			isMissed = b.operator == "is" && ok && !truthy(value)
		}
		w, ok := trail(b.left)
		return w, ok && isMissed && isFalsyByDefault(w)
	}
	return way{}, false
}

func isFalsyByDefault(w way) bool { return !w.hasDefault || !truthy(w.byDefault) }

// wayOfSize is what an expression names, or that of which it has the length.
func wayOfSize(e expression) (way, bool) {
	if f, ok := e.(filter); ok && (f.name == "length" || f.name == "count") {
		e = f.of
	}
	w, ok := trail(e)
	return w, ok && isFalsyByDefault(w)
}

// isWithoutItems tells a condition that holds where a page has no items, and nowhere else.
func (p *paging) isWithoutItems(x end) bool {
	n, ok := p.fewer(x)
	return ok && n == 1
}

// fewer is the number of items below which a condition holds, and nowhere else.
func (p *paging) fewer(x end) (int64, bool) {
	if w, ok := missed(x); ok {
		path, isPlain := p.j.itemsAt()
		isItems := isPlain && w.variable == "response" && slices.Equal(path, w.steps)
		isSize := w.variable == "last_page_size" && len(w.steps) == 0
		isRecord := (w.variable == "last_record" || w.variable == "last_records") && len(w.steps) == 0
		isCounted := (isSize || isRecord) && p.j.where == ""
		return 1, isItems || isCounted
	}
	b, ok := x.e.(binary)
	if !ok || x.not {
		return p.notFewer(x)
	}
	if swap, ok := swapped[b.operator]; ok {
		if _, isConstant := b.left.(constant); isConstant {
			b.left, b.right, b.operator = b.right, b.left, swap
		}
	}
	return p.firstBeyond(b, "<", "<=")
}

// notFewer is fewer for a condition that must not hold.
func (p *paging) notFewer(x end) (int64, bool) {
	b, ok := x.e.(binary)
	if !ok {
		return 0, false
	}
	return p.firstBeyond(b, ">=", ">")
}

// firstBeyond is the number that the number of items is compared with by one operator, or the next one by the other.
func (p *paging) firstBeyond(b binary, at, before string) (int64, bool) {
	bound, ok := p.bound(b.right)
	isKnown := ok && p.isCount(b.left)
	switch b.operator {
	case at:
		return bound, isKnown
	case before:
		return bound + 1, isKnown
	}
	return 0, false
}

// bound is a number that the number of items is compared with.
func (p *paging) bound(e expression) (int64, bool) {
	if f, ok := e.(filter); ok && f.name == "int" {
		return p.bound(f.of)
	}
	c, _ := e.(constant)
	n, ok := c.value.(int64)
	return n, ok && n >= 0
}

// isCount tells whether an expression is the number of items of the page.
func (p *paging) isCount(e expression) bool {
	if of, ok := e.(name); ok {
		return of.name == "last_page_size" && p.j.where == ""
	}
	f, ok := e.(filter)
	if !ok || f.name != "length" && f.name != "count" {
		return false
	}
	w, ok := trail(f.of)
	path, isPlain := p.j.itemsAt()
	return ok && isPlain && w.variable == "response" && slices.Equal(path, w.steps)
}

// flagOf is a condition as a nextPageFlag.
func (p *paging) flagOf(x end) (string, error) {
	if n, ok := p.fewer(x); ok {
		return p.fullPage(n)
	}
	f, ok := flagged(x)
	if !ok {
		return "", errors.New(whyNoEnd(x.e))
	}
	return f.String(), nil
}

// flagged is a condition about one member of the answer.
func flagged(x end) (flag, bool) {
	if w, ok := trail(x.e); ok {
		// What is missing counts as what it is by default.
		isNull := x.isText && w.hasDefault && w.byDefault == nil
		return flagAt(w, !x.not, isNull || w.hasDefault && truthy(w.byDefault))
	}
	b, ok := x.e.(binary)
	if !ok || x.not {
		return flag{}, false
	}
	if _, ok := knownValue(b.left); ok {
		b.left, b.right = b.right, b.left
	}
	operator, right := b.operator, b.right
	if test, with := testNamed(b.right); operator == "is" || operator == "is not" {
		right = with
		operator = map[string]string{"is": "==", "is not": "!="}[operator]
		if !slices.Contains([]string{"true", "false", "sameas", "eq", "equalto"}, test) {
			return flag{}, false
		}
	}
	c, ok := right.(constant)
	if !ok {
		return flag{}, false
	}
	return comparedFlag(b.left, operator, c.value)
}

// comparedFlag is a comparison of a member with a boolean, or with 0.
func comparedFlag(of expression, operator string, value any) (flag, bool) {
	is, isBoolean := value.(bool)
	isZero := value == int64(0)
	isCompared := (operator == "==" || operator == "!=") && (isBoolean || isZero)
	w, ok := trail(of)
	if !ok || !isCompared {
		return flag{}, false
	}
	isEqual := operator == "=="
	// What is missing is equal to nothing but its default.
	isMissingEqual := w.hasDefault && w.byDefault == value
	return flagAt(w, is == isEqual, (isMissingEqual == isEqual) == (is == isEqual))
}

// flagAt stops where a member is stopOn; a missing one counts as ifMissing.
func flagAt(w way, stopOn, ifMissing bool) (flag, bool) {
	isPlain := !slices.ContainsFunc(w.steps, func(step string) bool { return strings.Contains(step, ".") })
	ok := w.variable == "response" && len(w.steps) > 0 && isPlain
	return flag{field: strings.Join(w.steps, "."), stopOn: stopOn, ifMissing: ifMissing}, ok
}

// wantedEnd is what ends paging can be.
const wantedEnd = "want a member of the answer that is true or false, or that the next page is missing"

// whyNoEnd says why a condition is no flag.
func whyNoEnd(e expression) string {
	b, ok := e.(binary)
	if ok {
		_, isLeft := trail(b.left)
		_, isRight := trail(b.right)
		if isLeft && isRight {
			return "a comparison of two members of the answer as the end of paging cannot be said"
		}
		return fmt.Sprintf("this end of paging (%s) cannot be said: %s", b.operator, wantedEnd)
	}
	return "this end of paging cannot be said: " + wantedEnd
}
