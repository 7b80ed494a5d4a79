package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// say adds a line of the account.
func (p *documentedPaging) say(c Certainty, format string, of ...any) {
	p.account = append(p.account, AccountLine{c, fmt.Sprintf(format, of...)})
}

// A pager finds out how the pages of an operation follow each other.
type pager struct {
	*operation
	documentedPaging

	around surroundings
	d      *APIDocument
}

// pagingOf is how the pages of an operation follow each other.
func (d *APIDocument) pagingOf(o *operation, a surroundings) documentedPaging {
	p := &pager{operation: o, around: a, d: d}
	p.size = o.first(sizes)
	p.findLimit()
	ways := []func() bool{p.byLink, p.byHeader, p.byToken, p.byID, p.byOffset, p.byPage, p.byLinkList, p.byAnyToken, p.byPair}
	for _, found := range ways {
		if found() {
			return p.documentedPaging
		}
	}
	p.tellNone()
	return p.documentedPaging
}

// tellNone says that nothing is known of the next page, and what there is.
func (p *pager) tellNone() {
	const unknown = "how the next page is asked for: "
	total := p.around.find(totals, always)
	switch to := p.first(cursors); {
	case to != nil:
		p.say(Unknown, unknown+"%s takes a value of the page before, and the document does not show where an answer has it", to.name)
	case p.size != nil:
		p.say(Unknown, unknown+"%s is the size of a page, and nothing in the document leads to the next one", p.size.name)
	case total != nil:
		p.say(Unknown, unknown+"the answer has a number of all items (%s), and no parameter asks for a page", total)
	default:
		p.say(Likely, "one answer has all items: nothing in the document asks for a page")
	}
	p.saySize()
}

// mostItems is the largest page that is asked for, usualItems one where the document says nothing.
const (
	mostItems  = 1000
	usualItems = 100
)

// findLimit finds the number of items that a page is asked to have; 0: the document says nothing.
func (p *pager) findLimit() {
	if p.size == nil {
		return
	}
	s := p.size.shape
	if most, ok := s.most.number(); ok && most > 0 {
		p.limit = min(most, mostItems)
		return
	}
	if most, ok := mostIn(s.description); ok {
		p.limit = min(most, mostItems)
		return
	}
	if usual, ok := s.standard.number(); ok && usual > 0 {
		p.limit = usual
	}
}

// isSureOfMost tells whether the document names the largest page.
func (p *pager) isSureOfMost() bool { return p.size.saysMost() }

// choose takes the size that goes with the parameter that leads on. Without one it is any size that there is.
func (p *pager) choose(size *parameter) {
	if size == nil || size == p.size {
		return
	}
	p.size, p.limit = size, 0
	p.findLimit()
}

// isSurerByPage tells whether an operation that can be asked by offset and by page is better asked by page. It is if only
// the size that goes with pages is there, if only its maximum is known, or if the numbers of pages lead further.
func (p *pager) isSurerByPage() bool {
	page, byPage, byItems := p.first(pages), p.first(pageSizes), p.first(itemSizes)
	switch {
	case page == nil || byPage == nil:
		return false
	case byItems == nil:
		return true
	case byPage.saysMost() != byItems.saysMost():
		return byPage.saysMost()
	}
	lastPage, isPageLimited := page.shape.most.number()
	lastItem, isItemLimited := p.first(offsets).shape.most.number()
	size, _ := byPage.shape.most.number()
	return isItemLimited && (!isPageLimited || lastPage*max(size, 1) > lastItem)
}

// saySize says how large pages are, which the job asks for itself.
func (p *pager) saySize() {
	if p.size == nil || p.limit == 0 {
		return
	}
	p.taken, p.isOfJob = append(p.taken, p.size), true
	what := "by default"
	if p.isSureOfMost() {
		what = "the most that the document allows"
		if p.limit == mostItems {
			what = "which the document allows"
		}
	}
	p.say(Sure, "a page has %d items, %s (%s)", p.limit, what, p.size.name)
}

// byLink follows an address in the answer.
func (p *pager) byLink() bool {
	next := p.around.find(links, p.isLink)
	if next == nil {
		addresses := namesOf("string", "href url uri")
		next = p.around.find(addresses, func(s *answerValue) bool { return plain(s.above()) == "next" })
	}
	if next == nil {
		return false
	}
	key, delimiter := joined(next.path)
	p.options = item.ObjectBuilder{"method", `"response.url"`, "urlKey", quoted(key)}.
		With(delimiter != ".", "delimiter", quoted(delimiter))
	p.words = "address in " + next.String()
	p.say(Likely, "the next page is at the address in %s", next)
	p.saySize()
	return true
}

