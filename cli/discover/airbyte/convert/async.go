package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// An export is a stream that the API makes first: jobs that create, ask for it until it is ready, and download.
type export struct {
	stream    *Stream
	retriever *manifest.Section
	scope     template.Scope

	create, poll *write.PlannedJob

	// target is the job whose answers have what is downloaded: poll, or one below it.
	target *write.PlannedJob
}

// asynchronous converts a retriever that creates, polls and downloads. The job of the slice creates.
func (c *Conversion) asynchronous(s *Stream, n, retriever *manifest.Section, sl *slice, k *timeCursor) {
	x := &export{stream: s, retriever: retriever, create: sl.own}
	x.scope = c.scope().With(sl.variables(k))
	k.begin()
	refuseOptions(s, sl, k)
	s.requester(retriever.Get("creation_requester"), x.scope, x.create)
	x.create.DataField = &write.Field{}
	k.divide(s, x.create)
	if x.create.Windows != nil {
		// The jobs below have no windows.
		k = nil
		x.scope = c.scope().With(sl.variables(k))
	}
	x.asked()
	x.targeted()
	sl.own = x.downloaded()
	retriever.Get("abort_requester").Know()
	s.refuseWhole(retriever.Get("delete_requester"), "sluice cannot delete what the API has made: remove the member, if it need not be deleted")
	if sl.isParent {
		n.Ignore("transformations")
	} else {
		s.transformations(n.Get("transformations"), x.scope.With(sl.unsettled().variables(k)), sl)
	}
}

// refuseOptions refuses options, which exports are not asked with.
func refuseOptions(s *Stream, sl *slice, k *timeCursor) {
	var options []*manifest.Section
	for _, p := range sl.parts {
		options = append(options, p.option)
	}
	if k != nil {
		options = append(options, k.startOption, k.endOption)
	}
	for _, o := range options {
		s.refuseWhole(o, "an option of a slice is not sent by an AsyncRetriever: name the value in the request")
	}
}

// jobBelow adds a job below another, whose items are answers as a whole.
func jobBelow(above *write.PlannedJob) *write.PlannedJob {
	j := &write.PlannedJob{DataField: &write.Field{}}
	above.Children = append(above.Children, j)
	return j
}

// answerOf is a variable that has the answer of a job: a value in it is a placeholder of the job below.
func answerOf(name string, below *write.PlannedJob) map[string]template.Variable {
	return map[string]template.Variable{name: func(path []string) template.Meaning {
		isNone := len(path) == 0 || path[0] == "headers" || path[0] == "request"
		fault.If(isNone || strings.Contains(strings.Join(path, ""), "."),
			"of %s only values of its body are supported", name)
		placeholder := name + "_" + strings.Join(path, "_")
		below.Take(placeholder, strings.Join(path, "."), false)
		return template.Meaning{Expr: write.Placeholder(placeholder)}
	}}
}

// asked makes the job that asks until the export is ready.
func (x *export) asked() {
	x.poll = jobBelow(x.create)
	x.scope = x.scope.With(answerOf("creation_response", x.poll))
	x.stream.requester(x.retriever.Get("polling_requester"), x.scope, x.poll)
	x.target = x.poll
	path, ok := x.steps("status_extractor")
	if !ok {
		return
	}
	states := x.retriever.Get("status_mapping")
	states.Ignore("failed", "timeout")
	if skipped := states.Get("ignore"); skipped != nil && len(skipped.Elements()) > 0 {
		x.stream.Refuse(skipped, "states of exports that are left out are not supported")
	}
	running, done := x.states(path, "running"), x.states(path, "completed")
	var others []string
	for _, c := range slices.Concat(running, done) {
		others = append(others, strings.Replace(c, "==", "!=", 1))
	}
	// Of what failed, or has a state that nobody knows, there is nothing to download.
	x.poll.FailOn = append(x.poll.FailOn, strings.Join(others, "&"))
	if len(running) == 0 {
		return
	}
	x.poll.WaitOn = write.Object{}.
		And("when", write.Text(strings.Join(running, "|"))).
		And("every", write.Text("5 seconds")).
		And("for", write.Text(x.patience()))
}

