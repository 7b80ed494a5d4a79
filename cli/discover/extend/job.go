package extend

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/source/request"
)

// locate finds the endpoints of the new jobs below the base address of the file.
func (a *addition) locate() error {
	own, there := a.own.at("api", "baseUrl"), a.top.at("api", "baseUrl")
	ownText, ownMissing := plain(own, a.ownGiven)
	if a.top.at("api", "authentication", "apiRequest", "baseUrl") != nil {
		return addressErrorf("the base address of %s is known after its login only: whether it is %s is not known", a.name, ownText)
	}
	a.base = ownText
	if own.kind != '"' && own.is(there) {
		for _, name := range own.attributes() {
			a.renamed[name] = name
		}
		return nil
	}
	text, missing := a.plain(there)
	_, behind, _ := strings.Cut(text, "://")
	hasOrigin := strings.Contains(behind, "/")
	if missing != "" && !hasOrigin {
		return addressErrorf("the base address of %s is made of %s, whose value the file does not have: "+
			"whether it is %s is not known", a.name, missing, ownText)
	}
	base, err := url.Parse(text)
	if err != nil {
		return addressErrorf("the base address of %s is no address", a.name)
	}
	if own.kind != '"' {
		a.base, ownMissing = a.addressLike(own, base)
	}
	first, err := url.Parse(a.base)
	if err != nil || ownMissing != "" || !isSameOrigin(first, base) {
		return addressErrorf("the base address differs: %s goes to %s, and that of %s is %s: make a file of its "+
			"own with -o", a.subject(), shownAddress(own), a.name, text)
	}
	for _, j := range a.jobs {
		a.endpoints[j] = belowFolder(first, base, beginning(j), missing == "")
	}
	return nil
}

// A MismatchError says that the requests of the addition and those of the file go to different places, or log in
// differently.
type MismatchError struct {
	// IsLogin: they go to one place.
	IsLogin bool

	text string
}

func (e *MismatchError) Error() string { return e.text }

func addressErrorf(format string, args ...any) error {
	return &MismatchError{text: fmt.Sprintf(format, args...)}
}

func loginErrorf(format string, args ...any) error {
	return &MismatchError{IsLogin: true, text: "the login differs: " + fmt.Sprintf(format, args...)}
}

// addressLike is the address of the addition, the base of the file in place of what may be any: an attribute for the whole
// host, or for a part of the address. Missing is what keeps it from being known.
func (a *addition) addressLike(own *placedValue, base *url.URL) (address, missing string) {
	pieces := own.pieces()
	origin := base.Scheme + "://" + base.Host
	isHost := pieces[0].attribute() != "" && a.ownGiven(pieces[0].attribute()) == nil
	if isHost {
		a.say("the document names no host: it is that of %s", a.name)
		rest := concatenated(pieces[1:])
		text, missing := plain(rest, a.ownGiven)
		return origin + text, missing
	}
	like := "(?i)^"
	for _, piece := range pieces {
		if piece.attribute() != "" {
			like += "[^/]+"
		} else {
			like += regexp.QuoteMeta(piece.text())
		}
	}
	found := regexp.MustCompile(like + "(?:/|$)").FindString(strings.TrimSuffix(origin+base.EscapedPath(), "/"))
	if found != "" {
		return found, ""
	}
	return plain(own, a.ownGiven)
}

// concatenated is an expression that joins pieces.
func concatenated(pieces []*placedValue) *placedValue {
	name := &placedValue{kind: '"', raw: []byte(`"concat"`)}
	args := &placedValue{kind: '[', elems: pieces}
	members := []treeMember{{name: "function", placedValue: name}, {name: "args", placedValue: args}}
	return &placedValue{kind: '{', members: members}
}

// shownAddress is an address as people read it, {name} in place of attributes.
func shownAddress(v *placedValue) (text string) {
	for _, piece := range v.pieces() {
		if name := piece.attribute(); name != "" {
			text += "{" + name + "}"
		} else {
			text += piece.text()
		}
	}
	return text
}

