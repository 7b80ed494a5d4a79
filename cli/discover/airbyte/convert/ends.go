package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/source/expr"
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
		if until, ok := p.untilOf(x); ok {
			of(stop, func() any { p.endAtItem(until); return nil })
			continue
		}
		one, isGuarded := p.guarded(x)
		if isGuarded {
			p.s.widenIf(x.isText && isMember(x.e), stop, "where a member that the condition names is null more pages come")
			x = one
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
		if isGuarded {
			p.s.widenIf(f.IfMissing == f.StopOn, stop, "where "+f.Field+" is missing or null more pages come")
			f.IfMissing = !f.StopOn
		}
		paging.AddFlag(f)
		// Of a template's value the text counts, and that of null is something.
		w, isAlone := template.Trail(x.e)
		p.s.widenIf(isAlone && x.isText && !f.IfMissing, stop,
			"where "+strings.Join(w.Steps, ".")+" is null more pages come")
	}
	paging.EndsEmpty = isEmpty && l.variable != "last_record"
}

// guarded is the one of several conditions that must hold which counts: the others say that what it looks at is there.
func (p *paginator) guarded(x pagingEnd) (one pagingEnd, ok bool) {
	opposites := disjuncts(x.e, !x.not)
	for i, opposite := range opposites {
		conditions := disjuncts(opposite.e, !opposite.not)
		if len(opposites) == 1 || len(conditions) != 1 {
			continue
		}
		looked := p.lookedAt(conditions[0])
		isOther := func(other pagingEnd) bool {
			way, isMissed := missed(other)
			return !isMissed || !isImplied(way, looked, isPresence(other))
		}
		others := slices.Concat(opposites[:i], opposites[i+1:])
		if len(looked) > 0 && !slices.ContainsFunc(others, isOther) {
			return conditions[0], true
		}
	}
	return x, false
}

// isMember tells an expression that may give a member of the answer as it is.
func isMember(e template.Expression) bool {
	e = template.Unwrapped(e)
	if b, ok := e.(template.Binary); ok && b.Operator == "and" {
		return isMember(b.Left) || isMember(b.Right)
	}
	_, ok := template.Trail(e)
	return ok
}

// lookedAt are the members of the answer that a condition is about, if it is a flag or a comparison of numbers.
func (p *paginator) lookedAt(x pagingEnd) (all []template.Way) {
	if f, ok := flagged(x); ok {
		return []template.Way{{Variable: "response", Steps: strings.Split(f.Field, ".")}}
	}
	if _, ok := p.compared(x); !ok {
		return nil
	}
	b, _ := x.e.(template.Binary)
	left, _ := p.sumOf(b.Left)
	right, _ := p.sumOf(b.Right)
	return slices.Concat(left.ways, right.ways)
}

// isPresence tells an end that holds only where a member is missing or null, not where it is 0 or false.
func isPresence(x pagingEnd) bool {
	b, _ := x.e.(template.Binary)
	value, isConstant := template.KnownValue(b.Right)
	isNull := b.Operator == "==" && isConstant && value == nil
	return !x.not && (isNull || slices.Contains([]string{"is", "is not", "not in"}, b.Operator))
}

// isImplied tells that something is at a way where there is something at one of others: at one below it, or at itself if it
// need only be there.
func isImplied(w template.Way, others []template.Way, isPresence bool) bool {
	return slices.ContainsFunc(others, func(o template.Way) bool {
		isBelow := lead{variable: o.Variable, steps: o.Steps}.isBelow(w)
		return isBelow && (isPresence || len(w.Steps) < len(o.Steps))
	})
}

// untilOf is the end at a last record whose value is less than a fixed one; not ok: a condition is something else.
func (p *paginator) untilOf(x pagingEnd) (u write.Until, ok bool) {
	b, _ := x.e.(template.Binary)
	operator := b.Operator
	if x.not {
		operator = denied[operator]
	}
	if operator == ">" {
		operator, b.Left, b.Right = "<", b.Right, b.Left
	}
	l, err := fault.Result(func() lead { return leadOf(b.Left, p.j) })
	isOfLast := err == nil && l.variable == "last_record" && operator == "<"
	if !isOfLast {
		return u, false
	}
	m, err := fault.Result(func() template.Meaning { return p.scope().MeaningOf(b.Right) })
	text, isText := m.Known()
	_, isWhole := m.Constant.(int64)
	bound := expr.ComparableOf([]byte(write.Quote(text)))
	isFixed := isWhole || isText && bound.IsDate() || write.Calls(m.Expr, "date")
	return write.Until{Field: l.steps, Before: m.Value()}, err == nil && isFixed
}

// endAtItem ends paging at a last record.
func (p *paginator) endAtItem(u write.Until) {
	fault.If(p.j.Where != "", "the last record of those that a filter leaves is not the last one of the page")
	fault.If(p.j.Until != nil, "two ends by the last record are not supported")
	p.j.Until = &u
	p.sc.Values.Note(p.s.Name + ": paging ends at a page whose last record is older than stop_condition says; where a record is " +
		"newer than one before it, sluice asks for two pages more than Airbyte and says so")
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

// wayOfSize is what an expression names, or that of which it has the length.
func wayOfSize(e template.Expression) (template.Way, bool) {
	if of, ok := predicate.LengthOf(e); ok {
		e = of
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
	of, isSize := predicate.LengthOf(e)
	w, ok := template.Trail(of)
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
	several := len(disjuncts(e, true))
	switch {
	case several > 1:
		return "two conditions that must both hold have no equivalent in sluice as the end of paging. " +
			"If one of them holds wherever both do, leave the other out in a copy of the manifest"
	case isComputed(b.Left) || isComputed(b.Right):
		return "a product or a quotient has no equivalent in sluice, only a sum of up to three numbers: " + wantedEnd
	case ofRecord(b.Left) || ofRecord(b.Right) || ofRecord(e):
		return "of the last record only its order is supported, such as last_record.updated_at < '2020-01-01', " +
			"and that what leads to the next page is missing"
	case isLeft && isRight && b.Operator == "==":
		return "it is not known which of two members of the answer that must be equal is the one that grows"
	}
	return "this end of paging is not supported: " + wantedEnd
}

// ofRecord tells an expression about the last record.
func ofRecord(e template.Expression) bool {
	return e != nil && template.Names(e, "last_record", "last_records")
}
