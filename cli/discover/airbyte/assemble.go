package airbyte

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A branch is a job of the document with those below it. Streams whose first jobs are the same share them.
type branch struct {
	*job

	// stream is the one whose items the job has; nil: the job only leads to those below it.
	stream *stream

	// dataType is what its items are called, id the name of the job.
	dataType, id string

	children []*branch
}

// An assembly is a configuration while it is put together.
type assembly struct {
	values *values

	roots []*branch

	// base is the address that most endpoints are relative to, headers are those that all jobs send.
	base    string
	headers item.Object

	// login is how all jobs sign requests.
	login authentication

	// scrollers are the ways of paging, each by its text, names their names; paged tells that all jobs have the only one.
	scrollers, names []string
	paged            bool

	product
}

// A product is what an assembly leads to.
type product struct {
	text []byte

	// secrets and missing are attributes that come from outside, flags those of a run, notes what is lost of one stream.
	secrets, missing, flags, notes []string
}

// assemble makes one configuration of streams, which share api.
func assemble(v *values, streams []*stream) *assembly {
	d := &assembly{values: v}
	for _, s := range streams {
		for _, root := range s.roots() {
			d.roots = d.add(d.roots, s, root)
		}
	}
	d.name(streams)
	all := d.all()
	d.base = commonest(all, func(b *branch) string { return b.base })
	d.login = loginOf(all)
	d.headers = commonHeaders(all)
	d.findScrollers(all)
	d.identify(all)
	d.write(all)
	return d
}

// add adds a job of a stream to its siblings, or to that of them which asks the same.
func (d *assembly) add(siblings []*branch, s *stream, j *job) []*branch {
	isOwn := s.owns(j)
	at := slices.IndexFunc(siblings, func(b *branch) bool {
		hasOther := isOwn && b.stream != nil
		return !hasOther && b.asks() == (&branch{job: j}).asks()
	})
	if at < 0 {
		siblings = append(siblings, &branch{job: j})
		at = len(siblings) - 1
	}
	b := siblings[at]
	if isOwn {
		b.stream = s
	}
	for _, child := range j.children {
		b.children = d.add(b.children, s, child)
	}
	return siblings
}

// asks is all that the job itself asks for, as one text.
func (b *branch) asks() string {
	all := slices.Concat(
		item.Object{"endpoint", b.endpoint, "base", b.base, "retryHeader", quote(b.retryHeader)},
		item.Object{"login", b.auth.settings().String(), "credentials", b.auth.credentials.String()},
		item.Object{"headers", b.sent().String(), "pagination", b.pagination.String()},
		b.request.members(b.auth),
		b.taken(),
		b.conditions(),
	)
	return all.String()
}

// name gives each job a data type: the name of its stream, or else one after that of the first stream below it.
func (d *assembly) name(streams []*stream) {
	taken := map[string]bool{}
	for _, s := range streams {
		taken[fileName(s.name)] = true
	}
	for _, b := range d.all() {
		if b.stream != nil {
			b.dataType = b.stream.name
			continue
		}
		b.dataType = b.first().name
		for taken[fileName(b.dataType)] {
			b.dataType += "_parent"
		}
		taken[fileName(b.dataType)] = true
	}
}

// first is the first stream at or below a job.
func (b *branch) first() *stream {
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

// fileName is a data type as a name of a file has it.
func fileName(dataType string) string {
	return strings.Map(func(r rune) rune {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		isKept := '0' <= r && r <= '9' || r == '-'
		if isLetter || isKept {
			return r
		}
		return '_'
	}, dataType)
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

// commonest is the text that most of all have, of several the first; empty texts do not count.
func commonest[T any](all []T, text func(T) string) string {
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
		text := b.pagination.String()
		isKnown := b.pagination == nil || slices.Contains(d.scrollers, text)
		if isKnown {
			continue
		}
		method := "pages"
		for m := range slices.Chunk(b.pagination, 2) {
			if m[0] == "method" {
				method = item.Unquote([]byte(m[1]))
			}
		}
		name := method
		for n := 2; slices.Contains(d.names, name); n++ {
			name = method + "-" + strconv.Itoa(n)
		}
		d.scrollers, d.names = append(d.scrollers, text), append(d.names, name)
	}
	isUnpaged := func(b *branch) bool { return b.pagination == nil }
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
	config := append(d.attributes(tight("["+api.String()+", "+list+"]")), "jobs", list)
	whole := item.Object{"api", api.String(), "config", config.String()}
	d.text = []byte(spread(tight(whole.String()), "", 0, 2) + "\n")
}

// attributes are the members of config that the document refers to and that have a value. The names of the others go to
// secrets and missing.
func (d *assembly) attributes(document []byte) item.Object {
	var named strings.Builder
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
			named.WriteString(item.Object{"attr", string(value)}.String())
		}
	})
	used := named.String()
	d.secrets, d.missing = d.values.secrets(used), d.values.missing(used)
	return d.values.attributes(used)
}

// needs adds a flag that a run needs.
func (d *assembly) needs(flag string) {
	if !slices.Contains(d.flags, flag) {
		d.flags = append(d.flags, flag)
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
		isAlone := count[b.dataType] == 1 && b.part == ""
		if isAlone {
			taken[fileName(b.dataType)] = true
		}
	}
	for _, b := range all {
		b.id = fileName(b.dataType)
		isAlone := count[b.dataType] == 1 && b.part == ""
		if isAlone {
			continue
		}
		plain := b.id
		if b.part != "" {
			plain += "-" + fileName(b.part)
			b.id = plain
		}
		for n := 1; taken[b.id]; n++ {
			b.id = plain + "-" + strconv.Itoa(n)
		}
		taken[b.id] = true
	}
}
