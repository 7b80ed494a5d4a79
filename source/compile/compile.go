// Package compile turns documents of the configuration into jobs, and says of every
// problem where it is. It sends nothing.
package compile

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport"
)

// Documents compiles the documents of a configuration; what it returns is of use
// only if p has no errors then.
func Documents(
	docs []*config.Document, o Options, p *config.Problems,
) (all []CompiledDocument) {
	walks := 0
	budgets := newBudgets(docs, &o, p)
	for i, d := range docs {
		api := &job.API{
			Addresses: &request.Addresses{},
			Started:   o.Start,
			Clock:     o.Clock,
			Secrets:   o.Network.Secrets,
			Made:      o.Made,
		}
		if api.Started.IsZero() {
			api.Started = o.Clock()
		}
		c := &compiler{options: &o, api: api, doc: d, problems: p, walks: walks, budgets: budgets}
		c.iterates = len(docs) > 1
		if c.iterates {
			// The same placeholders may be of another account.
			c.scope = fmt.Sprint(i, d.Iteration)
		}
		c.compile()
		walks = c.walks
		all = append(all, CompiledDocument{api, c.client, c.consent})
	}
	return all
}

func (c *compiler) compile() {
	c.api.Addresses.Hosts = c.allowedHosts()
	c.api.Ignored = c.doc.IgnoreErrors
	c.client = c.newClient()
	c.api.Addresses.Base = c.baseURL()
	c.budgets.learn(c.api.Addresses.Base)
	c.api.Shape = request.ValueStyle{
		Arrays: c.doc.Arrays,
		Words:  c.doc.Booleans == "words",
	}
	c.attributes = c.attributesOf(c.sharedHeaders, true)
	c.paging = c.newPaging()
	authenticate := func() { c.api.Signer = c.signer() }
	c.attributes = append(c.attributes, c.attributesOf(authenticate, false)...)
	for i := range c.doc.Jobs {
		d := &c.doc.Jobs[i]
		c.wanted = c.wants(d)
		j := c.job(d, nil, nil)
		if c.wanted {
			c.divide(j)
			c.api.Jobs = append(c.api.Jobs, j)
		} else {
			c.api.Rest = append(c.api.Rest, j)
		}
	}
	c.client.Headers, c.client.Also = c.headersRead(), evidence.TellingHeader
	c.repeated()
	c.unknownJobs()
}

func (c *compiler) newClient() *transport.Client {
	n := c.options.Network
	n.TLS = c.tls()
	n.Version = c.doc.HTTPVersion
	n.ConnectTimeout = c.doc.ConnectTimeout
	n.IdleTimeout = c.doc.RequestTimeout
	n.Retry = transport.Retry{
		MaxRetries: c.doc.MaxRetries,
		Codes:      c.doc.RetryCodes,
		Header:     c.doc.RetryHeader,
	}
	n.Connections = c.options.Concurrency
	n.Quotas = c.budgets.quotas
	n.Accept = func(status int) bool {
		return slices.Contains(c.doc.IgnoreErrors, status)
	}
	n.Allow = c.api.Addresses.Allow
	return transport.New(n)
}

