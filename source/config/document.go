package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// A Document is what a configuration says, as far as it concerns every run. Nodes stay where expressions
// are compiled by those who know which contexts exist there.
type Document struct {
	// A string or an expression.
	BaseURL *Node

	// api.http.headers and config.http.headers, weakest first; each may be nil.
	Headers []*Node

	// Nil if they are absent.
	// Of api.http.defaultOptions.
	DefaultHeaders, DefaultMethod, DefaultParams *Node

	// In PEM, or expressions.
	CACertificate, ClientCertificate *Node

	Authentication, Pagination *Node

	// Credentials of OAuth, at the document's root.
	Authorization *Node

	// Signature of every request.
	AWS *Node

	// Members that the items of all root jobs get.
	UserData *Node

	OutputBucket *Node

	// How queries and forms write them; empty: the document does not say so.
	Arrays, Booleans string

	// Attempts after the first; 0: none.
	MaxRetries int

	// Statuses that are retried; nil: the usual ones.
	RetryCodes []int

	// Of an answer that says how long to wait.
	RetryHeader string

	// names.
	RequiredHeaders []*Node

	// Statuses whose answers are used as data.
	IgnoreErrors []int

	// Arrays of conditions about an answer, by the names of their members.
	Conditions map[string]*Node

	ConnectTimeout time.Duration

	// Longest time without a byte.
	RequestTimeout time.Duration

	Jobs  []Job
	Debug bool

	// Only shows in the report.
	Incremental bool

	// 1 and 2 are older behaviour of the dialect.
	CompatLevel int64

	// Of the whole document, the values of secrets left out.
	Fingerprint string

	// strings: hosts or addresses that requests may go to; empty: all.
	AllowedHosts []*Node

	// config.
	attributes *Node

	// Of its members, for [Document.Attribute].
	values map[string]jsontext.Value
}

// A Job is one element of config.jobs. Nodes are nil if they are absent.
type Job struct {
	// Unique among the jobs.
	ID string

	// The member, or the endpoint.
	DataType string

	// Relative to the base URL; never empty.
	Endpoint string

	// As written; empty is GET.
	Method string

	// A string, the name of a way of paging.
	Scroller *Node

	Windows Windows

	// The end counts although an answer says that there is more.
	TrustEnd bool

	// An object.
	WaitOn *Node

	// The whole job, for messages.
	Node *Node

	Children []Job

	Params, Headers *Node

	// Each in place of the API's.
	Conditions map[string]*Node

	// How answers are written; nil is JSON.
	Format *Node

	// Path of the items; empty: detect the array.
	DataField string

	// Between its steps.
	DataDelimiter string

	// The items are the members of an object, with their names at this member; empty: of an array.
	DataMembers string

	// Members that each item gets.
	UserData *Node

	// Paths whose values become their JSON text.
	ResponseFilter []string

	// Between the steps of those.
	FilterDelimiter string

	// Of a child job.
	Placeholders *Node

	// Which items of the parent have the child; empty: all.
	RecursionFilter string
}

// Attribute returns the attribute called path, or else the one that the walk along
// its dots leads to. It is secret if a name on the way starts with '#'.
func (d *Document) Attribute(path string) (value jsontext.Value, secret, ok bool) {
	value = d.values[path]
	if value == nil {
		first, rest, deeper := strings.Cut(path, ".")
		value = d.values[first]
		if deeper {
			value = item.Lookup(value, strings.Split(rest, "."))
		}
	}
	return value, strings.Contains("."+path, ".#"), item.Kind(value) != 'n'
}

// Decode reads the members of a parsed document, bare or enveloped, and makes the values of attributes whose
// name starts with '#' known to secrets. What it returns is of use only without problems.
func Decode(root *Node, secrets *secret.Set, p *Problems) *Document {
	if root == nil {
		return &Document{}
	}
	hide(root, false, func(n *Node) { secrets.Add(secret.Parts(n.Text())...) })
	sum := sha256.New()
	fingerprint(sum, root)
	d := &Document{Fingerprint: hex.EncodeToString(sum.Sum(nil))}
	top := NewObject(root, p)
	if root.Member("api") == nil && root.Member("parameters") != nil {
		d.platform(top, p)
		top = top.Object("parameters", "The configuration proper.")
		if top.Node() == nil {
			return d
		}
	}
	d.decode(top, p)
	d.Authorization = cmp.Or(root.Member("authorization"), d.Authorization)
	// Reports what is no object.
	NewObject(d.Authorization, p)
	return d
}

