package airbyte

import (
	"errors"
	"slices"
	"strconv"
	"strings"

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
	value := p.strategy.get("cursor_value")
	e, err := p.only(value)
	if err != nil {
		p.refuseTemplate(value, err.Error())
		return
	}
	e, ends := parted(e)
	if stop := p.strategy.get("stop_condition"); stop != nil {
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
		p.j.pagination = p.ended(paging, l, ends)
	}
	isNamed := l.variable == "headers" && !l.isLink()
	isFollowed := isNamed && p.j.pagination != nil
	if isFollowed {
		p.s.widen(value, "pages come also where the API writes "+l.steps[0]+" in other capitals than these")
	}
}

// injectSize has all requests carry the size of a page.
func (p *paging) injectSize() error {
	if p.sizeOption == nil {
		return nil
	}
	return p.j.inject(p.sizeOption, p.sc, strconv.FormatInt(p.size, 10))
}

// only is the one expression that a template is, with all evaluated that the values decide.
func (p *paging) only(n *node) (expression, error) {
	if n == nil {
		return nil, errors.New("there is none")
	}
	if b, ok := n.value.(bool); ok {
		return constant{b}, nil
	}
	return p.scope(n).only(n, "here")
}

// only is the one expression that the template of a node in this scope is, with all evaluated that the values decide.
// The purpose is for the error of a template that is more.
func (sc scope) only(n *node, purpose string) (expression, error) {
	t, err := parse(n.text())
	if err != nil {
		return nil, err
	}
	e, ok := single(t)
	if !ok {
		return nil, errors.New("a text around an expression is not understood " + purpose)
	}
	return sc.fold(e)
}

// scope is that of a template about an answer.
func (p *paging) scope(n *node) scope {
	more := map[string]variable{
		// The newer last_record says the same.
		"last_records": func([]string) (meaning, error) { return meaning{}, errors.New("it is known later") },
	}
	if p.size > 0 {
		more["page_size"] = func([]string) (meaning, error) { return meaning{constant: p.size}, nil }
	}
	return p.sc.with(more).at(n)
}

// single is the expression that a template is.
func single(t template) (expression, bool) {
	switch {
	case len(t) == 0:
		return constant{""}, true
	case len(t) > 1:
		return nil, false
	case t[0].expression == nil:
		return constant{t[0].literal}, true
	}
	if j, ok := t[0].expression.(joined); ok {
		return single(j.template)
	}
	return t[0].expression, true
}

// unwrapped is an expression that a branch of a template is.
func unwrapped(e expression) expression {
	if j, ok := e.(joined); ok {
		if inner, ok := single(j.template); ok {
			return inner
		}
	}
	return e
}

// parted is the value of an expression that gives nothing under some conditions, and these.
func parted(e expression) (value expression, ends []end) {
	e = unwrapped(e)
	switch e := e.(type) {
	case choice:
		no := e.no
		if no == nil {
			no = constant{""}
		}
		switch {
		case isNothing(no):
			value, ends = parted(e.yes)
			return value, append(disjuncts(e.condition, true), ends...)
		case isNothing(e.yes):
			value, ends = parted(no)
			return value, append(disjuncts(e.condition, false), ends...)
		}
	case binary:
		if e.operator == "and" {
			value, ends = parted(e.right)
			return value, append(disjuncts(e.left, true), ends...)
		}
	}
	return e, nil
}

// isNothing tells a value that leads to no page.
func isNothing(e expression) bool {
	value, ok := knownValue(unwrapped(e))
	text, isText := value.(string)
	isNone := isText && slices.Contains([]string{"None", "False", "0", "{}", "[]"}, text)
	return ok && (isNone || !truthy(value))
}

