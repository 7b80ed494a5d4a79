package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/write"
)

// Stream converts an entry of the manifest's streams: one stream, or those of a condition that holds.
func (c *Conversion) Stream(n *manifest.Section) []*Stream {
	if n.Kind() == "ConditionalStreams" {
		return c.conditional(n)
	}
	s := &Stream{At: n}
	s.Trace = c.Values.Apart(func() {
		s.Name = c.nameOf(s, n.Get("name"))
		s.slices = c.convert(s, n, reading{})
	})
	if len(s.slices) > 0 {
		s.root, s.own = s.slices[0].root, s.slices[0].own
		s.refuseUnread(n)
	}
	s.Refusals, s.More, s.Left = distinct(s.Refusals), distinct(s.More), distinct(s.Left)
	s.refuseIf(s.root == nil && len(s.Refusals) == 0, n, "there is nothing to ask for: its list of values is empty")
	return []*Stream{s}
}

// nameOf is the name of a stream. One that the values do not decide is refused, and stands there as it is written.
func (c *Conversion) nameOf(s *Stream, n *manifest.Section) string {
	name, ok := decided(c.scope(), n)
	if n != nil && (!ok || name == "" && n.Text() != "") {
		s.Refuse(n, "--values does not determine the name of the stream")
		return n.Text()
	}
	return name
}

// refuseUnread refuses what nobody has looked at. Where a part of the stream is refused anyway, it may be that nobody
// came so far.
func (s *Stream) refuseUnread(n *manifest.Section) {
	refused := map[string]bool{}
	for _, r := range s.Refusals {
		refused[partOf(r.Place)] = true
	}
	for _, u := range n.Unread() {
		s.refuseIf(!refused[partOf(u.Place)], u, lastStep(u.Place)+" is not supported")
	}
}

// partOf is the part of a stream that a place is in, such as streams[2].retriever.paginator.
func partOf(place string) string {
	steps := strings.SplitN(place, ".", 4)
	return strings.Join(steps[:min(len(steps), 3)], ".")
}

// conditional converts streams that are there only if a condition holds.
func (c *Conversion) conditional(n *manifest.Section) (all []*Stream) {
	condition, ok := decided(c.scope(), n.Get("condition"))
	for _, e := range n.Get("streams").Elements() {
		if ok && isFalse(condition) {
			e.Know()
			continue
		}
		of := c.Stream(e)
		for _, s := range of {
			s.refuseIf(!ok, n, "--values does not determine the condition of these streams")
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

// convert converts a stream, or a parent of s, to jobs that have its items. What cannot be said is a refusal of s.
func (c *Conversion) convert(s *Stream, n *manifest.Section, r reading) []*slice {
	switch n.Kind() {
	case "DeclarativeStream":
		return c.declarative(s, n, r)
	case "StateDelegatingStream":
		n.Ignore("name", "incremental_stream", "api_retention_period")
		full := n.Get("full_refresh_stream")
		s.widen(full, "each run reads everything: it is not known which of the two streams has a state")
		r.isWhole = true
		return c.convert(s, full, r)
	}
	why := "a stream of the type " + n.Kind() + " is not supported"
	if n.Kind() == "" {
		why = "a stream without a type is not supported at this place: want the type DeclarativeStream"
	}
	n.Know()
	s.Refuse(n, why)
	return nil
}

func (c *Conversion) declarative(s *Stream, n *manifest.Section, r reading) []*slice {
	n.Ignore("name", "primary_key", "schema_loader", "state_migrations", "description", "dynamic_stream_name")
	// It only lets slices wait for each other.
	n.Ignore("disable_partition_concurrency")
	s.refuseWhole(n.Get("file_uploader"), "files are not read, only what the API says of them")
	retriever := n.Get("retriever")
	for _, component := range []*manifest.Section{n, retriever, retriever.Get("requester")} {
		c.refuseOlder(s, component)
	}
	read := c.simple
	switch retriever.Kind() {
	case "SimpleRetriever":
	case "AsyncRetriever":
		read = c.asynchronous
	default:
		retriever.Know()
		s.Refuse(retriever, manifest.ClassName(retriever)+" is a Python class, which cannot be converted")
		return nil
	}
	isCreated := retriever.Kind() == "AsyncRetriever"
	above := r
	// A state of a parent is kept in that of the stream.
	above.isWhole = r.isWhole || isCreated || n.Get("incremental_sync") == nil
	all := c.slices(s, retriever.Get("partition_router"), above)
	k := c.cursor(s, n, r.isWhole || isCreated)
	if isCreated && k != nil && !r.isWhole {
		k.said.widen(n.Get("incremental_sync"), "each run exports everything since the start: "+
			"the job that creates an export does not see its items")
	}
	for _, sl := range all {
		sl.lacks = func(name string) {
			c.Values.Note(s.Name + ": its slices have no " + name + ", so templates that name it give nothing there, as in Airbyte")
		}
		read(s, n, retriever, sl, k)
	}
	return all
}

// simple converts a retriever that asks page by page.
func (c *Conversion) simple(s *Stream, n, retriever *manifest.Section, sl *slice, k *timeCursor) {
	s.refuseWhole(retriever.Get("pagination_reset"), "paging that begins again is not supported")
	sc := c.scope().With(sl.variables(k))
	j := sl.own
	k.begin()
	paginator, requester := retriever.Get("paginator"), retriever.Get("requester")
	s.requester(requester, firstPage(sc).Filled(filledTexts(paginator, requester)), j)
	flag := retriever.Get("ignore_stream_slicer_parameters_on_paginated_requests")
	before := j.JobRequest
	sl.inject(s, sc)
	k.inject(s, j, sc)
	var taken write.Object
	canBeOnce := true
	if flag.Truth(false) {
		taken, canBeOnce = j.TakeBack(before)
	}
	s.decoder(retriever.Get("decoder"), j)
	k.apart(func() { s.selector(retriever.Get("record_selector"), sc, j) })
	s.paginator(paginator, requester, sc, j)
	k.divide(s, j)
	s.lastRecord(n.Get("transformations"), j)
	if sl.isParent {
		// What a key is before them, keyPath knows.
		n.Ignore("transformations")
	} else {
		s.transformations(n.Get("transformations"), sc.With(sl.unsettled().variables(k)), sl)
	}
	canBeOnce = j.SendOnce(taken) && canBeOnce
	s.refuseIf(!canBeOnce && j.Pagination != nil, flag,
		"values that only the first request has are not supported here")
}