const notImplemented = "is not implemented, and without it the data would be wrong"

// decode reads the configuration proper.
func (d *Document) decode(top *Object, p *Problems) {
	top.Any("$schema", "Where the schema is: a file or an address, for editors.", "string")
	d.platform(top, p)
	d.Authorization = top.Any(
		"authorization",
		"Credentials of the OAuth types, below oauth_api.credentials.",
		"authorization",
	)
	d.AWS = top.Any("aws", "Credentials of AWS Signature Version 4, below signature.credentials.", "aws")
	top.List(
		"iterations",
		"Members that replace those of config; everything runs once for each entry.",
		"object",
	)
	top.Unsupported(notImplemented, "sshProxy", "cache")
	api := top.Object("api", "How the API is reached.")
	cfg := top.Object("config", "What to fetch, and attributes.")
	top.Require("api", "config")
	top.Done()
	d.api(api, p)
	d.config(cfg, p)
}

// platform reads what whoever runs the configuration says; in an envelope it may stand outside too.
func (d *Document) platform(o *Object, p *Problems) {
	if n := o.Any("action", "What to do: only run is there.", "string"); n != nil && n.Text() != "run" {
		p.Errorf(n, "the action is not implemented, have run")
	}
	images := o.Object("image_parameters", "What the platform says; only allowed_hosts has an effect.")
	for _, n := range images.List("allowed_hosts", "Where requests may go, redirects and logins too; empty: everywhere.", "allowedHost") {
		if h := allowedHost(NewObject(n, p)); h.mustBeString("the name of a host, or an address", p) &&
			h != nil {
			d.AllowedHosts = append(d.AllowedHosts, h)
		}
	}
}

func allowedHost(o *Object) *Node {
	host := o.Any("host", "Name of a host, or an address that those of requests lie below.", "string")
	o.Require("host")
	o.Done()
	return host
}

// Definitions describe the parts of a document, for its JSON Schema; a child is a job below another.
func Definitions() map[string]*Object {
	var p Problems
	all := map[string]*Object{}
	for _, name := range []string{"document", "job", "child", "dataField", "allowedHost"} {
		all[name] = NewObject(nil, &p)
	}
	new(Document).decode(all["document"], &p)
	new(Job).decode(all["job"], 0, &p)
	new(Job).decode(all["child"], 1, &p)
	new(Job).dataField(all["dataField"])
	allowedHost(all["allowedHost"])
	return all
}

