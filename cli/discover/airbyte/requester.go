package airbyte

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// requester reads where a job asks, and with what: address, method, parameters, headers, body, authentication, and what
// its answers mean.
func (s *stream) requester(n *node, sc scope, j *job) {
	s.request(n, sc, j)
	s.errorHandler(n.get("error_handler"), sc, j)
}

// request reads all of a requester but what its answers mean.
func (s *stream) request(n *node, sc scope, j *job) {
	if n.kind() != "HttpRequester" {
		s.refuseKind(n, "requester")
		return
	}
	n.ignore("use_cache", "name", "api_budget")
	s.address(n, sc, j)
	switch method := n.get("http_method").text(); strings.ToUpper(method) {
	case "", "GET":
	case "POST":
		// A POST without a body has an empty one, as a form without parameters has.
		j.method = form
	default:
		s.refuse(n.get("http_method"), fmt.Sprintf("the method %s cannot be said, want GET or POST", method))
	}
	s.body(n, sc, j)
	s.parameters(n.get("request_parameters"), sc, j)
	s.headers(n.get("request_headers"), sc, j)
	s.credentials(n, sc, j)
}

// refuseKind refuses a component that is no known one; of a custom one it says which code it needs.
func (s *stream) refuseKind(n *node, noun string) {
	n.know()
	kind := n.kind()
	if class := n.get("class_name").text(); class != "" {
		s.refuse(n, fmt.Sprintf("the %s is the code %s", noun, class))
		return
	}
	if kind == "" {
		kind = "without a type"
	}
	article := "a"
	if strings.ContainsAny(noun[:1], "aeiou") {
		article = "an"
	}
	s.refuse(n, fmt.Sprintf("%s %s %s cannot be said", article, noun, kind))
}

// parameters reads those of the address.
func (s *stream) parameters(n *node, sc scope, j *job) {
	if n != nil && !n.isObject() {
		s.parametersOf(n, sc, j)
		return
	}
	for name, value := range s.entries(n, sc) {
		if text, ok := s.value(value, sc); ok {
			s.put(n, j, spot{into: "request_parameter", path: []string{name}}, text)
		}
	}
}

// parametersOf reads those that a template gives, all at once.
func (s *stream) parametersOf(n *node, sc scope, j *job) {
	v, err := sc.constant(n)
	all, isObject := v.(map[string]any)
	switch {
	case err != nil:
		s.refuse(n, err.Error())
	case v != nil && v != "" && !isObject:
		s.refuse(n, "a text in place of names and values is not understood")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := spot{into: "request_parameter", path: []string{name}}
		switch value := all[name].(type) {
		case nil:
		case map[string]any:
			s.refuse(n, fmt.Sprintf("%s: a parameter that is an object is not understood", name))
		case []any:
			s.put(n, j, at, textList(value))
		default:
			s.put(n, j, at, quote(printed(value)))
		}
	}
}

// put puts a value into a request, or refuses it. A parameter that the address has with the same value is not sent twice.
func (s *stream) put(at *node, j *job, where spot, value string) {
	if where.into == "request_parameter" {
		own, isThere := inAddress(j.endpoint, where.path[0])
		isSame := isThere && quote(own) == value
		if isSame {
			return
		}
		if isThere {
			s.refuse(at, fmt.Sprintf("the parameter %s stands in the address, too", where.path[0]))
			return
		}
	}
	if err := j.put(where, value); err != nil {
		s.refuse(at, err.Error())
	}
}

// inAddress is the value that a parameter has in the query of an address, as far as that is known.
func inAddress(endpoint, name string) (value string, isThere bool) {
	_, query, _ := strings.Cut(endpoint, "?")
	if isQuoted(endpoint) {
		_, query, _ = strings.Cut(textOf(endpoint), "?")
	}
	for pair := range strings.SplitSeq(query, "&") {
		own, text, _ := strings.Cut(pair, "=")
		if own == name {
			value, err := url.QueryUnescape(text)
			return value, err == nil
		}
	}
	return "", false
}

// added are the parameters that become members of an object with a member called type, or of one in it: that platform
// takes it for a component.
func (n *node) added() (at *node, names []string) {
	if !n.isObject() {
		return nil, nil
	}
	isTyped := n.typed != ""
	if isTyped && len(n.passed) > 0 {
		return n, slices.Sorted(maps.Keys(n.passed))
	}
	for _, name := range n.tree.object().names {
		inner := n.peek(name)
		all := []*node{inner}
		if inner.isList() {
			all = inner.elements()
		}
		for _, e := range all {
			isReached := isTyped || e.kind() != "" && !inner.isList()
			if !isReached {
				continue
			}
			if at, names := e.added(); at != nil {
				return at, names
			}
		}
	}
	return nil, nil
}

// refuseAdded refuses an object to which that platform adds parameters.
func (s *stream) refuseAdded(n *node) {
	if at, names := n.added(); at != nil {
		s.refuse(
			at,
			fmt.Sprintf("it has a member type, so that platform takes it for a component and adds $parameters "+
				"to it (%s), which cannot be meant: let no $parameters hold here", strings.Join(names, ", ")),
		)
	}
}

