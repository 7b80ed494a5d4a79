// Package evidence is what an answer says besides its items, and what its items say: it sees, remembers and weighs.
// It knows no paging: which request comes next, and what ends a walk, is decided elsewhere.
package evidence

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

	Path   item.Path // nil: in a header, or not as it stands in the answer
	Least  bool      // there may be more than Total
	Where  string    // of an element of a list of links: the condition that it is the one
	Follow string    // the pagination that would follow the answer, as JSON; empty: none is known
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

// A Class is what the name of a member may be: bits.
type Class uint16

const (
	container Class = 1 << iota
	moreFlag
	noMoreFlag
	linkName
	linkPart // of an object that is a link
	linkList
	cursorName
	totalName
	pagesName
	Counter // makes a bare total beside it one of items
	errorName
	before
	PageNames // of numbers that say where a page is
	OffsetNames
	SizeNames
)

// classes are the names that matter, without case, _ and -.
var classes = merged(map[Class]string{
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
	Counter:    "limit offset skip start page size count perpage pagesize maxresults startat startindex currentpage pagenumber itemsperpage number",
	errorName:  "error errors errormessage fault ok success status",
	before:     "before",

	PageNames:   "page pagenumber currentpage number",
	OffsetNames: "offset skip start startat startindex",
	SizeNames:   "limit size perpage pagesize maxresults",
})

func merged(names map[Class]string) map[string]Class {
	all := map[string]Class{}
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

// LinkPrefix stands before the address of a header Link, for people.
const LinkPrefix = `rel="next" `

// Headers are those of an answer that are looked at.
func Headers() []string { return slices.Concat([]string{"Link"}, linkHeaders, totalHeaders) }

// Notable tells whether a member beside the items is wanted as [Facts].Around.
func Notable(quoted []byte) bool {
	return classOf(quoted)&^(linkPart|PageNames|OffsetNames|SizeNames) != 0
}

// Is tells whether a name is of a class.
func Is(name string, c Class) bool { return classOf(name)&c != 0 }

// nameLimit is the length of the longest name that is looked at.
const nameLimit = 40

// classOf is the class of a name, which may be quoted.
func classOf[T string | []byte](name T) Class {
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

func Normal(name string) string { return string(normal(nil, name)) }

// Signs lists what the answer says about what follows.
func (f *Answer) Signs(reads Reads) []Sign {
	l := &looker{reads: reads, answer: f}
	if f.Array {
		for _, m := range f.Around {
			l.member(m.Path, m.Value, 0)
		}
	}
	for _, value := range f.Header.Values("Link") {
		links, _ := ParseLinks(value) // what of it can be read
		for _, next := range Related(links, "next") {
			if !l.ownAddress(next) {
				l.add(Link, HeaderPath("Link"), item.Quote(LinkPrefix+next))
			}
		}
	}
	for _, name := range linkHeaders {
		if value := item.Quote(strings.TrimSpace(f.Header.Get(name))); leads(value) {
			l.add(Link, HeaderPath(name), value)
		}
	}
	for _, name := range totalHeaders {
		text := f.Header.Get(name)
		value := item.Quote(strings.TrimSpace(text[strings.LastIndexByte(text, '/')+1:])) // Content-Range: 0-24/3573
		if _, ok := item.Integer(value); ok && !strings.HasPrefix(text, "bytes") {
			l.add(Total, HeaderPath(name), value)
		}
	}
	return l.signs
}

// Dotted tells whether an option can name the path of the sign by its steps.
func (s *Sign) Dotted() bool { return dotted(s.Path) }

// NoMoreFlag tells whether the sign is a flag whose name says that there is no more.
func (s *Sign) NoMoreFlag() bool { return Is(s.Path[len(s.Path)-1], noMoreFlag) }

// dotted tells whether an option can name the path of a sign: no index in a list, whose order may change, no dot.
func dotted(path item.Path) bool {
	return len(path) == 1 || len(path) > 1 && !slices.ContainsFunc(path, func(step string) bool {
		_, err := strconv.Atoi(step)
		return err == nil || strings.Contains(step, ".") || step == "*"
	})
}

// Named tells whether an option can name where the sign stands.
func (s *Sign) Named() bool {
	if n := len(s.Path) - 2; s.Where != "" {
		return dotted(s.Path[:n]) && !strings.Contains(s.Path[n+1], ".")
	}
	return s.Path == nil || s.Dotted()
}

// looker looks for signs in one answer.
type looker struct {
	reads  Reads
	answer *Answer
	signs  []Sign
}

func (l *looker) add(says Says, path item.Path, value jsontext.Value) {
	s := Sign{Says: says, At: path.String(), Value: value, Path: path, Own: l.reads.has(path)}
	if IsHeader(path) {
		s.At, s.Path = path[1], nil
	}
	if says == Total || says == Pages {
		s.Total, _ = item.Integer(value)
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
	n, ok := item.Integer(value)
	switch name := path[len(path)-1]; {
	case !ok || n < 0:
		return
	case depth == 0 && strings.EqualFold(name, "total") && !l.beside(path, Counter) && len(l.asked()) == 0:
		return
	case strings.EqualFold(name, "count"):
		asked := l.asked()
		if n <= int64(l.answer.Items) || len(asked) == 0 || slices.Contains(asked, strconv.FormatInt(n, 10)) {
			return
		}
	}
	l.add(Total, path, value)
	if sign := &l.signs[len(l.signs)-1]; string(relation) == `"gte"` { // it was not counted further
		sign.Total, sign.At, sign.Path, sign.Least = n+1, sign.At+" (relation gte)", nil, true
	}
}

// asked are the numbers by which the request says where its page is, or how long.
func (l *looker) asked() (all []string) {
	if l.reads.Sized {
		all = append(all, strconv.FormatInt(l.reads.Size, 10))
	}
	if at, err := url.Parse(l.answer.Address); err == nil {
		for name, values := range at.Query() {
			if classOf(name)&Counter != 0 {
				all = append(all, values...)
			}
		}
	}
	return all
}

// beside tells whether the object that has the member at path has another one of the class.
func (l *looker) beside(path item.Path, c Class) bool {
	return slices.ContainsFunc(l.answer.Around, func(o item.Found) bool {
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
				if len(l.signs) > before {
					sign := &l.signs[before]
					sign.Where = relation + "==" + is
					sign.Own = l.reads.Link != nil && l.reads.Link(path, element)
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
	asked, err1 := url.Parse(l.answer.Address)
	to, err2 := url.Parse(Resolved(l.answer.Address, strings.TrimSpace(link)))
	if err1 != nil || err2 != nil || l.answer.Address == "" || !strings.ContainsAny(link, "/?") {
		return false
	}
	asked.Fragment, to.Fragment = "", ""
	return to.Scheme == asked.Scheme && to.Host == asked.Host && to.EscapedPath() == asked.EscapedPath() && to.Query().Encode() == asked.Query().Encode()
}

// flag reads a boolean, or its text; 1 and 0 only of one that says more: a last may be the number of a page.
func flag(value []byte, c Class) (says Says, ok bool) {
	text := strings.ToLower(string(bytes.Trim(value, `"`)))
	if c&moreFlag != 0 {
		text = strings.NewReplacer("1", "true", "0", "false").Replace(text)
	}
	if says = More; (text == "true") == (c&noMoreFlag != 0) {
		says = NoMore
	}
	return says, text == "true" || text == "false"
}
