package paginate

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/request"
)

// responseParam sends a value of each response as a parameter of the next request, or
// the members of an object as one each, over scrollRequest.
type responseParam struct {
	fromResponse
	// queryParam has no path where the value is an object.
	queryParam config.ParameterDestination

	// scrollEndpoint and scrollMethod are those of the job where they are empty;
	// scrollShown is scrollEndpoint without secrets, empty if it has none.
	scrollEndpoint string
	scrollShown    string
	scrollMethod   request.Method
	scrollHeader   http.Header
	// scrollParams are evaluated once per job.
	scrollParams []Group
}

func newResponseParam(o *config.ObjectDecoder, env Env, p *config.Problems) Method {
	m := &responseParam{}
	path := o.Text("responseParam", "", "Path in the response of the value that leads to the next page.")
	header := o.Text("responseHeader", "", "Header of that value, in place of responseParam.")
	m.queryParam = decodePlace(o, p, "queryParam", "",
		"The parameter that carries the value. Without it the members of an object are parameters")
	values := decodeParams(o, p)
	o.Filled("responseParam", "responseHeader", "queryParam")
	exclusive(o, p, "responseParam", "responseHeader")
	m.option, m.path = "responseParam", item.ParsePath(path, ".")
	if o.Node().Member("queryParam") == nil {
		m.queryParam = config.ParameterDestination{}
	}
	switch {
	case values != nil:
		m.queryParam = config.ParameterDestination{}
	case header != "":
		m.option, m.path = "responseHeader", evidence.HeaderPath(header)
		// A header is a text.
		o.Require("queryParam")
	case o.Node() != nil && o.Node().Member("params") == nil:
		// The schema requires none of the three.
		o.Require("responseParam")
	}
	m.includeParams = o.Bool("includeParams", false,
		"Whether the job's parameters are sent for every page.")
	scroll := o.Object("scrollRequest", "What is different about the requests after the first.")
	m.decodeScrollRequest(scroll, env, p)
	var made Method = m
	if values != nil {
		made = newResponseParams(m, values)
	}
	m.refuseHeaders(scroll.Node().Member("headers"), made.(placer), p)
	return made
}

func (m *responseParam) decodeScrollRequest(o *config.ObjectDecoder, env Env, p *config.Problems) {
	endpoint := o.Any(
		"endpoint",
		"Address, relative to baseUrl; by default the job's; a string or an expression.",
		"string",
		"expression",
	)
	if endpoint != nil && env.Endpoint != nil {
		m.scrollEndpoint, m.scrollShown = env.Endpoint(endpoint)
	}
	method := o.Text("method", "", "GET, POST or FORM; by default the job's.")
	if method != "" {
		var err error
		m.scrollMethod, err = request.ParseMethod(method)
		if err != nil {
			p.Errorf(o.Node().Member("method"), "%v", err)
		}
	}
	parts := o.Parts("Parameters, merged deeply over the job's.")
	parts.Check(string(m.scrollMethod), p)
	m.scrollParams = append(
		[]Group{{Members: expr.CompileMembers(parts.Params, env.Expr, p)}},
		Groups(parts, env.Expr, p)...,
	)
	headers := o.Object("headers", "Headers, over the job's.").Node()
	if headers != nil && env.Headers != nil {
		m.scrollHeader = env.Headers(headers)
	}
	o.Done()
}

// refuseHeaders reports headers of scrollRequest that carry a value of the answer.
func (m *responseParam) refuseHeaders(headers *config.Node, sent placer, p *config.Problems) {
	for _, at := range sent.places() {
		if at.In == config.PlaceHeader && m.scrollHeader.Get(at.Path[0]) != "" {
			p.Errorf(headers, "has the header %s, which carries the value of %s: remove it there", at.Path[0], at.Option)
		}
	}
}

func (m *responseParam) Needs() Needs {
	n := m.fromResponse.Needs()
	n.Scroll = m.scrollParams
	return n
}

func (m *responseParam) pageParam() config.ParameterDestination { return m.queryParam }

func (m *responseParam) Next(s *State, j *Job, f *Facts) (*Request, *report.Stop, error) {
	value := f.Values[0]
	if isNullText(m.path, value) || !leads(value) {
		return nil, report.EndedBy(report.StopNoNextPage), nil
	}
	if err := refuseCut(value, m.option, evidence.Place(m.path)); err != nil {
		return nil, nil, err
	}
	if m.isOfSeveral() && item.Kind(value) != '{' {
		return nil, nil, fmt.Errorf("%s: the response has %s at %s, and only the members of an object "+
			"are parameters by themselves: say with queryParam which parameter carries it",
			m.option, kindName(value), evidence.Place(m.path))
	}
	s.Own.Cursor = string(value)
	r, err := m.at(j, value)
	return r, nil, err
}

// isOfSeveral tells whether each member of the value is a parameter.
func (m *responseParam) isOfSeveral() bool { return m.queryParam.Path == nil }

func (m *responseParam) lookAt() string {
	if m.isOfSeveral() {
		return m.option + " (" + evidence.Place(m.path) + ")"
	}
	return "queryParam (" + m.queryParam.String() + ")"
}

func (m *responseParam) places() []NamedPlace {
	if m.isOfSeveral() {
		return nil
	}
	return []NamedPlace{{"queryParam", m.queryParam}}
}

func (m *responseParam) at(j *Job, value []byte) (*Request, error) { return m.ask(j, m.placed(value)) }

// ask is the request for a page after the first, with these parameters.
func (m *responseParam) ask(j *Job, sent []placed) (*Request, error) {
	scroll := *j
	if m.scrollEndpoint != "" {
		scroll.Endpoint, scroll.Shown = m.scrollEndpoint, m.scrollShown
	}
	scroll.Method = cmp.Or(m.scrollMethod, j.Method)
	own := deepMerge(m.own(j).For(scroll.Method), j.Scroll.For(scroll.Method))
	r, err := scroll.paged(own, sent...)
	if err != nil || m.scrollHeader == nil {
		return r, err
	}
	header := m.scrollHeader.Clone()
	maps.Copy(header, r.Header)
	r.Header = header
	return r, nil
}

// placed are the parameters that a value makes: one, or one for each member.
func (m *responseParam) placed(value []byte) (all []placed) {
	if !m.isOfSeveral() {
		return []placed{{m.queryParam, value}}
	}
	for name, member := range item.Members(value) {
		all = append(all, placed{config.Named(item.Unquote(name)), member})
	}
	return all
}

// deepMerge is [request.Params.Merge] that makes one of objects of the same name, at
// any depth.
func deepMerge(under, over request.Params) request.Params {
	out := under
	for _, q := range over {
		for _, u := range under {
			if u.Name != q.Name || u.In != q.In {
				continue
			}
			q.Secret = q.Secret || u.Secret
			if item.Kind(u.Value) == '{' && item.Kind(q.Value) == '{' {
				q.Value = deepMerge(members(u.Value), members(q.Value)).Object()
			}
		}
		out = out.Set(q)
	}
	return out
}

// included is 1 if the key of the first item is the value that was sent.
func (m *responseParam) included(s *State, f *Facts) int {
	if s.isFirstKey(f, []byte(s.Own.Cursor)) {
		return 1
	}
	return 0
}