// entries goes through the members of an object, whose names may be templates too.
func (s *stream) entries(n *node, sc scope) func(yield func(string, *node) bool) {
	return func(yield func(string, *node) bool) {
		if n == nil {
			return
		}
		s.refuseAdded(n)
		if !n.isObject() {
			if n.text() != "" {
				s.refuse(n, "a text in place of names and values is not understood")
			}
			return
		}
		for _, m := range n.members() {
			name, ok := s.memberName(m, sc)
			if ok && !yield(name, m.value) {
				return
			}
		}
	}
}

// memberName is that of a member, which the values decide.
func (s *stream) memberName(m member, sc scope) (string, bool) {
	if !strings.Contains(m.name, "{") {
		return m.name, true
	}
	name, err := sc.at(m.value).nameOf(m.name)
	if err != nil {
		s.refuse(m.value, err.Error())
	}
	return name, name != "" && err == nil
}

// text is the text that a template gives, as JSON; it is not ok if that is nothing, or was refused.
func (s *stream) text(n *node, sc scope) (string, bool) {
	m, err := sc.meanText(n)
	return s.given(n, m, err)
}

// given is what a template gives, as JSON; it is not ok if that is nothing, or was refused.
func (s *stream) given(n *node, m meaning, err error) (string, bool) {
	switch {
	case err != nil:
		s.refuse(n, err.Error())
	case m.nothing:
	case m.moment:
		s.refuse(n, "a time without a format is not understood")
	default:
		return m.JSON(), true
	}
	return "", false
}

// value is what a parameter of an address or a form has: a text, or a list of texts. Of all that a template may give
// these two alone are taken for what they look like; a number keeps its digits.
func (s *stream) value(n *node, sc scope) (string, bool) {
	n.know()
	m, err := sc.meanPlain(n)
	text, isKnown := m.known()
	isRead := isKnown && strings.HasPrefix(strings.TrimSpace(text), "[")
	isRead = isRead || strings.ContainsAny(text[:min(1, len(text))], `"'`)
	if isRead {
		m, err = sc.meanOption(n)
	}
	if list, isList := m.constant.([]any); isList && err == nil {
		return textList(list), true
	}
	json, ok := s.given(n, m.printed(), err)
	if !ok || m.json == "" {
		return json, ok
	}
	p := partsOf(json)
	if p.isList() {
		s.refuse(n, "a list that is made in a run is not understood")
		return "", false
	}
	return p.unquoted().JSON(), true
}

// textList is a list of texts as JSON.
func textList(list []any) string {
	var all []string
	for _, value := range list {
		if value != nil {
			all = append(all, quote(printed(value)))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// headers reads those of the requests.
func (s *stream) headers(n *node, sc scope, j *job) {
	for name, value := range s.entries(n, sc) {
		if text, ok := s.header(value, sc); ok {
			s.put(n, j, spot{into: "header", path: []string{name}}, text)
		}
	}
}

// header is the value of one, a text.
func (s *stream) header(n *node, sc scope) (string, bool) {
	json, ok := s.text(n, sc)
	return partsOf(json).unquoted().JSON(), ok
}

// body reads what a requester sends in the body, in its older and newer forms.
func (s *stream) body(n *node, sc scope, j *job) {
	json, data := n.get("request_body_json"), n.get("request_body_data")
	if body := n.get("request_body"); body != nil {
		switch kind := body.kind(); kind {
		case "RequestBodyUrlEncodedForm":
			data = body.get("value")
		case "RequestBodyJsonObject", "RequestBodyGraphQL", "RequestBodyPlainText":
			json = body.get("value")
		default:
			s.refuseKind(body, "body")
		}
	}
	if json != nil && data != nil {
		s.refuse(n, "a request has a form or a JSON body, not both")
		return
	}
	s.jsonBody(json, sc, j)
	s.formBody(data, sc, j)
}

// jsonBody reads a JSON body: an object, or a text that gives one.
func (s *stream) jsonBody(n *node, sc scope, j *job) {
	if n == nil {
		return
	}
	s.refuseAdded(n)
	body, err := sc.meanBody(n)
	if err != nil {
		s.refuse(n, err.Error())
		return
	}
	for i := range indices(body) {
		s.put(n, j, spot{into: "body_json", path: []string{body[2*i]}}, body[2*i+1])
	}
}

// formBody reads a form, or a text that is the body as it stands.
func (s *stream) formBody(n *node, sc scope, j *job) {
	if n == nil {
		return
	}
	if !n.isObject() {
		s.jsonBody(n, sc, j)
		return
	}
	for name, value := range s.entries(n, sc) {
		if text, ok := s.value(value, sc); ok {
			s.put(n, j, spot{into: "body_data", path: []string{name}}, text)
		}
	}
}

// hasList tells whether parameters have a list, which that platform writes as a parameter for each element
// (http.arrays is repeat then).
func hasList(o item.Object) bool {
	isList := func(i int) bool { return item.Kind([]byte(o[2*i+1])) == '[' }
	return slices.ContainsFunc(indices(o), isList)
}
