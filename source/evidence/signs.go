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
	isTotal := is.is(totalName) || l.mayCountAll(path, depth)
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

// mayCountAll tells whether a member is a bare count that may be that of all items: at the top, and in
// a container beside what says which page it is, unless the container is itself about pages, of which
// it may be the number.
func (l *looker) mayCountAll(path item.Path, depth int) bool {
	if !strings.EqualFold(path[len(path)-1], "count") {
		return false
	}
	if depth == 0 {
		return true
	}
	around := Normal(path[len(path)-2])
	isOfPages := around == "page" || around == "pages"
	return !isOfPages && !l.inAny && l.besideWithin(path, PageNames|OffsetNames|SizeNames)
}

// besideWithin tells whether a member of an object that stands beside the items has one of such a name
// beside it.
func (l *looker) besideWithin(path item.Path, c Class) bool {
	object := path[:len(path)-1]
	for _, o := range l.answer.Around {
		isAbove := len(o.Path) <= len(object) && slices.Equal(o.Path, object[:len(o.Path)])
		if !isAbove {
			continue
		}
		for name := range item.Members(item.Lookup(o.Value, object[len(o.Path):])) {
			if Is(item.Unquote(name), c) {
				return true
			}
		}
	}
	return false
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
		counts, isWeak = l.isCountOfAll(n, !isTop)
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
// was asked for, or the answer says which one it is, and weakly where one may have come.
func (l *looker) isCountOfAll(n int64, isPage bool) (is, weak bool) {
	if n <= int64(l.answer.Items) {
		return false, false
	}
	asked := l.asked()
	if slices.Contains(asked, strconv.FormatInt(n, 10)) {
		return false, false
	}
	if isPage || len(asked) > 0 {
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
