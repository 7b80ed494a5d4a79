package paginate

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Sign is a place in an answer, beside its items, that tells whether there is more
// (docs/decisions.md, section 10).
type Sign struct {
	Says  Says
	At    string         // a path such as paging.next, or the name of a header
	Value jsontext.Value // compact JSON; may hold a secret, and may be cut
	Own   bool           // the method, or a stop condition on a number of items, reads it: no evidence
	Total int64          // of Total

	path   signPath
	where  string // of an element of a list of links: the condition that it is the one
	follow string // the pagination that would follow the answer, as JSON; empty: none is known
}

// Says is what a sign says.
type Says int

// What signs say.
const (
	More   Says = iota // a flag: there is more
	NoMore             // a flag: there is no more
	Link               // what leads to the next page is there
	Cursor             // a cursor that some APIs also give at the end
	Total              // how many items there are
)

// A class is what the name of a member may be: bits.
type class uint16

const (
	container class = 1 << iota
	moreFlag
	noMoreFlag
	linkName
	linkPart // of an object that is a link
	linkList
	cursorName
	totalName
	counter // makes a bare total beside it one of items
	errorName
	before
	pageNames // of numbers that say where a page is
	offsetNames
	sizeNames
)

// classes are the names that matter, without case, _ and -.
var classes = merged(map[class]string{
	container:  "links paging pagination page pages pageinfo pagecontext meta metadata responsemetadata resultinfo info additionaldata urls",
	moreFlag:   "istruncated exceededtransferlimit",
	noMoreFlag: "islast islastpage lastpage last done endofstream",
	linkName: "next nextpage nexturl nextlink nextpageuri nextpageurl nextrecordsurl nextcursor nexttoken nextpagetoken nextoffset nextstart " +
		"nextpagestart nextmarker continue continuationtoken endcursor @odata.nextlink odata.nextlink",
	linkPart:   "href url uri link $ref path after startingafter startafter cursor token pagetoken offset skip start page pagenumber marker value",
	linkList:   "link links",
	cursorName: "cursor after offset marker scrollid scrollparam",
	totalName:  "total totalcount totalresults totalitems totalrecords totalelements totalentries totalsize totalrows rowcount",
	counter:    "limit offset skip start page size count perpage pagesize maxresults startat startindex currentpage pagenumber itemsperpage",
	errorName:  "error errors errormessage fault ok success status",
	before:     "before",

	pageNames:   "page pagenumber currentpage number",
	offsetNames: "offset skip start startat startindex",
	sizeNames:   "limit size perpage pagesize maxresults",
})

func merged(names map[class]string) map[string]class {
	all := map[string]class{}
	for c, list := range names {
		for name := range strings.FieldsSeq(list) {
			all[name] |= c
		}
	}
	return all
}

var (
	linkHeaders  = []string{"X-Next-Page", "X-Ms-Continuationtoken"}
	totalHeaders = []string{"X-Total-Count", "X-Total", "X-Wp-Total"}
)

// linkPrefix stands before the address of a header Link, for people.
const linkPrefix = `rel="next" `

// Headers are those of an answer that are looked at.
func Headers() []string { return slices.Concat([]string{"Link"}, linkHeaders, totalHeaders) }

// Notable tells whether a member beside the items is wanted as [Facts].Around.
func Notable(quoted []byte) bool {
	return classOf(quoted)&^(linkPart|pageNames|offsetNames|sizeNames) != 0
}

// nameLimit is the length of the longest name that is looked at.
const nameLimit = 40

// classOf is the class of a name, which may be quoted.
func classOf[T string | []byte](name T) class {
	if len(name) > nameLimit {
		return 0
	}
	var buf [nameLimit]byte
	text := normal(buf[:0], name)
	for _, begin := range []string{"hasmore", "hasnext", "more"} {
		if bytes.HasPrefix(text, []byte(begin)) && !otherMore.Match(text) {
			return moreFlag
		}
	}
	return classes[string(text)]
}

