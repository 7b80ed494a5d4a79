package convert

import (
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
)

// requester reads where a job asks, and with what: address, method, parameters, headers, body, authentication, and what
// its answers mean.
func (s *Stream) requester(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	s.request(n, sc, j)
	s.errorHandler(n.Get("error_handler"), sc, j)
}

// request reads all of a requester but what its answers mean.
func (s *Stream) request(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
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
		s.Refuse(n.Get("http_method"), "the method "+method+" is not supported, want GET or POST")
	}
	s.body(n, sc, j)
	parameters := n.Get("request_parameters")
	if parameters != nil && !parameters.IsObject() {
		s.parametersOf(parameters, sc, j)
	} else {
		s.putAll(parameters, sc, j, "request_parameter", s.value)
	}
	s.putAll(n.Get("request_headers"), sc, j, "header", s.header)
	s.credentials(n, sc, j)
	s.sayForeign(sc, j)
}

// scheme is what an address may begin with, userInfo the beginning of one with a user name or a password.
var (
	scheme   = pattern.Lazy("^[a-zA-Z][a-zA-Z0-9+.-]*:")
	userInfo = pattern.Lazy(`^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*@`)
)

// wholeAddress is what the beginning of an address is that has a scheme.
var wholeAddress = pattern.Lazy("^[a-zA-Z][a-zA-Z0-9+.-]*://")

// severalSlashes are those of which joining leaves one.
var severalSlashes = pattern.Lazy("//+")

// tidied is a part of an address without the empty segments that go when Airbyte joins it with another. A value
// of the configuration that makes one is written as it is.
func tidied(sc template.Scope, p write.Parts) write.Parts {
	var settled write.Parts
	var decided []*manifest.Setting
	for _, piece := range p {
		if own := settingOf(sc.Values, piece); own != nil {
			decided = append(decided, own)
			piece = write.Text(python.Printed(own.Value))
		}
		settled = settled.And(piece)
	}
	all, own := tidiedTexts(settled), tidiedTexts(p)
	switch {
	case all.Shape() == settled.Shape():
		return p
	case own.Shape() != p.Shape():
		return own
	}
	for _, s := range decided {
		_, _ = sc.Values.Decide(*s)
	}
	return all
}

// tidiedTexts are parts with one slash in the place of several in their texts, but for those behind the scheme and those
// of a query.
func tidiedTexts(p write.Parts) write.Parts {
	begin := len(wholeAddress().FindString(p.First()))
	isQuery := false
	return p.InTexts(func(text string) write.Parts {
		end := len(text)
		if at := strings.IndexAny(text, "?#"); at >= 0 {
			end = at
		}
		tidy := text
		if !isQuery {
			tidy = text[:begin] + severalSlashes().ReplaceAllString(text[begin:end], "/") + text[end:]
		}
		begin, isQuery = 0, isQuery || end < len(text)
		return write.Parts{write.Text(tidy)}
	})
}

// hasHost tells that an address has a host. What gives nothing in the place of a part of it is refused by its name.
func (s *Stream) hasHost(n *manifest.Section, sc template.Scope, address write.Parts) bool {
	text := n.Text()
	if text == "" || len(address) > 0 && !emptyLabel().MatchString(address.Shape()) {
		return true
	}
	var empty []string
	for _, source := range braced().FindAllString(host().FindString(text), -1) {
		m, err := fault.Result(func() template.Meaning { return sc.MeanPlain(n.As(source)) })
		if err == nil && m.Nothing {
			empty = append(empty, source)
		}
	}
	why := "the address has no host"
	if len(empty) > 0 {
		why += ", since nothing gives " + strings.Join(empty, " and ") + ": it needs a value, by --values"
	}
	s.refuseIf(!s.IsRefused(), n, why)
	return false
}

// sayForeign notes that what a job sends beside its address does not go where only an item says that the API is.
func (s *Stream) sayForeign(sc template.Scope, j *write.PlannedJob) {
	before, _, _ := j.Absolute().Cut(len(wholeAddress().FindString(j.Absolute().First())))
	sends := j.Login() != "" || len(j.Headers)+len(j.Auth.Headers)+len(j.Params)+len(j.Query)+len(j.Body) > 0
	if before.Changes() && sends {
		sc.Values.Note(s.Name + ": where an answer gives an address of another origin than that of the " +
			"configuration, sluice sends no credentials, headers and parameters there, and Airbyte does")
	}
}

