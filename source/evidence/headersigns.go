package evidence

import (
	"net/http"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// headers looks at those of the names that are there.
func (l *looker) headers(names []string, look func(name, text string)) {
	for _, name := range names {
		if text := l.answer.Header.Get(name); text != "" {
			look(name, text)
		}
	}
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

// countHeaders looks at headers that may be the number of all items.
func (l *looker) countHeaders() {
	for _, name := range sortedNames(l.answer.Header, countsAll) {
		l.number(HeaderPath(name), item.Quote(strings.TrimSpace(l.answer.Header.Get(name))))
	}
}

// sortedNames are those of the headers that a rule takes, in order.
func sortedNames(h http.Header, takes func(name string) bool) (all []string) {
	for name := range h {
		if takes(name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// InHeader tells whether the sign stands in a header.
func (s *Sign) InHeader() bool { return s.Path == nil && !strings.Contains(s.At, " ") }
