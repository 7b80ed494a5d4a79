package evidence

import "strings"

// A ParameterClass is what the name of a parameter may be, or of a number beside the items that is one:
// bits.
type ParameterClass uint32

const (
	// Counter makes a bare total beside it one of items.
	Counter ParameterClass = 1 << iota
	// PageNames are of numbers of a page.
	PageNames
	// OffsetNames are of numbers of items before a page.
	OffsetNames
	// SizeNames are of numbers of items that a page has.
	SizeNames
)

// classes are the names of parameters that matter, without case, _ and -.
var classes = merged(map[ParameterClass]string{
	Counter: "limit offset skip start page size count perpage pagesize maxresults " +
		"startat startindex currentpage pagenumber itemsperpage number",
	PageNames:   "page pagenumber currentpage number",
	OffsetNames: "offset skip start startat startindex",
	SizeNames:   "limit size perpage pagesize maxresults",
})

func merged(names map[ParameterClass]string) map[string]ParameterClass {
	all := map[string]ParameterClass{}
	for c, list := range names {
		for name := range strings.FieldsSeq(list) {
			all[name] |= c
		}
	}
	return all
}

// Is tells whether a name is of a class.
func Is(name string, c ParameterClass) bool { return classOf(name)&c != 0 }

// classOf is the class of a name, which may be quoted.
func classOf[T string | []byte](name T) ParameterClass {
	if len(name) > nameLimit {
		return 0
	}
	var buf [nameLimit]byte
	return classes[string(normal(buf[:0], name))]
}

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
