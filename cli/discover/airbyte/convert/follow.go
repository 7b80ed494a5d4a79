package convert

import (
	"cmp"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
)

// follow is for pages that a value of the answer leads to.
func (p *paginator) follow() {
	value, stop := p.strategy.Get("cursor_value"), p.strategy.Get("stop_condition")
	fault.If(value == nil, "cursor_value is missing")
	e, ends := parted(of(value, func() template.Expression { return p.scope().Only(value, "here") }))
	if stop != nil {
		condition := of(stop, func() template.Expression { return p.scope().Only(stop, "here") })
		several := disjuncts(condition, false)
		last := &several[len(several)-1]
		last.isText = !last.not
		ends = append(ends, several...)
	}
	if s, ok := p.sumOf(e); ok && s.isNext() && len(p.use.parts) == 0 {
		paging := of(value, func() *write.Scroller { return p.summed(s, ends) })
		p.injectSize()
		p.change(paging)
		if !isUnfollowed(ends) {
			p.j.Pagination = paging
		}
		return
	}
	l := of(value, func() lead { return leadOf(p.unwrap(e, ends), p.j) })
	paging := p.led(l)
	p.injectSize()
	p.change(paging)
	// Where a condition always holds all of it is one page.
	if !isUnfollowed(ends) {
		p.ended(paging, l, ends)
		p.j.Pagination = paging
	}
	p.s.widenIf(l.variable == "headers" && !l.isLink() && p.j.Pagination != nil, value,
		"pages come also where the API writes "+l.steps[0]+" in other capitals than these")
}

// led is the paging method of a lead.
func (p *paginator) led(l lead) *write.Scroller {
	if len(p.use.parts) > 0 {
		return p.several(l)
	}
	p.injectable()
	paging := &write.Scroller{Method: "response.param", IncludesParams: true}
	isHeader, isLast := l.variable == "headers", l.variable == "last_record"
	path := write.Text(strings.Join(l.steps, "."))
	if isHeader {
		path = write.Text(l.steps[0])
	}
	if p.token.Kind() == "RequestPath" {
		fault.If(p.below != "" || isLast, "an object, or a value of the last record, is not an address")
		p.token.Ignore("path", "inject_into", "field_name")
		p.sc.Values.NoteIf(len(p.use.changes) == 0 && len(p.j.Params)+len(p.j.Query) > 0,
			"if the address of a next page has another value for a parameter of its job, "+
				"Airbyte sends both; sluice sends that of the address")
		paging.Method = "response.url"
		paging.Members = write.Object{}.With(isHeader, "urlHeader", path).With(!isHeader, "urlKey", path)
		return paging
	}
	fault.If(l.isLink(), "the address of a header Link as a parameter is not supported: use RequestPath")
	place := p.place()
	fault.If(isLast && p.j.Where != "", "the last record of those that a filter leaves is not the last one of the page")
	isTwice := p.isTwice()
	fault.If(isTwice && (isLast || p.below != ""), tokenInRequester)
	if isTwice {
		paging.Members = write.Object{}.And("params", p.twice(place, p.j.PlaceOf(spotOf(p.token, p.sc)), isHeader, path))
		return paging
	}
	if isLast {
		return &write.Scroller{Method: "cursor", LastKey: l.steps, Members: write.Object{}.And("param", place)}
	}
	paging.Members = write.Object{}.With(isHeader, "responseHeader", path).With(!isHeader, "responseParam", path)
	paging.Members = paging.Members.And("queryParam", place)
	return paging
}

// isTwice tells whether the requester has a place for the token beside page_token_option.
func (p *paginator) isTwice() bool { return p.token != nil && p.use.at.Path != nil }

// twice are the parameters of a token that goes to two places.
func (p *paginator) twice(one, other write.ConfigValue, isHeader bool, path write.Text) (params write.Object) {
	for _, place := range []write.ConfigValue{one, other} {
		name, to := parameterAt(place)
		fault.If(params.Get(name) != nil, tokenInRequester)
		value := write.Object{}.With(isHeader, "header", path).With(!isHeader, "path", path)
		params = params.And(name, value.With(to != "", "to", write.Text(to)))
	}
	return params
}

