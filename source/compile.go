package source

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport"
	"sluice/transform"
)

// compiler turns a document into the parts of a source, and collects what is wrong.
type compiler struct {
	iteration *iteration
	doc       *config.Document
	problems  *config.Problems
	paging    *paginate.Paging
	header    http.Header // of every request, the login request included
	wanted    bool        // the job that is compiled, or the one that it is below, is to run
}

func (c *compiler) compile() {
	c.iteration.hosts, c.iteration.ignored = c.allowedHosts(), c.doc.IgnoreErrors
	c.iteration.client = c.client()
	c.iteration.base = c.baseURL()
	c.iteration.shape = request.Shape{Arrays: c.doc.Arrays, Words: c.doc.Booleans == "words"}
	c.header = http.Header{}
	for _, n := range c.doc.Headers {
		c.headers(c.header, n, c.env())
	}
	for _, n := range c.doc.RequiredHeaders {
		if c.header.Get(n.Text()) == "" {
			c.problems.Errorf(n, "the header %q must be set, in config.http.headers", n.Text())
		}
	}
	shared := c.jobEnv(idsOf(c.doc.Jobs)...)
	c.paging = paginate.New(c.doc.Pagination, paginate.Env{
		Expr: shared,
		Headers: func(n *config.Node) http.Header {
			h := http.Header{}
			c.headers(h, n, shared)
			return h
		},
		Resolve: c.iteration.resolve,
	}, c.problems)
	login := c.env()
	login.Now = c.iteration.o.Clock // it is good from now on
	c.iteration.signer = auth.New(c.doc.Authentication, c.doc.AWS, auth.Env{
		Authorization: c.doc.Authorization,

		Resolve:  c.iteration.resolve,
		Header:   c.header,
		Shape:    c.iteration.shape,
		Renew:    c.iteration.renew,
		Expr:     login,
		Secrets:  c.iteration.o.Secrets,
		Observer: c.iteration.o.Observer,
		Divided:  c.iteration.o.Shards > 1,
		Now:      c.iteration.o.Clock,
		Base:     c.iteration.loginBase,
		Send:     c.iteration.send,
	}, c.problems)
	for i := range c.doc.Jobs {
		d := &c.doc.Jobs[i]
		c.wanted = c.wants(d)
		if j := c.job(d, nil, nil); c.wanted {
			c.divide(j)
			c.iteration.jobs = append(c.iteration.jobs, j)
		} else {
			c.iteration.rest = append(c.iteration.rest, j)
		}
	}
	c.iteration.client.Headers = c.iteration.headersRead()
	c.unknownJobs()
}

