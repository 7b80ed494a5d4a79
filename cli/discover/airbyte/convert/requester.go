package convert

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// requester reads where a job asks, and with what: address, method, parameters, headers, body, authentication, and what
// its answers mean.
func (s *Stream) requester(n *manifest.Node, sc template.Scope, j *write.Job) {
	s.request(n, sc, j)
	s.errorHandler(n.Get("error_handler"), sc, j)
}

// request reads all of a requester but what its answers mean.
func (s *Stream) request(n *manifest.Node, sc template.Scope, j *write.Job) {
	if n.Kind() != "HttpRequester" {
		s.refuseKind(n, "requester")
		return
	}
	n.Ignore("use_cache", "name", "api_budget")
	s.address(n, sc, j)
	switch method := n.Get("http_method").Text(); strings.ToUpper(method) {
	case "", "GET":
	case "POST":
		// A POST without a body has an empty one, as a form without parameters has.
		j.Method = write.Form
	default:
		s.Refuse(n.Get("http_method"), fmt.Sprintf("the method %s cannot be said, want GET or POST", method))
	}
	s.body(n, sc, j)
	s.parameters(n.Get("request_parameters"), sc, j)
	s.headers(n.Get("request_headers"), sc, j)
	s.credentials(n, sc, j)
}

// refuseKind refuses a component that is no known one; of a custom one it says which code it needs.
func (s *Stream) refuseKind(n *manifest.Node, noun string) {
	n.Know()
	kind := n.Kind()
	if class := n.Get("class_name").Text(); class != "" {
		s.Refuse(n, fmt.Sprintf("the %s is the code %s", noun, class))
		return
	}
	if kind == "" {
		kind = "without a type"
	}
	article := "a"
	if strings.ContainsAny(noun[:1], "aeiou") {
		article = "an"
	}
	s.Refuse(n, fmt.Sprintf("%s %s %s cannot be said", article, noun, kind))
}

// parameters reads those of the address.
func (s *Stream) parameters(n *manifest.Node, sc template.Scope, j *write.Job) {
	if n != nil && !n.IsObject() {
		s.parametersOf(n, sc, j)
		return
	}
	for name, value := range s.entries(n, sc) {
		if text, ok := s.value(value, sc); ok {
			s.put(n, sc, j, write.Spot{Into: "request_parameter", Path: []string{name}}, text)
		}
	}
}

// parametersOf reads those that a template gives, all at once.
func (s *Stream) parametersOf(n *manifest.Node, sc template.Scope, j *write.Job) {
	v, err := sc.Constant(n)
	all, isObject := v.(map[string]any)
	switch {
	case err != nil:
		s.Refuse(n, err.Error())
	case v != nil && v != "" && !isObject:
		s.Refuse(n, "a text in place of names and values is not understood")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := write.Spot{Into: "request_parameter", Path: []string{name}}
		switch value := all[name].(type) {
		case nil:
		case map[string]any:
			s.Refuse(n, fmt.Sprintf("%s: a parameter that is an object is not understood", name))
		case []any:
			s.put(n, sc, j, at, textList(value))
		default:
			s.put(n, sc, j, at, write.Quote(python.Printed(value)))
		}
	}
}

// put puts a value into a request, or refuses it. A parameter that the address has with the same value is not sent
// twice.
func (s *Stream) put(at *manifest.Node, sc template.Scope, j *write.Job, where write.Spot, value string) {
	if where.Into == "request_parameter" {
		own, isThere := write.InAddress(j.Endpoint, where.Path[0])
		if isThere && write.Quote(own) == value {
			return
		}
		if isThere {
			s.Refuse(at, fmt.Sprintf("the parameter %s stands in the address, too", where.Path[0]))
			return
		}
	}
	held := withheldBy
	if where.Into == "header" {
		held = withheldHeader
	}
	if err := j.Put(where, held(sc, at, where.Path[0], value)); err != nil {
		s.Refuse(at, err.Error())
	}
}

// refuseAdded refuses an object to which that platform adds parameters.
func (s *Stream) refuseAdded(n *manifest.Node) {
	if at, names := n.Added(); at != nil {
		s.Refuse(
			at,
			fmt.Sprintf("it has a member type, so that platform takes it for a component and adds $parameters "+
				"to it (%s), which cannot be meant: let no $parameters hold here", strings.Join(names, ", ")),
		)
	}
}

// entries goes through the members of an object, whose names may be templates too.
func (s *Stream) entries(n *manifest.Node, sc template.Scope) func(yield func(string, *manifest.Node) bool) {
	return func(yield func(string, *manifest.Node) bool) {
		if n == nil {
			return
		}
		s.refuseAdded(n)
		if !n.IsObject() {
			if n.Text() != "" {
				s.Refuse(n, "a text in place of names and values is not understood")
			}
			return
		}
		for _, m := range n.Members() {
			name, ok := s.memberName(m, sc)
			if ok && !yield(name, m.Value) {
				return
			}
		}
	}
}

