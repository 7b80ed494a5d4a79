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
