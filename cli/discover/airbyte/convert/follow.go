package convert

import (
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
)

// A lead is what leads to the next page.
type lead struct {
	// variable is response, headers or last_record.
	variable string
	steps    []string
}

// isLink tells the header Link, whose next address counts: it is read only by the name link, in small letters.
func (l lead) isLink() bool {
	return l.variable == "headers" && slices.Equal(l.steps, []string{"link", "next", "url"})
}

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
		if !isUnfollowed(ends) {
			p.j.Pagination = paging
		}
		return
	}
	l := of(value, func() lead { return leadOf(p.unwrap(e, ends), p.j) })
	paging := p.led(l)
	p.injectSize()
	// Where a condition always holds all of it is one page.
	if !isUnfollowed(ends) {
		p.ended(paging, l, ends)
		p.j.Pagination = paging
	}
	p.s.widenIf(l.variable == "headers" && !l.isLink() && p.j.Pagination != nil, value,
		"pages come also where the API writes "+l.steps[0]+" in other capitals than these")
}

// A misreading is a fault that stands at a node of its own.
type misreading struct {
	at *manifest.Section
	error
}

// of is what is read of a template, which a fault names.
func of[T any](n *manifest.Section, read func() T) T {
	v, err := fault.Result(read)
	if err != nil {
		panic(fault.New("%w", misreading{n, fmt.Errorf("%s: %w", strings.TrimSpace(n.Text()), err)}))
	}
	return v
}

// scope is that of a template about an answer.
func (p *paginator) scope() template.Scope {
	// The newer last_record says the same.
	more := map[string]template.Variable{"last_records": template.Later}
	if p.size > 0 {
		more["page_size"] = func([]string) template.Meaning { return template.Meaning{Constant: p.size} }
	}
	return p.sc.With(more)
}

// parted is the value of an expression that gives nothing under some conditions, and these.
func parted(e template.Expression) (value template.Expression, ends []pagingEnd) {
	e = template.Unwrapped(e)
	switch e := e.(type) {
	case template.Ternary:
		switch {
		case isNothing(e.No):
			value, ends = parted(e.Yes)
			return value, append(disjuncts(e.Condition, true), ends...)
		case isNothing(e.Yes):
			value, ends = parted(e.No)
			return value, append(disjuncts(e.Condition, false), ends...)
		}
	case template.Binary:
		if e.Operator == "and" {
			value, ends = parted(e.Right)
			return value, append(disjuncts(e.Left, true), ends...)
		}
	}
	return e, nil
}

// isNothing tells a value that leads to no page.
func isNothing(e template.Expression) bool {
	value, ok := template.KnownValue(template.Unwrapped(e))
	text, isText := value.(string)
	isNone := isText && slices.Contains([]string{"None", "False", "0", "{}", "[]"}, text)
	return ok && (isNone || !python.Truthy(value))
}

// leadOf is what an expression takes of an answer.
func leadOf(e template.Expression, j *write.PlannedJob) lead {
	if f, ok := e.(template.Filter); ok && (f.Name == "string" || f.Name == "int") {
		return leadOf(f.Of, j)
	}
	if l, ok := ofLast(e, j); ok {
		return l
	}
	w, ok := template.Trail(e)
	fault.If(!ok || !w.IsFalsyByDefault(), "%s", whyNot(e))
	l := lead{variable: w.Variable, steps: w.Steps}
	isDotted := len(l.steps) > 1 && strings.Contains(strings.Join(l.steps, ""), ".")
	fault.If(len(l.steps) == 0, "a whole answer leads to no page")
	fault.If(l.variable == "headers" && !l.isLink() && (len(l.steps) > 1 || strings.EqualFold(l.steps[0], "link")),
		"of a header only its text is supported, and of the header Link the address of next")
	fault.If(isDotted && l.variable != "headers", "a path with a name that has a point is not supported")
	fault.If(!slices.Contains([]string{"response", "headers", "last_record"}, l.variable),
		"%s is not supported here", l.variable)
	return l
}

// whyNot says what of an expression cannot be said.
func whyNot(e template.Expression) string {
	b, _ := e.(template.Binary)
	f, _ := e.(template.Filter)
	switch {
	case isComputed(e):
		return "a product or a quotient has no equivalent in sluice, only a sum of up to three numbers. Where the token is the number " +
			"of the page, or of the items before it, write PageIncrement or OffsetIncrement in a copy of the manifest"
	case b.Operator == "+":
		return "a next page that is calculated is supported only as a sum of up to three numbers, of the answer, of its items, or constants"
	case f.Name == "regex_search":
		return "a part of an address is not supported: where the address is that of the next page use RequestPath"
	case f.Name != "":
		return "the filter " + f.Name + " is not supported here"
	}
	return "this is not supported: want a value of the answer, of a header or of the last record"
}

