package write

import (
	"net/url"
	"slices"

	"sluice/pipeline"
)

// api is the member of that name.
func (d *assembly) api(all []*branch) Object {
	api := Object{{"baseUrl", d.baseURL(all)}}
	login := d.login.settings()
	api = api.With(len(login) > 0, "authentication", login)
	if len(d.scrollers) > 0 {
		api = api.And("pagination", d.pagination())
	}
	http := d.http(all, len(login) > 0)
	api = api.With(len(http) > 0, "http", http)
	retry := d.retryHeader(all)
	byHeader := Object{{"retryHeader", Text(retry)}}
	return api.With(retry != "", "retryConfig", Object{{"http", byHeader}})
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
func (d *assembly) http(all []*branch, hasLogin bool) (o Object) {
	request, _ := d.login.Member.Get("loginRequest").(Object)
	hasLists := hasList(request.Get("params")) || hasList(request.Get("query")) ||
		slices.ContainsFunc(all, func(b *branch) bool {
			return hasList(b.Query) || hasList(b.Params) || b.isFormOfGet() && hasList(b.Body)
		})
	o = o.With(hasLists, "arrays", Text("repeat"))
	if len(d.headers) == 0 {
		return o
	}
	if hasLogin {
		return o.And("defaultOptions", Object{{"headers", d.headers}})
	}
	return o.And("headers", d.headers)
}

// hasList tells whether parameters have a list, which Airbyte writes as a parameter for each element
// (http.arrays is repeat then).
func hasList(parameters ConfigValue) bool {
	o, _ := parameters.(Object)
	return slices.ContainsFunc(o, func(m Pair) bool {
		_, isList := m.Value.(Array)
		return isList
	})
}

// baseURL is what most endpoints are relative to, or where all are absolute, the origin of one.
func (d *assembly) baseURL(all []*branch) ConfigValue {
	if len(d.base) > 0 {
		return d.base.Expr()
	}
	for _, b := range all {
		u, err := url.Parse(b.Endpoint.First())
		if err == nil && u.Host != "" {
			return Text(u.Scheme + "://" + u.Host)
		}
	}
	return Text("https://api.invalid")
}

// named is the name of a way of paging; empty: it has none.
func (d *assembly) named(p *Scroller) string {
	for _, m := range d.scrollers {
		if Same(m.Value, p.expr()) {
			return m.Name
		}
	}
	return ""
}

// pagination is api.pagination: that of all jobs, or one that lets each choose.
func (d *assembly) pagination() ConfigValue {
	if d.paged {
		return d.scrollers[0].Value
	}
	return Object{{"method", Text("multiple")}, {"scrollers", d.scrollers}}
}

// commonHeaders are those that each job sends, with values that do not depend on the job.
func commonHeaders(all []*branch) (common Object) {
	first := all[0]
	for _, m := range first.sent() {
		isOther := func(b *branch) bool { return !b.sent().has(m) }
		isShared := first.Auth.Headers.has(m) || len(all) > 1 && !varies(m.Value)
		if isShared && !slices.ContainsFunc(all, isOther) {
			common = append(common, m)
		}
	}
	return common
}

// has tells whether the first member of a name has the same value.
func (o Object) has(m Pair) bool { return Same(o.Get(m.Name), m.Value) }

// sent are the headers of a job's requests; those that sign them win.
func (j *PlannedJob) sent() Object { return laidOver(j.Headers, j.Auth.Headers) }

// varies tells that a value is not the same for all requests of a run.
func varies(value ConfigValue) bool {
	return refers(value, "placeholder", "window", "last", "time", "date", "strtotime")
}

// laidOver has the members of both, of one name that of the second.
func laidOver(o, over Object) (all Object) {
	for _, m := range o {
		all = all.With(over.Get(m.Name) == nil, m.Name, m.Value)
	}
	return append(all, over...)
}

// minus are the members that others has not just so.
func minus(o, others Object) Object {
	return slices.DeleteFunc(slices.Clone(o), others.has)
}

// job is a job with all below it.
func (d *assembly) job(b *branch) Object {
	endpoint := d.endpoint(b)
	_, isText := endpoint.(Text)
	needsID := !isText || b.id != pipeline.FileName(b.dataType)
	o := Object{{"endpoint", endpoint}}.With(needsID, "id", Text(b.id)).And("dataType", Text(b.dataType))
	o = append(o, b.JobRequest.members(b.Auth)...)
	headers := minus(b.sent(), d.headers)
	o = o.With(len(headers) > 0, "headers", headers)
	o = append(o, b.taken()...)
	o = o.With(b.Pagination != nil && !d.paged, "scroller", Text(d.named(b.Pagination)))
	o = append(o, b.conditions()...)
	var children Array
	for _, child := range b.children {
		children = append(children, d.job(child))
	}
	return o.With(len(children) > 0, "children", children)
}

// members are those that say what is sent, but for the endpoint and the headers.
func (r *JobRequest) members(a Authentication) Object {
	params, query, body := r.Params, r.Query, r.Body
	if a.Member != nil {
		query = laidOver(query, a.Query)
	}
	if len(body) == 0 && (r.Method == "" || len(params) > 0) {
		body = nil
	}
	return Object{}.
		With(r.Method != "", "method", Text(r.Method)).
		With(len(params) > 0, "params", params).
		With(len(query) > 0, "query", query).
		With(body != nil, "body", body)
}

// taken are the members that say what is taken from the answers.
func (j *PlannedJob) taken() Object {
	var o Object
	if j.DataField != nil {
		o = o.And("dataField", j.DataField.expr())
	}
	o = o.With(j.Format != nil, "format", j.Format)
	if j.Windows != nil {
		o = o.And("windows", j.Windows.expr())
	}
	if j.Until != nil {
		o = o.And("until", j.Until.expr())
	}
	return o.
		With(len(j.UserData) > 0, "userData", j.UserData).
		With(j.Where != "", "where", Text(j.Where)).
		With(j.Placeholders != nil, "placeholders", j.Placeholders.expr())
}

// conditions are the members about answers.
func (a *answers) conditions() Object {
	return Object{}.
		With(len(a.EmptyOn) > 0, "emptyOn", Texts(a.EmptyOn)).
		With(len(a.EndOn) > 0, "endOn", Texts(a.EndOn)).
		With(len(a.FailOn) > 0, "failOn", Texts(a.FailOn)).
		With(len(a.RetryOn) > 0, "retryOn", Texts(a.RetryOn)).
		With(a.WaitOn != nil, "waitOn", a.WaitOn)
}

// endpoint is that of a job: where it has another base address than most it is absolute.
func (d *assembly) endpoint(b *branch) ConfigValue {
	if b.Base.key() == d.base.key() {
		return b.Endpoint.Expr()
	}
	return b.Absolute().Expr()
}
