package extend

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/request"
)

// locate finds the endpoint of the new job below the base address of the file.
func (a *addition) locate() error {
	own := a.own.at("api", "baseUrl").text()
	if a.top.at("api", "authentication", "apiRequest", "baseUrl") != nil {
		return fmt.Errorf("the base address of %s is known after its login only: whether it is %s is not known", a.name, own)
	}
	there, missing := a.plain(a.top.at("api", "baseUrl"))
	_, behind, _ := strings.Cut(there, "://")
	hasOrigin := strings.Contains(behind, "/")
	if missing != "" && !hasOrigin {
		return fmt.Errorf("the base address of %s is made of %s, whose value the file does not have: "+
			"whether it is %s is not known", a.name, missing, own)
	}
	first, err := url.Parse(own + item.Unquote(a.firstOfEndpoint().raw))
	base, errThere := url.Parse(there)
	if err != nil || errThere != nil {
		return fmt.Errorf("the base address of %s is no address", a.name)
	}
	if !isSameOrigin(first, base) {
		return fmt.Errorf("the base address differs: the request goes to %s, and that of %s is %s: make a file of its "+
			"own with -o", own, a.name, there)
	}
	folder := strings.TrimSuffix(base.EscapedPath(), "/") + "/"
	whole := "/" + strings.TrimPrefix(item.Unquote(a.firstOfEndpoint().raw), "/")
	rest, isBelow := strings.CutPrefix(whole, folder)
	isOther := strings.HasPrefix(rest, "/") || strings.Contains(rest, "://")
	if !isBelow || rest == "" || isOther || missing != "" {
		// It keeps only the host.
		rest = whole
	}
	a.endpoint = rest
	return nil
}

func isSameOrigin(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if u.Port() == "" {
			return map[string]string{"http": "80", "https": "443"}[u.Scheme]
		}
		return u.Port()
	}
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// firstOfEndpoint is the text at the beginning of the endpoint of the new job.
func (a *addition) firstOfEndpoint() *value {
	first := a.job.at("endpoint").pieces()[0]
	if first.kind != '"' {
		return &value{kind: '"', raw: []byte(`""`)}
	}
	return first
}

// plain is the text of a value of the file, and what keeps the rest of it from being known.
func (f *File) plain(v *value) (text, missing string) {
	for _, piece := range v.pieces() {
		name := piece.attribute()
		switch {
		case name != "":
			there := f.given(name)
			if there.text() == "" || there.kind == '{' || there.kind == '[' {
				return text, "the attribute " + name
			}
			text += there.text()
		case piece.kind == '{' || piece.kind == '[':
			return text, "a function"
		default:
			text += piece.text()
		}
	}
	return text, ""
}

// dropDefaults leaves out parameters that the file sends with every request.
func (a *addition) dropDefaults() {
	defaults, signing := a.top.at("api", "http", "defaultOptions", "params"), a.signingQuery()
	inQuery := "query"
	if a.job.at("method") == nil {
		inQuery = "params"
	}
	for _, m := range a.members("params") {
		a.drop(m, defaults)
	}
	for _, m := range a.members(inQuery) {
		a.drop(m, signing)
	}
	if defaults == nil {
		return
	}
	for _, m := range defaults.members {
		if inParts(a.job, m.name) == nil {
			a.say("%s adds the parameter %s to the request, as to that of every job", a.name, m.name)
		}
	}
}

// drop leaves out a parameter of the new job if it is among those that the file sends itself.
func (a *addition) drop(m member, sent *value) {
	there := sent.at(m.name)
	own := m.attribute()
	if there == nil || own == "" && there.text() != m.text() {
		return
	}
	a.dropped = append(a.dropped, m.name)
	if own != "" {
		a.covered[own] = there.attribute()
	}
}

// signingQuery are the parameters by which the file logs in; nil: there are none.
func (f *File) signingQuery() *value {
	login := f.top.at("api", "authentication")
	if query := login.at("query"); query != nil {
		return query
	}
	return login.at("apiRequest", "query")
}

