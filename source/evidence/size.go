package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// MayBeMost tells whether so many items are as many as APIs show at most of a list: hundreds or thousands, and a round number.
func MayBeMost(items int64) bool {
	const least, most = 100, 10_000
	return items >= least && items <= most && Round(int(items))
}

// sizeParam matches names of parameters that say how many items a page has.
var sizeParam = pattern.Lazy(`^(limit|pagelimit|count|rows|first|top|take|size|num|n|` +
	`(items|results|records|rows)?perpage|page(size|len|length)|max(results|records|items|keys|rows)|` +
	`(results|records|items|batch|fetch)(size|count|limit))$`)

// IsSize tells whether a parameter of a request is named as the size of a page.
func IsSize(param string) bool { return sizeParam().MatchString(paramName(param)) }

// looksLikeSize tells whether a parameter is named as a size, or may be one by its words: the
// first is max, or the last counts items, as in resultRecordCount and wantedDocumentCount.
func looksLikeSize(param string) bool {
	if IsSize(param) {
		return true
	}
	m := read(param)
	isOther := m.n == 0 || string(m.word(0)) == "min" || spanParam().MatchString(paramName(param))
	if isOther {
		return false
	}
	last := m.n - 1
	isPerPage := last > 0 && string(m.word(last-1)) == "per" && string(m.word(last)) == "page"
	isSized := isPerPage || slices.Contains(sizeWords, string(m.word(last)))
	return isSized || string(m.word(0)) == "max"
}

// sizeWords are the last words of names of sizes.
var sizeWords = strings.Fields("count limit size rows records features hits results items")

// sizeParts are parts of names of parameters that may say how many items a page has.
var sizeParts = []string{"limit", "size", "perpage", "count", "rows", "max", "top", "take"}

// MayBeSize tells whether the name of a parameter which is known to be about pages
// suggests that it is the size of one.
func MayBeSize(param string) bool { return hasPart(param, sizeParts) }

// itemParts are parts of names of parameters that may count the items before a page.
var itemParts = []string{"offset", "start", "skip"}

// MayCountItems tells whether the name of a parameter which is known to be about pages
// suggests that it counts items, and not pages as start_page does.
func MayCountItems(param string) bool { return hasPart(param, itemParts) && !IsStartPage(param) }

// IsStartPage tells whether a parameter is named as the number of the page that begins, such as start_page.
func IsStartPage(param string) bool {
	return hasPart(param, itemParts) && strings.HasSuffix(Normal(param), "page")
}

func hasPart(param string, parts []string) bool {
	name := Normal(param)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// spanParam matches names of parameters that say how long a time is: of a series of 90
// days there are 90 items.
var spanParam = pattern.Lazy(`(minute|hour|day|week|month|quarter|year|period|interval)s?$`)

// least numbers of items that are as many as were asked for: by a parameter named as
// a size, and by any other.
const (
	leastBySize = 2
	leastByAny  = 10
)

// Asked takes the number that a parameter of a request is, those in an object such as
// the variables of GraphQL, two deep, and the sizes in the text of a query.
func (all Numbers) Asked(name string, value []byte) Numbers {
	return all.askedIn(name, value, 0)
}

func (all Numbers) askedIn(name string, value []byte, depth int) Numbers {
	if n, ok := item.Integer(value); ok {
		return append(all, Number{Name: name, Value: n})
	}
	switch item.Kind(value) {
	case '"':
		return all.inQuery(item.Unquote(value))
	case '{':
		if depth == 2 {
			return all
		}
		for member, value := range item.Members(value) {
			all = all.askedIn(item.Unquote(member), value, depth+1)
		}
	}
	return all
}

// sizeInQuery matches what may be a size in a query, such as first: 50 or LIMIT 50.
var sizeInQuery = pattern.Lazy(`\b(\w+)(?:\s*:\s*|\s+)(\d+)\b`)

// inQuery takes the sizes in the text of a query.
func (all Numbers) inQuery(text string) Numbers {
	for _, found := range sizeInQuery().FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseInt(found[2], 10, 64)
		if err == nil && IsSize(found[1]) {
			all = append(all, Number{Name: found[1], Value: n})
		}
	}
	return all
}

// sizeOf is where a parameter named as a size asks for so many items; less than 0:
// none does.
func (all Numbers) sizeOf(items int) int {
	if items < leastBySize {
		return -1
	}
	return slices.IndexFunc(all, func(n Number) bool {
		return n.Value == int64(items) && looksLikeSize(n.Name)
	})
}

// Chosen tells whether so many items are as many as a parameter named as a size asks
// for, or a number that people choose.
func (all Numbers) Chosen(items int) bool { return all.sizeOf(items) >= 0 || Round(items) }

// A Basis is what says how many items a page has.
type Basis uint8

const (
	// NoBasis means that nothing does.
	NoBasis Basis = iota
	// ByUsual means that nothing does, but that it is a number which people choose.
	ByUsual
	// ByAny means a parameter that may mean something else.
	ByAny
	// BySize means a parameter that is named as a size.
	BySize
)

// AsMany says on what basis so many items may be no more than were asked for, with those numbers in the request, and
// what asks for as many, unless it is that many APIs have so many on a page.
func (all Numbers) AsMany(items int) (what string, by Basis) {
	same := func(n Number) bool { return n.Value == int64(items) }
	span := func(n Number) bool { return same(n) && spanParam().MatchString(paramName(n.Name)) }
	if i := all.sizeOf(items); i >= 0 {
		return fmt.Sprintf("the parameter `%s` asks for", all[i].Name), BySize
	}
	if slices.ContainsFunc(all, span) {
		return "", NoBasis
	}
	if i := slices.IndexFunc(all, same); i >= 0 && items >= leastByAny {
		return fmt.Sprintf("the parameter `%s` asks for", all[i].Name), ByAny
	}
	if Round(items) {
		return "", ByUsual
	}
	return "", NoBasis
}

// AskForOne tells whether a parameter named as a size asks for one item.
func (all Numbers) AskForOne() bool {
	return slices.ContainsFunc(all, func(n Number) bool { return n.Value == 1 && IsSize(n.Name) })
}

// AsksForMore tells whether a parameter named as a size asks for more items.
func (all Numbers) AsksForMore(items int) bool {
	return slices.ContainsFunc(all, func(n Number) bool {
		return n.Value > int64(items) && IsSize(n.Name)
	})
}
