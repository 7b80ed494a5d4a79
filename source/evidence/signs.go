// Package evidence is what an answer says besides its items, and what its items say:
// it sees, remembers and weighs. It knows no paging: which request comes next, and
// what ends a walk, is decided elsewhere.
package evidence

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Sign is a place beside the items that tells whether there is more.
type Sign struct {
	Says Says
	// At is a path such as paging.next, or the name of a header.
	At string
	// Value is compact JSON, which may hold a secret, and may be cut.
	Value jsontext.Value
	// Own: the method, or a stop condition on a number of items, reads it, so it is
	// no evidence.
	Own bool
	// Total is the number that a Total or Pages says.
	Total int64

	// Path is nil in a header, and for what does not stand so in the answer.
	Path item.Path
	// Where is, for an element of a list of links, the condition that it is the one.
	Where string
	// Follow is the pagination that may follow the answer, as JSON; empty if none is
	// known. Tried: it does.
	Follow string
	Tried  bool
	// Cure says what else to do; empty: Follow, or nothing more, is known.
	Cure string

	// least: there may be more than Total.
	least bool
	// weak: it counts as a total only since the page may be full.
	weak bool
}

// Says is what a sign says.
type Says string

// What signs say.
const (
	// More is a flag: there is more.
	More Says = "more"
	// NoMore is a flag: there is no more.
	NoMore Says = "no more"
	// Link is what leads to the next page.
	Link Says = "next page"
	// Cursor is one that some APIs also give at the end.
	Cursor Says = "cursor"
	// Onward is an address of the list itself that asks for a later page.
	Onward Says = "another page"
	// Total is how many items there are.
	Total Says = "total"
	// Pages is how many pages there are.
	Pages Says = "number of pages"
	// Part is the status of an answer that has not all of the list.
	Part Says = "part of a list"
	// Hint is what may say that there is more: a flag by a word in its name, or a flag or a
	// number of pages in an object of any name.
	Hint Says = "hint of more"
	// Guessed may be how many items there are: by a word in its name, or in an object of any
	// name.
	Guessed Says = "number"
)

// Dotted tells whether an option can name the path of the sign by its steps.
func (s *Sign) Dotted() bool { return dotted(s.Path) }

// NoMoreFlag tells whether the sign is a flag whose name says that there is no more.
func (s *Sign) NoMoreFlag() bool { return Is(s.Path[len(s.Path)-1], noMoreFlag) }

// Named tells whether an option can name where the sign stands.
func (s *Sign) Named() bool {
	if s.Where != "" {
		list := len(s.Path) - 2
		return dotted(s.Path[:list]) && !strings.Contains(s.Path[list+1], ".")
	}
	return s.Path == nil || s.Dotted()
}

// dotted tells whether an option can name a path: no index in a list, whose order
// may change, no dot.
func dotted(path item.Path) bool {
	if len(path) <= 1 {
		return len(path) == 1
	}
	// What describes the items stands first in an envelope that is an array.
	if path[0] == "0" {
		path = path[1:]
	}
	return !slices.ContainsFunc(path, func(step string) bool {
		_, err := strconv.Atoi(step)
		isIndex := err == nil || step == "*"
		return isIndex || strings.Contains(step, ".")
	})
}

// Signs lists what the answer says about what follows.
func (a *Answer) Signs(reads Reads) []Sign {
	l := looker{reads: reads, answer: a}
	l.look()
	return l.signs
}

// NoNext tells whether the answer has a place for a link to the next page, and none
// there.
func (a *Answer) NoNext() bool {
	l := looker{answer: a}
	l.look()
	return l.noNext
}

