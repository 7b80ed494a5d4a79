package evidence

import (
	"bytes"
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
		isPart := m.isPartOfLink() || m.is("id") && isAddress(value)
		if !isPart || !l.leadsOn(below(path, item.Unquote(part)), value) {
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
		return !Leads(value)
	}
	return !item.True(value)
}

// leadsOn tells whether a value may lead to another page than the one that it stands
// in.
func (l *looker) leadsOn(path item.Path, value []byte) bool {
	text, _ := item.Text(value)
	return Leads(value) && !l.ownAddress(text) && !l.isOwnPosition(path, value)
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
func Leads(value []byte) bool {
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

// LeadsOn tells whether a member leads on by its name.
func LeadsOn(text string) bool {
	m := read(text)
	return m.leadsOn()
}

// Telling tells by its value whether a member beside the items is wanted as
// [Answer.Around], whatever it is called: a text that may be an address with a query, a
// list of links, a number, true, or a small object.
func Telling(value []byte) bool {
	switch item.Kind(value) {
	case '"':
		return mayBeAddress(value) || mayBeNumber(value) || tellsOfRest(value) || isCutWord(value)
	case '[':
		return bytes.Contains(value, []byte(`"rel`)) || tellsOfRest(value) || onlyObject(value) != nil || hasPairs(value)
	case '{':
		return isSmall(value)
	case '0', 't':
		return true
	}
	return false
}

// mayBeAddress tells whether a text may be an address with a query.
func mayBeAddress(value []byte) bool {
	isShort := len(value) <= addressLimit
	return isShort && bytes.IndexByte(value, '?') >= 0
}

// isAddress tells whether a text is a whole address with a query, as the id of a page is in JSON-LD.
func isAddress(value []byte) bool {
	return item.Kind(value) == '"' && mayBeAddress(value) && bytes.Contains(value, []byte("://"))
}

// mayBeNumber tells whether a text is, or has, a whole number.
func mayBeNumber(value []byte) bool {
	_, ok := quantityOf(value)
	return ok
}

// addressLimit is the length of the longest address that is looked at.
const addressLimit = 4 << 10

// onward looks at a text, whatever it is called, for an address of the list itself
// that asks for a later page. named tells that its name may say that it is the address
// of the answer at hand.
func (l *looker) onward(path item.Path, value jsontext.Value, named bool) {
	isAddress := item.Kind(value) == '"' && mayBeAddress(value)
	if !isAddress {
		return
	}
	if leadsElsewhere(path) {
		l.lastPage(nameOfLink(path), path, value)
		return
	}
	text := item.Unquote(value)
	to := l.linked(text)
	isTemplate := strings.Contains(text, "{")
	if to == nil || isTemplate {
		return
	}
	own := named && mayBeOwnAddress(path[len(path)-1])
	if sameList(l.address(), to) && isLater(l.query(), to.Query(), own) {
		l.add(Onward, path, value)
	}
}

// linkObject looks at an object in a container that is a link.
func (l *looker) linkObject(path item.Path, value jsontext.Value) {
	if member := address(value); member != "" {
		l.onward(below(path, member), item.Lookup(value, item.Path{member}), false)
	}
}

// sameList tells whether both addresses are the same but for their queries, a slash
// and .json at the end.
func sameList(a, b *url.URL) bool {
	if a.Scheme != b.Scheme || !strings.EqualFold(a.Host, b.Host) {
		return false
	}
	return listPath(a) == listPath(b)
}

func listPath(u *url.URL) string {
	return strings.TrimSuffix(strings.TrimSuffix(u.EscapedPath(), "/"), ".json")
}

// isLater tells whether a query asks for a later page than the one that was asked
// for.
func isLater(asked, to url.Values, own bool) bool {
	for name, values := range to {
		switch {
		case isCount(name):
			if isGreater(asked.Get(name), values[0], own) {
				return true
			}
		case isCursorParam(name) && !own:
			isOther := values[0] != "" && values[0] != asked.Get(name)
			if isOther {
				return true
			}
		}
	}
	return false
}

// isGreater tells whether a number is greater than the one that was asked for, empty
// for none. An address that may be that of the answer itself may name the first page.
func isGreater(asked, to string, own bool) bool {
	n, err := strconv.Atoi(to)
	if err != nil {
		return false
	}
	least := 0
	if own {
		least = 1
	}
	if asked != "" {
		least, err = strconv.Atoi(asked)
	}
	return err == nil && n > least
}

// lastPage looks at the address of what is called the last page, for its number.
func (l *looker) lastPage(called string, path item.Path, value jsontext.Value) {
	m := read(called)
	isLast := m.contains("last") && m.only(end|pageWord|linkWord|small)
	if !isLast {
		return
	}
	to := l.linked(item.Unquote(value))
	if to == nil || !sameList(l.address(), to) {
		return
	}
	for param, values := range to.Query() {
		n, err := strconv.ParseInt(values[0], 10, 64)
		if IsPage(param) && err == nil {
			l.addNumber(Hint, path, value, quantity{n: n, plain: true})
			return
		}
	}
}

// nameOfLink is what a link is called whose address stands there.
func nameOfLink(path item.Path) string {
	last := path[len(path)-1]
	isPart := len(path) > 1 && (last == "href" || last == "url")
	if isPart {
		return path[len(path)-2]
	}
	return last
}

// leadsElsewhere tells whether a step of a path names what leads to no later page.
func leadsElsewhere(path item.Path) bool {
	for _, step := range path {
		m := read(step)
		if m.has(astray|back) || m.contains("last") || m.beginsElsewhere() {
			return true
		}
	}
	return false
}

// beginsElsewhere tells whether the first word, behind that of a vocabulary, names the first page,
// or what is searched.
func (m *name) beginsElsewhere() bool {
	for i, kinds := range m.kinds[:m.n] {
		word := string(m.word(i))
		if word == "odata" {
			continue
		}
		return kinds&begin != 0 || word == "search"
	}
	return false
}

// mayBeOwnAddress tells whether a member may have the address of the answer itself, by its name.
func mayBeOwnAddress(step string) bool {
	m := read(step)
	if m.n > 0 && string(m.word(0)) == "request" {
		return true
	}
	return m.n == 1 && slices.Contains(ownAddresses, string(m.word(0)))
}

var ownAddresses = strings.Fields("url uri href link id path address endpoint resource query")

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