// otherMore matches names that begin with "more" and are about no items.
var otherMore = regexp.MustCompile(`^more(info|detail|help|about|text|(url|uri|link|href)$)`)

// normal appends a name without case, _ and -, and without quotes.
func normal[T string | []byte](dst []byte, name T) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c != '_' && c != '-' && c != '"':
			dst = append(dst, c)
		}
	}
	return dst
}

// Signs lists what an answer says about what follows, in the order of the answer. Of one
// that others follow only totals matter; links cost the most.
func (p *Paging) Signs(f *Facts, last bool) []Sign {
	l := &looker{paging: p, facts: f, last: last}
	if f.Array {
		for _, m := range f.Around {
			last := len(m.Path) - 1
			l.member(m.Path[:last:last], m.Path[last], m.Value, 0)
		}
	}
	for _, value := range f.Header.Values("Link") {
		if !last {
			break
		}
		links, _ := parseLinks(value) // what of it can be read
		for _, next := range related(links, "next") {
			if !l.ownAddress(next) {
				l.header(Link, "Link", linkPrefix+next, 0)
			}
		}
	}
	for _, name := range linkHeaders {
		if value := f.Header.Get(name); leads(item.Quote(value)) {
			l.header(Link, name, strings.TrimSpace(value), 0)
		}
	}
	for _, name := range totalHeaders {
		if n, err := strconv.ParseInt(strings.TrimSpace(f.Header.Get(name)), 10, 64); err == nil {
			l.header(Total, name, strconv.FormatInt(n, 10), n)
		}
	}
	return l.signs
}

// looker looks for signs in one answer.
type looker struct {
	paging *Paging
	facts  *Facts
	last   bool
	signs  []Sign
}

func (l *looker) header(says Says, name, value string, total int64) {
	l.signs = append(l.signs, Sign{Says: says, At: name, Value: item.Quote(value), Total: total, Own: l.reads(headerPath(name))})
}

// reads tells whether the method, or limitStop, reads the value at a path.
func (l *looker) reads(path item.Path) bool {
	same := func(p item.Path) bool { return p.String() == path.String() }
	return slices.ContainsFunc(l.paging.method.Needs().Values, same) || slices.ContainsFunc(l.paging.stops, func(s stops) bool { return s.limitField != nil && same(s.limitField) })
}

func (l *looker) add(says Says, parent item.Path, name string, value jsontext.Value, total int64) {
	path := append(slices.Clone(parent), name)
	l.signs = append(l.signs, Sign{Says: says, At: path.String(), Value: value, Total: total, path: signPath(path), Own: l.reads(path)})
}

// member looks at a member of an object on the way to the items, or of a container
// that deep.
func (l *looker) member(parent item.Path, name string, value jsontext.Value, depth int) {
	is, kind := classOf(name), item.Kind(value)
	switch {
	case is&linkName != 0 && l.last:
		l.link(parent, name, value)
	case is&(moreFlag|noMoreFlag) != 0:
		switch says, ok := truth(value, is); {
		case !ok:
		case says == (is&noMoreFlag != 0):
			l.add(NoMore, parent, name, value, 0)
		default:
			l.add(More, parent, name, value, 0)
		}
	case is&totalName != 0:
		l.total(parent, name, value, depth)
	case is&cursorName != 0 && kind == '"' && leads(value) && (depth > 0 || !strings.EqualFold(name, "after") || l.beside(parent, before)):
		if _, number := item.DecimalOf(value); !number {
			l.add(Cursor, parent, name, value, 0)
		}
	}
	switch {
	case kind == '[' && is&linkList != 0 && l.last:
		l.list(parent, name, value)
	case kind == '{' && is&container != 0 && depth < 2:
		inside := append(slices.Clip(parent), name)
		for name, value := range item.Members(value) {
			if classOf(name) != 0 {
				l.member(inside[:len(inside):len(inside)], item.Unquote(name), value, depth+1)
			}
		}
	}
}

