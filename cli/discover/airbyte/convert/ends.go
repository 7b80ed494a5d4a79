package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A pagingEnd is one of the conditions under which paging ends: an expression that holds, or, with not, one that
// does not.
type pagingEnd struct {
	e   template.Expression
	not bool

	// isText tells that its text counts, in which null is something.
	isText bool
}

// disjuncts are the conditions of which one is enough.
func disjuncts(e template.Expression, not bool) []pagingEnd {
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
			return []pagingEnd{{e: template.Binary{Operator: opposite, Left: of.Left, Right: of.Right}}}
		}
	case template.Ternary:
		yes, isYes := isSwitch(of.Yes)
		no, isNo := isSwitch(of.No)
		if isYes && isNo && yes != no {
			return disjuncts(of.Condition, not == yes)
		}
	}
	return []pagingEnd{{e: e, not: not}}
}

// isSwitch is a constant that a condition gives.
func isSwitch(e template.Expression) (is, ok bool) {
	c, ok := template.Unwrapped(e).(template.Constant)
	return ok && python.Holds(c.Value), ok
}

// isUnfollowed tells that a condition holds always.
func isUnfollowed(ends []pagingEnd) bool {
	return slices.ContainsFunc(ends, func(x pagingEnd) bool {
		is, ok := isSwitch(x.e)
		return ok && is != x.not
	})
}

// ended adds to a paging what ends it.
func (p *paginator) ended(paging *write.Scroller, l lead, ends []pagingEnd) {
	stop := p.strategy.Get("stop_condition")
	if stop == nil {
		stop = p.strategy.Get("cursor_value")
	}
	isEmpty := false
	for _, x := range ends {
		_, isConstant := isSwitch(x.e)
		switch {
		case isConstant || p.isLacking(x, l):
			continue
		case p.isWithoutItems(x):
			isEmpty = true
			continue
		}
		if sums, ok := p.compared(x); ok {
			paging.AddSums(sums)
			continue
		}
		if n, ok := p.fewer(x); ok {
			of(stop, func() any { p.endShort(paging, n); return nil })
			continue
		}
		f := of(stop, func() write.Flag { return p.flagOf(x) })
		paging.AddFlag(f)
		// Of a template's value the text counts, and that of null is something.
		w, isMember := template.Trail(x.e)
		p.s.widenIf(isMember && x.isText && !f.IfMissing, stop,
			"where "+strings.Join(w.Steps, ".")+" is null more pages come")
	}
	paging.EndsEmpty = isEmpty && l.variable != "last_record"
}

