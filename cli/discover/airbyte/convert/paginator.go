package convert

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// paginator reads how pages follow one another. The selector and the requester, whose templates may name the
// token of the next page, come before it: it looks at where the items are, and at the parameters of the job.
func (s *Stream) paginator(n, requester *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	var use tokenUse
	if !s.try(requester, func() { use = useOfToken(requester) }) || n == nil || n.Kind() == "NoPagination" {
		return
	}
	if n.Kind() != "DefaultPaginator" {
		s.refuseKind(n, "paginator")
		return
	}
	n.Ignore("url_base")
	p := &paginator{
		s: s, sc: sc, j: j, use: use, at: n, strategy: n.Get("pagination_strategy"),
		token: n.Get("page_token_option"), sizeOption: n.Get("page_size_option"),
	}
	for _, decoder := range []*manifest.Section{n.Get("decoder"), p.strategy.Get("decoder")} {
		isRead := decoder.Kind() == "JsonDecoder" || decoder.Kind() == "XmlDecoder" && j.Format == xmlFormat
		s.refuseIf(decoder != nil && !isRead, decoder, "answers other than JSON lead to no next page")
		decoder.Know()
	}
	s.try(n, p.read)
	isUnsent := j.Pagination != nil && !p.isFirstSent && j.IsEmptyForm()
	sc.Values.NoteIf(isUnsent, s.Name+": sluice sends Content-Type with the first page, too, which has no form yet")
}

// read reads how pages follow one another.
func (p *paginator) read() {
	isUsed := p.use.at.Path != nil || len(p.use.parts) > 0 || len(p.use.texts) > 0
	fault.If(len(p.use.texts) > 0 && (p.use.at.Path != nil || len(p.use.changes) > 0), "the token of the next page is sent whole, and in a text, too")
	isTwice := isUsed && p.token != nil
	fault.If(isTwice && (p.use.at.Path == nil || p.token.Kind() == "RequestPath" || p.strategy.Kind() != "CursorPagination"),
		tokenInRequester)
	fault.If(p.use.at.Path != nil && len(p.use.parts) > 0, "the token of the next page is sent whole, and in parts, too")
	fault.If(len(p.use.texts) > 0 && (len(p.use.parts) > 0 || countedBy[p.strategy.Kind()] == ""), "%s: %s", p.use.texted(), unusedToken)
	fault.If(len(p.use.parts) > 0 && p.strategy.Kind() != "CursorPagination", "a number has no parts")
	p.size = p.number("page_size", 0)
	fault.If(p.sizeOption != nil && p.size <= 0, "there is no page_size that page_size_option could carry")
	switch p.strategy.Kind() {
	case "PageIncrement":
		p.count("pagenum", "page")
	case "OffsetIncrement":
		p.count("offset", "offset")
	case "CursorPagination":
		p.follow()
	default:
		p.s.refuseKind(p.strategy, "paging strategy")
	}
}

// count is for pages that have numbers, in a parameter that is called by its name, unless it is called otherwise.
func (p *paginator) count(method, name string) {
	p.s.widenIf(p.j.Where != "", p.strategy,
		"Airbyte counts the items that the filter leaves, and ends where they are fewer than a page has: more items come")
	first := p.number("start_from_page", 0)
	if len(p.use.texts) > 0 {
		p.s.try(p.strategy, func() { p.j.Pagination = p.countInText(method, first) })
		return
	}
	isFirst := p.strategy.Get("inject_on_first_request").Truth(false) || p.use.isFirst(first)
	fault.If(p.token == nil && p.use.at.Path == nil, "without page_token_option all pages are the first")
	fault.If(len(p.use.changes) > 0 || p.use.first != nil && !isFirst,
		"the requests of the first page differ in more than its number")
	if p.token.Kind() == "RequestPath" {
		p.s.try(p.strategy, func() { p.j.Pagination = p.countInPath(method, first, isFirst) })
		return
	}
	place := p.place()
	token, isText := place.(write.Text)
	isSize := p.sizeOption != nil && isText && p.j.PlaceOf(spotOf(p.sizeOption, p.sc)) == place
	fault.If(isSize, "page_size_option and page_token_option both set %s, which Airbyte refuses: correct one of them in a copy of the manifest", token)
	p.isFirstSent = isFirst
	isPage := method == "pagenum"
	members := write.Object{}.
		With(place != write.Text(name), name+"Param", place).
		With(isPage && first != 1, "firstPage", number(first)).
		With(!isFirst, "firstPageParams", write.Word("false"))
	p.s.try(p.strategy, func() { p.j.Pagination = p.sized(&write.Scroller{Method: method, Members: members}, isFirst) })
}

