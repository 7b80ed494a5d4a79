package evidence

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

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
	isKnownList := isNamed(list[len(list)-1], "links") || isNamed(list[len(list)-1], "link")
	isLink := isKnownList || address(element) != ""
	if !isLink || !LeadsOn(is) {
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
	if is == "" || member == "" {
		return
	}
	if leadsElsewhere(item.Path{is}) {
		l.lastPage(is, below(path, member), item.Lookup(element, item.Path{member}))
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
	} else if !l.inAny && (isNowhere(value) || l.isOwnPosition(path, value)) {
		l.aside.NoNext = path.String()
	}
}

// wordLink looks at what may lead on by a word in its name.
func (l *looker) wordLink(path item.Path, value jsontext.Value) {
	// What a flag says in an object of any name leads nowhere.
	if _, isNumber, isFlag := item.Flag(value); isFlag && !isNumber {
		return
	}
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

// leadsOn tells whether what has such a name leads to the next page: next, beside words of paging
// only, or the cursor at the end.
func (m *name) leadsOn() bool {
	if m.has(back | elsewhere | no) {
		return false
	}
	isEnd := m.contains("end") && (m.contains("cursor") || m.contains("token"))
	if isEnd && m.only(end|token|pageWord) {
		return true
	}
	if !m.has(next) || m.is("continuation") {
		return false
	}
	const paging = next | pageWord | linkWord | token | begin | small
	isAddress := m.has(linkWord) || m.contains("token") || m.contains("cursor")
	isLong := isAddress && m.only(paging|thing|whole|box|spot)
	return isLong || m.only(paging)
}

// mayLead tells whether what has such a name may lead to the next page: next, and no word that says
// that it leads elsewhere.
func (m *name) mayLead() bool { return m.contains("next") && !m.has(elsewhere) }

// isPartOfLink tells whether a member of an object that leads on may be what leads.
func (m *name) isPartOfLink() bool {
	isOther := m.is("id") || m.is("index") || m.has(back|elsewhere|no)
	if isOther || m.n == 0 {
		return false
	}
	return m.is("value") || m.has(next|pageWord|linkWord|token|spot|begin) &&
		m.only(next|pageWord|linkWord|token|spot|begin|small|sum)
}

// leading is what may lead on in a value: itself, if it is a text or a number, or one of its
// members, a text rather than a number; nil: nothing.
func (l *looker) leading(path item.Path, value jsontext.Value) (at item.Path, found jsontext.Value) {
	var member []byte
	for part, value := range item.Members(value) {
		m := read(part)
		if !m.isPartOfLink() || !l.leadsOn(below(path, item.Unquote(part)), value) {
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
	case l.leadsOn(path, value):
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
func (l *looker) leadsOn(path item.Path, value []byte) bool {
	text, _ := item.Text(value)
	return leads(value) && !l.ownAddress(text) && !l.isOwnPosition(path, value)
}

// isOwnPosition tells whether a number is that of the page which it stands on: of the last page some say that it is its own next one.
func (l *looker) isOwnPosition(path item.Path, value []byte) bool {
	n, ok := item.Integer(value)
	if !ok {
		return false
	}
	const positions = PageNames | OffsetNames
	isSame := false
	l.eachSibling(path, func(text string, value []byte) bool {
		sibling, ok := item.Integer(value)
		isSame = ok && sibling == n && Is(text, positions)
		return !isSame
	})
	return isSame
}

// Leads tells whether a value may lead to another page.
func Leads(value []byte) bool { return leads(value) }

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

// wasSent tells whether a text is the value of a parameter of the request.
func (l *looker) wasSent(value jsontext.Value) bool {
	asked, err := url.Parse(l.address())
	if err != nil || asked.RawQuery == "" {
		return false
	}
	text, _ := item.Text(value)
	for _, values := range asked.Query() {
		if slices.Contains(values, text) {
			return true
		}
	}
	return false
}

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
