package airbyte

import (
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// takeBack takes out of a request what has been put into its address since, if nothing else was put into it: the values
// of a slice that only the first page is asked with.
func (j *job) takeBack(before request) (taken item.Object, ok bool) {
	isOnlyAddress := len(j.headers) == len(before.headers) && j.body.String() == before.body.String()
	target, size := &j.params, len(before.params)
	if j.method != "" {
		isOnlyAddress = isOnlyAddress && len(j.params) == len(before.params)
		target, size = &j.query, len(before.query)
	}
	if !isOnlyAddress {
		return nil, false
	}
	taken = (*target)[size:]
	*target = (*target)[:size:size]
	return taken, true
}

// sendOnce has the first page alone asked with parameters. It is not ok if that cannot be said.
func (j *job) sendOnce(taken item.Object) (ok bool) {
	if len(taken) == 0 {
		return true
	}
	method := valueOf(j.pagination, "method")
	isLed := method == quote("response.url") || method == quote("response.param")
	isIncluded := valueOf(j.pagination, "includeParams") == "true"
	areAlone := len(j.params)+len(j.query)+len(j.body)+len(j.auth.query)+len(j.auth.body) == 0
	canLeaveOut := isLed && areAlone && j.auth.member == nil
	switch {
	case j.pagination == nil:
	case canLeaveOut:
		// Then the first page alone has the parameters.
		j.pagination = lacking(j.pagination, "includeParams")
	case method == quote("response.url") && isIncluded:
		return j.inFirst(taken)
	case isLed && !isIncluded:
	default:
		return false
	}
	at := spot{into: "request_parameter"}
	target := j.target(at)
	*target = append(taken[:len(taken):len(taken)], *target...)
	return true
}

// lacking has the members of an object but one.
func lacking(o item.Object, name string) (rest item.Object) {
	for _, i := range indices(o) {
		rest = rest.With(o[2*i] != name, o[2*i], o[2*i+1])
	}
	return rest
}

// inFirst puts parameters into the address of the first page, from which the addresses that answers have lead on. It is
// not ok where the address or a value does not allow that.
func (j *job) inFirst(params item.Object) (ok bool) {
	p := partsOf(j.endpoint)
	isRoot := p.first() == "" || j.endpoint == `"/"`
	if isRoot || hasText(p, "#") {
		return false
	}
	separator := "?"
	if hasText(p, "?") {
		separator = "&"
	}
	for _, i := range indices(params) {
		name, value := params[2*i], params[2*i+1]
		switch item.Kind([]byte(value)) {
		case '"', '0':
			value = quote(url.QueryEscape(plainOf(value)))
		case '{':
			value = asValue(value)
		default:
			return false
		}
		p = p.and(quote(separator+url.QueryEscape(name)+"="), value)
		separator = "&"
	}
	j.endpoint = p.JSON()
	return true
}

// asValue is an expression in an address that is escaped whole: what these functions join has texts that would stand
// there as they are.
func asValue(json string) string {
	function := item.Lookup(tight(json), item.Path{"function"})
	isJoined := function != nil &&
		slices.Contains([]string{"concat", "implode", "sprintf", "ifempty"}, item.Unquote(function))
	if isJoined {
		return calling("urlencode", json)
	}
	return json
}

// hasText tells whether a text of parts has another in it.
func hasText(p parts, text string) bool {
	return slices.ContainsFunc(p, func(piece string) bool {
		return isQuoted(piece) && strings.Contains(textOf(piece), text)
	})
}

// plainOf is a constant text or number as a text.
func plainOf(json string) string {
	if isQuoted(json) {
		return textOf(json)
	}
	return json
}
