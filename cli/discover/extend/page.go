package extend

import (
	"slices"
	"strconv"

	"sluice/pipeline/item"
)

// page makes the new job be paged as it was found, and all others as they are. It returns the scroller that the job
// names; empty: none.
func (a *addition) page(e *edits) string {
	own, there := a.own.at("api", "pagination"), a.top.at("api", "pagination")
	switch {
	case own.is(there):
		return ""
	case there == nil:
		name := scrollerFor(own, nil)
		scrollers := item.Object{name, own.line(nil)}
		made := item.Object{"method", `"multiple"`, "scrollers", scrollers.String()}
		e.addMember(a.top.at("api"), "pagination", made.String())
		return name
	case there.at("method").text() == "multiple":
		return a.choose(e, own, there)
	}
	multiple := item.Object{"method", `"multiple"`}
	name := scrollerFor(there, nil)
	if own == nil {
		// A way of paging that declares one page would say more than is known.
		e.wrap(a.top.at("api"), there, multiple, name, nil, nil)
		a.nameScroller(e, name)
		return ""
	}
	added := scrollerFor(own, []string{name})
	e.wrap(a.top.at("api"), there, multiple, name, item.Object{added, own.line(nil)}, item.Object{"default", quoted(name)})
	a.say("api.pagination is now multiple: %s, as before, is that of jobs that name none, and the new job is paged by %s",
		name, added)
	return added
}

// choose finds the scroller for the new job among those that the file has, or adds it.
func (a *addition) choose(e *edits, own, there *value) string {
	scrollers, usual := there.at("scrollers"), there.at("default").text()
	if own == nil {
		if usual != "" {
			e.removeMember(there, there.index("default"))
			a.nameScroller(e, usual)
		}
		return ""
	}
	var names []string
	for _, s := range scrollers.members {
		if s.is(own) {
			if s.name == usual {
				return ""
			}
			return s.name
		}
		names = append(names, s.name)
	}
	name := scrollerFor(own, names)
	e.addMember(scrollers, name, own.line(nil))
	return name
}

// nameScroller lets jobs name the scroller that was that of all.
func (a *addition) nameScroller(e *edits, name string) {
	for _, j := range a.jobs {
		i := j.index("scroller")
		switch {
		case i < 0:
			e.addMember(j, "scroller", quoted(name))
		case j.at("scroller").text() == "":
			e.add(j.members[i].value.begin, j.members[i].value.end, quoted(name))
		}
	}
	a.say("the new job is one request, so the others name their paging now: \"scroller\": %s", quoted(name))
}

// scrollerFor is a name for a way of paging that none of those that are taken has.
func scrollerFor(paging *value, taken []string) string {
	name := map[string]string{
		"offset": "by-offset", "pagenum": "by-page", "cursor": "by-item", "response.param": "by-token", "none": "one-page",
	}[paging.at("method").text()]
	if name == "" {
		name = "by-address"
	}
	numbered := name
	for i := 2; slices.Contains(taken, numbered); i++ {
		numbered = name + "-" + strconv.Itoa(i)
	}
	return numbered
}
