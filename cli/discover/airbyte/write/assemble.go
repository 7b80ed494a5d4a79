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
	d.base = commonBase(all)
	d.login = loginOf(all)
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
		item.Object{"login", b.Auth.settings().String(), "credentials", b.Auth.credentials.String()},
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
		b.dataType = b.first().Name
		for taken[pipeline.FileName(b.dataType)] {
			b.dataType += "_parent"
		}
		taken[pipeline.FileName(b.dataType)] = true
	}
}

// first is the first stream at or below a job.
func (b *branch) first() *Output {
	if b.stream != nil {
		return b.stream
	}
	for _, child := range b.children {
		if s := child.first(); s != nil {
			return s
		}
	}
	return nil
}

// all are the jobs, each before those below it.
func (d *assembly) all() (all []*branch) {
	var add func(branches []*branch)
	add = func(branches []*branch) {
		for _, b := range branches {
			all = append(all, b)
			add(b.children)
		}
	}
	add(d.roots)
	return all
}

// commonBase is the address that most endpoints are relative to; none: all are absolute.
func commonBase(all []*branch) Parts {
	text := Commonest(all, func(b *branch) string {
		if len(b.Base) == 0 {
			return ""
		}
		return b.Base.JSON()
	})
	for _, b := range all {
		if b.Base.JSON() == text {
			return b.Base
		}
	}
	return nil
}

// Commonest is the text that most of all have, of several the first; empty texts do not count.
func Commonest[T any](all []T, text func(T) string) string {
	count := map[string]int{}
	best := ""
	for _, one := range all {
		if t := text(one); t != "" {
			count[t]++
		}
	}
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
	list := "[" + strings.Join(jobs, ", ") + "]"
	config := append(d.attributes(Tight("["+api.String()+", "+list+"]")), "jobs", list)
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
	d.Secrets, d.Missing = d.values.Secrets(used), d.values.Missing(used)
	return d.values.Attributes(used)
}

// needs adds a flag that a run needs.
func (d *assembly) needs(flag string) {
	if !slices.Contains(d.Flags, flag) {
		d.Flags = append(d.Flags, flag)
	}
}

// eachMember visits each member at any depth.
func eachMember(value []byte, visit func(name string, value []byte)) {
	switch item.Kind(value) {
	case '{':
		for name, v := range item.Members(value) {
			visit(item.Unquote(name), v)
			eachMember(v, visit)
		}
	case '[':
		for v := range item.Elements(value) {
			eachMember(v, visit)
		}
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