func (d *Document) api(o *Object, p *Problems) {
	d.BaseURL = o.Any(
		"baseUrl",
		"Base address of the API, absolute http or https; a string or an expression.",
		"string",
		"expression",
	)
	o.Ignored("name")
	d.CACertificate = o.Any(
		"caCertificate",
		"Certificates in PEM that may sign the API's, instead of the system's.",
		"string",
		"expression",
	)
	d.ClientCertificate = o.Any(
		"#clientCertificate",
		"Certificate and key in PEM to show to the API.",
		"string",
		"expression",
	)
	if n := o.Any("aws", "Credentials of AWS Signature Version 4, if they are not beside api.", "aws"); n != nil {
		if d.AWS != nil {
			p.Errorf(n, "stands here and beside api: remove one of the two")
		}
		d.AWS = n
	}
	d.Authentication = o.Any("authentication", "How requests are authenticated.", "authentication")
	o.Unsupported(`is an older form: write "authentication": {"type": "query", "query": {…}} instead`, "query")
	d.Pagination = o.Any("pagination", "How the pages of a job follow one another.", "pagination")
	o.Require("baseUrl")

	http := o.Object("http", "Headers, parameters and time-outs of requests.")
	for _, n := range http.List("requiredHeaders", "Headers that the configuration must set.", "string") {
		if n.mustBeString("the name of a header", p) {
			d.RequiredHeaders = append(d.RequiredHeaders, n)
		}
	}
	d.IgnoreErrors = statuses(
		http,
		"ignoreErrors",
		"Statuses whose answers are used as data when nothing else helps.",
		p,
	)
	d.Conditions = conditions(http, p)
	d.Arrays = http.Choice(
		"arrays",
		"indexed",
		"How queries and forms write arrays: a[0]=x, a[]=x, a=x&a=y, or a=x,y.",
		"indexed",
		"brackets",
		"repeat",
		"comma",
	)
	d.Booleans = http.Choice(
		"booleans",
		"numbers",
		"How queries and forms write booleans: 1 and 0, or true and false.",
		"numbers",
		"words",
	)
	d.Headers = append(d.Headers, http.Map("headers", "Headers of every request, the login request included."))
	d.ConnectTimeout = seconds(http, "connectTimeout", 30, "Seconds to connect.", p)
	d.RequestTimeout = seconds(
		http,
		"requestTimeout",
		300,
		"Seconds without a byte before a request is given up.",
		p,
	)
	defaults := http.Object("defaultOptions", "What every API request carries, the login request not.")
	d.DefaultHeaders = defaults.Map("headers", "Headers of every API request.")
	d.DefaultParams = defaults.Map("params", "Parameters of every API request.")
	d.DefaultMethod = defaults.Any("method", "Method of jobs that have none of their own.", "string")
	d.DefaultMethod.mustBeString("GET, POST or FORM", p)
	defaults.Done()
	http.Done()

	d.retry(o.Object("retryConfig", "When a request is sent again."), p)
	o.Done()
}

func (d *Document) retry(o *Object, p *Problems) {
	retries, n := o.Int("maxRetries", 10, "How often a request is repeated at most; 0 is never.")
	if n != nil && (retries < 0 || retries > 1000) {
		p.Errorf(n, "must be between 0 and 1000")
	}
	d.MaxRetries = int(retries)
	older := statuses(o, "httpCodes", "An older name of http.codes.", p)
	header := o.Text("headerName", "", "An older name of http.retryHeader.")
	o.Ignored("curlCodes", "curl")
	http := o.Object("http", "Which answers are temporary.")
	d.RetryHeader = http.Text(
		"retryHeader",
		cmp.Or(header, "Retry-After"),
		"Header of an answer 403, 420, 429 or 503 that says how long to wait where Retry-After does not.",
	)
	if d.RetryCodes = statuses(http, "codes", "Statuses that are retried, instead of 408, 420, 429, 500, 502, 503 and 504.", p); d.RetryCodes == nil {
		d.RetryCodes = older
	}
	http.Done()
	o.Done()
}

// conditions reads the arrays of conditions that are there, by their names.
func conditions(o *Object, p *Problems) map[string]*Node {
	all := map[string]*Node{}
	for _, member := range [...]struct{ name, doc string }{
		{"loginOn", "Conditions, such as errcode==40001, one of which makes an answer count as 401."},
		{"retryOn", "Conditions, such as $status==403&$header.x-ratelimit-remaining==0, one of which makes an answer count as 429."},
		{"endOn", "Conditions, such as $status==400&code==no_such_page, one of which makes an answer a page without items, which ends paging."},
		{"failOn", "Conditions, such as ok==false, one of which makes an answer an error; none switches the usual rule off."},
	} {
		for _, n := range o.List(member.name, member.doc, "string") {
			n.mustBeString("a condition", p)
		}
		if n := o.Node().Member(member.name); n != nil {
			all[member.name] = n
		}
	}
	return all
}

// statuses reads a list of HTTP statuses; nil if it is absent.
func statuses(o *Object, name, doc string, p *Problems) []int {
	list := o.List(name, doc, "integer")
	if o.Node().Member(name) == nil {
		return nil
	}
	codes := []int{}
	for _, n := range list {
		code, ok := n.Int()
		if !ok || code < 100 || code > 599 {
			p.Errorf(n, "must be an HTTP status")
			continue
		}
		codes = append(codes, int(code))
	}
	return codes
}

