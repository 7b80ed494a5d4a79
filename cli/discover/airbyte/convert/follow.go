package convert

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
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
func (p *paging) follow() {
	value := p.strategy.Get("cursor_value")
	e, err := p.only(value)
	if err != nil {
		p.refuseTemplate(value, err.Error())
		return
	}
	e, ends := parted(e)
	if stop := p.strategy.Get("stop_condition"); stop != nil {
		condition, err := p.only(stop)
		if err != nil {
			p.refuseTemplate(stop, err.Error())
			return
		}
		several := disjuncts(condition, false)
		last := &several[len(several)-1]
		last.isText = !last.not
		ends = append(ends, several...)
	}
	e, err = p.unwrap(e, ends)
	if err != nil {
		p.refuseTemplate(value, err.Error())
		return
	}
	l, err := leadOf(e, p.j)
	if err != nil {
		p.refuseTemplate(value, err.Error())
		return
	}
	paging, err := p.led(l)
	if err != nil {
		p.refuse(p.at, err.Error())
		return
	}
	if err := p.injectSize(); err != nil {
		p.refuse(p.sizeOption, err.Error())
		return
	}
	// Where a condition always holds all of it is one page.
	if !isUnfollowed(ends) {
		p.j.Pagination = p.ended(paging, l, ends)
	}
	if l.variable == "headers" && !l.isLink() && p.j.Pagination != nil {
		p.s.widen(value, "pages come also where the API writes "+l.steps[0]+" in other capitals than these")
	}
}

// injectSize has all requests carry the size of a page.
func (p *paging) injectSize() error {
	if p.sizeOption == nil {
		return nil
	}
	return injectInto(p.j, p.sizeOption, p.sc, strconv.FormatInt(p.size, 10))
}

// only is the one expression that a template is, with all evaluated that the values decide.
func (p *paging) only(n *manifest.Node) (template.Expression, error) {
	if n == nil {
		return nil, errors.New("there is none")
	}
	if b, ok := n.Value.(bool); ok {
		return template.Constant{Value: b}, nil
	}
	return p.scope(n).Only(n, "here")
}

// scope is that of a template about an answer.
func (p *paging) scope(n *manifest.Node) template.Scope {
	more := map[string]template.Variable{
		// The newer last_record says the same.
		"last_records": func([]string) (template.Meaning, error) { return template.Meaning{}, errors.New("it is known later") },
	}
	if p.size > 0 {
		more["page_size"] = func([]string) (template.Meaning, error) { return template.Meaning{Constant: p.size}, nil }
	}
	return p.sc.With(more).At(n)
}