// look looks at the whole answer.
func (l *looker) look() {
	a := l.answer
	if a.Array {
		for _, m := range a.Around {
			l.member(m.Path, m.Value, 0)
		}
	}
	for _, value := range a.Header.Values("Link") {
		l.linkHeader(value)
	}
	for _, name := range linkHeaders {
		if values := a.Header.Values(name); len(values) > 0 {
			l.nextHeader(name, values[0])
		}
	}
	for _, name := range sortedNames(a.Header, NextHeader) {
		l.wordHeader(name, a.Header.Get(name))
	}
	l.countHeaders()
	l.headers(lastHeaders, l.flagHeader)
	l.headers(totalHeaders, func(name, text string) { l.numberHeader(Total, name, text) })
	l.headers(pagesHeaders, func(name, text string) { l.numberHeader(Pages, name, text) })
	if a.Status == http.StatusPartialContent {
		l.signs = append(l.signs, Sign{Says: Part, At: "the status", Value: jsontext.Value("206")})
	}
}

// headers looks at those of the names that are there.
func (l *looker) headers(names []string, look func(name, text string)) {
	for _, name := range names {
		if text := l.answer.Header.Get(name); text != "" {
			look(name, text)
		}
	}
}

// looker looks for signs in one answer.
type looker struct {
	reads  Reads
	answer *Answer
	signs  []Sign
	// noNext: something that would lead to the next page is there, and empty.
	noNext bool
	// at is what address returned.
	at string
	// inAny: what is looked at stands in an object whose name says nothing.
	inAny bool
}

// address is the one that was asked for, which is made once.
func (l *looker) address() string {
	if l.at == "" {
		l.at = l.answer.Address()
	}
	return l.at
}

// linkHeader looks at a header Link, or what of it can be read.
func (l *looker) linkHeader(value string) {
	links, err := ParseLinks(value)
	nexts := Related(links, "next")
	isOther := func(relation string) bool { return len(Related(links, relation)) > 0 }
	isLast := len(nexts) == 0 && slices.ContainsFunc(otherPages, isOther)
	if isLast && err == nil {
		l.noNext = true
	}
	for _, next := range nexts {
		if !l.ownAddress(next) {
			l.add(Link, HeaderPath("Link"), item.Quote(LinkPrefix+next))
		}
	}
}

// otherPages are relations of a header Link that has pages.
var otherPages = []string{"first", "prev", "last"}

// nextHeader looks at what leads to the next page.
func (l *looker) nextHeader(name, text string) {
	value := item.Quote(strings.TrimSpace(text))
	if leads(value) {
		l.add(Link, HeaderPath(name), value)
	} else {
		l.noNext = true
	}
}

// wordHeader looks at what may lead on by a word in its name.
func (l *looker) wordHeader(name, text string) {
	value := item.Quote(strings.TrimSpace(text))
	if l.leadsOn(value) && !isTime(value) {
		l.add(Cursor, HeaderPath(name), value)
	}
}

// flagHeader looks at a flag that says that there is no more.
func (l *looker) flagHeader(name, text string) {
	value := item.Quote(strings.TrimSpace(text))
	if says, ok := flag(value, noMoreFlag); ok {
		l.add(says, HeaderPath(name), value)
	}
}

// numberHeader looks at a number, also one such as Content-Range: items 0-24/3573.
func (l *looker) numberHeader(says Says, name, text string) {
	if strings.HasPrefix(text, "bytes") {
		return
	}
	last := text[strings.LastIndexByte(text, '/')+1:]
	value := item.Quote(strings.TrimSpace(last))
	if _, ok := item.Integer(value); ok {
		l.add(says, HeaderPath(name), value)
	}
}

func (l *looker) add(says Says, path item.Path, value jsontext.Value) {
	if l.inAny {
		says = inAny[says]
		if says == "" {
			return
		}
	}
	s := Sign{Says: says, At: path.String(), Value: value, Path: path, Own: l.reads.has(path)}
	if IsHeader(path) {
		s.At, s.Path = path[1], nil
	}
	switch says {
	case Total, Pages, Guessed:
		s.Total, _ = item.Integer(value)
	}
	l.signs = append(l.signs, s)
}

// below is the path of a member, or an element, of what is at a path.
func below(path item.Path, name string) item.Path {
	return append(slices.Clip(path), name)
}

