package suggest

import (
	"slices"
	"strings"

	"sluice/source/evidence"
	"sluice/source/request"
)

// guesses are ways for where nothing says how it goes on: by the
// number that the request has, else by the id of the last item where the request says
// behind which one it begins, by what goes with its size of pages, and by usual ones. Those
// from 0 begin with the request of the job itself, so that no page
// before it can be missed; those from 1 ask for a first page, which must be that one.
// From 0 comes first, since an API that counts from 1 answers that with the first
// page again.
func (f *follower) guesses(tail Tail) []Proposal {
	// What is no GET is sent again only if the answer says how.
	if f.Job.Method != request.Get {
		return nil
	}
	var all ways
	asked := figures{asked: f.asked()}
	if at := f.startByNumbers(asked); at != nil {
		all.add(f.counted(at, true))
		return all
	}
	all.add(f.byEcho(tail.Last)...)
	all.add(f.counted(f.lettered(asked), true))
	all.add(f.counted(f.marked(asked, tail.Last), true))
	key, behind := f.behind(tail.Last)
	if behind != "" {
		all.add(f.after(key, behind))
	}
	if bound, limits := f.bounded(tail.Last); limits != "" {
		all.add(f.after(bound, limits))
	}
	withAnswered := figures{asked.asked, f.Facts.Numbers()}
	all.add(f.counted(f.startByNumbers(withAnswered), true))
	size := asked.size(f.Facts.Items)
	if size == nil && f.hasGroup() {
		page := start{name: "page[number]", value: 1, isPage: true, isUsual: true}
		page.size = &evidence.Number{Name: "page[size]", Value: int64(f.Facts.Items)}
		all.add(f.counted(&page, true))
	}
	for _, at := range usual(size) {
		at.size, at.isUsual = size, true
		all.add(f.counted(&at, true))
	}
	if behind == "" {
		all.add(f.beyondLast(tail.Order))
	}
	return all
}

// hasGroup tells whether the request has parameters in groups, such as filter[name], as JSON:API has them.
func (f *follower) hasGroup() bool {
	for name := range f.State.Asked.Values() {
		group, _, isGrouped := strings.Cut(name, "[")
		if isGrouped && group != "" && strings.HasSuffix(name, "]") {
			return true
		}
	}
	return false
}

// usual are the starts that parameters mostly name, those first that go with the
// size of pages, which may be nil.
func usual(size *evidence.Number) []start {
	byPage, byOffset := pagesOf("page"), start{name: "offset"}
	if size == nil {
		return append(byPage, byOffset)
	}
	name := strings.ToLower(size.Name)
	if group, member, isGrouped := strings.Cut(size.Name, "["); isGrouped {
		return usualIn(group, strings.TrimSuffix(member, "]"))
	}
	switch {
	case name == "limit":
		return append([]start{byOffset}, byPage...)
	case name == "size":
		return append(byPage, start{name: "from"})
	case name == "ps":
		return append(pagesOf("p"), byPage...)
	case strings.HasPrefix(name, "_"):
		return append(pagesOf("_page"), start{name: "_start"})
	case offsets[name] != "":
		return append([]start{{name: offsets[name]}}, byPage...)
	}
	if evidence.Normal(size.Name) == "pagesize" {
		byPage = append(byPage, start{name: "pageNumber", value: 1, isPage: true})
	}
	return append(byPage, byOffset)
}

// pagesOf are pages by a parameter, from 0 and from 1.
func pagesOf(name string) []start {
	return []start{{name: name, value: 0, isPage: true}, {name: name, value: 1, isPage: true}}
}

// usualIn are the starts that members of a group of parameters name, beside the size
// of pages in that group, such as page[size].
func usualIn(group, size string) []start {
	in := func(name string) string { return group + "[" + name + "]" }
	if strings.HasPrefix(evidence.Normal(size), "page") {
		return []start{
			{name: in("currentPage"), value: 1, isPage: true},
			{name: in("page"), value: 1, isPage: true},
		}
	}
	return []start{
		{name: in("number"), value: 1, isPage: true},
		{name: in("offset")},
	}
}

// offsets are parameters for the number of the first item by those for the size of
// pages.
var offsets = map[string]string{
	"$top": "$skip", "$limit": "$offset",
	"top": "skip", "take": "skip", "rows": "start", "num": "start", "count": "offset",
	"maxresults": "startAt", "max_results": "start", "resultsperpage": "startIndex",
}

// bounded is the parameter of the request that says from where on or up to where items are wanted, and the member of the last item
// that has a value like it; empty if there is none.
func (f *follower) bounded(last []byte) (key, param string) {
	for _, p := range f.State.Asked.Params {
		if !slices.Contains(bounds, evidence.Normal(p.Name)) {
			continue
		}
		if key := boundLike(last, p.Value); key != "" {
			return key, p.Name
		}
	}
	return "", ""
}

// bounds are names of parameters that say from where on or up to where items are wanted. Some are numbers of items elsewhere.
var bounds = []string{
	"until", "end", "endtime", "endat", "endid", "to", "totime", "toid", "maxtime", "maxat",
	"start", "starttime", "startat", "startid", "from", "fromtime", "fromdate", "mintime", "sincetime",
}

// behind is the parameter of the request that may take what the last item has at a key: its id, or what looks like the
// value that the request has; empty if there is none.
func (f *follower) behind(last []byte) (key, param string) {
	asked := f.State.Asked
	for _, p := range asked.Params {
		text, _ := unquoted(p.Value)
		key := memberLike(last, text)
		if isPosition(p.Name) && key != "" {
			return key, p.Name
		}
	}
	if !f.First.HasID {
		return "", ""
	}
	for name := range asked.Values() {
		if isPosition(name) {
			return "id", name
		}
	}
	return "", ""
}
