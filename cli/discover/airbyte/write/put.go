package write

import (
	"net/url"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
)

// TakeBack takes out of a request what has been put into its address since, if nothing else was put into it: the values
// of a slice that only the first page is asked with.
func (j *PlannedJob) TakeBack(before JobRequest) (taken Object, ok bool) {
	isOnlyAddress := len(j.Headers) == len(before.Headers) && Same(j.Body, before.Body)
	target, size := &j.Params, len(before.Params)
	if j.Method != "" {
		isOnlyAddress = isOnlyAddress && len(j.Params) == size
		target, size = &j.Query, len(before.Query)
	}
	if !isOnlyAddress {
		return nil, false
	}
	taken = (*target)[size:]
	*target = (*target)[:size:size]
	return taken, true
}

// SendOnce has the first page alone asked with parameters. It is not ok if that cannot be said.
func (j *PlannedJob) SendOnce(taken Object) (ok bool) {
	isLed := j.Pagination.IsLed()
	areAlone := len(j.Params)+len(j.Query)+len(j.Body)+len(j.Auth.Query) == 0
	switch {
	case len(taken) == 0:
		return true
	case j.Pagination == nil:
	case isLed && areAlone && j.Auth.Member == nil:
		// Then the first page alone has the parameters.
		j.Pagination.IncludesParams = false
	case j.Pagination.Method == "response.url" && j.Pagination.IncludesParams:
		return j.inFirst(taken)
	case !isLed || j.Pagination.IncludesParams:
		return false
	}
	target := j.target(RequestOption{Into: "request_parameter"})
	*target = slices.Concat(taken, *target)
	return true
}

// inFirst puts parameters into the address of the first page, from which the addresses that answers have lead on. It is
// not ok where the address or a value does not allow that.
func (j *PlannedJob) inFirst(params Object) (ok bool) {
	p := j.Endpoint
	if p.First() == "" || p.isRoot() || p.hasText("#") {
		return false
	}
	separator := "?"
	if p.hasText("?") {
		separator = "&"
	}
	for _, m := range params {
		value := m.Value
		switch v := m.Value.(type) {
		case Text:
			value = Text(url.QueryEscape(string(v)))
		case Word:
			if !v.isNumber() {
				return false
			}
			value = Text(url.QueryEscape(string(v)))
		case Function:
			// What these functions join has texts that would stand there as they are.
			if Calls(v, "concat", "implode", "sprintf", "ifempty") {
				value = Calling("urlencode", v)
			}
		case Array:
			return false
		}
		p = p.And(Text(separator+url.QueryEscape(m.Name)+"="), value)
		separator = "&"
	}
	j.Endpoint = p
	return true
}

// PlaceOf is [job.place] of what an option says. What is put there later goes to the same part of the request.
func (j *PlannedJob) PlaceOf(at RequestOption) ConfigValue {
	j.open(at)
	switch {
	case at.Into == "request_parameter" && j.Method == "":
		at.Into = "body_data"
	case j.isInBodyOfGet(at):
		// A GET that has no body on its first page has one on the others.
		return Object{{"body", Place(at)}}
	}
	return Place(at)
}

// Put puts a value into a request. Two of one name are a fault, as Airbyte has it.
func (j *PlannedJob) Put(at RequestOption, value ConfigValue) {
	isType := at.Into == "header" && Pair{Name: at.Path[0]}.isContentType()
	if isType && j.isFormOfGet() {
		fault.If(value != formType, otherType)
		return
	}
	j.open(at)
	target := j.target(at)
	isTwice := false
	for _, m := range *target {
		isTwice = isTwice || at.Into == "header" && strings.EqualFold(m.Name, at.Path[0])
	}
	with, ok := Insert(*target, at.Path, value)
	fault.If(isTwice || !ok, "%s stands twice in the same request (%s)", strings.Join(at.Path, "."), at.Into)
	*target = with
}

// open makes the part of the request that there is to be something in.
func (j *PlannedJob) open(at RequestOption) {
	isForm := j.Method == Form
	isJSON := at.Into == "body_json"
	fault.If(isJSON && (isForm && len(j.Params) > 0 || j.isFormOfGet()), notBoth)
	switch {
	case at.Into == "body_data" && j.Method == "":
		j.openForm(at.Path[0])
	case at.Into == "body_data":
		fault.If(!isForm, notBoth)
		return
	case !isJSON:
		return
	case isForm:
		j.Method = "POST"
	}
	if j.Body == nil {
		j.Body = Object{}
	}
}

// Remove takes out of a request what an option has put there, unless that is a value already.
func (j *PlannedJob) Remove(option RequestOption, value ConfigValue) (isValue bool) {
	target := j.target(option)
	own := at(*target, option.Path)
	if own != nil && value != nil && Same(own, value) {
		return true
	}
	*target = without(*target, option.Path)
	return false
}

// Later is what pages after the first are requested with, as scrollRequest has it, if that is not the same.
func (j *PlannedJob) Later(other *PlannedJob) (sent Object, isOther bool) {
	headers := minus(other.Headers, j.Headers)
	isGone := func(m Pair) bool { return other.Headers.Get(m.Name) == nil }
	fault.If(slices.ContainsFunc(j.Headers, isGone), "a header that only the first page has is not supported")
	own, sent := j.members(j.Auth), other.members(j.Auth)
	if Same(own, sent) && len(headers) == 0 {
		return nil, false
	}
	fault.If(refers(sent, "placeholder", "window", "last"),
		"a parameter that only the first page has is not supported beside a value of a parent or of a window of time")
	// The method stays that of the job.
	sent = without(sent, []string{"method"})
	return sent.With(len(headers) > 0, "headers", headers), true
}

// notBoth is a fault of a request.
const notBoth = "a request has a form or a JSON body, not both"

// formType is the Content-Type of a form.
const formType = Text("application/x-www-form-urlencoded")

// otherType is a fault of a request.
const otherType = "a form in a GET whose Content-Type says something else has no equivalent in sluice"

// isContentType tells the header that says what a body is.
func (m Pair) isContentType() bool { return strings.EqualFold(m.Name, "Content-Type") }

// openForm makes the body of a GET a form, which a header says.
func (j *PlannedJob) openForm(name string) {
	fault.If(name == "text", "a form in a GET with a parameter that is called text has no equivalent in sluice")
	if j.isFormOfGet() {
		return
	}
	fault.If(j.Body != nil, notBoth)
	fault.If(slices.ContainsFunc(j.Headers, Pair.isContentType), otherType)
	j.Headers = append(j.Headers, Pair{"Content-Type", formType})
}

// isFormOfGet tells that the body of a GET is a form, if it has one.
func (j *PlannedJob) isFormOfGet() bool {
	isForm := func(m Pair) bool { return m.isContentType() && m.Value == formType }
	return j.Method == "" && slices.ContainsFunc(j.Headers, isForm)
}

// IsEmptyForm tells that the body of a GET is a form that its first page does not have.
func (j *PlannedJob) IsEmptyForm() bool { return j.isFormOfGet() && len(j.Body) == 0 }

// isInBodyOfGet tells that an option goes into the body of a GET.
func (j *PlannedJob) isInBodyOfGet(at RequestOption) bool {
	return j.Method == "" && strings.HasPrefix(at.Into, "body_")
}

// target is the part of the request that an option puts values into.
func (j *PlannedJob) target(at RequestOption) *Object {
	switch {
	case at.Into == "header":
		return &j.Headers
	case at.Into == "body_json", j.isInBodyOfGet(at):
		return &j.Body
	case at.Into == "request_parameter" && j.Method != "":
		return &j.Query
	}
	return &j.Params
}