// states are conditions for the states of the API that mean one of the platform.
func (x *export) states(path, name string) (all []string) {
	for _, e := range x.retriever.Get("status_mapping").Get(name).Elements() {
		text := e.Text()
		if strings.ContainsAny(text, "&|=<>!~%()") || strings.TrimSpace(text) != text || text == "" {
			x.stream.Refuse(e, "the state cannot be compared")
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
	at := x.retriever.Get("polling_job_timeout")
	if at == nil {
		return "60 minutes"
	}
	minutes := ""
	x.stream.try(at, func() {
		m := x.scope.Mean(at)
		minutes = python.Printed(m.Constant)
		fault.If(m.Expr != nil || strings.Trim(minutes, "0123456789") != "" || minutes == "",
			"it is not a number of minutes that --values determines")
	})
	return minutes + " minutes"
}

// steps are those of an extractor which looks at one place.
func (x *export) steps(name string) (path string, ok bool) {
	at := x.retriever.Get(name)
	if at.Kind() != "DpathExtractor" {
		at.Know()
		x.stream.Refuse(at, manifest.ClassName(at)+" is not supported")
		return "", false
	}
	ok = x.stream.try(at, func() {
		steps := template.PathOf(at.Get("field_path"), x.scope)
		path = strings.Join(steps, ".")
		fault.If(strings.ContainsAny(strings.Join(steps, ""), ".*"),
			"a step that is not the plain name of a member is not supported")
	})
	return path, ok
}

// targeted makes the job that says what to download, where the polling does not.
func (x *export) targeted() {
	requester := x.retriever.Get("download_target_requester")
	if requester == nil {
		return
	}
	x.target = jobBelow(x.poll)
	x.stream.requester(requester, x.scope.With(answerOf("polling_response", x.target)), x.target)
}

// downloaded makes the job that has the items.
func (x *export) downloaded() *write.PlannedJob {
	s, r := x.stream, x.retriever
	j := jobBelow(x.target)
	j.DataField, j.Part = nil, x.create.Part
	responses := j
	if x.target != x.poll {
		responses = x.target
	}
	more := answerOf("polling_response", responses)
	if r.Get("download_target_extractor") != nil {
		path, ok := x.steps("download_target_extractor")
		s.refuseIf(ok && path == "", r.Get("download_target_extractor"),
			"a target that is the whole answer is not supported")
		more["download_target"] = func(below []string) template.Meaning {
			fault.If(len(below) > 0, "what stands in download_target is not supported")
			j.Take("download_target", path, false)
			return template.Meaning{Expr: write.Placeholder("download_target")}
		}
	}
	x.scope = x.scope.With(more)
	s.requester(r.Get("download_requester"), firstPage(x.scope), j)
	s.decoder(r.Get("download_decoder"), j)
	r.Get("decoder").Know()
	s.selector(r.Get("record_selector"), x.scope, j)
	s.paginator(r.Get("download_paginator"), r.Get("download_requester"), x.scope, j)
	x.extracted(j)
	return j
}

// extracted says where the items of a download are: what record_selector has about that does not count.
func (x *export) extracted(j *write.PlannedJob) {
	at := x.retriever.Get("download_extractor")
	j.DataField = nil
	switch at.Kind() {
	case "":
	case "DpathExtractor":
		all, _ := fault.Result(func() []string { return template.PathOf(at.Get("field_path"), x.scope) })
		if slices.Equal(all, []string{"*", "*"}) {
			// The items of all lists in an object.
			j.DataField = &write.Field{Path: all, HasObjects: true}
			return
		}
		path, ok := x.steps("download_extractor")
		if ok && path != "" {
			j.DataField = &write.Field{Path: strings.Split(path, ".")}
		}
	default:
		x.stream.refuseWhole(at, manifest.ClassName(at)+" is not supported")
	}
}
