package extend

import (
	"maps"
	"slices"

	"sluice/cli/discover/free"
	"sluice/pipeline/item"
)

// page makes the new jobs be paged as it was found, and all others as they are. It returns the scrollers that the new
// jobs name.
func (a *addition) page(e *edits) map[*placedValue]string {
	own, there := a.ownPaging(), a.top.at("api", "pagination")
	isLikeFile := func(j *placedValue) bool { return own[j].is(there) }
	isMultiple := there.at("method").text() == "multiple"
	if !isMultiple && !slices.ContainsFunc(a.jobs, func(j *placedValue) bool { return !isLikeFile(j) }) {
		return nil
	}
	s := scrollers{chosen: map[*placedValue]string{}}
	switch {
	case isMultiple:
		s.usual = there.at("default").text()
		s.known = append(s.known, there.at("scrollers").members...)
	case there != nil:
		s.usual = scrollerFor(there, nil)
		s.known = []treeMember{{name: s.usual, placedValue: there}}
	}
	for _, j := range a.jobs {
		s.choose(j, own[j])
	}
	// A way of paging that declares one page would say more than is known.
	hasNone := slices.ContainsFunc(a.jobs, func(j *placedValue) bool { return own[j] == nil })
	usual := s.usual
	if !hasNone {
		s.leaveOut(usual)
		usual = ""
	}
	multiple := item.ObjectBuilder{"method", `"multiple"`}
	switch {
	case isMultiple:
		for _, m := range s.added {
			e.addMember(there.at("scrollers"), m.name, m.line(nil))
		}
		if usual != "" {
			e.removeMember(there, there.index("default"))
		}
	case there == nil:
		e.addMember(a.top.at("api"), "pagination", multiple.With(true, "scrollers", s.lines().String()).String())
	case hasNone:
		e.wrap(a.top.at("api"), there, multiple, s.usual, s.lines(), nil)
	default:
		e.wrap(a.top.at("api"), there, multiple, s.usual, s.lines(), item.ObjectBuilder{"default", quoted(s.usual)})
		a.say("api.pagination is now multiple: %s, as before, is that of jobs that name none, and the new job is paged by %s",
			s.usual, s.added[len(s.added)-1].name)
	}
	if usual != "" {
		a.nameScroller(e, usual)
	}
	return s.chosen
}

// ownPaging is how each of the new jobs is paged; nil: it is one request.
func (a *addition) ownPaging() map[*placedValue]*placedValue {
	all, own := map[*placedValue]*placedValue{}, a.own.at("api", "pagination")
	for _, j := range a.jobs {
		all[j] = own
		if own.at("method").text() == "multiple" {
			all[j] = own.at("scrollers", j.at("scroller").text())
		}
	}
	return all
}

// scrollers are ways of paging by their names.
type scrollers struct {
	known, added []treeMember

	// usual is that of jobs that name none; empty: there is none.
	usual string

	// chosen are those of the new jobs.
	chosen map[*placedValue]string
}

// choose finds the scroller for a job, or adds it.
func (s *scrollers) choose(job, paging *placedValue) {
	if paging == nil {
		return
	}
	var names []string
	for _, m := range slices.Concat(s.known, s.added) {
		if m.is(paging) {
			s.chosen[job] = m.name
			return
		}
		names = append(names, m.name)
	}
	name := scrollerFor(paging, names)
	s.added = append(s.added, treeMember{name: name, placedValue: paging})
	s.chosen[job] = name
}

// leaveOut lets jobs not name the scroller that is that of jobs without a name.
func (s *scrollers) leaveOut(usual string) {
	maps.DeleteFunc(s.chosen, func(_ *placedValue, name string) bool { return name == usual })
}

// lines are those that were added, as JSON.
func (s *scrollers) lines() (o item.ObjectBuilder) {
	for _, m := range s.added {
		o = append(o, m.name, m.line(nil))
	}
	return o
}

// nameScroller lets jobs name the scroller that was that of all.
func (a *addition) nameScroller(e *edits, name string) {
	for _, j := range a.jobsOfFile {
		i := j.index("scroller")
		switch {
		case i < 0:
			e.addMember(j, "scroller", quoted(name))
		case j.at("scroller").text() == "":
			e.add(j.members[i].placedValue.begin, j.members[i].placedValue.end, quoted(name))
		}
	}
	a.say("the new job is one request, so the others name their paging now: \"scroller\": %s", quoted(name))
}

// scrollerFor is a name for a way of paging that none of those that are taken has.
func scrollerFor(paging *placedValue, taken []string) string {
	name := map[string]string{
		"offset": "by-offset", "pagenum": "by-page", "cursor": "by-item", "response.param": "by-token", "none": "one-page",
	}[paging.at("method").text()]
	if name == "" {
		name = "by-address"
	}
	return free.Name(name, "-", func(name string) bool { return slices.Contains(taken, name) })
}
