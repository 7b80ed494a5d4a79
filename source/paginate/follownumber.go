package paginate

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/request"
)

// eachPart are the ways that count by parameters where those of the job are put and, where
// these are in the body, in the address. Where the job has some in the address of what is
// no GET, that is the only one.
func (w *follower) eachPart(s *State) []Way {
	there := w.numbered(s)
	if w.job.Method == request.Get && !w.job.hasBody() {
		return []Way{there}
	}
	w.inQuery = true
	inQuery := w.numbered(s)
	w.inQuery = false
	isOfPaging := func(p request.Param) bool {
		return evidence.MayBeSize(p.Name) || evidence.MayCountItems(p.Name)
	}
	ofQuery := w.job.Params.For(w.job.Method).Naming(request.InQuery)
	if slices.ContainsFunc(ofQuery, isOfPaging) {
		return []Way{inQuery}
	}
	return []Way{there, inQuery}
}

// placeOf is where a parameter is put: with those of a body of a GET, if it has one.
func (w *follower) placeOf(name string) config.Place {
	at := config.Named(name)
	isGet := w.job.Method == request.Get
	switch {
	case w.inQuery && !isGet:
		at.In = config.PlaceQuery
	case isGet && !w.inQuery:
		at.Deep = w.job.hasBody()
	}
	return at
}

// put is a parameter as an option of paging has it.
func (w *follower) put(name string) string { return w.placeOf(name).JSON() }

// isUsual tells whether an option need not name the parameter.
func (w *follower) isUsual(name, usual string) bool { return w.put(name) == quoted(usual) }

// numbered counts pages or items, where the address of the next page, the request or
// the answer shows which parameters do; empty if none does.
func (w *follower) numbered(s *State) Way {
	if at := w.fromLinks(); at != nil {
		defer func(before bool) { w.inQuery = before }(w.inQuery)
		w.inQuery = true
		return w.counted(at, false)
	}
	w.numbers = nil
	w.fromRequest(s)
	itemRange := w.facts.Header.Get("Content-Range")
	if itemRange != "" && !strings.HasPrefix(itemRange, "bytes") {
		w.numbers = append(w.numbers, evidence.Number{Name: "offset"})
	}
	w.numbers = append(w.numbers, w.facts.Numbers()...)
	return w.counted(w.fromNumbers(), false)
}

// fromLinks is where the page begins, by what leads to the next one; nil if nothing
// that counts does. A parameter that stands in the body is in no address.
func (w *follower) fromLinks() *place {
	if w.job.Method != request.Get {
		return nil
	}
	for _, s := range w.leading() {
		leadsOn := s.Says == evidence.Link && s.Where == ""
		if !leadsOn || item.Kind(s.Value) != '"' {
			continue
		}
		if at := w.place(s); at != nil {
			return at
		}
	}
	return nil
}

// fromNumbers is where the page begins, by the numbers of the request and the
// answer; nil if none says it.
func (w *follower) fromNumbers() *place {
	where := w.numbers.First(evidence.PageNames | evidence.OffsetNames)
	if where == nil {
		return w.echoed()
	}
	at := &place{name: where.Name, value: where.Value, size: w.size()}
	at.isPage = evidence.Is(where.Name, evidence.PageNames)
	if n := evidence.Normal(at.name); n == "currentpage" || n == "number" {
		at.name = "page"
	}
	return at
}

// echoed is where the page begins, by two numbers of the answer that may be parameters
// of another name, such as retstart and retmax: one is 0 and named as a position, the
// other one is the number of items that came and named as a size; nil: there are none.
func (w *follower) echoed() *place {
	var from, size *evidence.Number
	for i, n := range w.numbers[w.asked:] {
		number := &w.numbers[w.asked+i]
		isSizeOf := n.Value == int64(w.facts.Items) && evidence.MayBeSize(n.Name)
		switch {
		case n.Value == 0 && evidence.MayCountItems(n.Name):
			from = number
		case isSizeOf:
			size = number
		}
	}
	mayBeFirst := w.first && w.skipped == 0
	isKnown := from != nil && size != nil
	if !isKnown || !mayBeFirst {
		return nil
	}
	return &place{name: from.Name, size: size}
}