// parted is the value of an expression that gives nothing under some conditions, and these.
func parted(e template.Expression) (value template.Expression, ends []end) {
	e = template.Unwrapped(e)
	switch e := e.(type) {
	case template.Choice:
		no := e.No
		if no == nil {
			no = template.Constant{Value: ""}
		}
		switch {
		case isNothing(no):
			value, ends = parted(e.Yes)
			return value, append(disjuncts(e.Condition, true), ends...)
		case isNothing(e.Yes):
			value, ends = parted(no)
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
func leadOf(e template.Expression, j *write.Job) (lead, error) {
	if f, ok := e.(template.Filter); ok && (f.Name == "string" || f.Name == "int") {
		return leadOf(f.Of, j)
	}
	if l, ok := ofLast(e, j); ok {
		return l, nil
	}
	w, ok := template.Trail(e)
	if !ok || w.HasDefault && python.Truthy(w.ByDefault) {
		return lead{}, errors.New(whyNot(e))
	}
	l := lead{variable: w.Variable, steps: w.Steps}
	isDotted := len(l.steps) > 1 && strings.Contains(strings.Join(l.steps, ""), ".")
	switch {
	case len(l.steps) == 0:
		return l, errors.New("a whole answer leads to no page")
	case l.variable == "headers" && !l.isLink() && (len(l.steps) > 1 || strings.EqualFold(l.steps[0], "link")):
		return l, errors.New("of a header its text is understood, and of link the address of next")
	case isDotted && l.variable != "headers":
		return l, errors.New("a path with a name that has a point is not understood")
	case !slices.Contains([]string{"response", "headers", "last_record"}, l.variable):
		return l, errors.New(l.variable + " is not understood here")
	}
	return l, nil
}

// whyNot says what of an expression cannot be said.
func whyNot(e template.Expression) string {
	switch e := e.(type) {
	case template.Binary:
		if e.Operator == "+" {
			return "a next page that is calculated is not understood: where it counts pages " +
				"use PageIncrement, where it counts items OffsetIncrement"
		}
	case template.Filter:
		if e.Name == "regex_search" {
			return "a part of an address is not understood: where the address is that of the next page " +
				"use RequestPath"
		}
		return "the filter " + e.Name + " is not understood here"
	case template.Call:
		if of, ok := e.Of.(template.Index); ok {
			if method, ok := template.ConstantText(of.Key); ok {
				return method + "() is not understood here"
			}
		}
	}
	return "this is not understood: want a value of the answer, of a header or of the last record"
}

// ofLast is a value of the last item, which may be written as that of the last of the answer's list.
func ofLast(e template.Expression, j *write.Job) (lead, bool) {
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
func (p *paging) led(l lead) (*write.Paging, error) {
	if p.token == nil && p.use.at.Path == nil {
		return nil, errors.New("without page_token_option all pages are the first")
	}
	included, err := p.included()
	if err != nil {
		return nil, err
	}
	if p.token.Kind() == "RequestPath" && p.below != "" {
		return nil, errors.New("an object is no address")
	}
	if p.token.Kind() == "RequestPath" {
		return p.byAddress(l, included)
	}
	if l.isLink() {
		return nil, errors.New("the address of a header Link as a parameter is not understood: use RequestPath")
	}
	place, err := p.place()
	if err != nil {
		return nil, err
	}
	switch l.variable {
	case "last_record":
		if !included {
			return nil, errors.New("parameters of the first page alone cannot be said here")
		}
		if p.j.Where != "" {
			return nil, errors.New("the last record of those that a filter leaves is not the last one of the page")
		}
		return &write.Paging{Method: "cursor", LastKey: l.steps, Members: item.Object{"param", place}}, nil
	case "headers":
		members := item.Object{"responseHeader", write.Quote(l.steps[0]), "queryParam", place}
		return &write.Paging{Method: "response.param", Members: members, IncludesParams: included}, nil
	}
	members := item.Object{"responseParam", l.path(), "queryParam", place}
	return &write.Paging{Method: "response.param", Members: members, IncludesParams: included}, nil
}

// path is where the answer has it, as JSON.
func (l lead) path() string { return write.Quote(strings.Join(l.steps, ".")) }

// included tells that all pages have the parameters of the job, and not the first one alone.
func (p *paging) included() (bool, error) {
	all := (len(p.j.Params) + len(p.j.Query) + len(p.j.Body)) / 2
	isOnlyFirst := p.use.onlyFirst == all && p.sizeOption == nil
	switch {
	case p.use.onlyFirst == 0:
		return true, nil
	case isOnlyFirst:
		return false, nil
	}
	return false, errors.New("of several parameters some for the first page alone cannot be said")
}

// byAddress is the method for a lead that is an address, which gets the parameters of the job too.
func (p *paging) byAddress(l lead, included bool) (*write.Paging, error) {
	p.token.Ignore("path", "inject_into", "field_name")
	paging := &write.Paging{Method: "response.url", IncludesParams: included}
	if included && len(p.j.Params)+len(p.j.Query) > 0 {
		p.sc.Values.Note("where the address of a next page has another value for a parameter of its job, " +
			"that platform sends both; here that of the address counts")
	}
	switch l.variable {
	case "last_record":
		return nil, errors.New("an address of the last record is not understood")
	case "headers":
		paging.Members = item.Object{"urlHeader", write.Quote(l.steps[0])}
	default:
		paging.Members = item.Object{"urlKey", l.path()}
	}
	return paging, nil
}