// headersRead lists the headers of answers that are looked at, each once.
func (it *iteration) headersRead() []string {
	names := slices.Concat([]string{"Content-Type", "Retry-After", http.CanonicalHeaderKey(it.client.Retry.Header)}, evidence.Headers())
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	for _, j := range tree(it.jobs) {
		for _, path := range j.headerPaths() {
			name := http.CanonicalHeaderKey(path[1:].String())
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return slices.Compact(names)
}

// headerPaths are what paging and conditions want of the headers of an answer.
func (j *job) headerPaths() []item.Path {
	all := slices.Concat(j.paging.Needs.Values, j.conditionPaths())
	return slices.DeleteFunc(all, func(path item.Path) bool { return path[0] != "$header" })
}

// wants tells whether --job asks for the job: by its id, or by a data type that is no job's id.
func (c *compiler) wants(j *config.Job) bool {
	only := c.iteration.o.Jobs
	if len(only) == 0 || slices.Contains(only, j.ID) {
		return true
	}
	return slices.Contains(only, j.DataType) &&
		!slices.ContainsFunc(c.doc.Jobs, func(other config.Job) bool { return other.ID == j.DataType })
}

func (c *compiler) unknownJobs() {
	var known []string
	for _, j := range c.doc.Jobs {
		known = append(known, j.ID, j.DataType)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range c.iteration.o.Jobs {
		switch {
		case slices.Contains(known, name):
		case slices.Contains(idsOf(c.doc.Jobs), name):
			c.problems.Errorf(nil, "--job %s: is a child job, which runs with its parent", name)
		default:
			c.problems.Errorf(nil, "--job %s: there is no such job%s", name, config.Have(name, known))
		}
	}
}

// env is what expressions may use that are of no job.
func (c *compiler) env() expr.Env {
	attr := func(path string) (expr.Value, bool) {
		value, secret, ok := c.doc.Attribute(path)
		return expr.Value{JSON: value, Secret: secret}, ok
	}
	env := expr.Env{Contexts: expr.Contexts{"attr": attr}, Now: c.iteration.o.Clock, Secret: c.iteration.o.secret}
	if start := c.iteration.o.Start; !start.IsZero() {
		env.Now = func() time.Time { return start }
	}
	return env
}

// jobEnv is what the expressions of these jobs may use.
func (c *compiler) jobEnv(ids ...string) expr.Env {
	e := c.env()
	e.Contexts["time"] = func(path string) (expr.Value, bool) {
		switch path {
		case "previousStart":
			return expr.Value{JSON: strconv.AppendInt(nil, c.previousStart(ids), 10)}, true
		case "currentStart":
			return expr.Value{JSON: strconv.AppendInt(nil, c.iteration.started.Unix(), 10)}, true
		}
		return expr.Value{}, false
	}
	return e
}

// previousStart is that of the job, of several the earliest; 0 with a warning if it is not known.
func (c *compiler) previousStart(ids []string) int64 {
	known := c.iteration.o.PreviousStarts
	if known == nil {
		c.problems.Notef(nil, "time.previousStart is 0 without --state: every run asks for everything; add --state FILE")
		return 0
	}
	earliest := int64(math.MaxInt64)
	for _, id := range ids {
		start, ok := known[id]
		if !ok {
			start, ok = known[""]
		}
		if !ok && c.wanted {
			c.problems.Notef(nil, "time.previousStart of job %s is 0: --state has no complete run of it yet", id)
		}
		earliest = min(earliest, start)
	}
	return earliest
}

func idsOf(jobs []config.Job) (ids []string) {
	for _, j := range jobs {
		ids = append(append(ids, j.ID), idsOf(j.Children)...)
	}
	return ids
}

// baseURL evaluates api.baseUrl. On an error it returns something to go on with.
func (c *compiler) baseURL() *url.URL {
	if expr.RefuseText(c.doc.BaseURL, nil, c.problems) {
		// reported
	} else if text, ok := c.text(c.doc.BaseURL, "must be a string"); ok {
		u, err := c.iteration.parseBase(text)
		if err == nil {
			return u
		}
		c.problems.Errorf(c.doc.BaseURL, "%v", err)
	}
	c.iteration.hosts = nil // one problem is enough
	return &url.URL{Scheme: "http", Host: "invalid.", Path: "/"}
}

// text evaluates a text or an expression; not ok if it is absent or wrong, of which otherwise is said.
func (c *compiler) text(n *config.Node, otherwise string) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	env := c.env()
	v, err := expr.Compile(n, env, c.problems).Eval(env)
	if err != nil {
		return "", false // Compile has reported it
	}
	if text, ok = item.Text(v.JSON); !ok {
		c.problems.Errorf(n, "%s", otherwise)
	}
	return text, ok
}

// headers evaluates an object of headers into h, over what is there.
func (c *compiler) headers(h http.Header, n *config.Node, env expr.Env) {
	for _, m := range expr.CompileHeaders(n, env, c.problems) {
		text, err := m.Header(env)
		if err != nil {
			continue // CompileHeaders has reported it
		}
		if secret.Name(m.Name) {
			_, credentials, _ := strings.Cut(text, " ")
			c.iteration.o.Secrets.Add(text, credentials)
		}
		h.Set(m.Name, text)
		if m.Value.PerRequest() {
			c.iteration.renewed = append(c.iteration.renewed, renewed{m, env, []byte(text)})
		}
	}
}

func (c *compiler) job(d *config.Job, parent *job, placeholders []placeholder) *job {
	j := &job{iteration: c.iteration, id: d.ID, dataType: d.DataType, endpoint: d.Endpoint, own: c.iteration.base, env: c.jobEnv(d.ID), parent: parent, placeholders: placeholders, windows: make([]window, 1)}
	name, at := d.Method, d.Node.Member("method")
	if at == nil && c.doc.DefaultMethod != nil {
		name, at = c.doc.DefaultMethod.Text(), c.doc.DefaultMethod
	}
	var err error
	if j.method, err = request.ParseMethod(name); err != nil {
		c.problems.Errorf(at, "%v", err)
	}
	if own, _, err := c.iteration.resolve(d.Endpoint); err == nil {
		j.own = own
	} else if d.Endpoint != "" && parent == nil {
		c.problems.Errorf(d.Node.Member("endpoint"), "%v", err)
	}
	if parent == nil {
		j.env.Last = c.last(j)
	}
	j.header = c.header.Clone()
	c.headers(j.header, c.doc.DefaultHeaders, j.env)
	c.headers(j.header, d.Headers, j.env)
	j.defaults = expr.CompileMembers(c.doc.DefaultParams, j.env, c.problems)
	env := j.env
	if d.Windows.Node != nil {
		j.windowed, j.windows, env = true, c.windows(&d.Windows, j), windowEnv(env, c.iteration.started, nil)
	}
	j.params = expr.CompileMembers(d.Params, env, c.problems)
	if j.windowed && !slices.ContainsFunc(j.params, func(m expr.Member) bool { return !m.Value.Ready() }) {
		c.problems.Errorf(d.Windows.Node, `each window would ask for the same: put {"window": "from"} and {"window": "to"} into the parameters`)
	}
	if j.windowed && expr.AnyPerRequest(j.params) {
		c.problems.Errorf(d.Params, "a token of jwt cannot stand in the parameters of a job with windows: put it into its headers")
	}
	j.paging = c.paging.For(d.Scroller, d.TrustEnd, c.problems)
	c.silent(d, j)
	c.conditions(d, j)
	j.spec = page.Spec{Detect: d.DataField == "", Wants: slices.Concat(j.paging.Needs.Values, j.conditionPaths()), Notable: evidence.Notable}
	j.wanted = map[string]int{}
	for i, path := range slices.Backward(j.spec.Wants) {
		j.wanted[keyOf(path)] = i
	}
	c.format(d, j)
	if d.DataField != "" {
		j.spec.Field, j.spec.Select, j.spec.Members = d.DataField, item.ParsePath(d.DataField, d.DataDelimiter), d.DataMembers
	}
	if parent == nil {
		j.userData = expr.CompileMembers(c.doc.UserData, j.env, c.problems)
	}
	j.userData = append(j.userData, expr.CompileMembers(d.UserData, j.env, c.problems)...) // [job.members] lets the later of one name win
	if len(d.ResponseFilter) > 0 {
		j.filter = transform.NewFilter(d.ResponseFilter, d.FilterDelimiter, c.doc.CompatLevel > 2)
	}
	if !c.problems.Failed() && j.windows != nil { // the first page's request shows what is wrong with a paging parameter
		if pages, err := j.evaluate(&j.windows[0]); err == nil {
			first, err := j.paging.First(&paginate.State{}, pages)
			if err != nil {
				c.problems.Errorf(d.Node, "%v", err)
			}
			if err == nil {
				for _, q := range first.Params.Lacking(pages.Params) {
					c.problems.Warnf(d.Params, "the first request goes out without %s, since firstPageParams is false", q.Name)
				}
			}
		}
		j.pages, j.added, j.renewed = nil, nil, nil // evaluated when the job begins
	}
	for i := range d.Children {
		j.children = append(j.children, c.child(&d.Children[i], j))
	}
	return j
}

func (c *compiler) child(d *config.Job, parent *job) *child {
	ch := &child{}
	if d.RecursionFilter != "" {
		ch.filter = expr.CompileFilter(d.Node.Member("recursionFilter"), c.problems)
	}
	if d.Placeholders != nil {
		for _, m := range d.Placeholders.Members {
			ch.placeholders = append(ch.placeholders, c.placeholder(m, parent))
		}
	}
	ch.inherit(parent.placeholders)
	ch.warnUnfilled(d.Node.Member("endpoint"), c.problems)
	ch.job = c.job(d, parent, ch.placeholders)
	return ch
}

// placeholder compiles a placeholder: a path, or an object with a path and a function of the value.
func (c *compiler) placeholder(m config.Member, parent *job) placeholder {
	p := placeholder{name: m.Name}
	var err error
	if p.level, err = level(m.Name); err != nil {
		c.problems.Errorf(m.Value, "%v", err)
		return p
	}
	switch path := m.Value.Member("path"); {
	case m.Value.Kind == '"':
		p.path = m.Value.Text()
	case path != nil && path.Kind == '"':
		p.path = path.Text()
		if m.Value.Member("function") != nil {
			env := expr.Env{Contexts: expr.Contexts{"placeholder": nil}, Now: c.env().Now}
			p.value = expr.Compile(m.Value.Without("path"), env, c.problems)
			p.escaped = escapes(m.Value)
		}
	}
	if p.path == "" {
		c.problems.Errorf(m.Value, "must be a path in the parent's item, or an object with path and function")
		return p
	}
	above := parent.up(p.level - 1)
	if above == nil {
		c.problems.Errorf(m.Value, "there is no job %d levels above", p.level)
		return p
	}
	p.kept = above.keep(p.path)
	return p
}

func (c *compiler) client() *transport.Client {
	n := c.iteration.o.Network
	n.TLS, n.ConnectTimeout, n.IdleTimeout = c.tls(), c.doc.ConnectTimeout, c.doc.RequestTimeout
	n.Retry = transport.Retry{MaxRetries: c.doc.MaxRetries, Codes: c.doc.RetryCodes, Header: c.doc.RetryHeader}
	n.Connections = c.iteration.o.Concurrency
	n.Accept = func(status int) bool { return slices.Contains(c.doc.IgnoreErrors, status) }
	n.Allow = c.iteration.allow
	return transport.New(n)
}

// send sends a login request without a signer, under the run's context, since it serves all who wait.
func (it *iteration) send(job string, r *request.Request, read func(auth.Answer) error) error {
	return it.client.Do(it.run, pipeline.Call{Job: job}, r, nil, func(resp *transport.Response) error {
		return read(auth.Answer{Header: resp.Header, Cookies: resp.Cookies, Body: resp.Body})
	})
}
