package config

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/secret"
)

// Decode reads the members of a parsed document, bare or enveloped, and makes the values of attributes whose
// name starts with '#' known to secrets. What it returns is of use only without problems.
func Decode(root *Node, secrets *secret.Set, p *Problems) *Document {
	if root == nil {
		return &Document{}
	}
	hide(root, false, func(n *Node) { secrets.Add(secret.Parts(n.Text())...) })
	d := &Document{Fingerprint: fingerprintOf(root)}
	if root.iteration != nil {
		d.Iteration = fingerprintOf(root.iteration)
	}
	top := NewObjectDecoder(root, p)
	if root.Member("api") == nil && root.Member("parameters") != nil {
		d.platform(top, p)
		top = top.Object("parameters", "The configuration proper.")
		if top.Node() == nil {
			return d
		}
	}
	d.decode(top, p)
	nameJobs(d.Jobs, secrets, p)
	each(d.Jobs, func(j *Job) { secrets.Choose(j.chosenNames()...) })
	d.Authorization = cmp.Or(root.Member("authorization"), d.Authorization)
	// This reports credentials that are no object.
	NewObjectDecoder(d.Authorization, p)
	return d
}

const notImplemented = "is not implemented, and without it the data would be wrong"

// decode reads the configuration proper.
func (d *Document) decode(top *ObjectDecoder, p *Problems) {
	top.Any("$schema", "Where the schema is: a file or an address, for editors.", "string")
	d.platform(top, p)
	d.Authorization = top.Any("authorization",
		"Credentials of the OAuth types, below oauth_api.credentials.", "authorization")
	d.AWS = top.Any("aws", "Credentials of AWS Signature Version 4, below signature.credentials.", "aws")
	top.List("iterations",
		"Members that replace those of config; everything runs once for each entry.", "object")
	top.Unsupported(notImplemented, "sshProxy", "cache")
	api := top.Object("api", "How the API is reached.")
	cfg := top.Object("config", "What to fetch, and attributes.")
	top.Require("api", "config")
	top.Done()
	if api.Node() != nil {
		d.apiPath = api.Node().Path
	}
	d.decodeAPI(api, p)
	d.config(cfg, p)
}

// platform reads what whoever runs the configuration says; in an envelope it may stand outside too.
func (d *Document) platform(o *ObjectDecoder, p *Problems) {
	action := o.Any("action", "What to do: only run is there.", "string")
	if action != nil && action.Text() != "run" {
		p.Errorf(action, "this action is not implemented: the only one is run")
	}
	images := o.Object("image_parameters", "What the platform says; only allowed_hosts has an effect.")
	hosts := images.List("allowed_hosts",
		"Where requests may go, redirects and logins too; empty: everywhere.", "allowedHost")
	for _, n := range hosts {
		h := allowedHost(NewObjectDecoder(n, p))
		if h != nil && h.mustBeString("the name of a host, or an address", p) {
			d.AllowedHosts = append(d.AllowedHosts, h)
		}
	}
}

func allowedHost(o *ObjectDecoder) *Node {
	host := o.Any("host", "Name of a host, or an address that those of requests lie below.", "string")
	o.Require("host")
	o.Done()
	return host
}

// Definitions describe the parts of a document, for its JSON Schema; a child is a job below another.
func Definitions() map[string]*ObjectDecoder {
	var p Problems
	all := map[string]*ObjectDecoder{}
	for _, name := range []string{"document", "job", "child", "dataField", "allowedHost", "placeholderObject", "rate"} {
		all[name] = NewObjectDecoder(nil, &p)
	}
	new(Document).decode(all["document"], &p)
	new(Job).decode(all["job"], 0, &p)
	new(Job).decode(all["child"], 1, &p)
	new(ItemOptions).fieldObject(all["dataField"])
	allowedHost(all["allowedHost"])
	new(PlaceholderOptions).decode(all["placeholderObject"])
	new(Rate).decode(all["rate"], &p)
	return all
}

// config reads the section of that name. Every other member is an attribute.
func (d *Document) config(o *ObjectDecoder, p *Problems) {
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
	level, n := o.Int("compatLevel", 3, "1 and 2: responseFilter leaves scalars as they are.")
	d.CompatLevel = level
	if level < 3 {
		p.Warnf(n, "is older behaviour, of which there is only that responseFilter makes text of "+
			"arrays and objects, not of scalars")
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
	jobs := o.Node().Member("jobs")
	if jobs != nil && jobs.Kind == '[' && len(d.Jobs) == 0 {
		p.Errorf(jobs, "there must be at least one job")
	}
}
