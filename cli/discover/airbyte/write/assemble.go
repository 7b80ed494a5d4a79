package write

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/pipeline"
)

// Assemble makes one configuration of streams, which share api.
func Assemble(v *manifest.Values, streams []*StreamJobs) Product {
	d := &assembly{values: v}
	for _, s := range streams {
		for _, root := range s.Roots {
			d.roots = d.add(d.roots, s, root)
		}
	}
	d.name(streams)
	all := d.all()
	// Most endpoints are relative to it; none: all are absolute. The first job that signs requests does so as all do.
	base := Commonest(all, func(b *branch) string { return b.Base.key() })
	for _, b := range slices.Backward(all) {
		if b.Base.key() == base {
			d.base = b.Base
		}
		if b.Login() != "" {
			d.login = b.Auth
		}
	}
	d.base = d.baseOfNext(all)
	d.headers = commonHeaders(all)
	d.findScrollers(all)
	d.identify(all)
	d.noteRelative(all)
	d.write(all)
	return d.Product
}

// baseOfNext is the base address of a document all of whose jobs have next pages that are relative to one address: that
// one. Of another document it stays.
func (d *assembly) baseOfNext(all []*branch) Parts {
	first := all[0].nextBase()
	isOther := func(b *branch) bool { return b.nextBase().key() != first.key() }
	cannotBe := len(first) == 0 || first.Changes() || first.hasText("?#")
	if cannotBe || slices.ContainsFunc(all, isOther) {
		return d.base
	}
	return first
}

// noteRelative notes the jobs that are led by addresses which Airbyte reads below another one than the base address.
func (d *assembly) noteRelative(all []*branch) {
	var names []string
	for _, b := range all {
		next := b.nextBase()
		if len(next) > 0 && WithSlash(next).key() != WithSlash(d.base).key() {
			names = append(names, b.dataType)
		}
	}
	if len(names) > 0 {
		d.Notes = append(d.Notes, strings.Join(names, ", ")+": a relative address of the next page is read below baseUrl, by Airbyte "+
			"below the address of the stream: convert such a stream alone, with --stream")
	}
}

// add adds a job of a stream to its siblings, or to that of them which asks the same.
func (d *assembly) add(siblings []*branch, s *StreamJobs, j *PlannedJob) []*branch {
	isOwn := slices.Contains(s.Own, j)
	at := slices.IndexFunc(siblings, func(b *branch) bool {
		return (!isOwn || b.stream == nil) && b.asks() == (&branch{PlannedJob: j}).asks()
	})
	if at < 0 {
		siblings = append(siblings, &branch{PlannedJob: j})
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
	return JSON(Array{
		b.Endpoint.Expr(), b.Base.Expr(), Text(b.RetryHeader), b.Auth.settings(), b.sent(), b.Pagination.expr(),
		b.JobRequest.members(b.Auth), b.taken(), b.conditions(),
	})
}

// name gives each job a data type: the name of its stream, or else one after that of the first stream below it.
func (d *assembly) name(streams []*StreamJobs) {
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

// findScrollers gives each way of paging a name, that of its method.
func (d *assembly) findScrollers(all []*branch) {
	for _, b := range all {
		if b.Pagination == nil || d.named(b.Pagination) != "" {
			continue
		}
		method := b.Pagination.Method
		name := method
		for n := 2; d.scrollers.Get(name) != nil; n++ {
			name = method + "-" + strconv.Itoa(n)
		}
		d.scrollers = d.scrollers.And(name, b.Pagination.expr())
	}
	isUnpaged := func(b *branch) bool { return b.Pagination == nil }
	d.paged = len(d.scrollers) == 1 && !slices.ContainsFunc(all, isUnpaged)
}

// write writes the document.
func (d *assembly) write(all []*branch) {
	api := d.api(all)
	var jobs Array
	for _, b := range d.roots {
		jobs = append(jobs, d.job(b))
	}
	config := d.attributes(Array{api, jobs}).And("jobs", jobs)
	d.document = Object{{"api", api}, {"config", config}}
	d.Text = []byte(Layout(d.document) + "\n")
}

// attributes are the members of config that the document refers to and that have a value. The names of the others go to
// secrets and missing.
func (d *assembly) attributes(document ConfigValue) (all Object) {
	if d.login.Member.Get("keep") != nil {
		d.Flags = append(d.Flags, "--tokens tokens.json")
	}
	if refers(document, "last") {
		d.Flags = append(d.Flags, "--state state.json")
	}
	used := attributes(document)
	for _, name := range slices.Sorted(maps.Keys(d.values.Used)) {
		s := d.values.Used[name]
		switch {
		case !slices.Contains(used, name):
		case s.IsSecret:
			d.Secrets = append(d.Secrets, name)
		case s.IsMissing:
			d.Missing = append(d.Missing, name)
		default:
			all = all.And(name, Data(s.Value))
		}
	}
	return all
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