// member looks at a member of an object on the way to the items, or of a container
// that deep.
func (l *looker) member(path item.Path, value jsontext.Value, depth int) {
	name, before := path[len(path)-1], len(l.signs)
	is, kind := classOf(name), item.Kind(value)
	isTotal := is.is(totalName) || (depth == 0 && strings.EqualFold(name, "count"))
	mayBeCursor := is.is(cursorName) && !l.inAny
	switch {
	case is.is(linkName):
		l.link(path, value)
	case is.is(keyName) && kind == '{':
		l.key(path, value)
	case is.is(pagesName) && l.isNumberOfPages(path, value, depth):
		l.pages(path, value)
	case is.is(moreFlag | noMoreFlag):
		if says, ok := flag(value, is); ok {
			l.add(says, path, value)
		}
	case isTotal:
		l.total(path, value, depth)
	case mayBeCursor && l.isCursor(path, value, depth):
		l.add(Cursor, path, value)
	case is.is(nextWord):
		l.wordLink(path, value)
	}
	if len(l.signs) == before && !is.is(pagesName) {
		l.word(path, value, depth)
	}
	isElse := len(l.signs) == before
	switch {
	case kind == '[':
		l.list(path, value)
	case kind == '{' && is.is(container):
		l.container(path, value, depth)
	case !isElse:
	case kind == '{':
		if depth > 0 {
			l.linkObject(path, value)
		}
		if len(l.signs) == before {
			l.object(path, value, depth)
		}
	default:
		l.onward(path, value, true)
	}
}

// container looks at the members of an object, at most two deep.
func (l *looker) container(path item.Path, value jsontext.Value, depth int) {
	isOfEach := Normal(path[len(path)-1]) == "cursors" && leadsBothWays(value)
	if depth >= 2 || isOfEach {
		return
	}
	for name, value := range item.Members(value) {
		isKnown := classOf(name) != 0
		mayLead := item.Kind(value) == '{' || Telling(value)
		if isKnown || mayLead {
			l.member(below(path, item.Unquote(name)), value, depth+1)
		}
	}
}

// leadsBothWays tells whether cursors lead back and on: then they are those of the first and
// the last item of the page, which the last page has, too.
func leadsBothWays(cursors jsontext.Value) bool {
	back, on := item.Lookup(cursors, item.Path{"before"}), item.Lookup(cursors, item.Path{"after"})
	return leads(back) && leads(on)
}

// key looks at the last key that was read, which the next request begins after.
func (l *looker) key(path item.Path, value jsontext.Value) {
	if item.True(value) {
		l.add(Link, path, value)
	}
}

// isNumberOfPages tells whether a number is one of pages: a bare one at the top only
// where a page of many was asked for.
func (l *looker) isNumberOfPages(path item.Path, value jsontext.Value, depth int) bool {
	n, ok := item.Integer(value)
	if !ok || n < 0 {
		return false
	}
	isBare := depth == 0 && strings.EqualFold(path[len(path)-1], "pages")
	return !isBare || l.isOfPage(path)
}

// isCursor tells whether a text may be a cursor. At the top a member after is one
// only beside before, and a number is none.
func (l *looker) isCursor(path item.Path, value jsontext.Value, depth int) bool {
	if item.Kind(value) != '"' || !leads(value) {
		return false
	}
	isBareAfter := depth == 0 && strings.EqualFold(path[len(path)-1], "after")
	if isBareAfter && !l.beside(path, before) {
		return false
	}
	_, isNumber := item.DecimalOf(value)
	return !isNumber
}

// total looks at a number of items.
func (l *looker) total(path item.Path, value jsontext.Value, depth int) {
	name := path[len(path)-1]
	relation := item.Lookup(value, item.Path{"relation"})
	// Elasticsearch says whether it has counted them all.
	if item.Kind(value) == '{' && relation != nil {
		path, value = below(path, "value"), item.Lookup(value, item.Path{"value"})
		name = "value"
	}
	n, ok := item.Integer(value)
	if !ok || n < 0 {
		return
	}
	counts, isWeak := true, false
	isTop := depth == 0
	switch {
	case isTop && strings.EqualFold(name, "total"):
		counts, isWeak = l.isOfItems(path, n)
	case strings.EqualFold(name, "count"):
		counts, isWeak = l.isCountOfAll(n)
	}
	if !counts {
		return
	}
	if l.inAny {
		l.number(path, value)
		return
	}
	l.add(Total, path, value)
	sign := &l.signs[len(l.signs)-1]
	sign.weak = isWeak
	if string(relation) == `"gte"` {
		sign.Total, sign.At = n+1, sign.At+" (relation gte)"
		sign.Path, sign.least = nil, true
	}
}