// isLink tells whether a text is an address, not a token.
func (p *pager) isLink(s *answerValue) bool {
	// One of the item, or of something else.
	if len(p.items.path) > 0 && strings.HasPrefix(s.String(), strings.Join(p.items.path, ".")+".") {
		return false
	}
	isAddress := addressLike().MatchString(s.shape.format + " " + s.last() + " " + s.above() + " " + s.shape.description)
	example := s.shape.example.scalar()
	if isAddress || strings.HasPrefix(example, "http") || strings.HasPrefix(example, "/") || strings.HasPrefix(example, "?") {
		return true
	}
	return example == "" && p.first(cursors) == nil && p.first(behinds) == nil
}

var addressLike = pattern.Lazy(`(?i)\b(url|uri|link|links|href|hyperlink)\b|url|uri|link|href`)

// joined is a path with a delimiter that none of its steps has.
func joined(path []string) (text, delimiter string) {
	for _, delimiter := range []string{".", "/", "|", ">"} {
		if !strings.Contains(strings.Join(path, ""), delimiter) {
			return strings.Join(path, delimiter), delimiter
		}
	}
	return strings.Join(path, "\x1f"), "\x1f"
}

// byHeader follows an address in the header Link, or the value of another one.
func (p *pager) byHeader() bool {
	for name := range p.answer.headers.members() {
		if strings.EqualFold(name, "Link") {
			p.options = item.ObjectBuilder{"method", `"response.url"`, "urlHeader", quoted(name)}
			p.words = "header Link"
			p.say(Likely, "the next page is at the address in the header Link")
			p.saySize()
			return true
		}
	}
	for name := range p.answer.headers.members() {
		to := p.takes(name)
		if !tokens.has(name) || to == nil {
			continue
		}
		p.options = item.ObjectBuilder{
			"method", `"response.param"`, "responseHeader", quoted(name), "queryParam", to.place(p.method), "includeParams", "true",
		}
		p.follow(to, "the header "+name)
		return true
	}
	return false
}

// follow says that a parameter takes what an answer has.
func (p *pager) follow(to *parameter, from string) {
	p.taken = append(p.taken, to)
	p.words = "cursor " + to.name
	p.say(Likely, "the next page is asked for by %s, with the value of %s", to.name, from)
	p.saySize()
}

// byToken sends a value of the answer as the parameter that goes with its name.
func (p *pager) byToken() bool {
	for i := range p.around.scalars {
		next := &p.around.scalars[i]
		if to := p.leadsTo(next); to != nil {
			p.send(next, to)
			return true
		}
	}
	return false
}

// leadsTo is the parameter that takes a value of the answer to ask for the next page; nil: there is none.
func (p *pager) leadsTo(s *answerValue) *parameter {
	isNext := func(step string) bool {
		return strings.HasPrefix(plain(step), "next") || strings.Contains(plain(step), "cursor")
	}
	name, above := plain(s.last()), s.path[:len(s.path)-1]
	switch {
	case s.isDotted():
		return nil
	case slices.ContainsFunc(above, isNext):
		if to := p.named(name); to != nil {
			return to
		}
	}
	if !tokens.has(s.last()) || !tokens.mayBe(s.shape.kind) {
		return nil
	}
	to := p.takes(s.last())
	if to == nil && name == "next" {
		to = p.named(plain(s.above()))
	}
	// A number beside the items that is called as the parameter is says what was asked for.
	if to != nil && plain(to.name) == name && !slices.ContainsFunc(s.path, isNext) && (s.shape.isCount() || to.shape.isCount()) {
		return nil
	}
	return to
}

// named is a parameter of paging that is called so; nil: there is none.
func (p *pager) named(name string) *parameter {
	for i := range p.parameters {
		to := &p.parameters[i]
		isOfPaging := pages.fits(to) || offsets.fits(to) || cursors.fits(to) || behinds.fits(to)
		if to.isSent() && plain(to.name) == name && isOfPaging && !sizes.has(to.name) {
			return to
		}
	}
	return nil
}

