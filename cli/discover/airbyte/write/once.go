package write

import (
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// TakeBack takes out of a request what has been put into its address since, if nothing else was put into it: the values
// of a slice that only the first page is asked with.
func (j *Job) TakeBack(before Request) (taken item.Object, ok bool) {
	isOnlyAddress := len(j.Headers) == len(before.Headers) && j.Body.String() == before.Body.String()
	target, size := &j.Params, len(before.Params)
	if j.Method != "" {
		isOnlyAddress = isOnlyAddress && len(j.Params) == len(before.Params)
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
func (j *Job) SendOnce(taken item.Object) (ok bool) {
	if len(taken) == 0 {
		return true
	}
	isLed := j.Pagination.IsLed()
	areAlone := len(j.Params)+len(j.Query)+len(j.Body)+len(j.Auth.Query)+len(j.Auth.body) == 0
	canLeaveOut := isLed && areAlone && j.Auth.Member == nil
	switch {
	case j.Pagination == nil:
	case canLeaveOut:
		// Then the first page alone has the parameters.
		j.Pagination.IncludesParams = false
	case j.Pagination.Method == "response.url" && j.Pagination.IncludesParams:
		return j.inFirst(taken)
	case isLed && !j.Pagination.IncludesParams:
	default:
		return false
	}
	at := Spot{Into: "request_parameter"}
	target := j.target(at)
	*target = append(taken[:len(taken):len(taken)], *target...)
	return true
}

// inFirst puts parameters into the address of the first page, from which the addresses that answers have lead on. It is
// not ok where the address or a value does not allow that.
func (j *Job) inFirst(params item.Object) (ok bool) {
	p := j.Endpoint
	if p.First() == "" || p.JSON() == Root.JSON() || hasText(p, "#") {
		return false
	}
	separator := "?"
	if hasText(p, "?") {
		separator = "&"
	}
	for _, i := range Indices(params) {
		name, value := params[2*i], params[2*i+1]
		switch item.Kind([]byte(value)) {
		case '"', '0':
			value = Quote(url.QueryEscape(plainOf(value)))
		case '{':
			value = asValue(value)
		default:
			return false
		}
		p = p.And(Quote(separator+url.QueryEscape(name)+"="), value)
		separator = "&"
	}
	j.Endpoint = p
	return true
}

// asValue is an expression in an address that is escaped whole: what these functions join has texts that would stand
// there as they are.
func asValue(json string) string {
	if Calls(json, "concat", "implode", "sprintf", "ifempty") {
		return Calling("urlencode", json)
	}
	return json
}

// hasText tells whether a text of parts has another in it.
func hasText(p Parts, text string) bool {
	return slices.ContainsFunc(p, func(piece string) bool {
		return IsQuoted(piece) && strings.Contains(TextOf(piece), text)
	})
}

// plainOf is a constant text or number as a text.
func plainOf(json string) string {
	if IsQuoted(json) {
		return TextOf(json)
	}
	return json
}
