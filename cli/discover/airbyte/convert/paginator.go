package convert

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// paginator reads how pages follow one another. The selector and the requester, whose templates may name the
// token of the next page, come before it: it looks at where the items are, and at the parameters of the job.
func (s *Stream) paginator(n, requester *manifest.Node, sc template.Scope, j *write.Job) {
	use, err := useOfToken(requester)
	if err != nil {
		s.Refuse(requester, err.Error())
		return
	}
	kind := n.Kind()
	switch {
	case n == nil, kind == "NoPagination":
		return
	case kind != "DefaultPaginator":
		s.refuseKind(n, "paginator")
		return
	}
	n.Ignore("url_base")
	p := &paging{
		s: s, sc: sc, j: j, use: use, at: n, strategy: n.Get("pagination_strategy"),
		token: n.Get("page_token_option"), sizeOption: n.Get("page_size_option"),
	}
	if !p.read() {
		return
	}
	switch p.strategy.Kind() {
	case "PageIncrement":
		p.count("pagenum", "pageParam")
	case "OffsetIncrement":
		p.count("offset", "offsetParam")
	case "CursorPagination":
		p.follow()
	default:
		s.refuseKind(p.strategy, "paging strategy")
	}
}

// A paging is the paginator of a job while it is converted.
type paging struct {
	s  *Stream
	sc template.Scope
	j  *write.Job

	at, strategy, token, sizeOption *manifest.Node

	// size is that of a page; 0: there is none.
	size int64

	// below is the member of an object in which the token is sent; empty: it is sent as it is.
	below string

	// use is what the requester does with the token of the next page.
	use tokenUse
}

// refuse notes why there is no paging.
func (p *paging) refuse(at *manifest.Node, text string) { p.s.Refuse(at, text) }

// read reads what all strategies have, and tells whether it is understood.
func (p *paging) read() bool {
	for _, n := range []*manifest.Node{p.at.Get("decoder"), p.strategy.Get("decoder")} {
		if n != nil && n.Kind() != "JsonDecoder" {
			p.refuse(n, "answers other than JSON lead to no next page")
			return false
		}
		n.Know()
	}
	if p.use.at.Path != nil && p.token != nil {
		p.refuse(p.token, "the requester has the token of the next page, too")
		return false
	}
	size, ok := p.number(p.strategy.Get("page_size"), 0)
	p.size = size
	if ok && p.sizeOption != nil && p.size <= 0 {
		p.refuse(p.sizeOption, "there is no page_size that it could carry")
		return false
	}
	return ok
}

// number is a whole number that the values decide.
func (p *paging) number(n *manifest.Node, byDefault int64) (int64, bool) {
	if n == nil {
		return byDefault, true
	}
	v, err := p.sc.Constant(n)
	if err != nil {
		p.refuse(n, err.Error())
		return 0, false
	}
	if v == nil {
		return byDefault, true
	}
	number, err := strconv.ParseInt(python.Printed(v), 10, 64)
	if err != nil {
		p.refuse(n, "this must be a whole number")
		return 0, false
	}
	return number, true
}

// count is for pages that have numbers.
func (p *paging) count(method, param string) {
	first, ok := p.number(p.strategy.Get("start_from_page"), 0)
	isFirst := p.strategy.Get("inject_on_first_request").Truth(false) || p.use.isFirst(first)
	switch {
	case !ok:
		return
	case p.token == nil && p.use.at.Path == nil:
		p.refuse(p.at, "without page_token_option all pages are the first")
		return
	case p.use.onlyFirst > 0, p.use.first != nil && !isFirst:
		p.refuse(p.at, "the requests of the first page differ in more than its number")
		return
	case p.token.Kind() == "RequestPath":
		p.refuse(p.token, "a number in place of the path cannot be said")
		return
	}
	place, err := p.place()
	if err != nil {
		p.refuse(p.at, err.Error())
		return
	}
	isPage := method == "pagenum"
	members := item.Object{}.
		With(place != write.Quote(paramName(param)), param, place).
		With(isPage && first != 1, "firstPage", strconv.FormatInt(first, 10)).
		With(!isFirst, "firstPageParams", "false")
	paging, err := p.sized(&write.Paging{Method: method, Members: members}, isPage, isFirst)
	if err != nil {
		p.refuse(p.strategy, err.Error())
		return
	}
	p.j.Pagination = paging
}

