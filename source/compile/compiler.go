package compile

import (
	"net/http"
	"time"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/transport"
)

// Options of [Documents].
type Options struct {
	// Jobs are the only ones that run, by id or data type; empty: all.
	Jobs []string
	// Network must have an Observer and Secrets.
	Network     transport.Options
	Concurrency int
	// Clock is the time that the configuration and the expiry of a session see.
	Clock func() time.Time
	// Made, if set, is told each text that a function of the configuration
	// made of secrets.
	Made func(function, text string)

	// Shard is the part of the run that this process does, from 0; 0 Shards:
	// all of it.
	Shard, Shards int
	// Start is what the parameters of all processes of a run see; zero: each
	// sees its Clock.
	Start time.Time
	job.EarlierRuns
	// Tokens has what logins give for the next one; nil: it goes with the process.
	Tokens Keeper
}

// A Keeper has what logins give for the next one.
type Keeper = auth.Keeper

// A CompiledDocument is the API of a document of the configuration, and what its
// requests go through.
type CompiledDocument struct {
	API    *job.API
	Client *transport.Client
	// Consent is how a person logs in; nil: the configuration does not say it.
	Consent *Consent
}

// Consent is how a person logs in.
type Consent = auth.Consent

// compiler turns a document into the parts of an API, and collects what is wrong.
type compiler struct {
	options  *Options
	api      *job.API
	client   *transport.Client
	consent  *Consent
	doc      *config.Document
	problems *config.Problems
	paging   *paginate.Paging
	// header is that of every request, the login request included.
	header http.Header
	// read is told each attribute that an expression reads; nil: nobody wants to know.
	read func(path string, secret bool)
	// attributes are those of the authentication, and the secret ones of header.
	attributes []string
	// only and ids are what --job asks for, and the ids of all root jobs; nil until
	// they are needed.
	only, ids map[string]bool
	// wanted tells that the job that is compiled, or the one that it is below,
	// is to run.
	wanted bool
	// walks counts the root walks of the run so far.
	walks int
	// budgets are those of all documents.
	budgets *budgets
	// iterates tells that there are other documents.
	iterates bool
	// scope tells the parents of this document from those of others.
	scope string
}

// headers evaluates an object of headers into h, over what is there, and returns those
// that each walk has its own values of.
func (c *compiler) headers(
	h http.Header, n *config.Node, env expr.Env,
) (varying []expr.NamedValue) {
	for _, m := range expr.CompileHeaders(n, env, c.problems) {
		if !m.Value.Ready() {
			varying = append(varying, m)
			continue
		}
		text, err := m.Header(env)
		if err != nil {
			// CompileHeaders has reported it.
			continue
		}
		if secret.Name(m.Name) {
			c.api.Secrets.Add(secret.Parts(text)...)
		}
		h.Set(m.Name, text)
		if m.Value.PerRequest() {
			renewed := job.Renewed{NamedValue: m, Env: env, First: []byte(text)}
			c.api.Renewed = append(c.api.Renewed, renewed)
		}
	}
	return varying
}

// text evaluates a text or an expression; not ok if it is absent or wrong, of which
// otherwise is said.
func (c *compiler) text(n *config.Node, otherwise string) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	env := c.env()
	v, err := expr.Compile(n, env, c.problems).Eval(env)
	if err != nil {
		// Compile has reported it.
		return "", false
	}
	text, ok = item.Text(v.JSON)
	if !ok {
		c.problems.Errorf(n, "%s", otherwise)
	}
	return text, ok
}

// duration is an amount of time; 0 if there is none.
func (c *compiler) duration(n *config.Node) time.Duration {
	if n == nil {
		return 0
	}
	d, err := paginate.Duration(n)
	if err != nil {
		c.problems.Errorf(n, "%v", err)
	}
	return d
}
