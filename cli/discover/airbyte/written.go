package airbyte

import (
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// settings are the member api.authentication, empty without one.
func (a authentication) settings() item.Object {
	hasOnlyQuery := a.member == nil && len(a.query) > 0
	if hasOnlyQuery {
		// So that addresses which answers lead to have them too.
		return item.Object{"type", `"query"`, "query", a.query.String()}
	}
	return a.member
}

// api is the member of that name.
func (d *assembly) api(all []*branch) item.Object {
	api := item.Object{"baseUrl", d.baseURL(all)}
	login := d.login.settings()
	api = api.With(len(login) > 0, "authentication", login.String())
	api = api.With(len(d.scrollers) > 0, "pagination", d.pagination())
	http := d.http(all, len(login) > 0)
	api = api.With(len(http) > 0, "http", http.String())
	retry := d.retryHeader(all)
	byHeader := item.Object{"retryHeader", quote(retry)}
	return api.With(retry != "", "retryConfig", item.Object{"http", byHeader.String()}.String())
}

// retryHeader is the header that says how long to wait, of all jobs. Those that have another are noted.
func (d *assembly) retryHeader(all []*branch) string {
	retry := commonest(all, func(b *branch) string { return b.retryHeader })
	for _, b := range all {
		isOther := b.retryHeader != "" && b.retryHeader != retry
		if isOther {
			d.notes = append(d.notes, b.dataType+" does not wait as its header "+b.retryHeader+
				" says, since others wait by "+retry+": convert it alone, with --stream")
		}
	}
	return retry
}

// http is the member api.http. A login has headers of its own.
func (d *assembly) http(all []*branch, hasLogin bool) (o item.Object) {
	hasLists := slices.ContainsFunc(all, func(b *branch) bool { return hasList(b.query) || hasList(b.params) })
	hasLists = hasLists || d.login.hasList()
	o = o.With(hasLists, "arrays", `"repeat"`)
	if len(d.headers) == 0 {
		return o
	}
	if hasLogin {
		return append(o, "defaultOptions", item.Object{"headers", d.headers.String()}.String())
	}
	return append(o, "headers", d.headers.String())
}

// baseURL is what most endpoints are relative to, or where all are absolute, the origin of one.
func (d *assembly) baseURL(all []*branch) string {
	if d.base != "" {
		return d.base
	}
	for _, b := range all {
		u, err := url.Parse(partsOf(b.endpoint).first())
		isOrigin := err == nil && u.Host != ""
		if isOrigin {
			return quote(u.Scheme + "://" + u.Host)
		}
	}
	return `"https://api.invalid"`
}

// scroller is the name of the way of paging that a job has to choose; empty: it has none to choose.
func (d *assembly) scroller(b *branch) string {
	at := slices.Index(d.scrollers, b.pagination.String())
	isChosen := at >= 0 && !d.paged
	if !isChosen {
		return ""
	}
	return d.names[at]
}

// pagination is api.pagination: that of all jobs, or one that lets each choose.
func (d *assembly) pagination() string {
	if d.paged {
		return d.scrollers[0]
	}
	var scrollers item.Object
	for i, name := range d.names {
		scrollers = append(scrollers, name, d.scrollers[i])
	}
	return item.Object{"method", `"multiple"`, "scrollers", scrollers.String()}.String()
}

// commonHeaders are those that each job sends, with values that do not depend on the job.
func commonHeaders(all []*branch) (common item.Object) {
	first := all[0]
	isCommon := func(name, value string) bool {
		return !slices.ContainsFunc(all, func(b *branch) bool { return valueOf(b.sent(), name) != value })
	}
	for m := range slices.Chunk(first.sent(), 2) {
		isAuth := valueOf(first.auth.headers, m[0]) == m[1]
		isShared := len(all) > 1 && !varies(m[1])
		isMeant := isAuth || isShared
		if isMeant && isCommon(m[0], m[1]) {
			common = append(common, m...)
		}
	}
	return common
}

// sent are the headers of a job's requests; those that sign them win.
func (j *job) sent() item.Object { return laidOver(j.headers, j.auth.headers) }

// varies tells that a value is not the same for all requests of a run.
func varies(value string) bool {
	for _, name := range []string{`"placeholder"`, `"window"`, `"last"`, `"time"`, `"date"`, `"strtotime"`} {
		if strings.Contains(value, name) {
			return true
		}
	}
	return false
}

// valueOf is a member of an object, empty without it.
func valueOf(o item.Object, name string) string {
	for m := range slices.Chunk(o, 2) {
		if m[0] == name {
			return m[1]
		}
	}
	return ""
}

// laidOver has the members of both, of one name that of the second.
func laidOver(o, over item.Object) (all item.Object) {
	for m := range slices.Chunk(o, 2) {
		all = all.With(valueOf(over, m[0]) == "", m[0], m[1])
	}
	return append(all, over...)
}

// minus are the members that others has not just so.
func minus(o, others item.Object) (rest item.Object) {
	for m := range slices.Chunk(o, 2) {
		rest = rest.With(valueOf(others, m[0]) != m[1], m[0], m[1])
	}
	return rest
}

// job is a job with all below it, as JSON.
func (d *assembly) job(b *branch) string {
	endpoint := d.endpoint(b)
	needsID := !isQuoted(endpoint) || b.id != fileName(b.dataType)
	o := item.Object{"endpoint", endpoint}.
		With(needsID, "id", quote(b.id)).
		With(true, "dataType", quote(b.dataType))
	o = append(o, b.request.members(b.auth)...)
	headers := minus(b.sent(), d.headers)
	o = o.With(len(headers) > 0, "headers", headers.String())
	o = append(o, b.taken()...)
	scroller := d.scroller(b)
	o = o.With(scroller != "", "scroller", quote(scroller))
	o = append(o, b.conditions()...)
	var children []string
	for _, child := range b.children {
		children = append(children, d.job(child))
	}
	return o.With(len(children) > 0, "children", "["+strings.Join(children, ", ")+"]").String()
}

// members are those that say what is sent, but for the endpoint and the headers.
func (r *request) members(a authentication) item.Object {
	params, query, body := r.params, r.query, r.body
	if a.member != nil {
		query = laidOver(query, a.query)
	}
	if r.method == "FORM" {
		params = laidOver(params, a.body)
	} else {
		body = laidOver(body, a.body)
	}
	return item.Object{}.
		With(r.method != "", "method", quote(r.method)).
		With(len(params) > 0, "params", params.String()).
		With(len(query) > 0, "query", query.String()).
		With(body != nil, "body", body.String())
}

// taken are the members that say what is taken from the answers.
func (j *job) taken() item.Object {
	return item.Object{}.
		With(j.dataField != "", "dataField", asJSON(j.dataField)).
		With(j.format != "", "format", asJSON(j.format)).
		With(j.windows != nil, "windows", j.windows.String()).
		With(len(j.userData) > 0, "userData", j.userData.String()).
		With(j.where != "", "where", quote(j.where)).
		With(j.placeholders != nil, "placeholders", j.placeholders.String())
}

// conditions are the members about answers.
func (a *answers) conditions() item.Object {
	return item.Object{}.
		With(len(a.emptyOn) > 0, "emptyOn", textsJSON(a.emptyOn)).
		With(len(a.endOn) > 0, "endOn", textsJSON(a.endOn)).
		With(len(a.failOn) > 0, "failOn", textsJSON(a.failOn)).
		With(len(a.retryOn) > 0, "retryOn", textsJSON(a.retryOn)).
		With(a.waitOn != nil, "waitOn", a.waitOn.String())
}

// endpoint is that of a job: where it has another base address than most it is absolute.
func (d *assembly) endpoint(b *branch) string {
	if b.base == d.base {
		return b.endpoint
	}
	return b.absolute()
}

// loginOf is how the jobs sign their requests: the first of them that does.
func loginOf(all []*branch) authentication {
	for _, b := range all {
		if len(b.auth.settings()) > 0 {
			return b.auth
		}
	}
	return authentication{}
}

// asJSON is what is JSON already, or the text as JSON.
func asJSON(text string) string {
	isJSON := isQuoted(text) || strings.HasPrefix(text, "{")
	if isJSON {
		return text
	}
	return quote(text)
}

// textsJSON is a list of texts as JSON.
func textsJSON(texts []string) string { return "[" + strings.Join(quotes(texts), ", ") + "]" }