// total looks at a number of items. A bare total outside the containers may be
// anything, unless a limit or the like is beside it.
func (l *looker) total(parent item.Path, name string, value jsontext.Value, depth int) {
	if item.Kind(value) == '{' && item.Lookup(value, item.Path{"relation"}) != nil { // Elasticsearch
		parent, name, value = append(slices.Clone(parent), name), "value", item.Lookup(value, item.Path{"value"})
	} else if strings.EqualFold(name, "total") && depth == 0 && !l.beside(parent, counter) {
		return
	}
	if n, ok := integer(value); ok && n >= 0 {
		l.add(Total, parent, name, value, n)
	}
}

// beside tells whether the object at parent, on the way to the items, has a member of
// the class.
func (l *looker) beside(parent item.Path, c class) bool {
	return slices.ContainsFunc(l.facts.Around, func(o item.Found) bool {
		last := len(o.Path) - 1
		return classOf(o.Path[last])&c != 0 && slices.Equal(o.Path[:last], parent)
	})
}

// list looks at a list of links, in which each names its relation.
func (l *looker) list(parent item.Path, name string, value jsontext.Value) {
	i, path, before := 0, append(slices.Clip(parent), name), len(l.signs)
	for element := range item.Elements(value) {
		for _, relation := range []string{"rel", "relation"} {
			if is, _ := item.Text(item.Lookup(element, item.Path{relation})); is == "next" && len(l.signs) == before {
				l.link(path, strconv.Itoa(i), element)
				if m, ok := l.paging.method.(*responseURL); len(l.signs) > before {
					sign := &l.signs[before]
					sign.where = relation + "==next"
					sign.Own = ok && m.list != nil && m.path.String() == path.String() && m.list.where.Match(element)
				}
			}
		}
		i++
	}
}

// link looks at what may lead to the next page: a text, a number, or an object with
// that.
func (l *looker) link(parent item.Path, name string, value jsontext.Value) {
	if item.Kind(value) != '{' {
		if text, _ := item.Text(value); leads(value) && !l.ownAddress(text) {
			l.add(Link, parent, name, value, 0)
		}
		return
	}
	var at, found []byte
	for part, value := range item.Members(value) {
		text, _ := item.Text(value)
		better := found == nil || item.Kind(found) == '0' && item.Kind(value) == '"' // a cursor beside the number of a page
		if better && classOf(part)&(linkPart|linkName) != 0 && leads(value) && !l.ownAddress(text) {
			at, found = part, value
		}
	}
	if found != nil {
		l.add(Link, append(slices.Clip(parent), name), item.Unquote(at), found, 0)
	}
}

// leads tells whether a value may lead to another page.
func leads(value []byte) bool {
	switch item.Kind(value) {
	case '"':
		return !slices.Contains([]string{"", "0", "-1", "null", "none", "false", "#"}, strings.ToLower(strings.TrimSpace(item.Unquote(value))))
	case '0':
		d, ok := item.DecimalOf(value)
		return ok && d.CompareInt(0) > 0
	}
	return false
}

// ownAddress tells whether a link leads to the page that it stands in.
func (l *looker) ownAddress(link string) bool {
	asked, err := url.Parse(l.facts.Address)
	if err != nil || l.facts.Address == "" {
		return false
	}
	to, err := asked.Parse(strings.TrimSpace(link))
	if err != nil || !strings.ContainsAny(link, "/?") {
		return false
	}
	asked.Fragment, to.Fragment = "", ""
	return to.Scheme == asked.Scheme && to.Host == asked.Host && to.EscapedPath() == asked.EscapedPath() && to.Query().Encode() == asked.Query().Encode()
}

// truth reads a boolean, or the text of one; 1 and 0 only of a flag that says more, since
// a number called last is that of a page.
func truth(value []byte, c class) (is, ok bool) {
	switch text := strings.ToLower(string(bytes.Trim(value, `"`))); text {
	case "true", "false":
		return text == "true", true
	case "1", "0":
		return text == "1", c&moreFlag != 0
	}
	return false, false
}