// memberName is that of a member, which the values decide.
func (s *Stream) memberName(m manifest.Member, sc template.Scope) (string, bool) {
	if !strings.Contains(m.Name, "{") {
		return m.Name, true
	}
	name, err := sc.At(m.Value).NameOf(m.Name)
	if err != nil {
		s.Refuse(m.Value, err.Error())
	}
	return name, name != "" && err == nil
}

// text is the text that a template gives, as JSON; it is not ok if that is nothing, or was refused.
func (s *Stream) text(n *manifest.Node, sc template.Scope) (string, bool) {
	m, err := sc.MeanText(n)
	return s.given(n, m, err)
}

// given is what a template gives, as JSON; it is not ok if that is nothing, or was refused.
func (s *Stream) given(n *manifest.Node, m template.Meaning, err error) (string, bool) {
	switch {
	case err != nil:
		s.Refuse(n, err.Error())
	case m.Nothing:
	case m.Moment:
		s.Refuse(n, "a time without a format is not understood")
	default:
		return m.JSON(), true
	}
	return "", false
}

// value is what a parameter of an address or a form has: a text, or a list of texts. Of all that a template may give
// these two alone are taken for what they look like; a number keeps its digits.
func (s *Stream) value(n *manifest.Node, sc template.Scope) (string, bool) {
	n.Know()
	m, err := sc.MeanPlain(n)
	text, isKnown := m.Known()
	isRead := isKnown && strings.HasPrefix(strings.TrimSpace(text), "[")
	isRead = isRead || strings.ContainsAny(text[:min(1, len(text))], `"'`)
	if isRead {
		m, err = sc.MeanOption(n)
	}
	if list, isList := m.Constant.([]any); isList && err == nil {
		return textList(list), true
	}
	json, ok := s.given(n, m.Printed(), err)
	if !ok || m.Expr == "" {
		return json, ok
	}
	p := write.PartsOf(json)
	if p.IsList() {
		s.Refuse(n, "a list that is made in a run is not understood")
		return "", false
	}
	return p.Unquoted().JSON(), true
}

// textList is a list of texts as JSON.
func textList(list []any) string {
	var all []string
	for _, value := range list {
		if value != nil {
			all = append(all, write.Quote(python.Printed(value)))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// headers reads those of the requests.
func (s *Stream) headers(n *manifest.Node, sc template.Scope, j *write.Job) {
	for name, value := range s.entries(n, sc) {
		if text, ok := s.header(value, sc); ok {
			s.put(n, sc, j, write.Spot{Into: "header", Path: []string{name}}, text)
		}
	}
}

// header is the value of one, a text.
func (s *Stream) header(n *manifest.Node, sc template.Scope) (string, bool) {
	json, ok := s.text(n, sc)
	return write.PartsOf(json).Unquoted().JSON(), ok
}

// body reads what a requester sends in the body, in its older and newer forms.
func (s *Stream) body(n *manifest.Node, sc template.Scope, j *write.Job) {
	json, data := n.Get("request_body_json"), n.Get("request_body_data")
	if body := n.Get("request_body"); body != nil {
		switch kind := body.Kind(); kind {
		case "RequestBodyUrlEncodedForm":
			data = body.Get("value")
		case "RequestBodyJsonObject", "RequestBodyGraphQL", "RequestBodyPlainText":
			json = body.Get("value")
		default:
			s.refuseKind(body, "body")
		}
	}
	if json != nil && data != nil {
		s.Refuse(n, "a request has a form or a JSON body, not both")
		return
	}
	s.jsonBody(json, sc, j)
	s.formBody(data, sc, j)
}

// jsonBody reads a JSON body: an object, or a text that gives one.
func (s *Stream) jsonBody(n *manifest.Node, sc template.Scope, j *write.Job) {
	if n == nil {
		return
	}
	s.refuseAdded(n)
	body, err := sc.MeanBody(n)
	if err != nil {
		s.Refuse(n, err.Error())
		return
	}
	for i := range write.Indices(body) {
		s.put(n, sc, j, write.Spot{Into: "body_json", Path: []string{body[2*i]}}, body[2*i+1])
	}
}

// formBody reads a form, or a text that is the body as it stands.
func (s *Stream) formBody(n *manifest.Node, sc template.Scope, j *write.Job) {
	if n == nil {
		return
	}
	if !n.IsObject() {
		s.jsonBody(n, sc, j)
		return
	}
	for name, value := range s.entries(n, sc) {
		if text, ok := s.value(value, sc); ok {
			s.put(n, sc, j, write.Spot{Into: "body_data", Path: []string{name}}, text)
		}
	}
}
