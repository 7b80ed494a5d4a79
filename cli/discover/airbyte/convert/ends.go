package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// An end is one of the conditions under which paging ends: an expression that holds, or, with not, one that
// does not.
type end struct {
	e   template.Expression
	not bool

	// isText tells that its text counts, in which null is something.
	isText bool
}

// disjuncts are the conditions of which one is enough.
func disjuncts(e template.Expression, not bool) []end {
	e = template.Unwrapped(e)
	switch of := e.(type) {
	case template.Unary:
		if of.Operator == "not" {
			return disjuncts(of.Of, !not)
		}
	case template.Binary:
		if of.Operator == "or" && !not || of.Operator == "and" && not {
			return append(disjuncts(of.Left, not), disjuncts(of.Right, not)...)
		}
		if opposite, ok := predicate.Opposites[of.Operator]; ok && not {
			return []end{{e: template.Binary{Operator: opposite, Left: of.Left, Right: of.Right}}}
		}
	case template.Choice:
		yes, isYes := isSwitch(of.Yes)
		no, isNo := isSwitch(of.No)
		if isYes && isNo && yes != no {
			return disjuncts(of.Condition, not == yes)
		}
	}
	return []end{{e: e, not: not}}
}

// isSwitch is a constant that a condition gives.
func isSwitch(e template.Expression) (is, ok bool) {
	if e == nil {
		return false, true
	}
	c, ok := template.Unwrapped(e).(template.Constant)
	return ok && python.Holds(c.Value), ok
}

// isUnfollowed tells that a condition holds always.
func isUnfollowed(ends []end) bool {
	return slices.ContainsFunc(ends, func(x end) bool {
		is, ok := isSwitch(x.e)
		return ok && is != x.not
	})
}

// ended is a paging with what ends it.
func (p *paging) ended(paging *write.Paging, l lead, ends []end) *write.Paging {
	var flags []write.Flag
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
	paging.EndsEmpty = isEmpty && l.variable != "last_record"
	if len(flags) == 1 {
		paging.Flag = &flags[0]
	}
	return paging
}

// widenNull says that null does not end paging where what is missing does not: of a template's value the text
// counts, and that of null is something.
func (p *paging) widenNull(x end) {
	w, isMember := template.Trail(x.e)
	f, ok := flagged(x)
	if isMember && x.isText && ok && !f.IfMissing {
		p.s.widen(p.stopNode(), "where "+strings.Join(w.Steps, ".")+" is null more pages come")
	}
}

// stopNode is where the conditions stand.
func (p *paging) stopNode() *manifest.Node {
	if n := p.strategy.Get("stop_condition"); n != nil {
		return n
	}
	return p.strategy.Get("cursor_value")
}