// size is the parameter that carries the size of pages: by its name, else of those
// of the request as the only one that has the number of items that came; nil if none
// is known.
func (w *follower) size() *evidence.Number {
	if size := w.numbers.First(evidence.SizeNames); size != nil {
		return size
	}
	var found *evidence.Number
	for i, n := range w.numbers[:w.asked] {
		isMany := n.Value > 1 && n.Value == int64(w.facts.Items)
		if !isMany {
			continue
		}
		if found != nil {
			return nil
		}
		found = &w.numbers[i]
	}
	return found
}

// fromRequest takes the numbers of the request.
func (w *follower) fromRequest(s *State) {
	for name, value := range s.Asked.given() {
		w.numbers = w.numbers.With(name, value, 2)
	}
	w.asked = len(w.numbers)
}

// Items are what guesses need to know of those of a page.
type Items struct {
	// Last is the last one.
	Last []byte
	// Sorted is 1 where all their ids rise, -1 where they fall, and 0 where they do neither.
	Sorted int
}

// Guesses are paginations to be tried where nothing says how it goes on: by the
// number that the request has, else by the id of the last item where the request says
// behind which one it begins, by what goes with its size of pages, and by usual ones. Those from 0 begin with the request of the job itself, so that no page
// before it can be missed; those from 1 ask for a first page, which must be that one.
// From 0 comes first, since an API that counts from 1 answers that with the first
// page again.
func Guesses(p *Paging, s *State, j *Job, f *Facts, items Items) (all []Way) {
	w := &follower{paging: p, job: j, facts: f, signs: f.Signs(p.reads), skipped: s.Own.Skipped}
	w.first = true
	// What is no GET is sent again only if the answer says how.
	if j.Method != request.Get {
		return nil
	}
	w.fromRequest(s)
	var found ways
	if at := w.fromNumbers(); at != nil {
		found.add(w.counted(at, true))
		return found
	}
	key, behind := w.behind(s, items.Last)
	if behind != "" {
		found.add(w.after(key, behind))
	}
	w.numbers = append(w.numbers, f.Numbers()...)
	found.add(w.counted(w.fromNumbers(), true))
	w.numbers = w.numbers[:w.asked]
	for _, at := range w.usual() {
		at.size, at.isUsual = w.size(), true
		found.add(w.counted(&at, true))
	}
	if behind == "" {
		found.add(w.beyondLast(items.Sorted))
	}
	return found
}

// beyondLast asks for what comes after the last of items whose ids rise, or before the last of those
// whose ids fall.
func (w *follower) beyondLast(sorted int) Way {
	switch {
	case !w.facts.ID || sorted == 0:
		return Way{}
	case sorted < 0:
		return w.after("id", "before")
	}
	return w.after("id", "after")
}

// behind is the parameter of the request that may take what the last item has at a key: its id, or what looks like the
// value that the request has; empty if there is none.
func (w *follower) behind(s *State, last []byte) (key, param string) {
	for _, p := range s.Asked.Params {
		text, _ := item.Text(p.Value)
		key := memberLike(last, text)
		if isPosition(p.Name) && key != "" {
			return key, p.Name
		}
	}
	if !w.facts.ID {
		return "", ""
	}
	for name := range s.Asked.given() {
		if isPosition(name) {
			return "id", name
		}
	}
	return "", ""
}

// isPosition tells whether a parameter says behind which item a page begins, by its name.
func isPosition(name string) bool { return slices.Contains(positions, evidence.Normal(name)) }

// positions are names of parameters that say behind which item a page begins.
var positions = []string{
	"after", "before", "since", "cursor", "marker",
	"afterid", "beforeid", "sinceid", "maxid", "lastid", "fromid", "startingafter", "startafter",
}

