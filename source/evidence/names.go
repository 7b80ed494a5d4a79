package evidence

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// A Class is what the name of a member may be: bits.
type Class uint32

const (
	container Class = 1 << iota
	moreFlag
	noMoreFlag
	linkName
	// linkPart is of an object that is a link.
	linkPart
	linkList
	cursorName
	totalName
	pagesName
	// Counter makes a bare total beside it one of items.
	Counter
	errorName
	before
	// PageNames are of numbers of a page.
	PageNames
	// OffsetNames are of numbers of items before a page.
	OffsetNames
	// SizeNames are of numbers of items that a page has.
	SizeNames
	// keyName is of an object that leads on as a whole.
	keyName
	// nextWord is of what may lead on, by a word in its name.
	nextWord
)

// classes are the names that matter, without case, _ and -.
var classes = merged(map[Class]string{
	container: "links paging pagination page pages pageinfo pagecontext meta " +
		"metadata responsemetadata pagemetadata resultinfo listinfo info additionaldata " +
		"paginationinfo paginator urls cursors",
	moreFlag:   "istruncated exceededtransferlimit",
	noMoreFlag: "islast islastpage lastpage last done endofstream",
	linkName: "next nextpage nexturl nextlink nextpageuri nextpageurl " +
		"nextrecordsurl nextcursor nexttoken nextpagetoken nextoffset " +
		"nextstart nextpagestart nextmarker continue continuationtoken " +
		"endcursor @odata.nextlink odata.nextlink",
	linkPart: "href url uri link $ref path after startingafter startafter cursor " +
		"token pagetoken offset skip start page pagenumber marker value",
	linkList:   "link links",
	cursorName: "cursor after offset marker scrollid scrollparam continuation bookmark",
	totalName: "total totalcount totalresults totalitems totalrecords totalelements " +
		"totalentries totalsize totalrows rowcount totalhits totalfound " +
		"numfound nbhits numbermatched recordstotal",
	pagesName: "pages totalpages totalpage totalpagecount pagecount pagescount numpages " +
		"numberofpages nbpages lastpage",
	Counter: "limit offset skip start page size count perpage pagesize maxresults " +
		"startat startindex currentpage pagenumber itemsperpage number",
	errorName: "error errors errormessage fault ok success status",
	before:    "before",
	keyName:   "lastevaluatedkey",

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
	linkHeaders = []string{
		"X-Next-Page", "X-Ms-Continuationtoken", "X-Next-Cursor", "X-Continuation-Token",
	}
	totalHeaders = []string{
		"X-Total-Count", "X-Total", "X-Wp-Total", "Total-Count", "X-Pagination-Total-Count",
		"Content-Range", "Total",
	}
	pagesHeaders = []string{"X-Total-Pages", "X-Wp-Totalpages"}
	lastHeaders  = []string{"Last-Page"}
)

// LinkPrefix stands before the address of a header Link, for people.
const LinkPrefix = `rel="next" `

// Headers are those of an answer that are looked at.
func Headers() []string {
	return slices.Concat([]string{"Link"}, linkHeaders, lastHeaders, totalHeaders, pagesHeaders)
}

// Notable tells whether a member beside the items is wanted as [Answer.Around].
func Notable(quoted []byte) bool {
	const alone = linkPart | PageNames | OffsetNames | SizeNames
	return classOf(quoted)&^alone != 0
}

// Is tells whether a name is of a class.
func Is(name string, c Class) bool { return classOf(name).is(c) }

// LeadsOn tells whether a member leads on by its name.
func LeadsOn(name string) bool { return Is(name, linkName) }

func (c Class) is(other Class) bool { return c&other != 0 }

// nameLimit is the length of the longest name that is looked at.
const nameLimit = 40

// classOf is the class of a name, which may be quoted.
func classOf[T string | []byte](name T) Class {
	if len(name) > nameLimit {
		return 0
	}
	var buf [nameLimit]byte
	text := normal(buf[:0], name)
	switch {
	case saysMore(text):
		return moreFlag
	case saysEnd(text):
		return noMoreFlag
	case leadsByName(text):
		return linkName
	}
	if is := classes[string(text)]; is != 0 {
		return is
	}
	// A copy, as in saysMore.
	if mayLead := bytes.Contains(text, []byte("next")) && hasNextWord(string(name)); mayLead {
		return nextWord
	}
	return 0
}

// saysMore tells whether a name begins as those of flags do that say that there is
// more.
func saysMore(name []byte) bool {
	for _, begin := range []string{"hasmore", "hasnext", "havemore", "more"} {
		if bytes.HasPrefix(name, []byte(begin)) {
			// A copy, so that the buffer of each other name stays on the stack.
			return !otherMore.MatchString(string(name))
		}
	}
	return false
}

// saysEnd tells whether a name begins as those of flags do that say that there is no
// more, such as endOfRecords.
func saysEnd(name []byte) bool {
	if !bytes.HasPrefix(name, []byte("endof")) {
		return false
	}
	return !otherEnd.MatchString(string(name))
}

// leadsByName tells whether a name ends as those of links do, such as resultSetNextUri.
func leadsByName(name []byte) bool {
	for _, end := range linkEndings {
		if bytes.HasSuffix(name, []byte(end)) {
			return true
		}
	}
	return false
}

var linkEndings = []string{"nexturi", "nexthref", "nexturl", "nextlink", "nextforwardtoken"}

// otherEnd matches names that begin with "endOf" and are about times.
var otherEnd = regexp.MustCompile(`^endof(day|week|month|quarter|year|period|life|support|sale)`)

// otherMore matches names that begin with "more" and are about no items.
var otherMore = regexp.MustCompile(`^more(info|detail|help|about|text|(url|uri|link|href)$)`)

// isNamed tells whether a name is plain, which is without case, _ and -.
func isNamed(name, plain string) bool {
	if len(name) > nameLimit {
		return false
	}
	var buf [nameLimit]byte
	return string(normal(buf[:0], name)) == plain
}

// Normal is a name without case, _ and -.
func Normal(name string) string { return string(normal(nil, name)) }

// normal appends a name without case, _ and -, and without quotes.
func normal[T string | []byte](dst []byte, name T) []byte {
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c == '_', c == '-', c == '"':
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