// line is the job as JSON on one line.
func (a *addition) line(name, scroller string) string {
	first := a.firstOfEndpoint()
	other := func(v *value) string {
		if v == first {
			return quoted(a.endpoint)
		}
		if own := v.attribute(); own != "" {
			return item.Object{"attr", quoted(a.renamed[own])}.String()
		}
		return ""
	}
	var o item.Object
	for _, m := range a.job.members {
		switch m.name {
		case "id", "dataType":
			o = append(o, m.name, quoted(name))
		case "params", "query":
			o = a.withKept(o, m, other)
		default:
			o = append(o, m.name, m.line(other))
		}
		if m.name == "endpoint" && a.top.at("api", "http", "defaultOptions", "method") != nil && a.job.at("method") == nil {
			o = append(o, "method", `"GET"`)
		}
	}
	var headers item.Object
	for _, h := range a.headers {
		headers = append(headers, h.name, h.value.line(other))
	}
	return o.With(len(headers) > 0, "headers", headers.String()).
		With(scroller != "", "scroller", quoted(scroller)).String()
}

// withKept adds those of some parameters that the file does not send itself.
func (a *addition) withKept(o item.Object, m member, other func(*value) string) item.Object {
	var kept item.Object
	for _, p := range m.members {
		kept = kept.With(!slices.Contains(a.dropped, p.name), p.name, p.line(other))
	}
	return o.With(len(kept) > 0, m.name, kept.String())
}

// refuseKnown refuses a job that asks for what another one does.
func (a *addition) refuseKnown() error {
	made, err := parse([]byte(a.line("new", "")))
	if err != nil {
		return err
	}
	for i, j := range a.jobs {
		paging := a.pagingNames(j)
		if a.requestOf(made, paging) == a.requestOf(j, paging) {
			return fmt.Errorf("%s has this job already: %s sends the same request", a.name, a.ids[i])
		}
	}
	return nil
}

// pagingNames are the parameters by which a job of the file asks for pages, as far as they are names.
func (a *addition) pagingNames(job *value) (names []string) {
	paging := a.top.at("api", "pagination")
	if paging.at("method").text() == "multiple" {
		chosen := job.at("scroller").text()
		if chosen == "" {
			chosen = paging.at("default").text()
		}
		paging = paging.at("scrollers", chosen)
	}
	usual := map[string][]string{"offset": {"limit", "offset"}, "pagenum": {"limit", "page"}}[paging.at("method").text()]
	for _, name := range []string{"limitParam", "offsetParam", "pageParam", "queryParam", "param"} {
		switch v := paging.at(name); {
		case v == nil:
		case v.kind == '"':
			names = append(names, v.text())
		case v.kind == '[' && len(v.elems) == 1:
			names = append(names, v.elems[0].text())
		}
	}
	return append(names, usual...)
}

// requestOf tells requests apart: where it goes, and what with. Parameters that are left out do not count.
func (a *addition) requestOf(job *value, without []string) string {
	method := strings.ToUpper(job.at("method").text())
	if method == "" {
		method = strings.ToUpper(a.top.at("api", "http", "defaultOptions", "method").text())
	}
	if method == "" {
		method = "GET"
	}
	base, _ := a.plain(a.top.at("api", "baseUrl"))
	endpoint := job.at("endpoint").sorted()
	var query []string
	if job.at("endpoint").kind == '"' {
		endpoint = absolute(base, job.at("endpoint").text())
		var own string
		endpoint, own, _ = strings.Cut(endpoint, "?")
		for _, part := range request.ParseQuery(own) {
			if !slices.Contains(without, part.Name) {
				query = append(query, request.Unescape(part.Raw))
			}
		}
	}
	var body []string
	into := func(list *[]string, object *value) {
		if object == nil {
			return
		}
		for _, m := range object.members {
			if !slices.Contains(without, m.name) {
				*list = append(*list, m.name+"="+m.asText())
			}
		}
	}
	defaults := a.top.at("api", "http", "defaultOptions", "params")
	if defaults != nil {
		for _, m := range defaults.members {
			if inParts(job, m.name) == nil {
				query = append(query, m.name+"="+m.asText())
			}
		}
	}
	if method == "GET" {
		into(&query, job.at("params"))
	} else {
		into(&body, job.at("params"))
	}
	into(&query, job.at("query"))
	into(&body, job.at("body"))
	slices.Sort(query)
	slices.Sort(body)
	return strings.Join([]string{method, endpoint, strings.Join(query, "&"), strings.Join(body, "&")}, "\n")
}

// asText is a value as a query has it.
func (v *value) asText() string {
	if v.kind == '"' {
		return v.text()
	}
	return v.sorted()
}

// absolute is the address of an endpoint.
func absolute(base, endpoint string) string {
	switch {
	case strings.Contains(endpoint, "://"):
		return endpoint
	case strings.HasPrefix(endpoint, "/"):
		if u, err := url.Parse(base); err == nil {
			return u.Scheme + "://" + u.Host + endpoint
		}
	}
	return strings.TrimSuffix(base, "/") + "/" + endpoint
}
