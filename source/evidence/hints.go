package evidence

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// Names are the last resort: what stands here is seen in objects of any name, and by a word in
// the name of a member or header. It only doubts, and proves nothing.

// inAny is what a sign says in an object whose name says nothing; not there: nothing.
var inAny = map[Says]Says{
	More: Hint, Link: Cursor, Cursor: Cursor, Onward: Onward, Hint: Hint, Guessed: Guessed,
}

// objectLimit is the length of the longest object of any name that is looked at.
const objectLimit = 2 << 10

func isSmall(object []byte) bool { return len(object) <= objectLimit }

// object looks at the members of a small object of any name.
func (l *looker) object(path item.Path, value jsontext.Value, depth int) {
	isElse := depth >= 2 || !isSmall(value) || isEcho(path[len(path)-1])
	if isElse || isResource(value) {
		return
	}
	before := l.inAny
	l.inAny = true
	for name, value := range item.Members(value) {
		l.member(below(path, item.Unquote(name)), value, depth+1)
	}
	l.inAny = before
}

// isResource tells whether an object is something of its own, such as an author.
func isResource(object []byte) bool {
	for name := range item.Members(object) {
		if slices.Contains(resourceNames, Normal(item.Unquote(name))) {
			return true
		}
	}
	return false
}

var resourceNames = strings.Fields("id uuid guid key self")

// isEcho tells whether an object repeats the request, or is about something else than a page.
func isEcho(name string) bool {
	isOther := func(word string) bool { return slices.Contains(echoWords, word) }
	return slices.ContainsFunc(words(name), isOther)
}

var echoWords = strings.Fields(
	"request params parameters query filter filters arguments args input variables config settings " +
		"rate ratelimit limits quota usage user account credits cost throttle extensions " +
		"facets facet aggregations aggs buckets stats statistics histogram shards")

// word looks at a flag or a number by the words of its name.
func (l *looker) word(path item.Path, value jsontext.Value, depth int) {
	name := path[len(path)-1]
	switch item.Kind(value) {
	case 't':
		if hasMoreWord(name) {
			l.add(Hint, path, value)
		}
	case '0', '"':
		if mayBeNumber(value) && l.mayCount(path, depth) {
			l.number(path, value)
		}
	}
}

// number adds a whole number that may be that of all items.
func (l *looker) number(path item.Path, value jsontext.Value) {
	n, ok := item.Integer(value)
	isMore := ok && n > int64(l.answer.Items)
	if isMore && !isTime(value) {
		l.add(Guessed, path, value)
	}
}

// pages adds a number of pages. In an object of any name it is a hint if there are several.
func (l *looker) pages(path item.Path, value jsontext.Value) {
	if !l.inAny {
		l.add(Pages, path, value)
		return
	}
	l.add(Hint, path, value)
	sign := &l.signs[len(l.signs)-1]
	sign.Total, _ = item.Integer(value)
}

// hinted is the first hint of more that holds at the end, nil if there is none: a flag, or
// more pages than came.
func hinted(signs []Sign, end End) *Sign {
	i := slices.IndexFunc(signs, func(s Sign) bool {
		if s.Says != Hint || s.Own {
			return false
		}
		isPages := item.Kind(s.Value) != 't'
		return !isPages || (end.isFromFirst() && s.Total > int64(end.Pages))
	})
	if i < 0 {
		return nil
	}
	return &signs[i]
}

// hasMoreWord tells whether a name may be that of a flag that says that there is more, such as
// has_additional and reached_record_limit.
func hasMoreWord(name string) bool {
	all := words(name)
	has := func(some ...string) bool {
		return slices.ContainsFunc(all, func(word string) bool { return slices.Contains(some, word) })
	}
	if has("info", "details", "detail", "help", "rate", "quota", "requests", "calls", "credits") {
		return false
	}
	isBound := has("exceeded", "reached") && has("limit", "record", "records", "results", "max", "size")
	return isBound || has("additional", "truncated")
}

// mayCount tells whether a member may be the number of all items by the words of its name, such
// as totalResultsCount, @odata.count, and release-count beside releases. In an object of any
// name, and without a word for all of them, each word must be about items.
func (l *looker) mayCount(path item.Path, depth int) bool {
	name := path[len(path)-1]
	isBare := strings.EqualFold(name, "count") || classOf(name).is(totalName)
	if isBare {
		return depth > 0 || l.beside(path, PageNames|OffsetNames|SizeNames)
	}
	all := words(name)
	isNone := func(word string) bool { return isMeasure(word) || isOtherWord(word) }
	if len(all) == 0 || slices.ContainsFunc(all, isNone) {
		return false
	}
	isAll := slices.ContainsFunc(all, func(word string) bool { return slices.Contains(allWords, word) })
	if isAll && !l.inAny {
		return true
	}
	isNumber := len(all) > 1 && slices.Contains(numberWords, all[0])
	isCount := isAll || isNumber || all[len(all)-1] == "count"
	isOther := func(word string) bool { return !slices.Contains(itemWords, word) && !l.isOfField(word) }
	return isCount && !slices.ContainsFunc(all, isOther)
}

// isOfField tells whether a word, or its plural, is one of the name of the items.
func (l *looker) isOfField(word string) bool {
	return slices.ContainsFunc(words(l.answer.Field), func(of string) bool {
		return strings.TrimSuffix(of, "s") == strings.TrimSuffix(word, "s")
	})
}

var (
	numberWords = strings.Fields("number num nb")
	// allWords say that a number is that of all.
	allWords = strings.Fields("total totals found matched matches hits pending")
	// itemWords say of what there is a number, and of no one thing.
	itemWords = strings.Fields(
		"total totals count found matched matches hits hit pending number num nb of all odata " +
			"search result results item items record records row rows entry entries element elements " +
			"object objects document documents")
)

// isMeasure tells whether a word is about something else than items: pages, sizes, calls, money.
func isMeasure(word string) bool { return slices.Contains(measureWords, word) }

var measureWords = strings.Fields(
	"page pages limit rate ratelimit quota quotas credit credits cost costs price amount sum value balance revenue " +
		"tax fee fees request requests call calls api remaining used available allowed bytes size length " +
		"latency duration elapsed took score weight distance version id ids year " +
		"view views like likes comment comments follower followers following share shares unread error errors warnings failed retry cache shards",
)

// TellingHeader tells whether a header may say by a word in its name that there is more.
func TellingHeader(name string) bool { return NextHeader(name) || countsAll(name) }

// countsAll tells whether a header may be the number of all items, and is none of those that
// are.
func countsAll(name string) bool {
	mayBe := strings.Contains(name, "otal") || strings.Contains(name, "ount")
	if !mayBe {
		return false
	}
	isKnown := slices.Contains(totalHeaders, name) || slices.Contains(pagesHeaders, name)
	return !isKnown && !slices.ContainsFunc(words(name), func(word string) bool {
		return !slices.Contains(itemWords, word) && !slices.Contains(headerWords, word)
	})
}

// headerWords stand beside itemWords in the names of headers.
var headerWords = strings.Fields("x pagination paging list query")
