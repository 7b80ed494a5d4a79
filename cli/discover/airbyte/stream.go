package airbyte

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// stream converts an entry of the manifest's streams: one stream, or those of a condition that holds.
func (c *conversion) stream(n *node) []*stream {
	if n.kind() == "ConditionalStreams" {
		return c.conditional(n)
	}
	s := &stream{at: n}
	s.trace = c.values.apart(func() {
		s.name, _ = c.decided(n.get("name"))
		s.slices = c.convert(s, n, reading{})
	})
	if len(s.slices) > 0 {
		s.root, s.own = s.slices[0].root, s.slices[0].own
		s.refuseUnread(n)
	}
	s.refusals, s.more, s.left = distinct(s.refusals), distinct(s.more), distinct(s.left)
	if s.root == nil && len(s.refusals) == 0 {
		s.refuse(n, "there is nothing to ask for: its list of values is empty")
	}
	return []*stream{s}
}

// refuseUnread refuses what nobody has looked at. Where a part of the stream is refused anyway, it may be that nobody came
// so far.
func (s *stream) refuseUnread(n *node) {
	refused := map[string]bool{}
	for _, r := range s.refusals {
		refused[partOf(r.Place)] = true
	}
	for _, u := range n.unread() {
		if !refused[partOf(u.place)] {
			s.refuse(u, lastStep(u.place)+" is not understood")
		}
	}
}

// partOf is the part of a stream that a place is in, such as streams[2].retriever.paginator.
func partOf(place string) string {
	steps := strings.SplitN(place, ".", 4)
	return strings.Join(steps[:min(len(steps), 3)], ".")
}

// conditional converts streams that are there only if a condition holds.
func (c *conversion) conditional(n *node) (all []*stream) {
	condition, ok := c.decided(n.get("condition"))
	for _, e := range n.get("streams").elements() {
		if ok && isFalse(condition) {
			e.know()
			continue
		}
		of := c.stream(e)
		for _, s := range of {
			if !ok {
				s.refuse(n, "the condition of these streams is not decided by the values")
			}
		}
		all = append(all, of...)
	}
	return all
}

// isFalse tells a text that is no for a condition of the manifest.
func isFalse(text string) bool {
	return slices.Contains([]string{"", "False", "false", "0", "0.0", "None", "[]", "{}", "()", "{{}}"}, text)
}

func lastStep(place string) string { return place[strings.LastIndexByte(place, '.')+1:] }

// distinct are the reasons, each once.
func distinct(all []Reason) (once []Reason) {
	for _, r := range all {
		if !slices.Contains(once, r) {
			once = append(once, r)
		}
	}
	return once
}

// A reading is how a stream is read: for itself, or for the streams below its items.
type reading struct {
	// isParent: its items are for those below it. isWhole: each run reads all of them.
	isParent, isWhole bool
}

// convert converts a stream, or a parent of s, to jobs that have its items. What cannot be said is a refusal of s.
func (c *conversion) convert(s *stream, n *node, r reading) []*slice {
	switch n.kind() {
	case "DeclarativeStream":
		return c.declarative(s, n, r)
	case "StateDelegatingStream":
		n.ignore("name", "incremental_stream", "api_retention_period")
		full := n.get("full_refresh_stream")
		s.widen(full, "each run reads everything: it is not known which of the two streams has a state")
		return c.convert(s, full, reading{r.isParent, true})
	}
	n.know()
	if n.kind() == "" {
		s.refuse(n, "a stream without a type is not understood here, where that platform implies none: want DeclarativeStream")
		return nil
	}
	s.refuse(n, "a stream of the type "+n.kind()+" is not understood")
	return nil
}

func (c *conversion) declarative(s *stream, n *node, r reading) []*slice {
	n.ignore("name", "primary_key", "schema_loader", "state_migrations", "description", "dynamic_stream_name")
	// It only lets slices wait for each other.
	n.ignore("disable_partition_concurrency")
	if files := n.get("file_uploader"); files != nil {
		files.know()
		s.refuse(files, "files are not read, only what the API says of them")
	}
	retriever := n.get("retriever")
	read := c.simple
	switch retriever.kind() {
	case "SimpleRetriever":
	case "AsyncRetriever":
		read = c.asynchronous
	default:
		retriever.know()
		s.refuse(retriever, className(retriever)+" is code, which is not converted")
		return nil
	}
	isCreated := retriever.kind() == "AsyncRetriever"
	above := r
	// A state of a parent is kept in that of the stream.
	above.isWhole = r.isWhole || isCreated || n.get("incremental_sync") == nil
	all := c.slices(s, retriever.get("partition_router"), above)
	k := c.cursor(s, n, r.isWhole || isCreated)
	isAgain := isCreated && k != nil && !r.isWhole
	if isAgain {
		k.said.widen(n.get("incremental_sync"), "each run exports everything since the start: "+
			"the job that creates an export does not see its items")
	}
	for _, sl := range all {
		read(s, n, retriever, sl, k)
	}
	return all
}

// className is what a component that is code is called.
func className(n *node) string {
	if class := n.peek("class_name").text(); class != "" {
		return class
	}
	return n.kind()
}

// simple converts a retriever that asks page by page.
func (c *conversion) simple(s *stream, n, retriever *node, sl *slice, k *cursor) {
	if reset := retriever.get("pagination_reset"); reset != nil {
		reset.know()
		s.refuse(reset, "paging that begins again is not understood")
	}
	sc := c.scope().with(sl.variables(k))
	j := sl.own
	k.begin()
	s.requester(retriever.get("requester"), sc.firstPage(), j)
	flag := retriever.get("ignore_stream_slicer_parameters_on_paginated_requests")
	before := j.request
	sl.inject(s, sc)
	k.inject(s, j, sc)
	var taken item.Object
	canBeOnce := true
	if flag.truth(false) {
		taken, canBeOnce = j.takeBack(before)
	}
	s.decoder(retriever.get("decoder"), j)
	k.apart(func() { s.selector(retriever.get("record_selector"), sc, j) })
	s.paginator(retriever.get("paginator"), retriever.get("requester"), sc, j)
	k.divide(s, j)
	s.lastRecord(n.get("transformations"), j)
	if sl.isParent {
		// What a key is before them, keyPath knows.
		n.ignore("transformations")
	} else {
		s.transformations(n.get("transformations"), sc.with(sl.unsettled().variables(k)), j)
	}
	canBeOnce = j.sendOnce(taken) && canBeOnce
	isRefused := !canBeOnce && j.pagination != nil
	if isRefused {
		s.refuse(flag, "values that only the first page is asked with are not understood here")
	}
}

// roots are the outermost jobs of the stream; owns tells whether a job has its items.
func (s *stream) roots() (all []*job) {
	for _, sl := range s.slices {
		if !slices.Contains(all, sl.root) {
			all = append(all, sl.root)
		}
	}
	return all
}

func (s *stream) owns(j *job) bool {
	return slices.ContainsFunc(s.slices, func(sl *slice) bool { return sl.own == j })
}

// scope is that of values alone.
func (c *conversion) scope() scope { return scope{values: c.values} }

// decided is the text of a template that the values decide, empty where it gives nothing; not ok: they do not, or there
// is none.
func (c *conversion) decided(n *node) (string, bool) {
	if n == nil {
		return "", false
	}
	v, err := c.scope().constant(n)
	if err != nil {
		return "", false
	}
	if v == nil {
		return "", true
	}
	return printed(v), true
}