// isOfItems tells whether a bare total at the top is one of items: where a page of
// many was asked for, and weakly where one may have come, or where it is as many.
func (l *looker) isOfItems(path item.Path, n int64) (is, weak bool) {
	if l.isOfPage(path) {
		return true, false
	}
	isWhole := n == int64(l.answer.Items)
	return isWhole || l.answer.mayBeFull(), true
}

// isOfPage tells whether numbers beside the member at path are about pages: where a
// page of many was asked for, or the answer says which one it is.
func (l *looker) isOfPage(path item.Path) bool {
	if l.reads.Sized {
		return true
	}
	return l.beside(path, Counter) || len(l.asked()) > 0
}

// isCountOfAll tells whether a count is not that of the page, where a page of many
// was asked for, and weakly where one may have come.
func (l *looker) isCountOfAll(n int64) (is, weak bool) {
	if n <= int64(l.answer.Items) {
		return false, false
	}
	asked := l.asked()
	if slices.Contains(asked, strconv.FormatInt(n, 10)) {
		return false, false
	}
	if len(asked) > 0 {
		return true, false
	}
	return l.answer.mayBeFull(), true
}

// asked are the numbers by which the request says where its page is, or how long.
func (l *looker) asked() (all []string) {
	if l.reads.Sized {
		all = append(all, strconv.FormatInt(l.reads.Size, 10))
	}
	at, err := url.Parse(l.address())
	if err != nil {
		return all
	}
	for name, values := range at.Query() {
		if Is(name, Counter) {
			all = append(all, values...)
		}
	}
	return all
}

// beside tells whether the object that has the member at path has another one of the
// class.
func (l *looker) beside(path item.Path, c Class) bool {
	object := path[:len(path)-1]
	return slices.ContainsFunc(l.answer.Around, func(o item.Found) bool {
		last := len(o.Path) - 1
		return Is(o.Path[last], c) && slices.Equal(o.Path[:last], object)
	})
}

// list looks at a list of links, in which each names its relation, for the first
// that leads on.
func (l *looker) list(path item.Path, value jsontext.Value) {
	before := len(l.signs)
	for _, look := range []func(item.Path, jsontext.Value){l.element, l.otherElement} {
		i := 0
		for element := range item.Elements(value) {
			look(below(path, strconv.Itoa(i)), element)
			if len(l.signs) > before {
				return
			}
			i++
		}
	}
}

// element looks at an element of a list of links, for one that is the next page. In
// a list of any name it must have an address.
func (l *looker) element(path item.Path, element jsontext.Value) {
	before, list := len(l.signs), path[:len(path)-1]
	relation, is := relationOf(element)
	isKnownList := Is(list[len(list)-1], linkList)
	isLink := isKnownList || address(element) != ""
	if !isLink || !Is(is, linkName) {
		return
	}
	l.link(path, element)
	if len(l.signs) > before {
		sign := &l.signs[before]
		sign.Where = relation + "==" + is
		sign.Own = l.reads.Link != nil && l.reads.Link(list, element)
	}
}

// otherElement looks at an element of a list of links by its address.
func (l *looker) otherElement(path item.Path, element jsontext.Value) {
	before := len(l.signs)
	relation, is := relationOf(element)
	member := address(element)
	if is == "" || leadsElsewhere(item.Path{is}) {
		return
	}
	if member == "" {
		return
	}
	l.onward(below(path, member), item.Lookup(element, item.Path{member}), false)
	if len(l.signs) > before {
		l.signs[before].Where = relation + "==" + is
	}
}

// relationOf is what an element of a list of links says that it leads to, and the
// name of the member that says it.
func relationOf(element jsontext.Value) (member, is string) {
	for _, member := range []string{"rel", "relation"} {
		value := item.Lookup(element, item.Path{member})
		if item.Kind(value) == '"' {
			return member, item.Unquote(value)
		}
	}
	return "", ""
}