// ofLast is a value of the last item, which may be written as that of the last of the answer's list.
func ofLast(e template.Expression, j *write.PlannedJob) (lead, bool) {
	var steps []string
	of, ok := lastOf(e)
	for ; !ok; of, ok = lastOf(e) {
		i, ok := e.(template.Index)
		if !ok {
			return lead{}, false
		}
		step, ok := template.StepOf(i.Key)
		if !ok {
			return lead{}, false
		}
		steps = append([]string{step}, steps...)
		e = i.Of
	}
	w, ok := template.Trail(of)
	if !ok || len(steps) == 0 {
		return lead{}, false
	}
	isRecords := w.Variable == "last_records" && len(w.Steps) == 0
	path, isPlain := j.DataField.Plain()
	isList := isPlain && w.Variable == "response" && slices.Equal(path, w.Steps)
	return lead{"last_record", steps}, isRecords || isList
}

// lastOf is the list of which an expression is the last element.
func lastOf(e template.Expression) (of template.Expression, ok bool) {
	switch e := e.(type) {
	case template.Index:
		return e.Of, template.IsMinusOne(e.Key)
	case template.Filter:
		return e.Of, e.Name == "last"
	}
	return nil, false
}

// led is the paging method of a lead.
func (p *paginator) led(l lead) *write.Scroller {
	if len(p.use.parts) > 0 {
		return p.several(l)
	}
	p.injectable()
	paging := &write.Scroller{Method: "response.param", IncludesParams: p.use.onlyFirst == 0}
	isHeader, isLast := l.variable == "headers", l.variable == "last_record"
	path := write.Text(strings.Join(l.steps, "."))
	if isHeader {
		path = write.Text(l.steps[0])
	}
	if p.token.Kind() == "RequestPath" {
		fault.If(p.below != "" || isLast, "an object, or a value of the last record, is not an address")
		p.token.Ignore("path", "inject_into", "field_name")
		p.sc.Values.NoteIf(paging.IncludesParams && len(p.j.Params)+len(p.j.Query) > 0,
			"if the address of a next page has another value for a parameter of its job, "+
				"Airbyte sends both; sluice sends that of the address")
		paging.Method = "response.url"
		paging.Members = write.Object{}.With(isHeader, "urlHeader", path).With(!isHeader, "urlKey", path)
		return paging
	}
	fault.If(l.isLink(), "the address of a header Link as a parameter is not supported: use RequestPath")
	place := p.place()
	fault.If(isLast && !paging.IncludesParams, "parameters that only the first request has are not supported here")
	fault.If(isLast && p.j.Where != "", "the last record of those that a filter leaves is not the last one of the page")
	if isLast {
		return &write.Scroller{Method: "cursor", LastKey: l.steps, Members: write.Object{}.And("param", place)}
	}
	paging.Members = write.Object{}.With(isHeader, "responseHeader", path).With(!isHeader, "responseParam", path)
	paging.Members = paging.Members.And("queryParam", place)
	return paging
}

// several is the paging method of an object, whose members are parameters each.
func (p *paginator) several(l lead) *write.Scroller {
	fault.If(l.variable != "response", "parts of the token of the next page are supported only if it is an object of the answer")
	fault.If(p.use.onlyFirst != 0, "several parameters, some of which only the first request has, are not supported")
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

// injectable reports a token that goes nowhere, or with parameters that pages after the first lack in part.
func (p *paginator) injectable() {
	fault.If(p.token == nil && p.use.at.Path == nil, "without page_token_option all pages are the first")
	// All pages have the parameters of the job, or the first one alone.
	all := len(p.j.Params) + len(p.j.Query) + len(p.j.Body)
	fault.If(p.use.onlyFirst != 0 && (p.use.onlyFirst != all || p.sizeOption != nil),
		"several parameters, some of which only the first request has, are not supported")
}

// Some APIs take the token of the next page in an object, whose text a template puts together.
var (
	beforeToken = pattern.Lazy(`^\s*\{\s*"([^"\\{}]+)"\s*:\s*"$`)
	afterToken  = pattern.Lazy(`^"\s*\}\s*$`)
)

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

// summands are the texts that are put together.
func summands(e template.Expression) []template.Expression {
	b, ok := template.Unwrapped(e).(template.Binary)
	if !ok || b.Operator != "+" && b.Operator != "~" {
		return []template.Expression{e}
	}
	return append(summands(b.Left), summands(b.Right)...)
}