// byAnyToken sends a value of the answer as the only parameter that may take one, whatever it is called.
func (p *pager) byAnyToken() bool {
	next := p.around.find(tokens, func(s *answerValue) bool { return !s.isDotted() })
	to := p.first(cursors)
	if next == nil || to == nil {
		return false
	}
	p.send(next, to)
	return true
}

// byPair takes a text beside which another leads back, as iterator beside prevIterator, and for which a parameter is called.
func (p *pager) byPair() bool {
	for i := range p.around.scalars {
		next := &p.around.scalars[i]
		back := p.around.find(namesOf("string", "prev"+plain(next.last())+" previous"+plain(next.last())), always)
		to := p.takes(next.last())
		if back != nil && to != nil && !next.isDotted() && !next.shape.isCount() && !to.shape.isCount() {
			p.send(next, to)
			return true
		}
	}
	return false
}

// send sends a value of the answer.
func (p *pager) send(next *answerValue, to *parameter) {
	p.options = item.ObjectBuilder{
		"method", `"response.param"`, "responseParam", quoted(next.String()), "queryParam", to.place(p.method),
		"includeParams", "true",
	}
	p.addFlag()
	p.follow(to, next.String())
}

// takes is the parameter that takes the value that an answer has under a name: that of the same name, or of the name
// without next; nil: there is none.
func (p *pager) takes(name string) *parameter {
	own := plain(name)
	rest := strings.TrimPrefix(own, "next")
	all := []string{own, rest, "page" + rest, strings.TrimPrefix(rest, "page")}
	if rest == "" {
		all = all[:1]
	}
	for _, wanted := range all {
		for i := range p.parameters {
			to := &p.parameters[i]
			if wanted != "" && to.isSent() && plain(to.name) == wanted && !sizes.has(to.name) {
				return to
			}
		}
	}
	isCursor := strings.Contains(own, "cursor") || strings.Contains(own, "token") || strings.Contains(own, "marker")
	only := p.only(cursors)
	if isCursor && only != nil {
		return only
	}
	return nil
}

// only is the only parameter of some names; nil: there is none, or several.
func (p *pager) only(of usualNames) (found *parameter) {
	for i := range p.parameters {
		one := &p.parameters[i]
		if !one.isSent() || !of.fits(one) || one.shape.kind == "integer" {
			continue
		}
		if found != nil {
			return nil
		}
		found = one
	}
	return found
}

// addFlag ends the walk at a flag of the answer, if it has one.
func (p *pager) addFlag() {
	flag, stop := p.around.find(moreFlags, func(s *answerValue) bool { return !s.isDotted() }), "false"
	if flag == nil {
		isEndFlag := func(s *answerValue) bool { return !s.isDotted() && s.shape.kind == "boolean" }
		flag, stop = p.around.find(endFlags, isEndFlag), "true"
	}
	if flag == nil {
		return
	}
	option := item.ObjectBuilder{"field", quoted(flag.String()), "stopOn", stop}
	p.options = append(p.options, "nextPageFlag", option.String())
	p.say(Likely, "the last page is that whose %s is %s", flag, stop)
}

// byID goes on behind the id of the last item.
func (p *pager) byID() bool {
	to := p.first(behinds)
	if after := p.first(namesOf("", "after")); to == nil && after != nil && p.around.find(moreFlags, always) != nil {
		to = after
	}
	key := p.idOfItem()
	if to == nil || key == "" {
		return false
	}
	p.options = item.ObjectBuilder{
		"method", `"cursor"`, "idKey", quoted(key), "param", to.place(p.method), "take", `"last"`,
	}
	p.addFlag()
	p.taken = append(p.taken, to)
	p.words = "id of the last item as " + to.name
	p.say(Likely, "the next page is asked for by %s, with %s of the last item", to.name, key)
	p.saySize()
	return true
}

// idOfItem is the path of the id of an item, which may be in an envelope; empty: it has none.
func (p *pager) idOfItem() string {
	if p.items.item.member("id") != nil {
		return "id"
	}
	for _, m := range p.items.item.members {
		if containers.has(m.name) && p.d.shape(m.schema).member("id") != nil && !strings.Contains(m.name, ".") {
			return m.name + ".id"
		}
	}
	return ""
}

