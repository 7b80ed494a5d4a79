package evidence

import (
	"bytes"
	"net/url"
	"regexp"
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
		return mayBeAddress(value) || mayBeNumber(value)
	case '[':
		return bytes.Contains(value, []byte(`"rel`))
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

// mayBeNumber tells whether a text is a whole number.
func mayBeNumber(value []byte) bool {
	const longest = len(`"9223372036854775807"`)
	if len(value) > longest {
		return false
	}
	_, ok := item.Integer(value)
	return ok
}

// addressLimit is the length of the longest address that is looked at.
const addressLimit = 4 << 10

// onward looks at a text, whatever it is called, for an address of the list itself
// that asks for a later page. named tells that its name may say that it is the address
// of the answer at hand.
func (l *looker) onward(path item.Path, value jsontext.Value, named bool) {
	isAddress := item.Kind(value) == '"' && mayBeAddress(value)
	if !isAddress || leadsElsewhere(path) {
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
	own := named && ownAddress.MatchString(plainStep(path[len(path)-1]))
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
func isCursorParam(param string) bool { return cursorParam.MatchString(paramName(param)) }

var cursorParam = regexp.MustCompile(
	`^(after|before|token|pageinfo|pageid|(start|starting)after|endingbefore|` +
		`scrollid|exclusivestartkey)$|` +
		`(cursor|marker|pagetoken|nexttoken|skiptoken|continuation|continuationtoken)$`,
)

// leadsElsewhere tells whether a step of a path names what leads to no later page.
func leadsElsewhere(path item.Path) bool {
	for _, step := range path {
		if elsewhere.MatchString(plainStep(step)) {
			return true
		}
	}
	return false
}

// elsewhere matches names of addresses that lead to no later page of the same list.
var elsewhere = regexp.MustCompile(
	`^(self|first|prev|last|current|canonical|alternate|parent|start|begin|home|` +
		`delta|sync|refresh|future|newer|latest|export|download|search)|^up(url|uri|href|link)?$`,
)

// ownAddress matches names of members that may have the address of the answer itself.
var ownAddress = regexp.MustCompile(`^(url|uri|href|link|id|path|address|endpoint|resource|query|request.*)$`)

// plainStep is a step without case, _ and -, and without the name of its vocabulary:
// deltalink of @odata.deltaLink.
func plainStep(step string) string {
	name := Normal(step)
	return strings.TrimLeft(name[strings.LastIndexAny(name, ".:")+1:], "@$")
}
