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

// A Sign is a place beside the items that tells whether there is more (docs/decisions.md, section 10).
type Sign struct {
	Says  Says
	At    string         // a path such as paging.next, or the name of a header
	Value jsontext.Value // compact JSON; may hold a secret, and may be cut
	Own   bool           // the method, or a stop condition on a number of items, reads it: no evidence
	Total int64          // of Total and Pages

	path   item.Path // nil: in a header, or not as it stands in the answer
	least  bool      // there may be more than Total
	where  string    // of an element of a list of links: the condition that it is the one
	follow string    // the pagination that would follow the answer, as JSON; empty: none is known
}

// Says is what a sign says.
type Says string

// What signs say.
const (
	More   Says = "more"            // a flag: there is more
	NoMore Says = "no more"         // a flag: there is no more
	Link   Says = "next page"       // what leads to the next page is there
	Cursor Says = "cursor"          // a cursor that some APIs also give at the end
	Total  Says = "total"           // how many items there are
	Pages  Says = "number of pages" // how many pages there are
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
	pagesName
	counter // makes a bare total beside it one of items
	errorName
	before
	pageNames // of numbers that say where a page is
	offsetNames
	sizeNames
)

// classes are the names that matter, without case, _ and -.
var classes = merged(map[class]string{
	container:  "links paging pagination page pages pageinfo pagecontext meta metadata responsemetadata resultinfo listinfo info additionaldata urls",
	moreFlag:   "istruncated exceededtransferlimit",
	noMoreFlag: "islast islastpage lastpage last done endofstream",
	linkName: "next nextpage nexturl nextlink nextpageuri nextpageurl nextrecordsurl nextcursor nexttoken nextpagetoken nextoffset nextstart " +
		"nextpagestart nextmarker continue continuationtoken endcursor @odata.nextlink odata.nextlink",
	linkPart:   "href url uri link $ref path after startingafter startafter cursor token pagetoken offset skip start page pagenumber marker value",
	linkList:   "link links",
	cursorName: "cursor after offset marker scrollid scrollparam",
	totalName:  "total totalcount totalresults totalitems totalrecords totalelements totalentries totalsize totalrows rowcount",
	pagesName:  "totalpages totalpagecount pagecount pagescount numpages numberofpages lastpage",
	counter:    "limit offset skip start page size count perpage pagesize maxresults startat startindex currentpage pagenumber itemsperpage number",
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
	linkHeaders  = []string{"X-Next-Page", "X-Ms-Continuationtoken", "X-Next-Cursor", "X-Continuation-Token"}
	totalHeaders = []string{"X-Total-Count", "X-Total", "X-Wp-Total", "Total-Count", "X-Pagination-Total-Count", "Content-Range"}
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

func normalized(name string) string { return string(normal(nil, name)) }

// Signs lists what an answer says about what follows.
func (p *Paging) Signs(f *Facts) []Sign {
	l := &looker{paging: p, facts: f}
	if f.Array {
		for _, m := range f.Around {
			l.member(m.Path, m.Value, 0)
		}
	}
	for _, value := range f.Header.Values("Link") {
		links, _ := parseLinks(value) // what of it can be read
		for _, next := range related(links, "next") {
			if !l.ownAddress(next) {
				l.add(Link, headerPath("Link"), item.Quote(linkPrefix+next))
			}
		}
	}
	for _, name := range linkHeaders {
		if value := item.Quote(strings.TrimSpace(f.Header.Get(name))); leads(value) {
			l.add(Link, headerPath(name), value)
		}
	}
	for _, name := range totalHeaders {
		text := f.Header.Get(name)
		value := item.Quote(strings.TrimSpace(text[strings.LastIndexByte(text, '/')+1:])) // Content-Range: 0-24/3573
		if _, ok := integer(value); ok && !strings.HasPrefix(text, "bytes") {
			l.add(Total, headerPath(name), value)
		}
	}
	return l.signs
}

// looker looks for signs in one answer.
type looker struct {
	paging *Paging
	facts  *Facts
	signs  []Sign
}

// reads tells whether the method, or limitStop, reads the value at a path.
func (l *looker) reads(path item.Path) bool {
	same := func(p item.Path) bool { return p.String() == path.String() }
	return slices.ContainsFunc(l.paging.method.Needs().Values, same) || slices.ContainsFunc(l.paging.stops, func(s stops) bool { return s.limitField != nil && same(s.limitField) })
}

func (l *looker) add(says Says, path item.Path, value jsontext.Value) {
	s := Sign{Says: says, At: path.String(), Value: value, path: path, Own: l.reads(path)}
	if isHeader(path) {
		s.At, s.path = path[1], nil
	}
	if says == Total || says == Pages {
		s.Total, _ = integer(value)
	}
	l.signs = append(l.signs, s)
}

// below is the path of a member, or an element, of what is at a path.
func below(path item.Path, name string) item.Path { return append(slices.Clip(path), name) }

// member looks at a member of an object on the way to the items, or of a container that deep.
func (l *looker) member(path item.Path, value jsontext.Value, depth int) {
	name := path[len(path)-1]
	is, kind := classOf(name), item.Kind(value)
	switch {
	case is&linkName != 0:
		l.link(path, value)
	case is&pagesName != 0 && kind == '0':
		l.add(Pages, path, value)
	case is&(moreFlag|noMoreFlag) != 0:
		if says, ok := flag(value, is); ok {
			l.add(says, path, value)
		}
	case is&totalName != 0 || depth == 0 && strings.EqualFold(name, "count"):
		l.total(path, value, depth)
	case is&cursorName != 0 && kind == '"' && leads(value) && (depth > 0 || !strings.EqualFold(name, "after") || l.beside(path, before)):
		if _, number := item.DecimalOf(value); !number {
			l.add(Cursor, path, value)
		}
	}
	switch {
	case kind == '[' && is&linkList != 0:
		l.list(path, value)
	case kind == '{' && is&container != 0 && depth < 2:
		for name, value := range item.Members(value) {
			if classOf(name) != 0 {
				l.member(below(path, item.Unquote(name)), value, depth+1)
			}
		}
	}
}

// total looks at a number of items; a bare total or count at the top counts only where a page of many was asked for.
func (l *looker) total(path item.Path, value jsontext.Value, depth int) {
	relation := item.Lookup(value, item.Path{"relation"})
	if item.Kind(value) == '{' && relation != nil { // Elasticsearch
		path, value = below(path, "value"), item.Lookup(value, item.Path{"value"})
	}
	n, ok := integer(value)
	switch name := path[len(path)-1]; {
	case !ok || n < 0:
		return
	case depth == 0 && strings.EqualFold(name, "total") && !l.beside(path, counter) && len(l.asked()) == 0:
		return
	case strings.EqualFold(name, "count"):
		asked := l.asked()
		if n <= int64(l.facts.Items) || len(asked) == 0 || slices.Contains(asked, strconv.FormatInt(n, 10)) {
			return
		}
	}
	l.add(Total, path, value)
	if sign := &l.signs[len(l.signs)-1]; string(relation) == `"gte"` { // it was not counted further
		sign.Total, sign.At, sign.path, sign.least = n+1, sign.At+" (relation gte)", nil, true
	}
}

// asked are the numbers by which the request says where its page is, or how long.
func (l *looker) asked() (all []string) {
	if m, ok := l.paging.method.(*numbered); ok {
		all = append(all, strconv.FormatInt(m.limit, 10))
	}
	if at, err := url.Parse(l.facts.Address); err == nil {
		for name, values := range at.Query() {
			if classOf(name)&counter != 0 {
				all = append(all, values...)
			}
		}
	}
	return all
}

// beside tells whether the object that has the member at path has another one of the class.
func (l *looker) beside(path item.Path, c class) bool {
	return slices.ContainsFunc(l.facts.Around, func(o item.Found) bool {
		last := len(o.Path) - 1
		return classOf(o.Path[last])&c != 0 && slices.Equal(o.Path[:last], path[:len(path)-1])
	})
}

// list looks at a list of links, in which each names its relation.
func (l *looker) list(path item.Path, value jsontext.Value) {
	i, before := 0, len(l.signs)
	for element := range item.Elements(value) {
		for _, relation := range []string{"rel", "relation"} {
			if is, _ := item.Text(item.Lookup(element, item.Path{relation})); classOf(is)&linkName != 0 && len(l.signs) == before {
				l.link(below(path, strconv.Itoa(i)), element)
				if m, ok := l.paging.method.(*responseURL); len(l.signs) > before {
					sign := &l.signs[before]
					sign.where = relation + "==" + is
					sign.Own = ok && m.list != nil && m.path.String() == path.String() && m.list.where.Match(element)
				}
			}
		}
		i++
	}
}

// link looks at what may lead on: a text, a number, or an object with one, a text rather than a number.
func (l *looker) link(path item.Path, value jsontext.Value) {
	leadsOn := func(value []byte) bool {
		text, _ := item.Text(value)
		return leads(value) && !l.ownAddress(text)
	}
	var at, found []byte
	for part, value := range item.Members(value) {
		better := found == nil || item.Kind(found) == '0' && item.Kind(value) == '"'
		if better && classOf(part)&(linkPart|linkName) != 0 && leadsOn(value) {
			at, found = part, value
		}
	}
	if found != nil {
		l.add(Link, below(path, item.Unquote(at)), found)
	} else if leadsOn(value) {
		l.add(Link, path, value)
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
	asked, err1 := url.Parse(l.facts.Address)
	to, err2 := url.Parse(resolved(l.facts.Address, strings.TrimSpace(link)))
	if err1 != nil || err2 != nil || l.facts.Address == "" || !strings.ContainsAny(link, "/?") {
		return false
	}
	asked.Fragment, to.Fragment = "", ""
	return to.Scheme == asked.Scheme && to.Host == asked.Host && to.EscapedPath() == asked.EscapedPath() && to.Query().Encode() == asked.Query().Encode()
}

// flag reads a boolean, or its text; 1 and 0 only of one that says more: a last may be the number of a page.
func flag(value []byte, c class) (says Says, ok bool) {
	text := strings.ToLower(string(bytes.Trim(value, `"`)))
	if c&moreFlag != 0 {
		text = strings.NewReplacer("1", "true", "0", "false").Replace(text)
	}
	if says = More; (text == "true") == (c&noMoreFlag != 0) {
		says = NoMore
	}
	return says, text == "true" || text == "false"
}
