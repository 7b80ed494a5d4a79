package write

import (
	"net/url"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// api is the member of that name.
func (d *assembly) api(all []*branch) item.Object {
	api := item.Object{"baseUrl", d.baseURL(all)}
	login := d.login.settings()
	api = api.With(len(login) > 0, "authentication", login.String())
	api = api.With(len(d.scrollers) > 0, "pagination", d.pagination())
	http := d.http(all, len(login) > 0)
	api = api.With(len(http) > 0, "http", http.String())
	retry := d.retryHeader(all)
	byHeader := item.Object{"retryHeader", Quote(retry)}
	return api.With(retry != "", "retryConfig", item.Object{"http", byHeader.String()}.String())
}

// retryHeader is the header that says how long to wait, of all jobs. Those that have another are noted.
func (d *assembly) retryHeader(all []*branch) string {
	retry := Commonest(all, func(b *branch) string { return b.RetryHeader })
	for _, b := range all {
		if b.RetryHeader != "" && b.RetryHeader != retry {
			d.Notes = append(d.Notes, b.dataType+" does not wait as its header "+b.RetryHeader+
				" says, since others wait by "+retry+": convert it alone, with --stream")
		}
	}
	return retry
}

// http is the member api.http. A login has headers of its own.
func (d *assembly) http(all []*branch, hasLogin bool) (o item.Object) {
	request := ObjectOf(ValueOf(d.login.Member, "loginRequest"))
	hasLists := hasList(ObjectOf(ValueOf(request, "params"))) || hasList(ObjectOf(ValueOf(request, "query"))) ||
		slices.ContainsFunc(all, func(b *branch) bool { return hasList(b.Query) || hasList(b.Params) })
	o = o.With(hasLists, "arrays", `"repeat"`)
	if len(d.headers) == 0 {
		return o
	}
	if hasLogin {
		return append(o, "defaultOptions", item.Object{"headers", d.headers.String()}.String())
	}
	return append(o, "headers", d.headers.String())
}

// hasList tells whether parameters have a list, which Airbyte writes as a parameter for each element
// (http.arrays is repeat then).
func hasList(o item.Object) bool {
	isList := func(m item.Object) bool { return item.Kind([]byte(m[1])) == '[' }
	return slices.ContainsFunc(slices.Collect(slices.Chunk(o, 2)), isList)
}

// baseURL is what most endpoints are relative to, or where all are absolute, the origin of one.
func (d *assembly) baseURL(all []*branch) string {
	if len(d.base) > 0 {
		return d.base.JSON()
	}
	for _, b := range all {
		u, err := url.Parse(b.Endpoint.First())
		if err == nil && u.Host != "" {
			return Quote(u.Scheme + "://" + u.Host)
		}
	}
	return `"https://api.invalid"`
}

// scroller is the name of the way of paging that a job has to choose; empty: it has none to choose.
func (d *assembly) scroller(b *branch) string {
	at := slices.Index(d.scrollers, b.Pagination.json())
	if at < 0 || d.paged {
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
		return !slices.ContainsFunc(all, func(b *branch) bool { return ValueOf(b.sent(), name) != value })
	}
	for m := range slices.Chunk(first.sent(), 2) {
		if (ValueOf(first.Auth.Headers, m[0]) == m[1] || len(all) > 1 && !varies(m[1])) && isCommon(m[0], m[1]) {
			common = append(common, m...)
		}
	}
	return common
}

// sent are the headers of a job's requests; those that sign them win.
func (j *Job) sent() item.Object { return laidOver(j.Headers, j.Auth.Headers) }

// varies tells that a value is not the same for all requests of a run.
func varies(value string) bool {
	return refers(value, "placeholder", "window", "last", "time", "date", "strtotime")
}

// laidOver has the members of both, of one name that of the second.
func laidOver(o, over item.Object) (all item.Object) {
	for m := range slices.Chunk(o, 2) {
		all = all.With(ValueOf(over, m[0]) == "", m[0], m[1])
	}
	return append(all, over...)
}

// minus are the members that others has not just so.
func minus(o, others item.Object) (rest item.Object) {
	for m := range slices.Chunk(o, 2) {
		rest = rest.With(ValueOf(others, m[0]) != m[1], m[0], m[1])
	}
	return rest
}

// job is a job with all below it, as JSON.
func (d *assembly) job(b *branch) string {
	endpoint := d.endpoint(b)
	needsID := !IsQuoted(endpoint) || b.id != pipeline.FileName(b.dataType)
	o := item.Object{"endpoint", endpoint}.
		With(needsID, "id", Quote(b.id)).
		With(true, "dataType", Quote(b.dataType))
	o = append(o, b.Request.members(b.Auth)...)
	headers := minus(b.sent(), d.headers)
	o = o.With(len(headers) > 0, "headers", headers.String())
	o = append(o, b.taken()...)
	scroller := d.scroller(b)
	o = o.With(scroller != "", "scroller", Quote(scroller))
	o = append(o, b.conditions()...)
	var children []string
	for _, child := range b.children {
		children = append(children, d.job(child))
	}
	return o.With(len(children) > 0, "children", List(children)).String()
}

// members are those that say what is sent, but for the endpoint and the headers.
func (r *Request) members(a Authentication) item.Object {
	params, query, body := r.Params, r.Query, r.Body
	if a.Member != nil {
		query = laidOver(query, a.Query)
	}
	if len(body) == 0 && (r.Method == "" || len(params) > 0) {
		body = nil
	}
	return item.Object{}.
		With(r.Method != "", "method", Quote(r.Method)).
		With(len(params) > 0, "params", params.String()).
		With(len(query) > 0, "query", query.String()).
		With(body != nil, "body", body.String())
}

// taken are the members that say what is taken from the answers.
func (j *Job) taken() item.Object {
	var o item.Object
	if j.DataField != nil {
		o = item.Object{"dataField", j.DataField.json()}
	}
	return o.
		With(j.Format != "", "format", j.Format).
		With(j.Windows != nil, "windows", j.Windows.String()).
		With(len(j.UserData) > 0, "userData", j.UserData.String()).
		With(j.Where != "", "where", Quote(j.Where)).
		With(j.Placeholders != nil, "placeholders", j.Placeholders.String())
}

// conditions are the members about answers.
func (a *answers) conditions() item.Object {
	return item.Object{}.
		With(len(a.EmptyOn) > 0, "emptyOn", List(Quotes(a.EmptyOn))).
		With(len(a.EndOn) > 0, "endOn", List(Quotes(a.EndOn))).
		With(len(a.FailOn) > 0, "failOn", List(Quotes(a.FailOn))).
		With(len(a.RetryOn) > 0, "retryOn", List(Quotes(a.RetryOn))).
		With(a.WaitOn != nil, "waitOn", a.WaitOn.String())
}

// endpoint is that of a job: where it has another base address than most it is absolute.
func (d *assembly) endpoint(b *branch) string {
	if b.Base.JSON() == d.base.JSON() {
		return b.Endpoint.JSON()
	}
	return b.Absolute().JSON()
}
