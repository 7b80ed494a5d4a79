package convert

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
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
}

// A paginator is that of a job while it is converted.
type paginator struct {
	s  *Stream
	sc template.Scope
	j  *write.PlannedJob

	at, strategy, token, sizeOption *manifest.Section

	// size is that of a page; 0: there is none.
	size int64

	// below is the member of an object in which the token is sent; empty: it is sent as it is.
	below string

	// use is what the requester does with the token of the next page.
	use tokenUse
}

// read reads how pages follow one another.
func (p *paginator) read() {
	isUsed := p.use.at.Path != nil || len(p.use.parts) > 0 || len(p.use.texts) > 0
	fault.If(len(p.use.texts) > 0 && (p.use.at.Path != nil || p.use.onlyFirst != 0), "the token of the next page is sent whole, and in a text, too")
	fault.If(isUsed && p.token != nil, "the requester has the token of the next page, too")
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

// number is a whole number of the strategy, which the values decide.
func (p *paginator) number(member string, byDefault int64) int64 {
	text := p.sc.FixedText(p.strategy.Get(member))
	if text == "" {
		return byDefault
	}
	number, err := strconv.ParseInt(text, 10, 64)
	fault.If(err != nil, "%s must be a whole number", member)
	return number
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
	fault.If(p.use.onlyFirst > 0 || p.use.first != nil && !isFirst,
		"the requests of the first page differ in more than its number")
	fault.If(p.token.Kind() == "RequestPath", "a number in place of the path has no equivalent in sluice")
	place := p.place()
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

// endShort ends a paging at a page that has fewer items.
func (p *paginator) endShort(paging *write.Scroller, size int64) {
	if p.j.Format != xmlFormat {
		paging.AddFlag(p.fullPage(size))
		return
	}
	// Items of XML have no path of their own.
	sums, _ := until(sum{constant: size}, sum{items: 1}, "upTo")
	paging.AddSums(sums)
}

// injectSize has all requests carry the size of a page.
func (p *paginator) injectSize() {
	if p.sizeOption != nil {
		p.j.Put(spotOf(p.sizeOption, p.sc), number(p.size))
	}
}

// sizeNames are words in names of parameters that have the size of a page.
var sizeNames = []string{"limit", "size", "per", "count", "top", "rows", "max", "first", "take"}

// parameterOf is the place of a parameter that has a number already, as limitParam has it: what pages are asked
// for with is the same if it is taken for their size.
func parameterOf(j *write.PlannedJob, size int64) (place write.Expr, ok bool) {
	digits := strconv.FormatInt(size, 10)
	places := []write.Slot{{Into: "body_data"}, {Into: "request_parameter"}, {Into: "body_json"}}
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

// fullPage is a flag that stops where a page has not so many items: where none has that number.
func (p *paginator) fullPage(size int64) write.Flag {
	path, ok := p.j.DataField.Plain()
	fault.If(!ok, "the number of items is not known where they are those of several lists")
	return write.Flag{Field: strings.Join(append(path, strconv.FormatInt(size-1, 10)), ".")}
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

// spot is where the token goes.
func (p *paginator) spot() write.Slot {
	if p.use.at.Path != nil {
		return p.use.at
	}
	return spotOf(p.token, p.sc)
}

// place is where the token goes, as a paging parameter has it.
func (p *paginator) place() write.Expr {
	at := p.spot()
	defer func() {
		p.sc.Values.NoteIf(p.j.Method == http.MethodPost && p.j.Body != nil && len(p.j.Body) == 0,
			p.s.Name+": sluice requests the first page with the body {}, and Airbyte without a body")
	}()
	if p.below == "" {
		return p.j.PlaceOf(at)
	}
	// It is a member of the object that the option has in a JSON body. It is the whole object, so the job has none there.
	_, isFree := write.Insert(p.j.Body, at.Path, nil)
	fault.If(at.Into != "body_json" || !isFree, "an object is supported as a token only where a JSON body has none yet")
	at.Path = append(slices.Clone(at.Path), p.below)
	return p.j.PlaceOf(at)
}

// firstPage is the scope of a request for a first page: there is no token. What later pages have the paginator
// finds.
func firstPage(sc template.Scope) template.Scope {
	none := func([]string) template.Meaning { return template.Nothing }
	return sc.With(map[string]template.Variable{tokenName: none})
}

// tokenName is the variable that leads to the next page.
const tokenName = "next_page_token"

// A tokenUse is what a requester does with the token of the next page.
type tokenUse struct {
	// at is where it stands, as an option of a request; path is nil where it stands nowhere.
	at write.Slot

	// first is what stands there on the first page; nil: nothing.
	first any

	// onlyFirst is how many members only the first page has.
	onlyFirst int

	// parts are parameters that have a member of the token, which is an object, each.
	parts []tokenPart

	// texts are those that have the token within them, as a number.
	texts []tokenText
}

// A tokenPart is where a member of the token stands, and its steps below it.
type tokenPart struct {
	at    write.Slot
	steps []string
}

// tokenParts are the parts of a request that may have the token.
var tokenParts = map[string]string{
	"request_parameters": "request_parameter",
	"request_headers":    "header",
	"request_body_json":  "body_json",
	"request_body_data":  "body_data",
}

// useOfToken finds out what a requester does with the token.
func useOfToken(requester *manifest.Section) (u tokenUse) {
	for name, n := range mentions(requester) {
		into, ok := tokenParts[name]
		if name == "path" {
			text, isNumber := textOfToken(n)
			fault.If(!isNumber, "%s: %s", strings.TrimSpace(n.Text()), unusedToken)
			u.texts = append(u.texts, text)
			continue
		}
		fault.If(!ok || !n.IsObject(),
			"the token of the next page in %s is not supported: use page_token_option", name)
		u.find(n, into, nil)
	}
	return u
}

// mentions goes through the members of an object that name the token.
func mentions(n *manifest.Section) func(yield func(string, *manifest.Section) bool) {
	return func(yield func(string, *manifest.Section) bool) {
		for _, name := range n.Names() {
			if m := n.Peek(name); m.Mentions(tokenName) && !yield(name, m) {
				return
			}
		}
	}
}

// find looks at the members of a part of a request.
func (u *tokenUse) find(n *manifest.Section, into string, above []string) {
	for name, m := range mentions(n) {
		path := append(slices.Clone(above), name)
		if m.IsObject() && into == "body_json" {
			u.find(m, into, path)
		} else {
			u.member(m, write.Slot{Into: into, Path: path})
		}
	}
}

// member looks at a text that names the token.
func (u *tokenUse) member(n *manifest.Section, at write.Slot) {
	text, isNumber := textOfToken(n)
	e, ok := template.Single(fault.Of(template.Parse(n.Text())))
	if isNumber && (!ok || text.plus > 0) && (at.Into == "request_parameter" || at.Into == "body_data") {
		u.texts = append(u.texts, text)
		return
	}
	if first, isIt := tokenOr(e); ok && isIt && u.at.Path == nil {
		u.at, u.first = at, first
		return
	}
	if steps, isPart := stepsBelow(e); ok && isPart {
		u.parts = append(u.parts, tokenPart{at, steps})
		return
	}
	value, ends := parted(e)
	fault.If(!ok || len(ends) != 1 || !isToken(ends[0].e) || ends[0].not || template.Names(value, tokenName),
		"%s: %s", strings.TrimSpace(n.Text()), unusedToken)
	u.onlyFirst++
}

// tokenOr is what stands in place of the token on the first page; not ok: an expression is something else.
func tokenOr(e template.Expression) (first any, ok bool) {
	e = template.Unwrapped(e)
	if b, isBinary := e.(template.Binary); isBinary && b.Operator == "or" {
		c, isConstant := b.Right.(template.Constant)
		return c.Value, isConstant && isToken(b.Left)
	}
	if c, isChoice := e.(template.Ternary); isChoice && isToken(c.Condition) && isToken(c.Yes) {
		no, isConstant := template.Unwrapped(c.No).(template.Constant)
		if no.Value == (python.Undefined{}) {
			no.Value = nil
		}
		return no.Value, isConstant
	}
	_, path, _ := template.Reference(e)
	return nil, isToken(e) && len(path) == 1
}

// stepsBelow is the steps below the token to what an expression is, where there is a token, and nothing where there is none.
func stepsBelow(e template.Expression) (steps []string, ok bool) {
	e = template.Unwrapped(e)
	if c, isChoice := e.(template.Ternary); isChoice && isToken(c.Condition) && isNothing(c.No) {
		return stepsBelow(c.Yes)
	}
	w, isWay := template.Trail(e)
	isPart := isWay && w.Variable == tokenName && len(w.Steps) > 1 && w.Steps[0] == tokenName
	if !isPart || !w.IsFalsyByDefault() || strings.Contains(strings.Join(w.Steps, ""), ".") {
		return nil, false
	}
	return w.Steps[1:], true
}

// isToken tells whether an expression is the token, or the object that has it.
func isToken(e template.Expression) bool {
	variable, path, ok := template.Reference(template.Unwrapped(e))
	isIt := len(path) == 0 || len(path) == 1 && path[0] == tokenName
	return ok && variable == tokenName && isIt
}

// isFirst tells whether the first page is asked for with the number that it has.
func (u *tokenUse) isFirst(number int64) bool {
	n, err := strconv.ParseInt(python.Printed(u.first), 10, 64)
	return u.first != nil && err == nil && n == number
}