func seconds(o *Object, name string, or int64, doc string, p *Problems) time.Duration {
	s, n := o.Int(name, or, doc)
	if n != nil && (s < 1 || s > 86400) {
		p.Errorf(n, "must be between 1 and 86400 seconds")
	}
	return time.Duration(s) * time.Second
}

// mustBeString reports a node that is there and no string. what says which string it must be.
func (n *Node) mustBeString(what string, p *Problems) bool { return n.mustBe('"', what, p) }

func (n *Node) mustBe(kind jsontext.Kind, what string, p *Problems) bool {
	if n != nil && n.Kind != kind {
		p.Errorf(n, "must be %s, not %s", what, n.kindName())
		return false
	}
	return true
}

// config reads the section of that name. Every other member is an attribute.
func (d *Document) config(o *Object, p *Problems) {
	d.attributes = o.Node()
	d.values = map[string]jsontext.Value{}
	if d.attributes != nil {
		for _, m := range d.attributes.Members {
			d.values[m.Name] = m.Value.Raw
		}
	}
	d.Debug = o.Bool("debug", false, "Log every request.")
	d.OutputBucket = o.Any("outputBucket", "Bucket for an output of s3:// without one.", "string")
	d.OutputBucket.mustBeString("a string", p)
	d.Incremental = o.Bool("incrementalOutput", false, "Shown in the report as incremental.")
	var compat *Node
	if d.CompatLevel, compat = o.Int("compatLevel", 3, "1 and 2: responseFilter leaves scalars as they are."); d.CompatLevel < 3 {
		p.Warnf(
			compat,
			"is older behaviour, of which there is only that responseFilter makes text of arrays and objects, not of scalars",
		)
	}
	o.Unsupported(notImplemented, "mappings")
	d.UserData = o.Map("userData", "Members that each item of the root jobs gets; values or expressions.")
	http := o.Object("http", "Headers of every request, stronger than api.http.headers.")
	d.Headers = append(d.Headers, http.Map("headers", "Headers of every request, the login request included."))
	http.Done()
	for _, n := range o.List("jobs", "What to fetch.", "job") {
		d.Jobs = append(d.Jobs, decodeJob(n, 0, p))
	}
	o.Require("jobs")
	if n := o.Node().Member("jobs"); n != nil && n.Kind == '[' && len(d.Jobs) == 0 {
		p.Errorf(n, "there must be at least one job")
	}
	nameJobs(d.Jobs, p)
}

func decodeJob(n *Node, depth int, p *Problems) Job {
	j := Job{Node: n}
	j.decode(NewObject(n, p), depth, p)
	return j
}

func (j *Job) decode(o *Object, depth int, p *Problems) {
	j.ID = o.Text("id", "", "Name of the job; by default the file name of its data type.")
	j.Endpoint = o.Text("endpoint", "", "Address of the items, relative to baseUrl.")
	o.Require("endpoint")
	o.Filled("endpoint")
	j.DataType = cmp.Or(
		o.Text("dataType", "", "Which output the items belong to; by default the endpoint."),
		j.Endpoint,
	)
	j.Method = o.Text(
		"method",
		"GET",
		"GET, POST (parameters as a JSON body) or FORM (as a form).",
		"GET",
		"POST",
		"FORM",
	)
	j.Params = o.Map("params", "Parameters of the job's requests.")
	j.Headers = o.Map("headers", "Headers of the job's requests.")
	j.items(o, p)
	if depth > 0 {
		j.Placeholders = o.Map(
			"placeholders",
			"What stands for {name} in the endpoint: a path in the parent's item, or an object with path and function.",
		)
		j.RecursionFilter = o.Text(
			"recursionFilter",
			"",
			"Which items of the parent have this child, such as type==group.",
		)
	}
	j.Scroller = o.Any("scroller", "Which of api.pagination.scrollers the job uses.", "string")
	if !j.Scroller.mustBeString("a string", p) {
		j.Scroller = nil
	}
	j.TrustEnd = o.Bool("trustEnd", false, "Whether the end counts although an answer says that there is more.")
	j.Conditions = conditions(o, p)
	wait := o.Object("waitOn", "What is not ready yet is asked for again.")
	wait.Text("when", "", "The condition while which it is not ready, such as state==processing.")
	wait.Any("every", "Time between two requests, in seconds or such as 10 seconds.", "integer", "string")
	wait.Any("for", "The longest time to wait, in seconds or such as 2 hours.", "integer", "string")
	wait.Require("when", "every", "for")
	wait.Done()
	j.WaitOn = wait.Node()
	if depth == 0 {
		j.Windows.decode(o.Object("windows", "Windows of time that the job asks for, one walk for each."))
	}
	for _, c := range o.List("children", "Jobs that run for each item of this one.", "child") {
		if depth >= maxDepth {
			p.Errorf(c, "jobs are nested more than %d deep", maxDepth)
			break
		}
		j.Children = append(j.Children, decodeJob(c, depth+1, p))
	}
	o.Done()
}