// isLacking tells that a condition holds only where nothing leads to a next page.
func (p *paging) isLacking(x end, l lead) bool {
	b, isBinary := x.e.(template.Binary)
	if isBinary && !x.not && b.Operator == "and" {
		return p.isAnyLacking(l, disjuncts(b.Left, false), disjuncts(b.Right, false))
	}
	if isBinary && x.not && b.Operator == "or" {
		return p.isAnyLacking(l, disjuncts(b.Left, true), disjuncts(b.Right, true))
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
func (l lead) isBelow(w template.Way) bool {
	isRecords := l.variable == "last_record" && w.Variable == "last_records"
	if w.Variable != l.variable && !isRecords || len(w.Steps) > len(l.steps) {
		return false
	}
	for i, step := range w.Steps {
		if step != l.steps[i] && ((l.variable != "headers" || i != 0) || !strings.EqualFold(step, l.steps[i])) {
			return false
		}
	}
	return true
}

// missed is what a condition says is missing, null or empty.
func missed(x end) (template.Way, bool) {
	if x.not {
		return wayOfSize(x.e)
	}
	b, ok := x.e.(template.Binary)
	if !ok {
		return template.Way{}, false
	}
	if _, ok := template.KnownValue(b.Left); ok && b.Operator == "==" {
		b.Left, b.Right = b.Right, b.Left
	}
	value, isConstant := template.KnownValue(b.Right)
	switch b.Operator {
	case "==":
		isEmpty := isConstant && !python.Truthy(value)
		w, ok := wayOfSize(b.Left)
		return w, ok && isEmpty
	case "<":
		w, ok := wayOfSize(b.Left)
		_, isSize := b.Left.(template.Filter)
		return w, ok && isSize && value == int64(1)
	case "not in":
		key, isKey := template.ConstantText(b.Left)
		w, ok := template.Trail(b.Right)
		w.Steps = append(slices.Clone(w.Steps), key)
		return w, ok && isKey
	case "is", "is not":
		test, with := template.TestNamed(b.Right)
		isMissed := b.Operator == "is" && (test == "none" || test == "undefined" || test == "false")
		isMissed = isMissed || b.Operator == "is not" && test == "defined"
		if test == "sameas" {
			value, ok := template.KnownValue(with)
			isMissed = b.Operator == "is" && ok && !python.Truthy(value)
		}
		w, ok := template.Trail(b.Left)
		return w, ok && isMissed && isFalsyByDefault(w)
	}
	return template.Way{}, false
}

func isFalsyByDefault(w template.Way) bool { return !w.HasDefault || !python.Truthy(w.ByDefault) }

// wayOfSize is what an expression names, or that of which it has the length.
func wayOfSize(e template.Expression) (template.Way, bool) {
	if f, ok := e.(template.Filter); ok && (f.Name == "length" || f.Name == "count") {
		e = f.Of
	}
	w, ok := template.Trail(e)
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
		path, isPlain := p.j.DataField.Plain()
		isItems := isPlain && w.Variable == "response" && slices.Equal(path, w.Steps)
		isSize := w.Variable == "last_page_size" && len(w.Steps) == 0
		isRecord := (w.Variable == "last_record" || w.Variable == "last_records") && len(w.Steps) == 0
		return 1, isItems || (isSize || isRecord) && p.j.Where == ""
	}
	b, ok := x.e.(template.Binary)
	if !ok || x.not {
		return p.notFewer(x)
	}
	if swap, ok := predicate.Swapped[b.Operator]; ok {
		if _, isConstant := b.Left.(template.Constant); isConstant {
			b.Left, b.Right, b.Operator = b.Right, b.Left, swap
		}
	}
	return p.firstBeyond(b, "<", "<=")
}

// notFewer is fewer for a condition that must not hold.
func (p *paging) notFewer(x end) (int64, bool) {
	b, ok := x.e.(template.Binary)
	if !ok {
		return 0, false
	}
	return p.firstBeyond(b, ">=", ">")
}

// firstBeyond is the number that the number of items is compared with by one operator, or the next one by the other.
func (p *paging) firstBeyond(b template.Binary, at, before string) (int64, bool) {
	bound, ok := p.bound(b.Right)
	isKnown := ok && p.isCount(b.Left)
	switch b.Operator {
	case at:
		return bound, isKnown
	case before:
		return bound + 1, isKnown
	}
	return 0, false
}

// bound is a number that the number of items is compared with.
func (p *paging) bound(e template.Expression) (int64, bool) {
	if f, ok := e.(template.Filter); ok && f.Name == "int" {
		return p.bound(f.Of)
	}
	c, _ := e.(template.Constant)
	n, ok := c.Value.(int64)
	return n, ok && n >= 0
}

// isCount tells whether an expression is the number of items of the page.
func (p *paging) isCount(e template.Expression) bool {
	if of, ok := e.(template.Name); ok {
		return of.Name == "last_page_size" && p.j.Where == ""
	}
	f, ok := e.(template.Filter)
	if !ok || f.Name != "length" && f.Name != "count" {
		return false
	}
	w, ok := template.Trail(f.Of)
	path, isPlain := p.j.DataField.Plain()
	return ok && isPlain && w.Variable == "response" && slices.Equal(path, w.Steps)
}

// flagOf is a condition as a nextPageFlag.
func (p *paging) flagOf(x end) (write.Flag, error) {
	if n, ok := p.fewer(x); ok {
		return p.fullPage(n)
	}
	f, ok := flagged(x)
	if !ok {
		return f, errors.New(whyNoEnd(x.e))
	}
	return f, nil
}

// flagged is a condition about one member of the answer.
func flagged(x end) (write.Flag, bool) {
	if w, ok := template.Trail(x.e); ok {
		// What is missing counts as what it is by default.
		isNull := x.isText && w.HasDefault && w.ByDefault == nil
		return flagAt(w, !x.not, isNull || w.HasDefault && python.Truthy(w.ByDefault))
	}
	b, ok := x.e.(template.Binary)
	if !ok || x.not {
		return write.Flag{}, false
	}
	if _, ok := template.KnownValue(b.Left); ok {
		b.Left, b.Right = b.Right, b.Left
	}
	operator, right := b.Operator, b.Right
	if test, with := template.TestNamed(b.Right); operator == "is" || operator == "is not" {
		right = with
		operator = map[string]string{"is": "==", "is not": "!="}[operator]
		if !slices.Contains([]string{"true", "false", "sameas", "eq", "equalto"}, test) {
			return write.Flag{}, false
		}
	}
	c, ok := right.(template.Constant)
	if !ok {
		return write.Flag{}, false
	}
	return comparedFlag(b.Left, operator, c.Value)
}

// comparedFlag is a comparison of a member with a boolean, or with 0.
func comparedFlag(of template.Expression, operator string, value any) (write.Flag, bool) {
	is, isBoolean := value.(bool)
	isZero := value == int64(0)
	isCompared := (operator == "==" || operator == "!=") && (isBoolean || isZero)
	w, ok := template.Trail(of)
	if !ok || !isCompared {
		return write.Flag{}, false
	}
	isEqual := operator == "=="
	// What is missing is equal to nothing but its default.
	isMissingEqual := w.HasDefault && w.ByDefault == value
	return flagAt(w, is == isEqual, (isMissingEqual == isEqual) == (is == isEqual))
}

// flagAt stops where a member is stopOn; a missing one counts as ifMissing.
func flagAt(w template.Way, stopOn, ifMissing bool) (write.Flag, bool) {
	isPlain := !slices.ContainsFunc(w.Steps, func(step string) bool { return strings.Contains(step, ".") })
	ok := w.Variable == "response" && len(w.Steps) > 0 && isPlain
	return write.Flag{Field: strings.Join(w.Steps, "."), StopOn: stopOn, IfMissing: ifMissing}, ok
}

// wantedEnd is what ends paging can be.
const wantedEnd = "want a member of the answer that is true or false, or that the next page is missing"

// whyNoEnd says why a condition is no flag.
func whyNoEnd(e template.Expression) string {
	b, ok := e.(template.Binary)
	if ok {
		_, isLeft := template.Trail(b.Left)
		_, isRight := template.Trail(b.Right)
		if isLeft && isRight {
			return "a comparison of two members of the answer as the end of paging cannot be said"
		}
		return fmt.Sprintf("this end of paging (%s) cannot be said: %s", b.Operator, wantedEnd)
	}
	return "this end of paging cannot be said: " + wantedEnd
}
