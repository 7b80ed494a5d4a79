package airbyte

import (
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// An export is a stream that the API makes first: jobs that create, ask for it until it is ready, and download.
type export struct {
	stream    *stream
	retriever *node
	scope     scope

	create, poll *job

	// isSpread: the items are the elements of lists in what is downloaded.
	isSpread bool

	// target is the job whose answers have what is downloaded: poll, or one below it.
	target *job
}

// asynchronous converts a retriever that creates, polls and downloads. The job of the slice creates.
func (c *conversion) asynchronous(s *stream, n, retriever *node, sl *slice, k *cursor) {
	x := &export{stream: s, retriever: retriever, create: sl.own}
	x.scope = c.scope().with(sl.variables(k))
	k.begin()
	refuseOptions(s, sl, k)
	s.requester(retriever.get("creation_requester"), x.scope, x.create)
	x.create.dataField = "."
	k.divide(s, x.create)
	isDivided := x.create.windows != nil
	if isDivided {
		// The jobs below have no windows.
		k = nil
		x.scope = c.scope().with(sl.variables(k))
	}
	x.asked()
	x.targeted()
	sl.own = x.downloaded()
	if aborted := retriever.get("abort_requester"); aborted != nil {
		aborted.know()
	}
	if deleted := retriever.get("delete_requester"); deleted != nil {
		deleted.know()
		s.refuse(deleted, "what the API has made cannot be deleted: remove the member, if it may stay")
	}
	if sl.isParent {
		n.ignore("transformations")
	} else {
		s.transformations(n.get("transformations"), x.scope.with(sl.unsettled().variables(k)), sl.own)
	}
	x.refuseSpread(sl)
}

// refuseOptions refuses options, which exports are not asked with.
func refuseOptions(s *stream, sl *slice, k *cursor) {
	var options []*node
	for _, p := range sl.parts {
		options = append(options, p.option)
	}
	if k != nil {
		options = append(options, k.startOption, k.endOption)
	}
	for _, o := range options {
		if o != nil {
			o.know()
			s.refuse(o, "an option of a slice is not sent by an AsyncRetriever: name the value in the request")
		}
	}
}

// jobBelow adds a job below another, whose items are answers as a whole.
func jobBelow(above *job) *job {
	j := &job{dataField: "."}
	above.children = append(above.children, j)
	return j
}

// answer is a variable that has the answer of a job: a value in it is a placeholder of the job below.
func answer(name string, below *job) variable {
	return func(path []string) (meaning, error) {
		isNone := len(path) == 0 || path[0] == "headers" || path[0] == "request"
		if isNone || strings.Contains(strings.Join(path, ""), ".") {
			return meaning{}, fmt.Errorf("of %s only values of its body are understood", name)
		}
		placeholder := name + "_" + strings.Join(path, "_")
		below.take(placeholder, strings.Join(path, "."), false)
		return meaning{json: item.Object{"placeholder", quote(placeholder)}.String()}, nil
	}
}

// asked makes the job that asks until the export is ready.
func (x *export) asked() {
	x.poll = jobBelow(x.create)
	x.scope = x.scope.with(map[string]variable{"creation_response": answer("creation_response", x.poll)})
	x.stream.requester(x.retriever.get("polling_requester"), x.scope, x.poll)
	x.target = x.poll
	path, ok := x.path("status_extractor")
	if !ok {
		return
	}
	states := x.retriever.get("status_mapping")
	states.ignore("failed", "timeout")
	if skipped := states.get("ignore"); skipped != nil && len(skipped.elements()) > 0 {
		x.stream.refuse(skipped, "states of exports that are left out are not understood")
	}
	running, done := x.states(path, "running"), x.states(path, "completed")
	var others []string
	for _, c := range slices.Concat(running, done) {
		others = append(others, strings.Replace(c, "==", "!=", 1))
	}
	// Of what failed, or has a state that nobody knows, there is nothing to download.
	x.poll.failOn = append(x.poll.failOn, strings.Join(others, "&"))
	if len(running) == 0 {
		return
	}
	x.poll.waitOn = item.Object{
		"when", quote(strings.Join(running, "|")), "every", `"5 seconds"`, "for", quote(x.patience()),
	}
}

// states are conditions for the states of the API that mean one of the platform.
func (x *export) states(path, name string) (all []string) {
	for _, e := range x.retriever.get("status_mapping").get(name).elements() {
		text := e.text()
		isOdd := strings.ContainsAny(text, "&|=<>!~%()") || strings.TrimSpace(text) != text || text == ""
		if isOdd {
			x.stream.refuse(e, "the state cannot be compared")
			continue
		}
		all = append(all, path+"=="+text)
		// The platform writes booleans so.
		if text == "True" || text == "False" {
			all = append(all, path+"=="+strings.ToLower(text))
		}
	}
	return all
}

// patience is how long to wait at most.
func (x *export) patience() string {
	at := x.retriever.get("polling_job_timeout")
	if at == nil {
		return "60 minutes"
	}
	m, err := x.scope.mean(at)
	minutes := printed(m.constant)
	isNumber := err == nil && m.json == "" && strings.Trim(minutes, "0123456789") == ""
	if !isNumber || minutes == "" {
		x.stream.refuse(at, "it is no number of minutes that the values decide")
		return ""
	}
	return minutes + " minutes"
}

// path is that of an extractor which looks at one place.
func (x *export) path(name string) (string, bool) {
	at := x.retriever.get(name)
	if at.kind() != "DpathExtractor" {
		at.know()
		x.stream.refuse(at, className(at)+" is not understood")
		return "", false
	}
	var steps []string
	for _, e := range at.get("field_path").elements() {
		m, err := x.scope.meanText(e)
		step, isText := m.constant.(string)
		isOdd := !isText || err != nil || strings.ContainsAny(step, ".*")
		if isOdd {
			x.stream.refuse(e, "a step that is not the plain name of a member is not understood")
			return "", false
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, "."), true
}

// targeted makes the job that says what to download, where the polling does not.
func (x *export) targeted() {
	requester := x.retriever.get("download_target_requester")
	if requester == nil {
		return
	}
	x.target = jobBelow(x.poll)
	sc := x.scope.with(map[string]variable{"polling_response": answer("polling_response", x.target)})
	x.stream.requester(requester, sc, x.target)
}

// downloaded makes the job that has the items.
func (x *export) downloaded() *job {
	s, r := x.stream, x.retriever
	j := jobBelow(x.target)
	j.dataField, j.part = "", x.create.part
	responses := j
	if x.target != x.poll {
		responses = x.target
	}
	more := map[string]variable{"polling_response": answer("polling_response", responses)}
	if r.get("download_target_extractor") != nil {
		path, ok := x.path("download_target_extractor")
		if ok && path == "" {
			s.refuse(r.get("download_target_extractor"), "a target that is the whole answer is not understood")
		}
		more["download_target"] = func(below []string) (meaning, error) {
			if len(below) > 0 {
				return meaning{}, fmt.Errorf("what stands in download_target is not understood")
			}
			j.take("download_target", path, false)
			return meaning{json: `{"placeholder": "download_target"}`}, nil
		}
	}
	x.scope = x.scope.with(more)
	s.requester(r.get("download_requester"), x.scope.firstPage(), j)
	s.decoder(r.get("download_decoder"), j)
	r.get("decoder").know()
	s.selector(r.get("record_selector"), x.scope, j)
	s.paginator(r.get("download_paginator"), r.get("download_requester"), x.scope, j)
	x.extracted(j)
	return j
}

// extracted says where the items of a download are: what record_selector has about that does not count.
func (x *export) extracted(j *job) {
	at := x.retriever.get("download_extractor")
	j.dataField = ""
	switch at.kind() {
	case "":
	case "DpathExtractor":
		if x.spread(at, j) {
			return
		}
		path, ok := x.path("download_extractor")
		if ok {
			j.dataField = path
		}
	default:
		at.know()
		x.stream.refuse(at, className(at)+" is not understood")
	}
}

// spread is for the items of all lists in an object: each of its members comes as an item, and jq makes items
// of the elements of its list.
func (x *export) spread(at *node, j *job) bool {
	path, err := pathOf(at.get("field_path"), x.scope)
	x.isSpread = err == nil && slices.Equal(path, []string{"*", "*"})
	if !x.isSpread {
		return false
	}
	j.dataField = dataField([]string{"*"})
	x.stream.shapeOnce(`if (.value | type) == "array" then .value[] else error("a member that is no list") end`)
	isCounted := j.where != "" || j.pagination != nil
	if isCounted {
		x.stream.refuse(at, "items of several lists are not understood beside a filter or pages")
	}
	return true
}

// refuseSpread refuses what would be done with the members of an object in place of their elements.
func (x *export) refuseSpread(sl *slice) {
	isUsed := sl.isParent || len(sl.own.userData) > 0
	if x.isSpread && isUsed {
		x.stream.refuse(
			x.retriever.get("download_extractor"),
			"items of several lists are not understood where a child or a transformation needs values of theirs",
		)
	}
}