// maxDepth bounds how deep child jobs are nested.
const maxDepth = 16

// items reads what the job says about its items.
func (j *Job) items(o *Object, p *Problems) {
	j.Format = o.Any("format", "How the answers are written: json, ndjson or csv.", "formatName", "format")
	switch n := o.Any("dataField", "Path of the items in the response.", "string", "dataField"); {
	case n == nil:
	case n.Kind == '"':
		j.DataField, j.DataDelimiter = n.Text(), "."
	case n.Kind == '{':
		j.dataField(NewObject(n, p))
	default:
		p.Errorf(n, "must be a path, or an object with path and delimiter, not %s", n.kindName())
	}
	j.UserData = o.Map("userData", "Members that each item gets; values or expressions.")
	switch n := o.Any("responseFilter", "Path, or paths, whose values become their JSON text, scalars and null too.", "string", "array"); {
	case n == nil:
	case n.Kind == '"':
		j.ResponseFilter = []string{n.Text()}
	case n.Kind == '[':
		for _, e := range n.Elems {
			if e.mustBeString("a path", p) {
				j.ResponseFilter = append(j.ResponseFilter, e.Text())
			}
		}
	default:
		p.Errorf(n, "must be a path or an array of paths, not %s", n.kindName())
	}
	j.FilterDelimiter = o.Text(
		"responseFilterDelimiter",
		".",
		"What stands between the steps of responseFilter.",
	)
}

// dataField reads the form of dataField that is an object.
func (j *Job) dataField(o *Object) {
	j.DataField = o.Text("path", "", "The path.")
	j.DataDelimiter = o.Text("delimiter", ".", "What stands between its steps.")
	j.DataMembers = o.Text(
		"members",
		"",
		"The items are the members of an object there; each gets its name as this member.",
	)
	o.Require("path")
	o.Filled("members")
	o.Done()
}

// nameJobs gives each job without an id the file name of its data type, with -2, -3 … where that is taken.
func nameJobs(jobs []Job, p *Problems) {
	taken := make(map[string]bool)
	each(jobs, func(j *Job) {
		if j.ID != "" && taken[j.ID] {
			p.Errorf(j.Node.Member("id"), "another job has the id %q", j.ID)
		}
		taken[j.ID] = true
	})
	// The number tried last for a name: many jobs may be of one data type.
	last := make(map[string]int)
	each(jobs, func(j *Job) {
		if j.ID != "" {
			return
		}
		name := pipeline.FileName(j.DataType)
		id := name
		for taken[id] {
			last[name] = max(last[name]+1, 2)
			id = fmt.Sprintf("%s-%d", name, last[name])
		}
		taken[id], j.ID = true, id
	})
}

// each visits jobs and their children, parents first.
func each(jobs []Job, visit func(*Job)) {
	for i := range jobs {
		visit(&jobs[i])
		each(jobs[i].Children, visit)
	}
}
