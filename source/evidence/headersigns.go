package evidence

import (
	"net/http"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// LinkPrefix stands before the address of a header Link, for people.
const LinkPrefix = `rel="next" `

// Headers are those of an answer that are looked at, whatever their words are.
func Headers() []string { return []string{"Link", "Content-Range", "Warning"} }

// TellingHeader tells whether a header may say something about what follows, by the words of
// its name, or by those in the JSON object that it has.
func TellingHeader(text, value string) bool {
	m := headerName(text)
	isNote := m.isNote() && tellsOfRest(item.Quote(value))
	return isNote || m.telling() || m.hasTellingJSON(text, value)
}

// hasTellingJSON tells whether a header of any name has JSON that says something.
func (m *name) hasTellingJSON(text, value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || value[0] != '{' || m.has(elsewhere|echo|back) {
		return false
	}
	l := looker{answer: &Answer{}}
	l.headerJSON(text, []byte(value))
	return len(l.signs) > 0 || l.aside.NoNext != ""
}

// headerName is the name of a header without what says whose it is, such as X-Acme-.
func headerName(text string) (m name) {
	m = read(text)
	if m.n > 1 && string(m.word(0)) == "x" {
		m.drop(1)
		// Microsoft's headers begin so; else it is a time.
		if m.n > 1 && string(m.word(0)) == "ms" {
			m.drop(1)
		}
	}
	m.known()
	return m
}

// telling tells whether a header of that name may say something.
func (m *name) telling() bool {
	const others = next | has | more | bound | end | no | pageWord | token | thing | small | linkWord | spot | all | sum | box
	if m.countsThings() {
		return true
	}
	if m.has(elsewhere | echo | back) {
		return false
	}
	if m.contains("next") {
		return true
	}
	if !m.has(more | bound | end | all | sum | token | left | pageWord | part | broken) {
		return false
	}
	isState := m.onlyOr(others|left|part|broken|off|whole, nil)
	isNumber := m.has(all|sum) && (m.countsPages() || m.mayBeTotal(nil))
	isFlag := m.saysMore(nil) || m.saysEnd(nil) || m.saysPartial(nil)
	isPaging := m.has(pageWord) && m.only(pageWord|box|small)
	return isState && (isNumber || isFlag || isPaging || m.isHeaderCursor() || m.leadsOn() || m.isLeft(nil))
}

// countsThings tells whether a header of that name may have a number of items, such as X-Items: 7 of 82.
func (m *name) countsThings() bool {
	for _, word := range countedThings {
		if m.is(word) {
			return true
		}
	}
	return false
}

var countedThings = [...]string{"results", "records", "items", "entries", "rows", "elements", "range"}

// isHeaderCursor tells whether a header leads on by the words of its name. A bare token is
// mostly one of a login.
func (m *name) isHeaderCursor() bool {
	isToken := m.has(token) && m.only(token|pageWord|linkWord|spot|small)
	return isToken && !m.is("token") && !m.is("after") && !m.is("offset") && !m.is("position")
}

// headers looks at the headers.
func (l *looker) headers() {
	h := l.answer.Header
	for _, value := range h.Values("Link") {
		l.linkHeader(value)
	}
	for _, text := range tellingHeaders(h) {
		l.wordsOfHeader(text, strings.TrimSpace(h.Get(text)))
	}
	l.contentRange(h.Get("Content-Range"))
}

// wordsOfHeader looks at a header by the words of its name: JSON is looked at as if it stood
// beside the items.
func (l *looker) wordsOfHeader(text, value string) {
	if value == "" {
		l.emptyHeader(text)
		return
	}
	if value[0] == '{' {
		l.headerJSON(text, []byte(value))
		return
	}
	m := headerName(text)
	path, quoted := HeaderPath(text), item.Quote(value)
	before := len(l.signs)
	if m.isNote() {
		l.note(path, quoted)
	}
	if len(l.signs) > before {
		return
	}
	if l.flag(&m, path, quoted); len(l.signs) > before {
		return
	}
	switch {
	case m.leadsOn():
		if Leads(quoted) && !l.ownAddress(value) {
			l.add(Link, path, quoted)
		} else if !Leads(quoted) {
			l.aside.NoNext = text
		}
	case m.contains("next"), m.isHeaderCursor():
		if l.leadsOn(path, quoted) && !isTime(quoted) {
			l.add(Cursor, path, quoted)
		}
	default:
		l.number(&m, path, quoted, 1)
	}
}

// emptyHeader looks at a header without a value.
func (l *looker) emptyHeader(text string) {
	m := headerName(text)
	if m.leadsOn() {
		l.aside.NoNext = text
	}
}

// headerJSON looks at an object that a header has.
func (l *looker) headerJSON(text string, object []byte) {
	isSound := len(object) <= objectLimit && item.Size(object) == len(object)
	if !isSound {
		return
	}
	compact, _ := item.Compact(nil, object)
	l.header, l.headerObject = text, compact
	// They stand at the top, as those beside the items do.
	l.members(nil, compact, -1)
	l.header, l.headerObject = "", nil
}

// linkHeader looks at a header Link, or what of it can be read.
func (l *looker) linkHeader(value string) {
	links, err := ParseLinks(value)
	nexts := Related(links, "next")
	isOther := func(relation string) bool { return len(Related(links, relation)) > 0 }
	isLast := len(nexts) == 0 && slices.ContainsFunc(otherPages, isOther)
	if isLast && err == nil {
		l.aside.NoNext = "Link"
	}
	for _, next := range nexts {
		if !l.ownAddress(next) {
			l.add(Link, HeaderPath("Link"), item.Quote(LinkPrefix+next))
		}
	}
}

// otherPages are relations of a header Link that has pages.
var otherPages = []string{"first", "prev", "last"}

// contentRange looks at such as items 0-24/3573; one of bytes is about the answer itself.
func (l *looker) contentRange(text string) {
	if text == "" || strings.HasPrefix(text, "bytes") {
		return
	}
	last := text[strings.LastIndexByte(text, '/')+1:]
	value := item.Quote(strings.TrimSpace(last))
	if q, ok := quantityOf(value); ok {
		q.plain = true
		l.addNumber(Total, HeaderPath("Content-Range"), value, q).of = true
	}
}

// tellingHeaders are the names of headers that may say something, in order.
func tellingHeaders(h http.Header) (all []string) {
	for text := range h {
		if TellingHeader(text, h.Get(text)) {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}
