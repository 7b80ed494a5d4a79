package config

import (
	"fmt"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// A Job is one element of config.jobs, or of the children of one. Nodes are nil if they are absent.
type Job struct {
	// ID is unique among the jobs.
	ID string

	// Withheld is the file name of the data type where a secret in it is not in ID; else empty.
	Withheld string

	// DataType is the member, or the endpoint.
	DataType string

	// Endpoint is relative to the base URL: a text that is not empty, or an expression.
	Endpoint *Node

	// Method is as written; empty is GET.
	Method string

	ParameterParts

	Headers *Node

	// Scroller is a string, the name of a way of paging.
	Scroller *Node

	// TrustEnd: the end counts although an answer says that there is more.
	TrustEnd bool

	// Conditions are each in place of the API's.
	Conditions map[string]*Node

	// WaitOn is an object.
	WaitOn *Node

	Windows Windows
	Until   UntilOption

	ItemOptions
	PerItem

	Children []Job

	// Node is the whole job, for messages.
	Node *Node
}

// ItemOptions is what a job says about the items in its answers.
type ItemOptions struct {
	// Format is how answers are written; nil is JSON.
	Format *Node

	// DataField is the path of the items; empty: detect the array.
	DataField string

	// DataDelimiter stands between the steps of DataField.
	DataDelimiter string

	// DataMembers: the items are the members of an object, with their names at this member. Empty: they are
	// the elements of an array.
	DataMembers string

	// DataRows says how items are written that are rows without names; nil: they are none.
	DataRows *Node

	// DataWith are members that each item gets of the object above its list; nil: none.
	DataWith *Node

	// Unique says what tells items apart: false, or paths.
	Unique *Node

	// DataScalar: a lone text, number or true at DataField is an item.
	DataScalar bool

	// DataObjects: a step * of DataField goes over the members of objects, too.
	DataObjects bool

	// Where says which items are emitted; empty: all.
	Where string

	// UserData are members that each item gets.
	UserData *Node

	// ResponseFilter are paths whose values become their JSON text.
	ResponseFilter []string

	// FilterDelimiter stands between the steps of these.
	FilterDelimiter string
}

// PerItem is what a child job says about the items of its parent, for each of which it runs.
type PerItem struct {
	// Placeholders stand in the endpoint for values of the item.
	Placeholders *Node

	// RecursionFilter says which items have the child; empty: all.
	RecursionFilter string
}

// maxDepth bounds how deep child jobs are nested.
const maxDepth = 16

func decodeJob(n *Node, depth int, p *Problems) Job {
	j := Job{Node: n}
	j.decode(NewObjectDecoder(n, p), depth, p)
	return j
}

func (j *Job) decode(o *ObjectDecoder, depth int, p *Problems) {
	j.ID = o.Text("id", "", "Name of the job; by default the file name of its data type.")
	j.Endpoint = o.Any("endpoint", "Address of the items, relative to baseUrl; a string or an expression, "+
		"which wants id and dataType.", "string", "expression")
	o.Require("endpoint")
	o.Filled("endpoint")
	j.DataType = o.Text("dataType", "", "Which output the items belong to; by default the endpoint.")
	j.named(p)
	j.Method = o.Text("method", "GET",
		"GET, POST (parameters as a JSON body) or FORM (as a form).",
		"GET", "POST", "FORM")
	j.ParameterParts = o.Parts("Parameters of the job's requests.")
	j.Headers = o.Map("headers", "Headers of the job's requests.")
	j.ItemOptions.decode(o, p)
	if depth > 0 {
		j.PerItem.decode(o)
	}
	j.Scroller = o.Any("scroller", "Which of api.pagination.scrollers the job uses.", "string")
	if !j.Scroller.mustBeString("a string", p) {
		j.Scroller = nil
	}
	j.TrustEnd = o.Bool("trustEnd", false, "Whether the end counts although an answer says that there is more.")
	j.Unique = o.Any("unique", "What tells the items apart: a path in them, or several; false: nothing does. "+
		"By default id, _id, key, uuid, guid, Id or ID.", "string", "array", "boolean")
	j.Conditions = conditions(o, p)
	j.WaitOn = waitOn(o.Object("waitOn", "What is not ready yet is asked for again."))
	j.Windows.decode(o.Object("windows", "Windows of time that the job asks for, one after the other."))
	j.Until.decode(o.Object("until", "The items come newest first, and what is older than before is known."))
	for _, c := range o.List("children", "Jobs that run for each item of this one.", "child") {
		if depth >= maxDepth {
			p.Errorf(c, "jobs are nested more than %d deep", maxDepth)
			break
		}
		j.Children = append(j.Children, decodeJob(c, depth+1, p))
	}
	o.Done()
}

// waitOn describes the object, which is read when the job is compiled.
func waitOn(o *ObjectDecoder) *Node {
	o.Text("when", "", "The condition while which it is not ready, such as state==processing.")
	o.Any("every", "Time between two requests, in seconds or such as 10 seconds.", "integer", "string")
	o.Any("for", "The longest time to wait, in seconds or such as 2 hours.", "integer", "string")
	o.Require("when", "every", "for")
	o.Done()
	return o.Node()
}

func (i *ItemOptions) decode(o *ObjectDecoder, p *Problems) {
	i.Format = o.Any("format", "How the answers are written: the name of a format, or its type and options.", "formatName", "format")
	i.field(o.Any("dataField", "Path of the items in the response.", "string", "dataField"), p)
	i.Where = o.Text("where", "",
		"Which items are emitted, and have children: a condition, such as status==open.")
	i.UserData = o.Map("userData", "Members that each item gets; values or expressions.")
	i.filter(o.Any("responseFilter",
		"Path, or paths, whose values become their JSON text, scalars and null too.",
		"string", "array"), p)
	i.FilterDelimiter = o.Text("responseFilterDelimiter", ".",
		"What stands between the steps of responseFilter.")
}

// field reads dataField, a path or an object.
func (i *ItemOptions) field(n *Node, p *Problems) {
	switch {
	case n == nil:
	case n.Kind == '"':
		i.DataField = n.Text()
		i.DataDelimiter = "."
	case n.Kind == '{':
		i.fieldObject(NewObjectDecoder(n, p))
	default:
		p.Errorf(n, "must be a path, or an object with path and delimiter, not %s", n.kindName())
	}
}

// fieldObject reads the form of dataField that is an object.
func (i *ItemOptions) fieldObject(o *ObjectDecoder) {
	i.DataField = o.Text("path", "", "The path.")
	i.DataDelimiter = o.Text("delimiter", ".", "What stands between its steps.")
	i.DataMembers = o.Text("members", "",
		"The items are the members of an object there; each gets its name as this member.")
	i.DataRows = o.Any("rows", "The items there are rows without names: columns, an object of arrays of one "+
		"length; header, an array of arrays, the first with the names; or the names of the values of each array.",
		"rows")
	i.DataWith = o.Any("with", "Members that each item gets: their names, with the paths of their values in the nearest "+
		"object above the list.", "{string}")
	i.DataScalar = o.Bool("scalar", false,
		"Whether a lone text, number or true there is an item; else it is an error.")
	i.DataObjects = o.Bool("objects", false,
		"Whether a step * of the path goes over the members of objects as well as over the elements of arrays.")
	o.Require("path")
	o.Filled("members")
	if i.DataScalar && i.DataMembers != "" {
		o.problems.Errorf(o.node.Member("scalar"),
			"stands beside members, which wants an object: remove one of the two")
	}
	if i.DataRows != nil && (i.DataScalar || i.DataMembers != "") {
		o.problems.Errorf(
			i.DataRows,
			"stands beside members or scalar, which want other items: remove one of the two",
		)
	}
	if i.DataScalar && i.DataWith != nil {
		o.problems.Errorf(i.DataWith, "stands beside scalar, whose items have no members: remove one of the two")
	}
	o.Done()
}

// filter reads responseFilter, a path or several.
func (i *ItemOptions) filter(n *Node, p *Problems) {
	switch {
	case n == nil:
	case n.Kind == '"':
		i.ResponseFilter = []string{n.Text()}
	case n.Kind == '[':
		for _, e := range n.Elems {
			if e.mustBeString("a path", p) {
				i.ResponseFilter = append(i.ResponseFilter, e.Text())
			}
		}
	default:
		p.Errorf(n, "must be a path or an array of paths, not %s", n.kindName())
	}
}

func (i *PerItem) decode(o *ObjectDecoder) {
	i.Placeholders = NewObjectDecoder(o.Any(
		"placeholders",
		"What stands for {name} in the endpoint, and for {\"placeholder\": name} in the parameters and headers: "+
			"a path in the parent's item, or an object with path, function and optional.",
		"{placeholder}",
		"noElements",
	), o.problems).Node()
	i.RecursionFilter = o.Text("recursionFilter", "",
		"Which items of the parent have this child, such as type==group.")
}

// nameJobs gives each job without an id the file name of its data type, with -2, -3 … where that is taken. A secret in the
// query of an endpoint is no part of an id, which stands in many documents.
func nameJobs(jobs []Job, secrets *secret.Set, p *Problems) {
	taken := make(map[string]bool)
	each(jobs, func(j *Job) {
		if j.ID != "" && taken[j.ID] {
			p.Errorf(j.Node.Member("id"), "another job has the id %q", j.ID)
		}
		taken[j.ID] = true
	})
	// The number tried last for a name keeps many jobs of one data type linear.
	last := make(map[string]int)
	each(jobs, func(j *Job) {
		file := pipeline.FileName(j.DataType)
		name := file
		if !j.isNamed() {
			name = secrets.Redact(file)
		}
		if name != file {
			p.Notef(j.Endpoint, "its query holds a secret, and so does the data type that is made of it, "+
				"which names the file: add dataType")
		}
		if j.ID != "" {
			return
		}
		id := name
		for taken[id] {
			last[name] = max(last[name]+1, 2)
			id = fmt.Sprintf("%s-%d", name, last[name])
		}
		taken[id] = true
		j.ID = id
		if name != file {
			j.Withheld = file
		}
	})
}

// chosenNames are the names of a job that a person has chosen for it.
func (j *Job) chosenNames() []string {
	if !j.isNamed() {
		return []string{j.ID}
	}
	// The id is this or made of it; the manifest's and file's name are so too.
	return []string{j.ID, j.DataType, pipeline.FileName(j.DataType)}
}

// isNamed tells whether the data type is a person's own text: not an endpoint with a query, which may hold a key.
func (j *Job) isNamed() bool {
	said := j.Node.Member("dataType")
	return said != nil && said.Text() != "" || !strings.ContainsRune(j.DataType, '?')
}

// each visits jobs and their children, parents first.
func each(jobs []Job, visit func(*Job)) {
	for i := range jobs {
		visit(&jobs[i])
		each(jobs[i].Children, visit)
	}
}

// named gives a job without a data type that of its endpoint, which must be a text for that: the value of an
// expression may be a secret, or another one in each run.
func (j *Job) named(p *Problems) {
	n := j.Endpoint
	if !n.MayBeText(p) {
		j.Endpoint = nil
		return
	}
	if n.Kind == '"' {
		if j.DataType == "" {
			j.DataType = n.Text()
		}
		return
	}
	var missing []string
	if j.ID == "" {
		missing = append(missing, "id")
	}
	if j.DataType == "" {
		missing = append(missing, "dataType")
	}
	if len(missing) > 0 {
		p.Errorf(n, "is an expression, which cannot name the job and its output: "+
			"it may hold a secret, or change from run to run; add %s", strings.Join(missing, " and "))
	}
}