// paramName is what a paging parameter is called by default.
func paramName(member string) string { return strings.TrimSuffix(member, "Param") }

// sized is a paging by numbers with the size of a page, and what ends it: fewer items, or none where there is
// no size.
func (p *paging) sized(paging *write.Paging, isPage, isFirst bool) (*write.Paging, error) {
	size := strconv.FormatInt(p.size, 10)
	if p.sizeOption != nil {
		place, err := p.sizePlace(size, isFirst)
		paging.Members = limited(paging.Members, size, place)
		return paging, err
	}
	place, ok := parameterOf(p.j, size)
	isSent := ok && p.size > 0
	switch {
	case isSent:
		paging.Members = limited(paging.Members, size, place)
		return paging, nil
	case !isPage:
		return p.inText(isFirst)
	}
	// A parameter of that name would be taken for the size of a page, and a shorter one would be the last.
	paging.EndsEmpty = has(p.j, "limit")
	if p.size <= 0 {
		return paging, nil
	}
	flag, err := p.fullPage(p.size)
	paging.Flag = &flag
	return paging, err
}

// limited has the size of a page, and where it goes.
func limited(members item.Object, size, place string) item.Object {
	return append(members, "limit", size).With(place != write.Quote("limit"), "limitParam", place)
}

// sizePlace is where the size of a page goes. Where the first request has no number it still has the size.
func (p *paging) sizePlace(size string, isFirst bool) (place string, err error) {
	if !isFirst {
		err = injectInto(p.j, p.sizeOption, p.sc, size)
	}
	if err != nil {
		return "", err
	}
	return placeIn(p.j, p.sizeOption, p.sc)
}

// has tells whether a job has a parameter of a name.
func has(j *write.Job, name string) bool {
	return write.ValueOf(j.Params, name)+write.ValueOf(j.Query, name)+write.ValueOf(j.Body, name) != ""
}

// parameterOf is the place of a parameter that has a number already, as limitParam has it: what pages are asked
// for with is the same if it is taken for their size.
func parameterOf(j *write.Job, digits string) (place string, ok bool) {
	for _, isSize := range []bool{true, false} {
		for _, part := range []struct {
			members item.Object
			as      func(name string) string
		}{
			{j.Params, func(name string) string { return name }},
			{j.Query, func(name string) string { return item.Object{"query", name}.String() }},
			{j.Body, func(name string) string { return "[" + name + "]" }},
		} {
			for m := range slices.Chunk(part.members, 2) {
				if (m[1] == digits || m[1] == write.Quote(digits)) && (!isSize || isSizeName(m[0])) {
					return part.as(write.Quote(m[0])), true
				}
			}
		}
	}
	return "", false
}

// isSizeName tells whether a parameter is called as page sizes are.
func isSizeName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"limit", "size", "per", "count", "top", "rows", "max", "first", "take"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// fullPage is a flag that stops where a page has not so many items: where none has that number.
func (p *paging) fullPage(size int64) (write.Flag, error) {
	path, ok := p.j.DataField.Plain()
	if !ok {
		return write.Flag{}, errors.New("the number of items is not known where they are those of several lists")
	}
	field := strings.Join(append(path, strconv.FormatInt(size-1, 10)), ".")
	return write.Flag{Field: field}, nil
}

// inText is for offsets whose requests have no size: the number stands in the text of a parameter.
func (p *paging) inText(isFirst bool) (*write.Paging, error) {
	at := p.use.at
	var err error
	if at.Path == nil {
		at, err = spotOf(p.token, p.sc)
	}
	if err != nil || at.Into == "body_json" || at.Into == "header" || !isFirst {
		return nil, errors.New(
			"an offset whose requests have no page size cannot be said: give it a page_size_option",
		)
	}
	if err := p.j.Put(at, write.Quote("{offset}")); err != nil {
		return nil, err
	}
	members := item.Object{"template", "true", "limit", strconv.FormatInt(max(p.size, 1), 10)}
	members = members.With(p.size <= 0, "advance", write.Quote("items"))
	return &write.Paging{Method: "offset", Members: members}, nil
}

// refuseTemplate notes that a template is not understood.
func (p *paging) refuseTemplate(n *manifest.Node, why string) {
	p.refuse(n, fmt.Sprintf("%s: %s", strings.TrimSpace(n.Text()), why))
}