// byLinkList follows the link that is called next, of a list.
func (p *pager) byLinkList() bool {
	for i := range p.around.arrays {
		list := &p.around.arrays[i]
		link := p.d.shape(list.shape.items)
		relation, address := firstOf(link, "rel relation"), firstOf(link, "href url uri")
		if !strings.HasPrefix(plain(list.last()), "link") || relation == "" || address == "" || list.isDotted() {
			continue
		}
		key := item.ObjectBuilder{
			"path", quoted(list.String()), "where", quoted(relation + "==next"), "value", quoted(address),
		}
		p.options = item.ObjectBuilder{"method", `"response.url"`, "urlKey", key.String()}
		p.words = "link next of " + list.String()
		p.say(Likely, "the next page is at the address in that of %s whose %s is next", list, relation)
		p.saySize()
		return true
	}
	return false
}

// firstOf is the first of some members that an object has; empty: it has none.
func firstOf(s *schemaShape, names string) string {
	for name := range strings.FieldsSeq(names) {
		if s.member(name) != nil {
			return name
		}
	}
	return ""
}

// byOffset counts items.
func (p *pager) byOffset() bool {
	from := p.first(offsets)
	isCounted := from != nil && (from.shape.kind != "" || p.size != nil)
	// A start may be a time.
	if !isCounted || p.size == nil && plain(from.name) != "offset" && plain(from.name) != "skip" {
		return false
	}
	if p.isSurerByPage() {
		return false
	}
	p.choose(p.first(itemSizes))
	p.options = item.ObjectBuilder{"method", `"offset"`}
	p.taken = append(p.taken, from)
	limit := p.limit
	if limit == 0 {
		limit = usualItems
	}
	p.options = append(p.options, "limit", strconv.Itoa(limit))
	if p.size != nil {
		p.options = append(p.options, "limitParam", p.size.place(p.method))
		p.taken = append(p.taken, p.size)
	} else {
		p.options = append(p.options, "sendLimit", "false")
	}
	p.options = append(p.options, "offsetParam", from.place(p.method))
	p.words = "offset " + from.name
	p.say(Likely, "the next page is asked for by %s, which counts items", from.name)
	if p.isSureOfMost() {
		p.say(Sure, "a page has %d items, which the document allows (%s)", limit, p.size.name)
	} else {
		// Whatever the size of a page is, nothing is lost.
		p.options = append(p.options, "advance", `"items"`)
		p.say(Likely, "a page has %d items or fewer: the document names no maximum, so the number that came counts", limit)
	}
	if first, c := firstNumber(from.shape, 0); first == 1 {
		p.options = append(p.options, "offsetFromJob", "true")
		p.fromOne = from
		p.say(c, "%s counts from 1", from.name)
	}
	return true
}

// byPage counts pages.
func (p *pager) byPage() bool {
	page := p.first(pages)
	if page == nil {
		return false
	}
	p.choose(p.first(pageSizes))
	p.taken = append(p.taken, page)
	p.options = item.ObjectBuilder{"method", `"pagenum"`, "pageParam", page.place(p.method)}
	first, certainty := firstNumber(page.shape, 1)
	if first == 0 {
		p.options = append(p.options, "firstPage", "0")
	}
	p.words = "page " + page.name
	p.say(Likely, "the next page is asked for by %s, which counts pages", page.name)
	p.say(certainty, "the first page is %d", first)
	if !p.isSureOfMost() {
		p.say(Likely, "the first page without items is the end: the document does not say how many items a page has at most")
		return true
	}
	p.taken = append(p.taken, p.size)
	p.options = append(p.options, "limit", strconv.Itoa(p.limit), "limitParam", p.size.place(p.method))
	p.say(Sure, "a page has %d items, which the document allows (%s)", p.limit, p.size.name)
	return true
}

// firstNumber is the number of the first page or item, by default the usual one.
func firstNumber(s *schemaShape, usual int) (number int, c Certainty) {
	for _, said := range []*documentNode{s.standard, s.least} {
		if n, ok := said.number(); ok && n >= 0 && n <= 1 {
			return n, Sure
		}
	}
	if fromZero().MatchString(s.description) {
		return 0, Sure
	}
	return usual, Likely
}

var fromZero = pattern.Lazy(`(?i)\b(zero|0)[- ](based|indexed)|(start|begin)(s|ing)?( at| from| with)? (0|zero)\b|\(0\.\.`)