// leadOf is what an expression takes of an answer.
func leadOf(e expression, j *job) (lead, error) {
	if f, ok := e.(filter); ok && (f.name == "string" || f.name == "int") {
		return leadOf(f.of, j)
	}
	if l, ok := ofLast(e, j); ok {
		return l, nil
	}
	w, ok := trail(e)
	isEmpty := !w.hasDefault || !truthy(w.byDefault)
	if !ok || !isEmpty {
		return lead{}, errors.New(whyNot(e))
	}
	l := lead{variable: w.variable, steps: w.steps}
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
func whyNot(e expression) string {
	switch e := e.(type) {
	case binary:
		if e.operator == "+" {
			return "a next page that is calculated is not understood: where it counts pages " +
				"use PageIncrement, where it counts items OffsetIncrement"
		}
	case filter:
		if e.name == "regex_search" {
			return "a part of an address is not understood: where the address is that of the next page " +
				"use RequestPath"
		}
		return "the filter " + e.name + " is not understood here"
	case call:
		if of, ok := e.of.(index); ok {
			if method, ok := constantText(of.key); ok {
				return method + "() is not understood here"
			}
		}
	}
	return "this is not understood: want a value of the answer, of a header or of the last record"
}

// ofLast is a value of the last item, which may be written as that of the last of the answer's list.
func ofLast(e expression, j *job) (lead, bool) {
	var steps []string
	of, ok := lastOf(e)
	for ; !ok; of, ok = lastOf(e) {
		i, ok := e.(index)
		if !ok {
			return lead{}, false
		}
		step, ok := stepOf(i.key)
		if !ok {
			return lead{}, false
		}
		steps = append([]string{step}, steps...)
		e = i.of
	}
	w, ok := trail(of)
	if !ok || len(steps) == 0 {
		return lead{}, false
	}
	isRecords := w.variable == "last_records" && len(w.steps) == 0
	path, isPlain := j.itemsAt()
	isList := isPlain && w.variable == "response" && slices.Equal(path, w.steps)
	return lead{"last_record", steps}, isRecords || isList
}

// lastOf is the list of which an expression is the last element.
func lastOf(e expression) (of expression, ok bool) {
	switch e := e.(type) {
	case index:
		return e.of, isMinusOne(e.key)
	case filter:
		return e.of, e.name == "last"
	}
	return nil, false
}

func isMinusOne(e expression) bool {
	if u, ok := e.(unary); ok && u.operator == "-" {
		c, _ := u.of.(constant)
		return c.value == int64(1)
	}
	c, _ := e.(constant)
	return c.value == int64(-1)
}

// led is the paging method of a lead.
func (p *paging) led(l lead) (item.Object, error) {
	if p.token == nil && p.use.at.path == nil {
		return nil, errors.New("without page_token_option all pages are the first")
	}
	included, err := p.included()
	if err != nil {
		return nil, err
	}
	path := quote(strings.Join(l.steps, "."))
	if p.token.kind() == "RequestPath" && p.below != "" {
		return nil, errors.New("an object is no address")
	}
	if p.token.kind() == "RequestPath" {
		return p.byAddress(l, path, included)
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
		if included == nil {
			return nil, errors.New("parameters of the first page alone cannot be said here")
		}
		if p.j.where != "" {
			return nil, errors.New(
				"the last record of those that a filter leaves is not the last one of the page",
			)
		}
		return item.Object{"method", quote("cursor"), "take", quote("last"), "idKey", path, "param", place}, nil
	case "headers":
		paging := item.Object{"method", quote("response.param"), "responseHeader", quote(l.steps[0])}
		return append(append(paging, "queryParam", place), included...), nil
	}
	paging := item.Object{"method", quote("response.param"), "responseParam", path, "queryParam", place}
	return append(paging, included...), nil
}

// included says that all pages have the parameters of the job; nil: the first one alone has them.
func (p *paging) included() (item.Object, error) {
	all := (len(p.j.params) + len(p.j.query) + len(p.j.body)) / 2
	isOnlyFirst := p.use.onlyFirst == all && p.sizeOption == nil
	switch {
	case p.use.onlyFirst == 0:
		return item.Object{"includeParams", "true"}, nil
	case isOnlyFirst:
		return nil, nil
	}
	return nil, errors.New("of several parameters some for the first page alone cannot be said")
}

// byAddress is the method for a lead that is an address, which gets the parameters of the job too.
func (p *paging) byAddress(l lead, path string, included item.Object) (item.Object, error) {
	p.token.ignore("path", "inject_into", "field_name")
	paging := item.Object{"method", quote("response.url")}
	if included != nil && len(p.j.params)+len(p.j.query) > 0 {
		p.sc.values.note("where the address of a next page has another value for a parameter of its job, " +
			"that platform sends both; here that of the address counts")
	}
	switch l.variable {
	case "last_record":
		return nil, errors.New("an address of the last record is not understood")
	case "headers":
		return append(append(paging, "urlHeader", quote(l.steps[0])), included...), nil
	}
	return append(append(paging, "urlKey", path), included...), nil
}
