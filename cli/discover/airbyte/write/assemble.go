package write

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/pipeline"
	"sluice/pipeline/item"
)

// A branch is a job of the document with those below it. Streams whose first jobs are the same share them.
type branch struct {
	*Job

	// stream is the one whose items the job has; nil: the job only leads to those below it.
	stream *Output

	// dataType is what its items are called, id the name of the job.
	dataType, id string

	children []*branch
}

// An Output is a stream of the configuration: its outermost jobs, and those that have its items.
type Output struct {
	Name       string
	Roots, Own []*Job
}

// An assembly is a configuration while it is put together.
type assembly struct {
	values *manifest.Values

	roots []*branch

	// base is the address that most endpoints are relative to, headers are those that all jobs send.
	base    Parts
	headers item.Object

	// login is how all jobs sign requests.
	login Authentication

	// scrollers are the ways of paging, each by its text, names their names; paged tells that all jobs have the only
	// one.
	scrollers, names []string
	paged            bool

	Product
}

// A Product is what an assembly leads to.
type Product struct {
	Text []byte

	// Secrets and missing are attributes that come from outside, flags those of a run, notes what is lost of one
	// stream.
	Secrets, Missing, Flags, Notes []string
}

// Assemble makes one configuration of streams, which share api.
func Assemble(v *manifest.Values, streams []*Output) Product {
	d := &assembly{values: v}
	for _, s := range streams {
		for _, root := range s.Roots {
			d.roots = d.add(d.roots, s, root)
		}
	}
	d.name(streams)
	all := d.all()
	// Most endpoints are relative to it; none: all are absolute. The first job that signs requests does so as all do.
	base := Commonest(all, func(b *branch) string { return strings.Join(b.Base, "") })
	for _, b := range slices.Backward(all) {
		if strings.Join(b.Base, "") == base {
			d.base = b.Base
		}
		if b.Login() != "" {
			d.login = b.Auth
		}
	}
	d.headers = commonHeaders(all)
	d.findScrollers(all)
	d.identify(all)
	d.write(all)
	return d.Product
}

// add adds a job of a stream to its siblings, or to that of them which asks the same.
func (d *assembly) add(siblings []*branch, s *Output, j *Job) []*branch {
	isOwn := slices.Contains(s.Own, j)
	at := slices.IndexFunc(siblings, func(b *branch) bool {
		return (!isOwn || b.stream == nil) && b.asks() == (&branch{Job: j}).asks()
	})
	if at < 0 {
		siblings = append(siblings, &branch{Job: j})
		at = len(siblings) - 1
	}
	b := siblings[at]
	if isOwn {
		b.stream = s
	}
	for _, child := range j.Children {
		b.children = d.add(b.children, s, child)
	}
	return siblings
}

// asks is all that the job itself asks for, as one text.
func (b *branch) asks() string {
	all := slices.Concat(
		item.Object{"endpoint", b.Endpoint.JSON(), "base", b.Base.JSON(), "retryHeader", Quote(b.RetryHeader)},
		item.Object{"login", b.Auth.settings().String()},
		item.Object{"headers", b.sent().String(), "pagination", b.Pagination.json()},
		b.Request.members(b.Auth),
		b.taken(),
		b.conditions(),
	)
	return all.String()
}

// name gives each job a data type: the name of its stream, or else one after that of the first stream below it.
func (d *assembly) name(streams []*Output) {
	taken := map[string]bool{}
	for _, s := range streams {
		taken[pipeline.FileName(s.Name)] = true
	}
	for _, b := range d.all() {
		if b.stream != nil {
			b.dataType = b.stream.Name
			continue
		}
		tree := b.tree()
		first := slices.IndexFunc(tree, func(b *branch) bool { return b.stream != nil })
		b.dataType = tree[first].stream.Name
		for taken[pipeline.FileName(b.dataType)] {
			b.dataType += "_parent"
		}
		taken[pipeline.FileName(b.dataType)] = true
	}
}

// tree are a job and all below it.
func (b *branch) tree() []*branch {
	all := []*branch{b}
	for _, child := range b.children {
		all = append(all, child.tree()...)
	}
	return all
}

// all are the jobs, each before those below it.
func (d *assembly) all() (all []*branch) {
	for _, root := range d.roots {
		all = append(all, root.tree()...)
	}
	return all
}

// Commonest is the text that most of all have, of several the first; empty texts do not count.
func Commonest[T any](all []T, text func(T) string) string {
	count := map[string]int{}
	for _, one := range all {
		count[text(one)]++
	}
	count[""] = 0
	best := ""
	for _, one := range all {
		if t := text(one); count[t] > count[best] {
			best = t
		}
	}
	return best
}

// findScrollers gives each way of paging a name, that of its method.
func (d *assembly) findScrollers(all []*branch) {
	for _, b := range all {
		text := b.Pagination.json()
		if b.Pagination == nil || slices.Contains(d.scrollers, text) {
			continue
		}
		method := b.Pagination.Method
		name := method
		for n := 2; slices.Contains(d.names, name); n++ {
			name = method + "-" + strconv.Itoa(n)
		}
		d.scrollers, d.names = append(d.scrollers, text), append(d.names, name)
	}
	isUnpaged := func(b *branch) bool { return b.Pagination == nil }
	d.paged = len(d.scrollers) == 1 && !slices.ContainsFunc(all, isUnpaged)
}

// write writes the document.
func (d *assembly) write(all []*branch) {
	api := d.api(all)
	var jobs []string
	for _, b := range d.roots {
		jobs = append(jobs, d.job(b))
	}
	list := List(jobs)
	config := append(d.attributes(Tight(List([]string{api.String(), list}))), "jobs", list)
	whole := item.Object{"api", api.String(), "config", config.String()}
	d.Text = []byte(Layout(whole.String()) + "\n")
}

// attributes are the members of config that the document refers to and that have a value. The names of the others go to
// secrets and missing.
func (d *assembly) attributes(document []byte) item.Object {
	var used []string
	eachMember(document, func(name string, value []byte) {
		text := ""
		if item.Kind(value) == '"' {
			text = item.Unquote(value)
		}
		switch {
		case name == "function" && text == "last", name == "time" && text == "previousStart":
			d.needs("--state state.json")
		case name == "keep" && item.Kind(value) == '{':
			d.needs("--tokens tokens.json")
		case name == "attr":
			used = append(used, text)
		}
	})
	all, secrets, missing := d.values.Attributes(used)
	d.Secrets, d.Missing = secrets, missing
	return all
}

// needs adds a flag that a run needs.
func (d *assembly) needs(flag string) {
	if !slices.Contains(d.Flags, flag) {
		d.Flags = append(d.Flags, flag)
	}
}

// identify gives each job an id where its data type would not be one: it has an endpoint that is an expression, or
// another job has the same.
func (d *assembly) identify(all []*branch) {
	count := map[string]int{}
	for _, b := range all {
		count[b.dataType]++
	}
	taken := map[string]bool{}
	for _, b := range all {
		if count[b.dataType] == 1 && b.Part == "" {
			taken[pipeline.FileName(b.dataType)] = true
		}
	}
	for _, b := range all {
		b.id = pipeline.FileName(b.dataType)
		if count[b.dataType] == 1 && b.Part == "" {
			continue
		}
		plain := b.id
		if b.Part != "" {
			plain += "-" + pipeline.FileName(b.Part)
			b.id = plain
		}
		for n := 1; taken[b.id]; n++ {
			b.id = plain + "-" + strconv.Itoa(n)
		}
		taken[b.id] = true
	}
}
