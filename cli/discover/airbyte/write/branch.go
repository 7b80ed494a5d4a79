package write

import (
	"strings"

	"sluice/cli/discover/airbyte/manifest"
)

// A branch is a job of the document with those below it. Streams whose first jobs are the same share them.
type branch struct {
	*PlannedJob

	// stream is the one whose items the job has; nil: the job only leads to those below it.
	stream *StreamJobs

	// dataType is what its items are called, id the name of the job.
	dataType, id string

	children []*branch
}

// StreamJobs are the jobs of one stream: its outermost ones, and those that have its items.
type StreamJobs struct {
	Name       string
	Roots, Own []*PlannedJob
}

// An assembly is a configuration while it is put together.
type assembly struct {
	values *manifest.Values

	roots []*branch

	// base is the address that most endpoints are relative to, headers are those that all jobs send.
	base    Parts
	headers Object

	// login is how all jobs sign requests.
	login Authentication

	// scrollers are the ways of paging by their names; paged tells that all jobs have the only one.
	scrollers Object
	paged     bool

	Product
}

// A Product is what an assembly leads to.
type Product struct {
	Text []byte

	// document is the configuration that Text is.
	document Object

	// Secrets and missing are attributes that come from outside, flags those of a run, notes what is lost of one
	// stream.
	Secrets, Missing, Flags, Notes []string
}

// AttributesAt are the names of the attributes that the document refers to at a place such as config.jobs[0].endpoint.
func (p Product) AttributesAt(place string) []string {
	steps := strings.FieldsFunc(place, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	return attributes(at(p.document, steps))
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
