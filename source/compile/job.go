package compile

import (
	"slices"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/transform"
)

// job compiles a job, which has these placeholders, and all below it.
func (c *compiler) job(
	d *config.Job, parent *job.Job, placeholders []job.Placeholder,
) *job.Job {
	j := &job.Job{
		API:      c.api,
		ID:       d.ID,
		DataType: d.DataType,
		Windows:  make([]job.Window, 1),
		Nesting:  job.Nesting{Parent: parent},
	}
	j.Request = job.Request{
		Method: c.method(d),
		Env:    c.jobEnv(d.ID),
	}
	if parent == nil {
		j.Request.Env.Last = c.last(j)
	}
	c.parameters(d, j)
	j.Paging = c.paging.For(d.Scroller, d.TrustEnd, c.problems)
	j.Paging.Unique = c.unique(d.Unique)
	if j.Paging.Overlaps() && c.options.Shards > 0 {
		c.problems.Errorf(j.Paging.Node.Member("overlap"), "cannot stand beside --shard: "+
			"a shard does not see all pages; remove one of them")
	}
	c.silent(d, j)
	c.unknownNumbers(d.Params, j.Paging)
	if parent == nil {
		// Of a child it may be a placeholder.
		c.unknownNumbers(d.Endpoint, j.Paging)
	}
	c.conditions(d, j)
	c.spec(d, j)
	c.items(d, j)
	if !c.problems.Failed() && j.Windows != nil {
		c.rehearse(d, j, placeholders)
	}
	for i := range d.Children {
		j.Children = append(j.Children, c.child(&d.Children[i], j, placeholders))
	}
	return j
}

func (c *compiler) method(d *config.Job) request.Method {
	name, at := d.Method, d.Node.Member("method")
	if at == nil && c.doc.DefaultMethod != nil {
		name, at = c.doc.DefaultMethod.Text(), c.doc.DefaultMethod
	}
	method, err := request.ParseMethod(name)
	if err != nil {
		c.problems.Errorf(at, "%v", err)
	}
	return method
}

// parameters compiles headers and parameters, and the windows of time that
// these may name.
func (c *compiler) parameters(d *config.Job, j *job.Job) {
	r := &j.Request
	r.Header = c.header.Clone()
	c.headers(r.Header, c.doc.DefaultHeaders, r.Env)
	c.headers(r.Header, d.Headers, r.Env)
	r.Defaults = expr.CompileMembers(c.doc.DefaultParams, r.Env, c.problems)
	if d.Windows.Node == nil {
		c.endpoint(d, j, r.Env)
		r.Params = expr.CompileMembers(d.Params, r.Env, c.problems)
		return
	}
	j.Windowed, j.Windows = true, c.windows(&d.Windows, j)
	env := job.WindowEnv(r.Env, c.api.Started, nil)
	c.endpoint(d, j, env)
	r.Params = expr.CompileMembers(d.Params, env, c.problems)
	namesWindow := func(m expr.Member) bool { return !m.Value.Ready() }
	isAlike := r.Endpoint != nil && r.Endpoint.Ready()
	if isAlike && !slices.ContainsFunc(r.Params, namesWindow) {
		c.problems.Errorf(d.Windows.Node,
			`each window would ask for the same: `+
				`put {"window": "from"} and {"window": "to"} into the parameters or the endpoint`)
	}
	if expr.AnyPerRequest(r.Params) {
		c.problems.Errorf(d.Params,
			"a token of jwt cannot stand in the parameters of a job with windows: "+
				"put it into its headers")
	}
}

// unique reads what tells the items of a job apart: a path, several, or false.
func (c *compiler) unique(n *config.Node) (u evidence.Unique) {
	if n == nil {
		return u
	}
	all := []*config.Node{n}
	switch n.Kind {
	case 'f':
		return evidence.Unique{Never: true}
	case '[':
		all = n.Elems
	}
	for _, path := range all {
		isPath := path.Kind == '"' && path.Text() != ""
		if !isPath {
			c.problems.Errorf(path, "must be a path, a list of paths, or false")
			return u
		}
		u.Paths = append(u.Paths, item.ParsePath(path.Text(), "."))
	}
	if len(all) == 0 {
		c.problems.Errorf(n, "must have a path; if nothing tells the items apart, it is false")
	}
	return u
}

// spec says what to take from the answers.
func (c *compiler) spec(d *config.Job, j *job.Job) {
	j.Spec = page.Spec{
		Detect:  d.DataField == "",
		Notable: evidence.Notable,
		Telling: evidence.Telling,
		Says:    evidence.Tone,
	}
	c.format(d, j)
	if d.DataField != "" {
		j.Spec.Field = d.DataField
		j.Spec.Select = item.ParsePath(d.DataField, d.DataDelimiter)
		j.Spec.Members = d.DataMembers
		j.Spec.Scalar = d.DataScalar
	}
	j.Want()
}

// items compiles what is said about each item; of members of one name the
// later one wins.
func (c *compiler) items(d *config.Job, j *job.Job) {
	env := j.Request.Env
	if j.Parent == nil {
		j.Items.UserData = expr.CompileMembers(c.doc.UserData, env, c.problems)
	}
	own := expr.CompileMembers(d.UserData, env, c.problems)
	j.Items.UserData = append(j.Items.UserData, own...)
	if len(d.ResponseFilter) > 0 {
		scalars := c.doc.CompatLevel > 2
		j.Items.Filter = transform.NewFilter(d.ResponseFilter, d.FilterDelimiter, scalars)
	}
}

// rehearse makes the first request of a job: it shows what is wrong
// with a paging parameter.
func (c *compiler) rehearse(d *config.Job, j *job.Job, placeholders []job.Placeholder) {
	e, err := j.Evaluate(&j.Windows[0])
	if err == nil {
		err = fillAny(e.Pages, j, placeholders)
	}
	if err != nil {
		// The run says what is wrong.
		return
	}
	first, err := j.Paging.First(&paginate.State{}, e.Pages)
	if err != nil {
		c.problems.Errorf(d.Node, "%v", err)
		return
	}
	for _, q := range first.Params.Lacking(e.Pages.Params) {
		c.problems.Warnf(d.Params, "the first request goes out without %s, "+
			"since firstPageParams is false", q.Name)
	}
}
