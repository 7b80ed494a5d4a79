package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/source/expr"
)

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

// flagOf is a condition as a nextPageFlag.
func (p *paginator) flagOf(x pagingEnd) write.Flag {
	f, ok := flagged(x)
	fault.If(!ok, "%s", whyNoEnd(x.e))
	return f
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