// address reads where a requester asks, as Airbyte joins it: a path is relative to what stands before it, which
// ends with a slash then, and one that is an address replaces it.
func (s *Stream) address(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	base, path := s.part(n.Get("url_base"), sc), s.part(n.Get("path"), sc)
	url, at := s.part(n.Get("url"), sc), n.Get("url_base")
	if len(base) == 0 && at.Text() == "" {
		base, at = url, n.Get("url")
	}
	if !s.hasHost(at, sc, base) {
		return
	}
	plain := path.First() + base.First()
	if sc.HasFilled() {
		plain = filledNumber().ReplaceAllString(plain, "")
	}
	if strings.ContainsAny(plain, "{}") {
		s.Refuse(n, "an address with braces is not supported")
		return
	}
	path = relative(sc, path)
	isWhole := wholeAddress().MatchString(path.First())
	if len(base) > 0 && len(path) > 0 && !isWhole {
		s.refuseIf(strings.ContainsAny(base.Shape(), "?#"), n.Get("url_base"),
			"a path behind an address with ? or # is not supported")
		base, path = tidied(sc, base), tidied(sc, path)
	}
	s.refuseIf(!isWhole && scheme().MatchString(path.First()), n,
		"the path begins with a word and a colon, which Airbyte takes for an address of another scheme")
	switch {
	case len(base) == 0 && len(path) == 0:
		s.Refuse(n, "there is no address: url_base and path, or url, are empty")
	case isWhole || len(base) == 0:
		j.Base, j.Endpoint = divided(path)
	case len(path) == 0:
		j.Base, j.Endpoint = divided(base)
	case base.Changes():
		j.Base, j.Endpoint = divided(write.WithSlash(base).And(path...))
	default:
		j.Base, j.Endpoint = base, path
	}
	j.Endpoint, j.Whole = standing(sc, j.Endpoint), base
}

// divided makes of an address its beginning, scheme and host, and what is relative to it. An address whose beginning is
// not known before the run has none.
func divided(p write.Parts) (base, endpoint write.Parts) {
	host := 0
	from := strings.Index(p.First(), "://")
	if from >= 0 {
		host = from + len("://")
	}
	before, after, hasPath := p.Cut(host)
	switch {
	case before.Changes(), from < 0 && !hasPath:
		return nil, p
	case len(after) == 0:
		return before, write.Root
	}
	return before, after
}

// put puts a value into a request, or refuses it. A parameter that the address has with the same value is not sent
// twice.
func (s *Stream) put(
	at *manifest.Section, sc template.Scope, j *write.PlannedJob, where write.RequestOption, value write.ConfigValue,
) {
	if where.Into == "request_parameter" {
		own, isThere := write.InAddress(j.Endpoint, where.Path[0])
		if isThere && value == write.Text(own) {
			return
		}
		if isThere {
			s.Refuse(at, "the parameter "+where.Path[0]+" stands in the address, too")
			return
		}
	}
	held := withheldBy
	if where.Into == "header" {
		held = withheldHeader
	}
	s.try(at, func() { j.Put(where, held(sc, at, where.Path[0], value)) })
}

// putAll puts the members of an object into a part of the request.
func (s *Stream) putAll(
	n *manifest.Section, sc template.Scope, j *write.PlannedJob, into string,
	value func(*manifest.Section, template.Scope) write.ConfigValue,
) {
	for name, member := range s.entries(n, sc) {
		if text := value(member, sc); text != nil {
			s.put(n, sc, j, write.RequestOption{Into: into, Path: []string{name}}, text)
		}
	}
}

// bodyMembers are the older members that the types of request_body stand for.
var bodyMembers = map[string]string{
	"RequestBodyUrlEncodedForm": "request_body_data",
	"RequestBodyJsonObject":     "request_body_json",
	"RequestBodyGraphQL":        "request_body_json",
	"RequestBodyPlainText":      "request_body_json",
}

// body reads what a requester sends in the body, in its older and newer forms.
func (s *Stream) body(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	json, data := n.Get("request_body_json"), n.Get("request_body_data")
	if body := n.Get("request_body"); body != nil {
		switch bodyMembers[body.Kind()] {
		case "request_body_data":
			data = body.Get("value")
		case "request_body_json":
			json = body.Get("value")
		default:
			s.refuseKind(body, "body")
		}
	}
	switch {
	case json != nil && data != nil:
		s.Refuse(n, "a request has a form or a JSON body, not both")
	case data.IsObject():
		s.putAll(data, sc, j, "body_data", s.value)
	case data != nil:
		// It is the body as it stands.
		s.jsonBody(data, sc, j)
	case json != nil:
		s.jsonBody(json, sc, j)
	}
}

// jsonBody reads a JSON body: an object, or a text that gives one.
func (s *Stream) jsonBody(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	s.refuseAdded(n)
	var body write.Object
	s.try(n, func() { body = sc.MeanBody(n) })
	for _, m := range body {
		s.put(n, sc, j, write.RequestOption{Into: "body_json", Path: []string{m.Name}}, m.Value)
	}
}

// parametersOf reads those of the address that a template gives, all at once.
func (s *Stream) parametersOf(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	var v any
	s.try(n, func() { v = sc.Constant(n) })
	all, isObject := v.(map[string]any)
	s.refuseIf(v != nil && v != "" && !isObject, n, "a text in place of names and values is not supported")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := write.RequestOption{Into: "request_parameter", Path: []string{name}}
		switch value := all[name].(type) {
		case nil:
		case map[string]any:
			s.Refuse(n, name+": a parameter that is an object is not supported")
		case []any:
			s.put(n, sc, j, at, textList(value))
		default:
			s.put(n, sc, j, at, write.Text(python.Printed(value)))
		}
	}
}
