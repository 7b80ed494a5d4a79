package source

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport"
	"sluice/transform"
)

// compiler turns a document into the parts of a source, and collects what is
// wrong on the way.
type compiler struct {
	source   *Source
	doc      *config.Document
	problems *config.Problems
	base     *url.URL
	header   http.Header // of every request, the login request included
}

func (c *compiler) compile() {
	c.base = c.baseURL()
	c.header = http.Header{}
	for _, o := range c.doc.Headers {
		c.headers(c.header, o.Node(), c.env("attr"))
	}
	for _, n := range c.doc.RequiredHeaders {
		if c.header.Get(n.Text()) == "" {
			c.problems.Errorf(n, "the header %q must be set, in config.http.headers", n.Text())
		}
	}
	c.source.paging = paginate.New(c.doc.Pagination, paginate.Env{
		Expr:    c.env("attr", "time"),
		Headers: c.ownHeaders,
		Resolve: c.resolve,
	}, c.problems)
	c.authentication()
	for i := range c.doc.Jobs {
		if j := c.job(&c.doc.Jobs[i], nil); c.wanted(j) {
			c.source.jobs = append(c.source.jobs, j)
		} else {
			c.source.rest = append(c.source.rest, j)
		}
	}
	c.unknownJobs()
}

// authentication makes the signer, if requests are signed in any way.
func (c *compiler) authentication() {
	env := auth.Env{
		Authorization: c.doc.Authorization,

		Resolve:  c.resolve,
		Header:   c.header,
		Expr:     c.env("attr"),
		Secrets:  c.source.o.Secrets,
		Observer: c.source.o.Observer,
		Now:      c.source.o.clock(),
		Send:     c.source.send,
	}
	c.source.signer = auth.New(c.doc.Authentication, c.doc.AWS, env, c.problems)
}

// wanted tells whether --job asks for the job: by its id, or by its data type where
// no job has that id, so that what sluice jobs prints fans out to one run each.
func (c *compiler) wanted(j *job) bool {
	only := c.source.o.Jobs
	if len(only) == 0 || slices.Contains(only, j.id) {
		return true
	}
	return slices.Contains(only, j.dataType) &&
		!slices.ContainsFunc(c.doc.Jobs, func(other config.Job) bool { return other.ID == j.dataType })
}

func (c *compiler) unknownJobs() {
	var known []string
	for i := range c.doc.Jobs {
		known = append(known, c.doc.Jobs[i].ID, c.doc.Jobs[i].DataType)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range c.source.o.Jobs {
		if slices.Contains(known, name) {
			continue
		}
		if root := rootOf(name, c.doc.Jobs); root != "" {
			c.problems.Errorf(nil, "--job %s: is a child job, which runs with its parent: take --job %s", name, root)
			continue
		}
		c.problems.Errorf(nil, "--job %s: there is no such job%s", name, config.Have(name, known))
	}
}

// rootOf returns the id of the job that the child job of this id or data type
// runs below, or nothing.
func rootOf(name string, jobs []config.Job) string {
	for _, j := range jobs {
		for _, child := range j.Children {
			if child.ID == name || child.DataType == name || rootOf(name, []config.Job{child}) != "" {
				return j.ID
			}
		}
	}
	return ""
}

// env is what expressions may use where the contexts of these names exist.
func (c *compiler) env(contexts ...string) expr.Env {
	all := expr.Contexts{
		"attr": func(path string) (expr.Value, bool) {
			value, secret, ok := c.doc.Attributes.Find(path)
			return expr.Value{JSON: value, Secret: secret}, ok
		},
		"time": func(path string) (expr.Value, bool) {
			switch path {
			case "previousStart":
				return expr.Value{JSON: strconv.AppendInt(nil, c.source.o.PreviousStart, 10)}, true
			case "currentStart":
				return expr.Value{JSON: strconv.AppendInt(nil, c.source.started.Unix(), 10)}, true
			}
			return expr.Value{}, false
		},
	}
	e := expr.Env{Contexts: expr.Contexts{}, Now: c.source.o.clock(), Secret: func(text string) { c.source.o.Secrets.Add(text) }}
	for _, name := range contexts {
		e.Contexts[name] = all[name]
	}
	if c.source.o.Call != nil {
		e.Call = c.source.o.call
	}
	return e
}

// baseURL evaluates api.baseUrl. On an error it returns something to go on with.
func (c *compiler) baseURL() *url.URL {
	fallback := &url.URL{Scheme: "http", Host: "invalid.", Path: "/"}
	n := c.doc.BaseURL
	if n == nil {
		return fallback
	}
	e := expr.Compile(n, c.env("attr"), c.problems)
	v, err := e.Eval(c.env("attr"))
	if err != nil {
		return fallback // Compile has reported it
	}
	text, ok := item.Text(v.JSON)
	if !ok {
		c.problems.Errorf(n, "must be a string")
		return fallback
	}
	u, err := parseBase(text)
	if err != nil {
		c.problems.Errorf(n, "%v", err)
		return fallback
	}
	return u
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
			c.source.o.Secrets.Add(text, credentials)
		}
		h.Set(m.Name, text)
	}
}

