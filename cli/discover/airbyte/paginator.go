package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// paginator reads how pages follow one another. The selector and the requester, whose templates may name the
// token of the next page, come before it: it looks at where the items are, and at the parameters of the job.
func (s *stream) paginator(n, requester *node, sc scope, j *job) {
	use, err := useOfToken(requester)
	if err != nil {
		s.refuse(requester, err.Error())
		return
	}
	kind := n.kind()
	switch {
	case n == nil, kind == "NoPagination":
		return
	case kind != "DefaultPaginator":
		s.refuseKind(n, "paginator")
		return
	}
	n.ignore("url_base")
	p := &paging{
		s: s, sc: sc, j: j, use: use, at: n, strategy: n.get("pagination_strategy"),
		token: n.get("page_token_option"), sizeOption: n.get("page_size_option"),
	}
	if !p.read() {
		return
	}
	switch p.strategy.kind() {
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
	s  *stream
	sc scope
	j  *job

	at, strategy, token, sizeOption *node

	// size is that of a page; 0: there is none.
	size int64

	// below is the member of an object in which the token is sent; empty: it is sent as it is.
	below string

	// use is what the requester does with the token of the next page.
	use tokenUse
}

// refuse notes why there is no paging.
func (p *paging) refuse(at *node, text string) { p.s.refuse(at, text) }

// read reads what all strategies have, and tells whether it is understood.
func (p *paging) read() bool {
	for _, n := range []*node{p.at.get("decoder"), p.strategy.get("decoder")} {
		if n != nil && n.kind() != "JsonDecoder" {
			p.refuse(n, "answers other than JSON lead to no next page")
			return false
		}
		n.know()
	}
	if p.use.at.path != nil && p.token != nil {
		p.refuse(p.token, "the requester has the token of the next page, too")
		return false
	}
	size, ok := p.number(p.strategy.get("page_size"), 0)
	p.size = size
	if ok && p.sizeOption != nil && p.size <= 0 {
		p.refuse(p.sizeOption, "there is no page_size that it could carry")
		return false
	}
	return ok
}

// number is a whole number that the values decide.
func (p *paging) number(n *node, byDefault int64) (int64, bool) {
	if n == nil {
		return byDefault, true
	}
	v, err := p.sc.constant(n)
	if err != nil {
		p.refuse(n, err.Error())
		return 0, false
	}
	if v == nil {
		return byDefault, true
	}
	number, err := strconv.ParseInt(printed(v), 10, 64)
	if err != nil {
		p.refuse(n, "this must be a whole number")
		return 0, false
	}
	return number, true
}

// count is for pages that have numbers.
func (p *paging) count(method, param string) {
	first, ok := p.number(p.strategy.get("start_from_page"), 0)
	isFirst := p.strategy.get("inject_on_first_request").truth(false) || p.use.isFirst(first)
	switch {
	case !ok:
		return
	case p.token == nil && p.use.at.path == nil:
		p.refuse(p.at, "without page_token_option all pages are the first")
		return
	case p.use.onlyFirst > 0, p.use.first != nil && !isFirst:
		p.refuse(p.at, "the requests of the first page differ in more than its number")
		return
	case p.token.kind() == "RequestPath":
		p.refuse(p.token, "a number in place of the path cannot be said")
		return
	}
	place, err := p.place()
	if err != nil {
		p.refuse(p.at, err.Error())
		return
	}
	isPage := method == "pagenum"
	paging := item.Object{"method", quote(method)}.With(place != quote(paramName(param)), param, place)
	paging = paging.With(isPage && first != 1, "firstPage", strconv.FormatInt(first, 10))
	paging = paging.With(!isFirst, "firstPageParams", "false")
	paging, err = p.sized(paging, isPage, isFirst)
	if err != nil {
		p.refuse(p.strategy, err.Error())
		return
	}
	p.j.pagination = paging
}

// paramName is what a paging parameter is called by default.
func paramName(member string) string { return strings.TrimSuffix(member, "Param") }

// sized is a paging by numbers with the size of a page, and what ends it: fewer items, or none where there is
// no size.
func (p *paging) sized(paging item.Object, isPage, isFirst bool) (item.Object, error) {
	size := strconv.FormatInt(p.size, 10)
	if p.sizeOption != nil {
		place, err := p.sizePlace(size, isFirst)
		paging = append(paging, "limit", size).With(place != quote("limit"), "limitParam", place)
		return paging, err
	}
	place, ok := p.j.parameterOf(size)
	isSent := ok && p.size > 0
	switch {
	case isSent:
		return append(paging, "limit", size).With(place != quote("limit"), "limitParam", place), nil
	case !isPage:
		return p.inText(isFirst)
	}
	// A parameter of that name would be taken for the size of a page, and a shorter one would be the last.
	paging = paging.With(p.j.has("limit"), "emptyStop", "true")
	if p.size <= 0 {
		return paging, nil
	}
	flag, err := p.fullPage(p.size)
	return append(paging, "nextPageFlag", flag), err
}

// sizePlace is where the size of a page goes. Where the first request has no number it still has the size.
func (p *paging) sizePlace(size string, isFirst bool) (place string, err error) {
	if !isFirst {
		err = p.j.inject(p.sizeOption, p.sc, size)
	}
	if err != nil {
		return "", err
	}
	return p.j.place(p.sizeOption, p.sc)
}

// has tells whether a job has a parameter of a name.
func (j *job) has(name string) bool {
	return valueOf(j.params, name)+valueOf(j.query, name)+valueOf(j.body, name) != ""
}

// parameterOf is the place of a parameter that has a number already, as limitParam has it: what pages are asked
// for with is the same if it is taken for their size.
func (j *job) parameterOf(digits string) (place string, ok bool) {
	for _, isSize := range []bool{true, false} {
		for _, part := range []struct {
			members item.Object
			as      func(name string) string
		}{
			{j.params, func(name string) string { return name }},
			{j.query, func(name string) string { return item.Object{"query", name}.String() }},
			{j.body, func(name string) string { return "[" + name + "]" }},
		} {
			for m := range slices.Chunk(part.members, 2) {
				isIt := m[1] == digits || m[1] == quote(digits)
				if isIt && (!isSize || isSizeName(m[0])) {
					return part.as(quote(m[0])), true
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
func (p *paging) fullPage(size int64) (string, error) {
	path, ok := p.j.itemsAt()
	if !ok {
		return "", errors.New("the number of items is not known where they are those of several lists")
	}
	field := strings.Join(append(path, strconv.FormatInt(size-1, 10)), ".")
	return flag{field: field, stopOn: false, ifMissing: false}.String(), nil
}

// A flag is a nextPageFlag.
type flag struct {
	field             string
	stopOn, ifMissing bool
}

func (f flag) String() string {
	o := item.Object{"field", quote(f.field), "stopOn", strconv.FormatBool(f.stopOn)}
	return o.With(f.ifMissing != f.stopOn, "ifNotSet", strconv.FormatBool(f.ifMissing)).String()
}

// inText is for offsets whose requests have no size: the number stands in the text of a parameter.
func (p *paging) inText(isFirst bool) (item.Object, error) {
	at := p.use.at
	var err error
	if at.path == nil {
		at, err = spotOf(p.token, p.sc)
	}
	isText := err == nil && at.into != "body_json" && at.into != "header"
	canBe := isText && isFirst
	if !canBe {
		return nil, errors.New(
			"an offset whose requests have no page size cannot be said: give it a page_size_option",
		)
	}
	if err := p.j.put(at, quote("{offset}")); err != nil {
		return nil, err
	}
	paging := item.Object{"method", quote("offset"), "template", "true"}
	if p.size <= 0 {
		return append(paging, "limit", "1", "advance", quote("items")), nil
	}
	return append(paging, "limit", strconv.FormatInt(p.size, 10)), nil
}

// itemsAt is the path of the items; it is not ok where they are those of several arrays, or of a map.
func (j *job) itemsAt() ([]string, bool) {
	if item.Kind([]byte(j.dataField)) != '"' {
		return nil, false
	}
	path := item.ParsePath(item.Unquote([]byte(j.dataField)), ".")
	return slices.Clone(path), !slices.Contains(path, "*")
}

// refuseTemplate notes that a template is not understood.
func (p *paging) refuseTemplate(n *node, why string) {
	p.refuse(n, fmt.Sprintf("%s: %s", strings.TrimSpace(n.text()), why))
}