// isLacking tells that a condition holds only where nothing leads to a next page. Of several that must hold one is enough.
func (p *paginator) isLacking(x pagingEnd, l lead) bool {
	if several := disjuncts(x.e, !x.not); len(several) > 1 {
		return slices.ContainsFunc(several, func(opposite pagingEnd) bool {
			either := disjuncts(opposite.e, !opposite.not)
			return !slices.ContainsFunc(either, func(x pagingEnd) bool { return !p.isLacking(x, l) })
		})
	}
	if l.variable == "last_record" && p.isWithoutItems(x) {
		return true
	}
	way, ok := missed(x)
	return ok && l.isBelow(way)
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
func missed(x pagingEnd) (template.Way, bool) {
	if x.not {
		return wayOfSize(x.e)
	}
	b, _ := x.e.(template.Binary)
	if _, ok := template.KnownValue(b.Left); ok && b.Operator == "==" {
		b.Left, b.Right = b.Right, b.Left
	}
	value, isConstant := template.KnownValue(b.Right)
	w, isWay := wayOfSize(b.Left)
	_, isSize := b.Left.(template.Filter)
	switch b.Operator {
	case "==":
		return w, isWay && isConstant && !python.Truthy(value)
	case "<":
		return w, isWay && isSize && value == int64(1)
	case "not in":
		key, isKey := template.ConstantText(b.Left)
		w, ok := template.Trail(b.Right)
		w.Steps = append(slices.Clone(w.Steps), key)
		return w, ok && isKey
	case "is", "is not":
		test, with := template.TestNamed(b.Right)
		same, isSame := template.KnownValue(with)
		isFalse := slices.Contains([]string{"none", "undefined", "false"}, test) ||
			test == "sameas" && isSame && !python.Truthy(same)
		w, ok := template.Trail(b.Left)
		isMissed := b.Operator == "is" && isFalse || b.Operator == "is not" && test == "defined"
		return w, ok && w.IsFalsyByDefault() && isMissed
	}
	return w, false
}

// isLength tells the filter that gives the length of something.
func isLength(e template.Expression) (template.Filter, bool) {
	f, _ := e.(template.Filter)
	return f, f.Name == "length" || f.Name == "count"
}

// wayOfSize is what an expression names, or that of which it has the length.
func wayOfSize(e template.Expression) (template.Way, bool) {
	if f, ok := isLength(e); ok {
		e = f.Of
	}
	w, ok := template.Trail(e)
	return w, ok && w.IsFalsyByDefault()
}

// isWithoutItems tells a condition that holds where a page has no items, and nowhere else.
func (p *paginator) isWithoutItems(x pagingEnd) bool {
	n, ok := p.fewer(x)
	return ok && n == 1
}

// fewer is the number of items below which a condition holds, and nowhere else.
func (p *paginator) fewer(x pagingEnd) (int64, bool) {
	if w, ok := missed(x); ok {
		isAlone := len(w.Steps) == 0 && p.j.Where == ""
		isRecord := slices.Contains([]string{"last_page_size", "last_record", "last_records"}, w.Variable)
		return 1, p.isItems(w) || isRecord && isAlone
	}
	b, _ := x.e.(template.Binary)
	at, before := "<", "<="
	if x.not {
		at, before = ">=", ">"
	} else if _, isConstant := b.Left.(template.Constant); isConstant && predicate.Swapped[b.Operator] != "" {
		b.Left, b.Right, b.Operator = b.Right, b.Left, predicate.Swapped[b.Operator]
	}
	bound, ok := numberIn(b.Right)
	isKnown := ok && p.isCount(b.Left)
	switch b.Operator {
	case at:
		return bound, isKnown
	case before:
		return bound + 1, isKnown
	}
	return 0, false
}

// isItems tells that a way leads to the items of the page.
func (p *paginator) isItems(w template.Way) bool {
	path, isPlain := p.j.DataField.Plain()
	return isPlain && w.Variable == "response" && slices.Equal(path, w.Steps)
}

// numberIn is a number that the number of items is compared with.
func numberIn(e template.Expression) (int64, bool) {
	if f, ok := e.(template.Filter); ok && f.Name == "int" {
		return numberIn(f.Of)
	}
	c, _ := e.(template.Constant)
	n, ok := c.Value.(int64)
	return n, ok && n >= 0
}

// isCount tells whether an expression is the number of items of the page.
func (p *paginator) isCount(e template.Expression) bool {
	if of, ok := e.(template.Name); ok {
		return of.Name == "last_page_size" && p.j.Where == ""
	}
	f, isSize := isLength(e)
	w, ok := template.Trail(f.Of)
	isRecords := w.Variable == "last_records" && len(w.Steps) == 0 && p.j.Where == ""
	return isSize && ok && (isRecords || p.isItems(w))
}

// flagOf is a condition as a nextPageFlag.
func (p *paginator) flagOf(x pagingEnd) write.Flag {
	f, ok := flagged(x)
	fault.If(!ok, "%s", whyNoEnd(x.e))
	return f
}

// flagged is a condition about one member of the answer.
func flagged(x pagingEnd) (write.Flag, bool) {
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
	b, _ := e.(template.Binary)
	_, isLeft := template.Trail(b.Left)
	_, isRight := template.Trail(b.Right)
	switch {
	case isLeft && isRight && b.Operator == "==":
		return "it is not known which of two members of the answer that must be equal is the one that grows"
	case isLeft && isRight && b.Operator == "and":
		return "two conditions that must both hold have no equivalent in sluice as the end of paging"
	}
	return "this end of paging is not supported: " + wantedEnd
}