// address is the name of the member of a link that has its address, empty if there is
// none.
func address(link jsontext.Value) (member string) {
	for _, member := range []string{"href", "url"} {
		if item.Kind(item.Lookup(link, item.Path{member})) == '"' {
			return member
		}
	}
	return ""
}

// link looks at what leads on by its name.
func (l *looker) link(path item.Path, value jsontext.Value) {
	if at, found := l.leading(path, value); found != nil {
		l.add(Link, at, found)
	} else if isNowhere(value) && !l.inAny {
		l.noNext = true
	}
}

// wordLink looks at what may lead on by a word in its name.
func (l *looker) wordLink(path item.Path, value jsontext.Value) {
	before := len(l.signs)
	l.onward(path, value, false)
	if len(l.signs) > before {
		return
	}
	at, found := l.leading(path, value)
	if found != nil && !isTime(found) {
		l.add(Cursor, at, found)
	}
}

// leading is what may lead on in a value: itself, if it is a text or a number, or one of its
// members, a text rather than a number; nil: nothing.
func (l *looker) leading(path item.Path, value jsontext.Value) (at item.Path, found jsontext.Value) {
	var member []byte
	for part, value := range item.Members(value) {
		if !classOf(part).is(linkPart|linkName) || !l.leadsOn(value) {
			continue
		}
		isBetter := item.Kind(value) == '"' && item.Kind(found) == '0'
		if found == nil || isBetter {
			member, found = part, value
		}
	}
	switch {
	case found != nil:
		return below(path, item.Unquote(member)), found
	case l.leadsOn(value):
		return path, value
	}
	return nil, nil
}

// isNowhere tells whether what would lead on is there, and says that there is nothing.
func isNowhere(value []byte) bool {
	isScalar := item.Kind(value) == '"' || item.Kind(value) == '0'
	if isScalar {
		return !leads(value)
	}
	return !item.True(value)
}

// leadsOn tells whether a value may lead to another page than the one that it stands
// in.
func (l *looker) leadsOn(value []byte) bool {
	text, _ := item.Text(value)
	return leads(value) && !l.ownAddress(text)
}

// leads tells whether a value may lead to another page.
func leads(value []byte) bool {
	switch item.Kind(value) {
	case '"':
		text := strings.ToLower(strings.TrimSpace(item.Unquote(value)))
		return !slices.Contains(nowhere, text)
	case '0':
		d, ok := item.DecimalOf(value)
		return ok && d.CompareInt(0) > 0
	}
	return false
}

// nowhere are texts that lead to no page.
var nowhere = []string{"", "0", "-1", "null", "none", "false", "#"}

// ownAddress tells whether a link leads to the page that it stands in.
func (l *looker) ownAddress(link string) bool {
	if !strings.ContainsAny(link, "/?") || l.address() == "" {
		return false
	}
	asked, err1 := url.Parse(l.address())
	to, err2 := url.Parse(Resolved(l.address(), strings.TrimSpace(link)))
	if err1 != nil || err2 != nil {
		return false
	}
	return samePage(asked, to)
}

// samePage tells whether both addresses are the same but for their fragments and the
// order of their parameters.
func samePage(a, b *url.URL) bool {
	if a.Scheme != b.Scheme || a.Host != b.Host {
		return false
	}
	return a.EscapedPath() == b.EscapedPath() && a.Query().Encode() == b.Query().Encode()
}

// flag reads a boolean, or its text; 1 and 0 only of one that says more: a last may
// be the number of a page.
func flag(value []byte, c Class) (says Says, ok bool) {
	text := strings.ToLower(string(bytes.Trim(value, `"`)))
	switch isMore := c.is(moreFlag); {
	case isMore && text == "1":
		text = "true"
	case isMore && text == "0":
		text = "false"
	}
	isTrue := text == "true"
	if !isTrue && text != "false" {
		return "", false
	}
	if isTrue == c.is(noMoreFlag) {
		return NoMore, true
	}
	return More, true
}