// several is the paging method of an object, whose members are parameters each.
func (p *paginator) several(l lead) *write.Scroller {
	fault.If(l.variable != "response", "parts of the token of the next page are supported only if it is an object of the answer")
	var params write.Object
	for _, part := range p.use.parts {
		steps := slices.Concat(l.steps, part.steps)
		isDotted := strings.Contains(strings.Join(steps, ""), ".")
		fault.If(isDotted, "a path with a name that has a point is not supported")
		name, to := parameterAt(p.j.PlaceOf(part.at))
		value := write.Object{}.And("path", write.Text(strings.Join(steps, "."))).With(to != "", "to", write.Text(to))
		params = params.And(name, value)
	}
	return &write.Scroller{
		Method: "response.param", IncludesParams: true, Members: write.Object{}.And("params", params),
	}
}

// injectable reports a token that goes nowhere.
func (p *paginator) injectable() {
	isSent := p.token != nil || p.use.at.Path != nil
	for _, c := range p.use.changes {
		fault.If(!isSent, "%s: %s", strings.TrimSpace(c.n.Text()), unusedToken)
	}
	fault.If(!isSent, "without page_token_option all pages are the first")
}

// Some APIs take the token of the next page in an object, whose text a template puts together.
var (
	beforeToken = pattern.Lazy(`^\s*\{\s*"([^"\\{}]+)"\s*:\s*"$`)
	afterToken  = pattern.Lazy(`^"\s*\}\s*$`)
)

// summands are the texts that are put together.
func summands(e template.Expression) []template.Expression {
	b, ok := template.Unwrapped(e).(template.Binary)
	if !ok || b.Operator != "+" && b.Operator != "~" {
		return []template.Expression{e}
	}
	return append(summands(b.Left), summands(b.Right)...)
}

// summed is the paging method of a sum, and what ends it.
func (p *paginator) summed(s nextPageSum, ends []pagingEnd) *write.Scroller {
	p.injectable()
	fault.If(p.token.Kind() == "RequestPath", "a number is not an address")
	value := write.Object{}.And("add", s.terms())
	rest := slices.DeleteFunc(slices.Clone(ends), func(x pagingEnd) bool {
		b, ok := p.boundOf(s, x)
		if !ok || len(value) > 1 {
			return false
		}
		value = value.With(!b.upTo, "below", placeOf(b.at)).With(b.upTo, "upTo", placeOf(b.at))
		return true
	})
	fault.If(p.below != "", "a number is not supported as a token that stands in an object")
	fault.If(p.isTwice(), tokenInRequester)
	name, to := parameterAt(p.place())
	value = value.With(to != "", "to", write.Text(to))
	paging := &write.Scroller{Method: "response.param", IncludesParams: true}
	paging.Members = write.Object{}.And("params", write.Object{}.And(name, value))
	p.endedSum(paging, s, rest)
	return paging
}

// parameterAt is the name of a parameter, and the part of a request that it goes into; empty: that of the job's.
func parameterAt(place write.ConfigValue) (name, to string) {
	if part, isPart := place.(write.Object); isPart {
		to, place = part[0].Name, part[0].Value
	}
	if steps, isBody := place.(write.Array); isBody {
		fault.If(len(steps) != 1, "a next page that is calculated, or has several parts, is not supported within an object of a body")
		to, place = cmp.Or(to, "body"), steps[0]
	}
	text, _ := place.(write.Text)
	return string(text), to
}

// endedSum adds to a paging by a sum what else ends it. It ends by itself where one of its numbers is missing, and where
// a page has no items.
func (p *paginator) endedSum(paging *write.Scroller, s nextPageSum, ends []pagingEnd) {
	isTerm := func(x pagingEnd) bool {
		return slices.ContainsFunc(s.ways, func(w template.Way) bool {
			return p.isLacking(x, lead{variable: w.Variable, steps: w.Steps})
		})
	}
	ends = slices.DeleteFunc(ends, func(x pagingEnd) bool { return isTerm(x) || p.isWithoutItems(x) })
	p.ended(paging, lead{}, ends)
	paging.EndsEmpty = false
}

// unwrap has the token stand below the place of its option where it is the value of an object. What is no text,
// or missing, would make an error or another object of it, so something has to say first that it is there.
func (p *paginator) unwrap(e template.Expression, ends []pagingEnd) template.Expression {
	parts := summands(e)
	if len(parts) != 3 {
		return e
	}
	before, _ := template.ConstantText(parts[0])
	after, _ := template.ConstantText(parts[2])
	match := beforeToken().FindStringSubmatch(before)
	if match == nil || !afterToken().MatchString(after) {
		return e
	}
	l := leadOf(parts[1], p.j)
	fault.If(!slices.ContainsFunc(ends, func(x pagingEnd) bool { return p.isLacking(x, l) }),
		"the text of an object is supported only if it is not made where its value is missing")
	p.below = match[1]
	return parts[1]
}