// headersRead lists the headers of answers that are looked at, each once.
func (c *compiler) headersRead() []string {
	ofRetry := http.CanonicalHeaderKey(c.client.Retry.Header)
	names := []string{"Content-Type", "Content-Length", "Connection", "Retry-After", ofRetry}
	names = append(names, evidence.Headers()...)
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	for _, j := range job.Tree(c.api.Jobs) {
		for _, path := range j.HeaderPaths() {
			name := http.CanonicalHeaderKey(path[1:].String())
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return slices.Compact(names)
}

// baseURL evaluates api.baseUrl. On an error it returns something to go on with.
func (c *compiler) baseURL() *url.URL {
	if u := c.writtenBase(); u != nil {
		return u
	}
	// One problem is enough.
	c.api.Addresses.Hosts = nil
	return &url.URL{Scheme: "http", Host: "invalid.", Path: "/"}
}

// writtenBase is nil if api.baseUrl is of no use, which is reported then.
func (c *compiler) writtenBase() *url.URL {
	if expr.RefuseText(c.doc.BaseURL, nil, c.problems) {
		return nil
	}
	text, ok := c.text(c.doc.BaseURL, "must be a string")
	if !ok {
		return nil
	}
	u, err := c.api.Addresses.ParseBase(text)
	if err != nil {
		c.problems.Errorf(c.doc.BaseURL, "%v", err)
		return nil
	}
	return u
}

// sharedHeaders are those of every request.
func (c *compiler) sharedHeaders() {
	c.header = http.Header{}
	for _, n := range c.doc.Headers {
		c.headers(c.header, n, c.env())
	}
	for _, n := range c.doc.RequiredHeaders {
		if c.header.Get(n.Text()) == "" {
			c.problems.Errorf(n,
				"the header %q must be set, in config.http.headers", n.Text())
		}
	}
}

func (c *compiler) newPaging() *paginate.Paging {
	shared := c.jobEnv(idsOf(c.doc.Jobs)...)
	headers := func(n *config.Node) http.Header {
		h := http.Header{}
		c.headers(h, n, shared)
		return h
	}
	env := paginate.Env{
		Expr:     shared,
		Headers:  headers,
		Endpoint: func(n *config.Node) (endpoint, shown string) { return c.fixedEndpoint(n, shared) },
	}
	return paginate.New(c.doc.Pagination, env, c.problems)
}

func (c *compiler) signer() *request.Signer {
	login := c.env()
	// A session is good from now on.
	login.Now = c.options.Clock
	return auth.New(c.doc.Authentication, c.doc.AWS, auth.Env{
		Authorization: c.doc.Authorization,

		Resolve:  c.api.Addresses.Resolve,
		Header:   c.header,
		Shape:    c.api.Shape,
		Renew:    c.renewHeaders,
		Expr:     login,
		Secrets:  c.api.Secrets,
		Observer: c.options.Network.Observer,
		Divided:  c.options.Shards > 1,
		Keeper:   c.options.Tokens,
		Consent:  func(how *Consent) { c.consent = how },
		KeepsNot: c.keepsNot(),
		Now:      c.options.Clock,
		Base:     c.api.Addresses.LoginBase,
		Send:     c.sendLogin,
	}, c.problems)
}

// keepsNot says why a login cannot keep anything for the next one; empty: it can.
func (c *compiler) keepsNot() string {
	switch {
	case c.options.Shards > 0:
		return "cannot stand beside --shard: the logins of shards would use up each other's tokens"
	case c.iterates:
		return "cannot stand beside iterations, each of which logs in by itself: write a configuration for " +
			"each iteration"
	}
	return ""
}

// renewHeaders gives the headers of a login request their values of now.
func (c *compiler) renewHeaders(r *request.Request) error {
	return c.api.Renew(r, c.api.Renewed)
}

func (c *compiler) sendLogin(
	name string, r *request.Request, read func(auth.LoginAnswer) error,
) error {
	told := *r
	told.Attributes = c.attributes
	return c.client.Login(name, &told, func(resp *transport.Response) error {
		return read(auth.LoginAnswer{
			Header:  resp.Header,
			Cookies: resp.Cookies,
			Body:    resp.Body,
			Cut:     resp.Cut,
		})
	})
}

// wants tells whether --job asks for the job: by its id, or by a data type that is
// no job's id.
func (c *compiler) wants(j *config.Job) bool {
	if len(c.options.Jobs) == 0 {
		return true
	}
	if c.only == nil {
		c.only = map[string]bool{}
		for _, name := range c.options.Jobs {
			c.only[name] = true
		}
		c.ids = map[string]bool{}
		for i := range c.doc.Jobs {
			c.ids[c.doc.Jobs[i].ID] = true
		}
	}
	byType := c.only[j.DataType] && !c.ids[j.DataType]
	byFile := j.Withheld != "" && c.only[j.Withheld]
	return byType || byFile || c.only[j.ID]
}

func (c *compiler) unknownJobs() {
	var known []string
	for _, j := range c.doc.Jobs {
		known = append(known, j.ID, j.DataType)
		if j.Withheld != "" {
			known = append(known, j.Withheld)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range c.options.Jobs {
		_, found := slices.BinarySearch(known, name)
		switch {
		case found:
		case slices.Contains(idsOf(c.doc.Jobs), name):
			c.problems.Errorf(nil,
				"--job %s: is a child job, which runs with its parent", name)
		default:
			have := config.Have(name, known)
			c.problems.Errorf(nil, "--job %s: there is no such job%s", name, have)
		}
	}
}

func idsOf(jobs []config.Job) (ids []string) {
	for _, j := range jobs {
		ids = append(ids, j.ID)
		ids = append(ids, idsOf(j.Children)...)
	}
	return ids
}