// sized is a paging by numbers with the size of a page, and what ends it: fewer items, or none where there is
// no size.
func (p *paginator) sized(paging *write.Scroller, isFirst bool) *write.Scroller {
	place, isSent := parameterOf(p.j, p.size)
	isSent = isSent && p.size > 0
	if p.sizeOption != nil {
		if !isFirst {
			// Where the first request has no number it still has the size.
			p.injectSize()
		}
		place, isSent = p.j.PlaceOf(spotOf(p.sizeOption, p.sc)), true
	}
	switch {
	case isSent:
		paging.Members = paging.Members.And("limit", number(p.size)).With(place != write.Text("limit"), "limitParam", place)
		return paging
	case paging.Method == "offset":
		return p.unsized(paging, isFirst)
	}
	// A parameter of that name would be taken for the size of a page, and a shorter one would be the last.
	paging.EndsEmpty = slices.Concat(p.j.Params, p.j.Query, p.j.Body).Get("limit") != nil
	if p.size > 0 {
		p.endShort(paging, p.size)
	}
	return paging
}

// sizeNames are words in names of parameters that have the size of a page.
var sizeNames = []string{"limit", "size", "per", "count", "top", "rows", "max", "first", "take"}

// parameterOf is the place of a parameter that has a number already, as limitParam has it: what pages are asked
// for with is the same if it is taken for their size.
func parameterOf(j *write.PlannedJob, size int64) (place write.ConfigValue, ok bool) {
	digits := strconv.FormatInt(size, 10)
	places := []write.RequestOption{{Into: "body_data"}, {Into: "request_parameter"}, {Into: "body_json"}}
	for i, members := range []write.Object{j.Params, j.Query, j.Body} {
		for _, m := range members {
			if m.Value != write.Text(digits) && m.Value != write.Word(digits) {
				continue
			}
			isIn := func(word string) bool { return strings.Contains(strings.ToLower(m.Name), word) }
			isSize := slices.ContainsFunc(sizeNames, isIn)
			if isSize || !ok {
				places[i].Path = []string{m.Name}
				place, ok = write.Place(places[i]), true
			}
			if isSize {
				return place, true
			}
		}
	}
	return place, ok
}

// unsized is an offset whose requests have no size: the number stands in the text of a parameter, if it can.
func (p *paginator) unsized(paging *write.Scroller, isFirst bool) *write.Scroller {
	if at := p.spot(); isFirst && at.Into != "body_json" && at.Into != "header" {
		p.j.Put(at, write.Text("{offset}"))
		paging.Members = inTemplate
	}
	isText := paging.Members.Get("template") != nil
	paging.Members = paging.Members.
		And("limit", number(max(p.size, 1))).
		With(!isText, "sendLimit", write.Word("false")).
		And("advance", write.Text("items")).
		With(p.size > 0, "emptyStop", write.Word("false"))
	return paging
}

// inTemplate says that the number stands within a text.
var inTemplate = write.Object{}.And("template", write.Word("true"))

// countInPath is the paging of numbers that are all of the path, which Airbyte has only where they are not 0.
func (p *paginator) countInPath(method string, first int64, isFirst bool) *write.Scroller {
	isPage := method == "pagenum" && first > 0
	isNumber := p.j.Endpoint.Shape() == strconv.FormatInt(first, 10)
	fault.If(!isPage || !isFirst && !isNumber, "a number as the path is supported only where that of the first page is one, too: "+
		"with PageIncrement, inject_on_first_request and start_from_page from 1 on")
	fault.If(p.j.Whole.Changes() || strings.ContainsAny(p.j.Whole.Shape(), "?#"), "a number as the path is not supported below this address")
	p.j.Base, p.j.Endpoint = p.j.Whole, write.Parts{write.Text("{page}")}
	return p.countInText(method, first)
}

// countInText is the paging of numbers that stand in texts.
func (p *paginator) countInText(method string, first int64) *write.Scroller {
	for _, t := range p.use.texts {
		fault.If(t.first != first, "%s: the first page has another number than the one from which the strategy counts", p.use.texted())
	}
	p.injectSize()
	paging := &write.Scroller{Method: method, Members: inTemplate}
	if method == "pagenum" {
		paging.Members = paging.Members.With(first != 1, "firstPage", number(first))
		if p.size > 0 {
			p.endShort(paging, p.size)
		}
		return paging
	}
	paging.Members = paging.Members.
		And("limit", number(max(p.size, 1))).
		With(p.sizeOption == nil, "advance", write.Text("items")).
		With(p.sizeOption == nil && p.size > 0, "emptyStop", write.Word("false"))
	return paging
}