// ownHeaders evaluates an object of headers for some of a job's requests.
func (c *compiler) ownHeaders(n *config.Node) http.Header {
	h := http.Header{}
	c.headers(h, n, c.env("attr", "time"))
	return h
}

// params compiles an object of parameters.
func (c *compiler) params(n *config.Node) []expr.Member {
	return expr.CompileMembers(n, c.env("attr", "time"), c.problems)
}

func (c *compiler) job(d *config.Job, parent *job) *job {
	j := &job{source: c.source, id: d.ID, dataType: d.DataType, endpoint: d.Endpoint, env: c.env("attr", "time"), resolve: c.resolve, parent: parent}
	method, err := request.ParseMethod(d.Method)
	if err != nil {
		c.problems.Errorf(d.Node.Member("method"), "%v", err)
	}
	j.method = method
	if d.Endpoint != "" && parent == nil {
		if j.url, j.query, err = c.resolve(d.Endpoint); err != nil {
			c.problems.Errorf(d.Node.Member("endpoint"), "%v", err)
		}
	}
	j.header = c.header.Clone()
	c.headers(j.header, c.doc.DefaultHeaders.Node(), c.env("attr", "time"))
	c.headers(j.header, d.Headers.Node(), c.env("attr", "time"))
	j.defaults = c.params(c.doc.DefaultParams)
	j.params = c.params(d.Params)
	j.paging = c.source.paging.For(d.Scroller, c.problems)
	j.origins = c.origins(d.Endpoint)
	j.spec = page.Spec{Detect: d.DataField == nil, Wants: j.paging.Wants()}
	if f := d.DataField; f != nil {
		j.spec.Field, j.spec.Select = f.Path, item.ParsePath(f.Path, f.Delimiter)
	}
	if parent == nil {
		j.userData = c.params(c.doc.UserData)
	}
	j.userData = append(j.userData, c.params(d.UserData)...)
	if len(d.ResponseFilter) > 0 {
		j.filter = transform.NewFilter(d.ResponseFilter, d.FilterDelimiter)
	}
	if c.problems.Err() == nil { // the first page's request shows what is wrong with a paging parameter
		if pages, err := j.evaluate(); err == nil {
			if _, err := j.paging.First(&paginate.State{}, pages); err != nil {
				c.problems.Errorf(d.Node, "%v", err)
			}
		}
		j.pages, j.added = nil, nil // evaluated when the job begins
	}
	for i := range d.Children {
		j.children = append(j.children, c.child(&d.Children[i], j))
	}
	return j
}

// child compiles a child job and what its parent says of it.
func (c *compiler) child(d *config.Job, parent *job) *child {
	ch := &child{}
	if d.RecursionFilter != "" {
		var err error
		if ch.filter, err = expr.ParseFilter(d.RecursionFilter); err != nil {
			c.problems.Errorf(d.Node.Member("recursionFilter"), "%v", err)
		}
	}
	if o := d.Placeholders; o.Node() != nil {
		for _, m := range o.Node().Members {
			ch.placeholders = append(ch.placeholders, c.placeholder(m, parent))
		}
	}
	ch.spellings = spell(ch.placeholders)
	ch.warnUnfilled(d.Node.Member("endpoint"), c.problems)
	ch.job = c.job(d, parent)
	return ch
}