// usual are the places that parameters mostly name, those first that go with the
// size of pages.
func (w *follower) usual() []place {
	byPage, byOffset := pagesOf("page"), place{name: "offset"}
	size := w.size()
	if size == nil {
		return append(byPage, byOffset)
	}
	name := strings.ToLower(size.Name)
	if group, member, isGrouped := strings.Cut(size.Name, "["); isGrouped {
		return usualIn(group, strings.TrimSuffix(member, "]"))
	}
	switch {
	case name == "limit":
		return append([]place{byOffset}, byPage...)
	case name == "size":
		return append(byPage, place{name: "from"})
	case name == "ps":
		return append(pagesOf("p"), byPage...)
	case strings.HasPrefix(name, "_"):
		return append(pagesOf("_page"), place{name: "_start"})
	case offsets[name] != "":
		return append([]place{{name: offsets[name]}}, byPage...)
	}
	if evidence.Normal(size.Name) == "pagesize" {
		byPage = append(byPage, place{name: "pageNumber", value: 1, isPage: true})
	}
	return append(byPage, byOffset)
}

// pagesOf are pages by a parameter, from 0 and from 1.
func pagesOf(name string) []place {
	return []place{{name: name, value: 0, isPage: true}, {name: name, value: 1, isPage: true}}
}

// usualIn are the places that members of a group of parameters name, beside the size
// of pages in that group, such as page[size].
func usualIn(group, size string) []place {
	in := func(name string) string { return group + "[" + name + "]" }
	if strings.HasPrefix(evidence.Normal(size), "page") {
		return []place{
			{name: in("currentPage"), value: 1, isPage: true},
			{name: in("page"), value: 1, isPage: true},
		}
	}
	return []place{
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

// counted is the way that counts from a place on, empty if that cannot be. The
// job may ask for another size than it gets: then no page is known to be short. A
// guess goes on after a short page too, unless it asks for the very size that came.
func (w *follower) counted(at *place, guess bool) Way {
	if at == nil {
		return Way{}
	}
	limitParam := "limit"
	isOneParameter := at.size != nil && at.size.Name == at.name
	if isOneParameter {
		return Way{}
	}
	if at.size != nil {
		limitParam = at.size.Name
	}
	came := int64(w.facts.Items)
	own := effectiveLimit(w.job, w.placeOf(limitParam), came)
	if at.size != nil && at.size.Value > came {
		own = at.size.Value
	}
	isOther := own != came
	isGuess := guess && at.size == nil
	isOpen := isOther || isGuess
	limit := item.Object{"limit", strconv.FormatInt(own, 10)}
	limit = limit.With(!w.isUsual(limitParam, "limit"), "limitParam", w.put(limitParam))
	countsFromOther := at.value != 0 && !w.job.Params.Has(at.name)
	var o item.Object
	isUnsized := at.size == nil || isOther
	isBlind := isOpen
	switch {
	case at.isPage && isUnsized:
		o, isBlind = w.pagenum(at, nil, isOther), true
	case at.isPage:
		o = w.pagenum(at, limit, false)
	case countsFromOther:
		return Way{}
	default:
		o = w.offset(at, limit, isOpen)
	}
	over := w.isOver()
	isOwn := at.fromStart() && !w.asksFor(at)
	o = append(o, over...).With(isOwn, "firstPageParams", "false")
	return Way{Pagination: o.String(), Blind: isBlind && over == nil}
}

// asksFor tells whether the job's own request has the number of a place.
func (w *follower) asksFor(at *place) bool {
	n, ok := item.Integer(w.job.own(w.placeOf(at.name)))
	return ok && n == at.value
}

// pagenum is the pagination by the number of a page, whose size may be none; an open
// one goes on after a short page.
func (w *follower) pagenum(at *place, limit item.Object, isOpen bool) item.Object {
	o := append(item.Object{"method", quoted("pagenum")}, limit...)
	o = o.With(!w.isUsual(at.name, "page"), "pageParam", w.put(at.name))
	o = o.With(at.value != 1, "firstPage", strconv.FormatInt(at.value, 10))
	return o.With(isOpen, "emptyStop", "true")
}

// offset is the pagination by the number of an item; an open one goes on after a
// short page.
func (w *follower) offset(at *place, limit item.Object, isOpen bool) item.Object {
	o := append(item.Object{"method", quoted("offset")}, limit...)
	o = o.With(!w.isUsual(at.name, "offset"), "offsetParam", w.put(at.name))
	o = o.With(at.value != 0, "offsetFromJob", "true")
	return o.With(isOpen, "advance", quoted("items"))
}
