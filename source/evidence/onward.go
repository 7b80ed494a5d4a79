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

// Telling tells by its value whether a member beside the items is wanted as
// [Answer.Around], whatever it is called: a text that may be an address with a query, a
// list of links, a number, true, or a small object.
func Telling(value []byte) bool {
	switch item.Kind(value) {
	case '"':
		return mayBeAddress(value) || mayBeNumber(value) || saysPartial(value) || isCutWord(value)
	case '[':
		return bytes.Contains(value, []byte(`"rel`)) || saysPartial(value)
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
	text := strings.TrimSpace(item.Unquote(value))
	isTemplate := strings.Contains(text, "{")
	if isTemplate || l.address() == "" {
		return
	}
	asked, err1 := url.Parse(l.address())
	to, err2 := url.Parse(Resolved(l.address(), text))
	if err1 != nil || err2 != nil {
		return
	}
	own := named && mayBeOwnAddress(path[len(path)-1])
	if sameList(asked, to) && isLater(asked.Query(), to.Query(), own) {
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

// paramName is the name of a parameter without case, _, -, and $; of page[number] or
// pagination[page] it is what stands in the brackets.
func paramName(name string) string {
	name = strings.TrimPrefix(Normal(name), "$")
	group, inner, isNested := strings.Cut(name, "[")
	isOfPages := group == "page" || group == "pagination"
	if isNested && isOfPages {
		return strings.TrimSuffix(inner, "]")
	}
	return name
}

// isCount tells whether a parameter counts pages, or the items before a page.
func isCount(param string) bool {
	return IsPage(param) || Is(paramName(param), OffsetNames)
}

// IsPage tells whether a parameter of a request is named as the number of a page.
func IsPage(param string) bool {
	name := paramName(param)
	return name == "p" || Is(name, PageNames)
}

// isCursorParam tells whether a parameter says behind which item a page begins.
func isCursorParam(param string) bool {
	m := read(paramName(param))
	isInfo := m.has(pageWord) && (m.contains("info") || m.contains("id"))
	if isInfo || m.is("before") {
		return true
	}
	isOther := m.is("offset") || m.is("position") || m.has(elsewhere&^back)
	return m.has(token) && !isOther && m.only(token|pageWord|begin|end|spot|next|back|thing|small|off|sizeWord)
}

// lastPage looks at the address of what is called the last page, for its number.
func (l *looker) lastPage(called string, path item.Path, value jsontext.Value) {
	m := read(called)
	isLast := m.contains("last") && m.only(end|pageWord|linkWord|small)
	if !isLast || l.address() == "" {
		return
	}
	asked, err1 := url.Parse(l.address())
	to, err2 := url.Parse(Resolved(l.address(), strings.TrimSpace(item.Unquote(value))))
	if err1 != nil || err2 != nil || !sameList(asked, to) {
		return
	}
	for param, values := range to.Query() {
		n, err := strconv.ParseInt(values[0], 10, 64)
		if IsPage(param) && err == nil {
			l.add(Hint, path, value)
			l.signs[len(l.signs)-1].Total = n
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
