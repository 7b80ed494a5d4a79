package compile

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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

// job compiles a job, which is ch of its parent, and all below it. Both are nil for a
// root job.
func (c *compiler) job(d *config.Job, parent *job.Job, ch *job.Child) *job.Job {
	j := &job.Job{
		API:      c.api,
		ID:       d.ID,
		DataType: d.DataType,
		Windows:  make([]job.Window, 1),
		Most:     c.options.Most[d.ID],
		Nesting:  job.Nesting{Parent: parent},
	}
	j.Request = job.RequestSpec{
		Method: c.method(d),
		Env:    c.jobEnv(d.ID),
	}
	if parent == nil {
		j.Request.Env.Last = c.last(j)
	} else {
		j.Request.Env.Last = c.lastBelow(j)
	}
	own := c.attributesOf(func() { c.parameters(d, j, ch) }, true)
	j.Request.Attributes = slices.Concat(c.attributes, own)
	j.Paging = c.paging.For(d.Scroller, d.TrustEnd, c.problems)
	j.Paging.Unique = c.unique(d.Unique)
	if j.Paging.Overlaps() && c.options.Shards > 0 {
		c.problems.Errorf(j.Paging.Node.Member("overlap"), "cannot stand beside --shard: "+
			"a shard does not see all pages; remove one of them")
	}
	if !j.Paging.Overlaps() && j.Paging.Sifts() && c.options.Shards > 0 {
		c.problems.Errorf(j.Paging.Node.Member("inclusive"), "cannot stand beside --shard: "+
			"a shard does not see all items; remove one of them")
	}
	c.places(d, j)
	c.silent(d, j)
	for _, n := range []*config.Node{c.doc.DefaultParams, d.Params, d.Query, d.Body} {
		c.unknownNumbers(n, j.Paging)
	}
	if parent == nil {
		// Of a child it may be a placeholder.
		c.unknownNumbers(d.Endpoint, j.Paging)
	}
	c.until(&d.Until, j)
	c.conditions(d, j)
	c.spec(d, j)
	c.items(d, j)
	c.sameWindows(d, j)
	if !c.problems.Failed() && j.Windows != nil {
		c.rehearse(d, j, ch)
	}
	for i := range d.Children {
		j.Children = append(j.Children, c.child(&d.Children[i], j, ch))
	}
	return j
}

// child compiles a child job of a parent, which is above of its own one; nil: it is a
// root job.
func (c *compiler) child(d *config.Job, parent *job.Job, above *job.Child) *job.Child {
	var inherited, own []job.Placeholder
	if above != nil {
		inherited = above.Placeholders
	}
	if d.Placeholders != nil {
		for _, m := range d.Placeholders.Members {
			own = append(own, c.placeholder(m, parent))
		}
	}
	all := inherit(inherited, own)
	nameMembers(all)
	ch := job.NewChild(all)
	if d.RecursionFilter != "" {
		ch.Filter = expr.CompileFilter(d.Node.Member("recursionFilter"), c.problems)
	}
	ch.Job = c.job(d, parent, ch)
	c.warnUnfilled(ch, d)
	return ch
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

// parameters compiles headers and parameters, and the windows of time and the
// placeholders that these may name.
func (c *compiler) parameters(d *config.Job, j *job.Job, ch *job.Child) {
	r := &j.Request
	r.Header = c.header.Clone()
	defaults := c.headers(r.Header, c.doc.DefaultHeaders, r.Env)
	r.Defaults = expr.CompileMembers(c.doc.DefaultParams, r.Env, c.problems)
	placeholderContext(j, ch)
	if d.Windows.Node != nil {
		c.windows(&d.Windows, j)
		windowContext(j)
	}
	c.endpoint(d, j)
	for _, m := range defaults {
		// The job's own header is stronger.
		if !hasHeader(d.Headers, m.Name) {
			r.Headers = append(r.Headers, m)
		}
	}
	r.Headers = append(r.Headers, c.headers(r.Header, d.Headers, r.Env)...)
	r.Params = expr.CompileMembers(d.Params, r.Env, c.problems)
	r.Parts = paginate.Groups(d.ParameterParts, r.Env, c.problems)
	c.textBody(d.Body, r)
}

// hasHeader tells whether an object of headers, which may be nil, has one of the name.
func hasHeader(n *config.Node, name string) bool {
	if n == nil {
		return false
	}
	isNamed := func(m config.Member) bool { return strings.EqualFold(m.Name, name) }
	return slices.ContainsFunc(n.Members, isNamed)
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
		if path.Kind != '"' || path.Text() == "" {
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
		j.Spec.Objects = d.DataObjects
		j.Spec.Bare = page.NewBare(d.DataRows, c.problems)
		j.Spec.With = page.NewWith(d.DataWith, &j.Spec, d.DataDelimiter, c.problems)
	}
	j.Want()
}

// items compiles what is said about each item; of members of one name the
// later one wins.
func (c *compiler) items(d *config.Job, j *job.Job) {
	env := j.Request.Env
	if d.Where != "" {
		j.Items.Where = expr.CompileFilter(d.Node.Member("where"), c.problems)
	}
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
func (c *compiler) rehearse(d *config.Job, j *job.Job, ch *job.Child) {
	own := job.Own{Window: &j.Windows[0], Child: ch}
	if ch != nil {
		own.Values = slices.Repeat([]jsontext.Value{sampleValue}, len(ch.Placeholders))
	}
	e, err := j.Evaluate(own)
	if err == nil && ch != nil {
		filled := *ch
		filled.Job = j
		err = filled.Fill(e.Pages, own.Values)
	}
	if err != nil {
		// The run says what is wrong.
		return
	}
	first, err := j.Paging.First(&paginate.State{}, e.Pages)
	if err != nil && j.Request.Names.Placeholder {
		// It may be the sample that is wrong.
		return
	}
	if err != nil {
		c.problems.Errorf(d.Node, "%v", err)
		return
	}
	for _, q := range first.Params.Lacking(e.Pages.Params) {
		c.problems.Warnf(d.ParameterParts.First(), "the first request goes out without %s, "+
			"since firstPageParams is false", q.Name)
	}
}