// belowFolder is what an endpoint that goes to a folder of an origin begins with where the base address is another folder
// of it. If the rest of the base is not known it keeps only the host.
func belowFolder(own, base *url.URL, endpoint string, isWhole bool) string {
	whole := strings.TrimSuffix(own.EscapedPath(), "/") + "/" + strings.TrimPrefix(endpoint, "/")
	folder := strings.TrimSuffix(base.EscapedPath(), "/") + "/"
	rest, isBelow := strings.CutPrefix(whole, folder)
	isOther := strings.HasPrefix(rest, "/") || strings.Contains(rest, "://")
	if !isBelow || rest == "" && endpoint != "" || isOther || !isWhole {
		return whole
	}
	return rest
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

// beginning is the text at the beginning of the endpoint of a new job; empty: it begins with a value.
func beginning(job *placedValue) string {
	first := job.at("endpoint").pieces()[0]
	if first.kind != '"' {
		return ""
	}
	return item.Unquote(first.raw)
}

// endpointOf are the parts of the endpoint of a new job below the address of the file.
func (a *addition) endpointOf(job *placedValue) []*placedValue {
	all := job.at("endpoint").pieces()
	begin, isMoved := a.endpoints[job]
	if !isMoved {
		return all
	}
	first := &placedValue{kind: '"', raw: item.Quote(begin)}
	if all[0].kind == '"' {
		return append([]*placedValue{first}, all[1:]...)
	}
	if begin == "" {
		return all
	}
	return append([]*placedValue{first}, all...)
}

// plain is the text of a value of the file, and what keeps the rest of it from being known.
func (f *ConfigFile) plain(v *placedValue) (text, missing string) { return plain(v, f.given) }

// plain is the text of a value, with those that attributes are given, and what keeps the rest of it from being known.
func plain(v *placedValue, given func(name string) *placedValue) (text, missing string) {
	for _, piece := range v.pieces() {
		name := piece.attribute()
		switch {
		case name != "":
			there := given(name)
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
	for _, j := range a.jobs {
		for _, m := range membersOf(j, "params") {
			a.drop(m, defaults)
		}
		for _, m := range membersOf(j, inQuery(j)) {
			a.drop(m, signing)
		}
	}
	if defaults == nil {
		return
	}
	last := a.jobs[len(a.jobs)-1]
	for _, m := range defaults.members {
		if inParts(last, m.name) == nil {
			a.say("%s adds the parameter %s to the request, as to that of every job", a.name, m.name)
		}
	}
}

// inQuery is the part of a job that goes into the query.
func inQuery(job *placedValue) string {
	if job.at("method") == nil {
		return "params"
	}
	return "query"
}

// drop leaves out a parameter of the new job if it is among those that the file sends itself.
func (a *addition) drop(m treeMember, sent *placedValue) {
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
func (f *ConfigFile) signingQuery() *placedValue {
	login := f.top.at("api", "authentication")
	if query := login.at("query"); query != nil {
		return query
	}
	return login.at("apiRequest", "query")
}

// line is a new job as JSON on one line, with the one below it, if there is one.
func (a *addition) line(job *placedValue, name, scroller, child string) string {
	other := func(v *placedValue) string {
		if own := v.attribute(); own != "" {
			return item.ObjectBuilder{"attr", quoted(a.renamed[own])}.String()
		}
		return ""
	}
	var o, headers item.ObjectBuilder
	for _, m := range job.members {
		switch m.name {
		case "endpoint":
			o = append(o, m.name, a.endpoint(job).line(other))
			if a.top.at("api", "http", "defaultOptions", "method") != nil && job.at("method") == nil {
				o = append(o, "method", `"GET"`)
			}
		case "id", "dataType":
			o = append(o, m.name, quoted(name))
		case "params", "query":
			o = a.withKept(o, m, other)
		case "headers":
			for _, h := range m.members {
				headers = append(headers, h.name, h.line(other))
			}
		case "scroller", "children":
		default:
			o = append(o, m.name, m.line(other))
		}
	}
	for _, h := range a.headers {
		headers = headers.With(named(job.at("headers"), h.name) == nil, h.name, h.value.line(other))
	}
	return o.With(len(headers) > 0, "headers", headers.String()).
		With(scroller != "", "scroller", quoted(scroller)).
		With(child != "", "children", "["+child+"]").String()
}

// endpoint is that of a new job below the address of the file.
func (a *addition) endpoint(job *placedValue) *placedValue {
	if _, isMoved := a.endpoints[job]; !isMoved {
		return job.at("endpoint")
	}
	all := a.endpointOf(job)
	if len(all) == 1 && all[0].kind == '"' {
		return all[0]
	}
	return concatenated(all)
}

// withKept adds those of some parameters that the file does not send itself.
func (a *addition) withKept(o item.ObjectBuilder, m treeMember, other func(*placedValue) string) item.ObjectBuilder {
	var kept item.ObjectBuilder
	for _, p := range m.members {
		kept = kept.With(!slices.Contains(a.dropped, p.name), p.name, p.line(other))
	}
	return o.With(len(kept) > 0, m.name, kept.String())
}

// findParent lets the last of the new jobs stand below one of the file that asks for what the one above it would. It
// refuses a job that the file has.
func (a *addition) findParent() error {
	last := a.jobs[len(a.jobs)-1]
	there, err := a.sameRequest(last, a.jobsOfFile)
	if err != nil {
		return err
	}
	if there != nil {
		return fmt.Errorf("%s has this job already: %s sends the same request", a.name, a.idOf(there))
	}
	list := a.top.at("config", "jobs")
	for len(a.jobs) > 1 && list != nil {
		there, err := a.sameJob(a.jobs[0], list.elems)
		if err != nil || there == nil {
			return err
		}
		a.say("the new job stands below %s, which %s has", a.idOf(there), a.name)
		a.known = append(a.known, a.jobs[0].at("dataType").text())
		a.parent, a.jobs, list = there, a.jobs[1:], there.at("children")
	}
	return nil
}

// idOf is what a job of the file is called.
func (f *ConfigFile) idOf(job *placedValue) string { return f.ids[slices.Index(f.jobsOfFile, job)] }

// sameJob is one of some jobs of the file that gives the same items as a new one; nil: none.
func (a *addition) sameJob(job *placedValue, others []*placedValue) (*placedValue, error) {
	there, err := a.sameRequest(job, others)
	if there == nil || !there.at("dataField").is(job.at("dataField")) || !there.at("format").is(job.at("format")) {
		return nil, err
	}
	return there, nil
}

// sameRequest is one of some jobs of the file that asks for what a new one does; nil: none.
func (a *addition) sameRequest(job *placedValue, others []*placedValue) (*placedValue, error) {
	made, err := parse([]byte(a.line(job, "new", "", "")))
	if err != nil {
		return nil, err
	}
	for _, j := range others {
		paging := a.pagingNames(j)
		if a.requestOf(made, paging) == a.requestOf(j, paging) {
			return j, nil
		}
	}
	return nil, nil
}

// pagingNames are the parameters by which a job of the file asks for pages, as far as they are names.
func (a *addition) pagingNames(job *placedValue) (names []string) {
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
func (a *addition) requestOf(job *placedValue, without []string) string {
	method := strings.ToUpper(job.at("method").text())
	if method == "" {
		method = strings.ToUpper(a.top.at("api", "http", "defaultOptions", "method").text())
	}
	if method == "" {
		method = "GET"
	}
	base, _ := a.plain(a.top.at("api", "baseUrl"))
	endpoint := unnamed().ReplaceAllString(job.at("endpoint").sorted(), "{}")
	var query []string
	if job.at("endpoint").kind == '"' {
		endpoint = absolute(base, unnamed().ReplaceAllString(job.at("endpoint").text(), "{}"))
		var own string
		endpoint, own, _ = strings.Cut(endpoint, "?")
		for _, part := range request.ParseQuery(own) {
			if !slices.Contains(without, part.Name) {
				query = append(query, request.Unescape(part.Raw))
			}
		}
	}
	var body []string
	into := func(list *[]string, object *placedValue) {
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

// unnamed matches a placeholder, whatever it is called.
var unnamed = pattern.Lazy(`\{[A-Za-z_][^{}"]*\}`)

// asText is a value as a query has it.
func (v *placedValue) asText() string {
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