// placeholder compiles a placeholder of a job below parent: a path, or an object
// with a path and a function of the value.
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
			env := expr.Env{Contexts: expr.Contexts{"placeholder": nil}, Now: c.source.o.Now}
			p.value = expr.Compile(m.Value.Without("path"), env, c.problems)
		}
	}
	if p.path == "" {
		c.problems.Errorf(m.Value, "must be a path in the parent's item, or an object with path and function")
		return p
	}
	above := parent
	for range p.level - 1 {
		if above = above.parent; above == nil {
			c.problems.Errorf(m.Value, "there is no job %d levels above", p.level)
			return p
		}
	}
	if p.kept = slices.Index(above.keeps, p.path); p.kept < 0 {
		p.kept = len(above.keeps)
		above.keeps = append(above.keeps, p.path)
	}
	p.member = memberName(p.path)
	return p
}

// resolve returns the address of an endpoint, and its query apart.
func (c *compiler) resolve(endpoint string) (*url.URL, request.Params, error) {
	return resolve(c.base, endpoint)
}

// send sends a login request: through retry and log, without a signer, and under
// the run's context, since a login serves all who wait for it and not only who
// was the first.
func (s *Source) send(job string, r *request.Request, read func(string, io.Reader) error) error {
	return s.client.Do(s.run, pipeline.Call{Job: job}, r, nil, func(resp *transport.Response) error {
		return read(resp.Header.Get("Content-Type"), resp.Body)
	})
}

// parseBase checks a base URL and gives its path a trailing slash.
func parseBase(text string) (*url.URL, error) {
	u, err := url.Parse(escaped(strings.TrimSpace(text)))
	switch {
	case err != nil && strings.Contains(text, "://"):
		return nil, fmt.Errorf("is not a URL: %w", plain(err))
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("must be an absolute http or https URL, such as https://api.example.com/v1/")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, fmt.Errorf("must not have a query; put its parameters into api.http.defaultOptions.params")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return nil, fmt.Errorf("must not have a fragment")
	}
	if err := checkAuthority(u); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	return u, nil
}

// resolve is RFC 3986 resolution of an endpoint against a base whose path ends in
// a slash. Only http:// and https:// begin an absolute URL: users:list is a path.
func resolve(base *url.URL, endpoint string) (*url.URL, request.Params, error) {
	endpoint = strings.TrimSpace(endpoint)
	path, query, _ := strings.Cut(endpoint, "?")
	if before, _, found := strings.Cut(path, "#"); found {
		path, query = before, ""
	}
	query, _, _ = strings.Cut(query, "#")
	lower := strings.ToLower(path)
	switch scheme, rest, found := strings.Cut(lower, "://"); {
	case strings.HasPrefix(lower, "http://"), strings.HasPrefix(lower, "https://"):
	case found && !strings.Contains(scheme, "/") && rest != "":
		return nil, nil, fmt.Errorf("%s:// is neither http nor https", scheme)
	default:
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ":") {
			path = "./" + path
		}
	}
	ref, err := url.Parse(escaped(path))
	if err != nil {
		return nil, nil, fmt.Errorf("is not a URL or path: %w", plain(err))
	}
	u := base.ResolveReference(ref)
	if u.Host == "" {
		return nil, nil, fmt.Errorf("the URL has no host")
	}
	if err := checkAuthority(u); err != nil {
		return nil, nil, err
	}
	return u, request.ParseQuery(query), nil
}

// checkAuthority refuses credentials beside the host, and a port that cannot be.
func checkAuthority(u *url.URL) error {
	if u.User != nil {
		return fmt.Errorf("must not hold credentials; put them into a header or api.authentication")
	}
	port := u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return fmt.Errorf("the port %s is not between 1 and 65535", port)
	}
	return nil
}

// escaped percent-encodes what cannot stand in a URL. Where there is such a
// character, url.Parse would forget which slashes were written as %2F.
func escaped(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c > 0x7f || strings.IndexByte(" \"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// plain takes the URL out of an error of net/url: it may hold a secret.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
