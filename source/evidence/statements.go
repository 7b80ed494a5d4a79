// Package evidence is what an answer says besides its items, and what its items say:
// it sees and remembers. It knows no paging and no verdict: which request comes next,
// what ends a walk, and what speaks against that end is decided elsewhere.
package evidence

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// Signs lists what the answer says about what follows, and about itself.
func (a *Answer) Signs(reads Reads) []Sign {
	signs, _ := a.Heard(reads)
	return signs
}

// Heard is [Answer.Signs], and what else the answer says.
func (a *Answer) Heard(reads Reads) ([]Sign, Aside) {
	l := looker{reads: reads, answer: a}
	l.look()
	return l.signs, l.aside
}

// NoNext tells whether the answer has a place for a link to the next page, and none
// there.
func (a *Answer) NoNext() bool {
	_, aside := a.Heard(Reads{})
	return aside.NoNext != ""
}

// look looks at the whole answer.
func (l *looker) look() {
	a := l.answer
	if a.Array {
		for _, m := range a.Around {
			last := len(m.Path) - 1
			name, before := read(m.Path[last]), len(l.signs)
			l.member(&name, m.Path, m.Value, 0)
			if len(l.signs) == before && l.isMore(m.Value) {
				l.echoed(&name, m.Path, m.Value)
			}
		}
	}
	l.headers()
	if a.Status == http.StatusPartialContent {
		l.signs = append(l.signs, Sign{Says: Part, At: "the status", Value: jsontext.Value("206")})
	}
	if a.Status == http.StatusMultiStatus {
		l.signs = append(l.signs, Sign{Says: Partial, At: "the status", Value: jsontext.Value("207")})
	}
}

// member looks at a member of an object on the way to the items, or of one that deep.
func (l *looker) member(m *name, path item.Path, value jsontext.Value, depth int) {
	before := len(l.signs)
	l.says(m, path, value, depth)
	isElse := len(l.signs) == before
	kind := item.Kind(value)
	switch {
	case kind == '[':
		if l.list(path, value); isElse && len(l.signs) == before {
			l.loneObject(path, value, depth)
		}
		if isElse && len(l.signs) == before {
			l.pairs(m, path, value)
		}
	case kind == '{' && (m.isContainer() || m.isOfCounts() && l.repeatsPlace(value)):
		l.container(path, value, depth)
	case !isElse:
	case kind == '{':
		if depth > 0 {
			l.linkObject(path, value)
		}
		if len(l.signs) == before {
			l.object(m, path, value, depth)
		}
	case l.isCut(value):
		l.addPartial(path, value, true)
	default:
		l.onward(path, value, true)
	}
}

// says adds what a member itself says.
func (l *looker) says(m *name, path item.Path, value jsontext.Value, depth int) {
	before, ended := len(l.signs), len(l.aside.NoMore)
	l.flag(m, path, value)
	isFlag := len(l.signs) > before || len(l.aside.NoMore) > ended
	if isFlag {
		return
	}
	if l.partial(m, path, value, depth); len(l.signs) > before {
		return
	}
	kind := item.Kind(value)
	isText := kind == '"'
	switch {
	case isText && l.isFullState(m, value):
		l.add(More, path, value)
	case m.leadsOn():
		l.link(path, value)
	case kind == '{' && m.isLastKey():
		l.key(path, value)
	case isText && l.isCursor(m, path, value, depth), m.isLastID() && l.isLastItem(value):
		l.add(Cursor, path, value)
	case m.mayLead():
		l.wordLink(path, value)
	}
	if len(l.signs) == before {
		l.number(m, path, value, depth)
	}
}

// loneObject looks at the only element of a list beside the items, an object: as at one about paging, if it says where the page begins
// that was asked for.
func (l *looker) loneObject(path item.Path, list jsontext.Value, depth int) {
	object := onlyObject(list)
	if object != nil && depth < deepest && l.repeatsPlace(object) {
		l.members(below(path, "0"), object, depth)
	}
}

// isPageNumber tells whether the name is that of the number of a page, such as pageNo.
func (m *name) isPageNumber() bool {
	return m.n == 2 && m.has(pageWord) && (m.contains("no") || m.contains("number"))
}

// isOfCounts tells whether an object of that name has numbers of items, and of pages if it repeats where the page begins.
func (m *name) isOfCounts() bool { return m.has(sum|all) && m.only(sum|all|thing|small) }

// repeatsPlace tells whether an object has a number by which the answer was asked for, under the name of a place in the list.
func (l *looker) repeatsPlace(object jsontext.Value) bool {
	for quoted, value := range item.Members(object) {
		m := read(quoted)
		n, ok := item.Integer(value)
		isPlace := ok && (m.isPageNumber() || m.has(token|spot|pageWord) && m.only(token|spot|pageWord|begin))
		if isPlace && slices.Contains(l.askedNumbers(), n) {
			return true
		}
	}
	return false
}

// container looks at the members of an object about paging.
func (l *looker) container(path item.Path, value jsontext.Value, depth int) {
	isOfEach := Normal(path[len(path)-1]) == "cursors" && leadsBothWays(value)
	if depth < deepest && !isOfEach {
		l.members(path, value, depth)
	}
}

// members looks at the members of an object that may say something.
func (l *looker) members(path item.Path, object jsontext.Value, depth int) {
	for quoted, value := range item.Members(object) {
		m, before := read(quoted), len(l.signs)
		isSaying := m.maySay(value)
		isMore := l.isMore(value)
		if !isSaying && !isMore {
			continue
		}
		at := below(path, item.Unquote(quoted))
		if isSaying {
			l.member(&m, at, value, depth+1)
		}
		if isMore && len(l.signs) == before {
			l.echoed(&m, at, value)
		}
	}
}

// maySay tells whether a member may say something, by its name and its kind of value.
func (m *name) maySay(value []byte) bool {
	switch item.Kind(value) {
	case '{':
		return true
	case '0':
		return m.has(noticed | thing)
	case '"', '[':
		return m.has(noticed) || Telling(value)
	}
	return m.has(noticed)
}

// leadsBothWays tells whether cursors lead back and on: then they are those of the first and
// the last item of the page, which the last page has, too.
func leadsBothWays(cursors jsontext.Value) bool {
	back, on := item.Lookup(cursors, item.Path{"before"}), item.Lookup(cursors, item.Path{"after"})
	return Leads(back) && Leads(on)
}

// object looks at the members of a small object of any name.
func (l *looker) object(m *name, path item.Path, value jsontext.Value, depth int) {
	isElse := depth >= deepest || !isSmall(value)
	if isElse || isResource(value) {
		return
	}
	inAny, inOther, foreign := l.inAny, l.inOther, l.foreign
	const known = pageWord | linkWord | token | box | whole | thing | small | next | all | sum | spot
	isEcho := m.has(echo) && !l.countsReturned(value)
	isKnown := !isEcho && m.onlyOr(known|echo, l)
	isWhole := isKnown && m.only(known)
	l.inAny, l.inOther, l.foreign = true, inOther || !isWhole, foreign || !isKnown
	if isEcho {
		l.shards(m, path, value)
	} else {
		l.members(path, value, depth)
	}
	l.inAny, l.inOther, l.foreign = inAny, inOther, foreign
}

// countsReturned tells whether an object has the number of items of the page under a name that says that these were returned: then
// it is about the answer, and not about the request.
func (l *looker) countsReturned(object jsontext.Value) bool {
	for quoted, value := range item.Members(object) {
		m := read(quoted)
		n, ok := item.Integer(value)
		if ok && n == int64(l.answer.Items) && n > 0 && m.contains("returned") && m.has(thing|sum) {
			return true
		}
	}
	return false
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

// key looks at the last key that was read, which the next request begins after.
func (l *looker) key(path item.Path, value jsontext.Value) {
	if item.True(value) {
		l.add(Link, path, value)
	}
}

// isLastKey tells whether the name is that of the last key that was read.
func (m *name) isLastKey() bool { return m.contains("evaluated") && m.contains("key") }

// isLastID tells whether the name says that it is the key of the last item, as in lastId.
func (m *name) isLastID() bool {
	return m.contains("last") && (m.contains("id") || m.contains("key")) && m.only(end|spot|pageWord|thing|small)
}

// isLastItem tells whether a value is the key of the last of several items. Where nobody has looked for keys, any text may be.
func (l *looker) isLastItem(value jsontext.Value) bool {
	if l.answer.Items < 2 || !isIdentifier(value) || !Leads(value) {
		return false
	}
	if len(l.answer.Keys) == 0 {
		_, isNumber := item.DecimalOf(value)
		return !isNumber && !l.wasSent(value)
	}
	hash := Hash(value)
	return slices.ContainsFunc(l.answer.Keys, func(c KeyColumn) bool {
		return len(c.Hashes) > 0 && c.Hashes[len(c.Hashes)-1] == hash
	})
}

// isCursor tells whether a text may be a cursor. At the top a member after is one only beside
// before, and a number is none.
func (l *looker) isCursor(m *name, path item.Path, value jsontext.Value, depth int) bool {
	const others = token | pageWord | linkWord | spot | thing | small
	isNamed := m.has(token) && !m.has(back|begin|elsewhere) && m.only(others)
	if !isNamed || l.inAny || !Leads(value) {
		return false
	}
	if bytes.IndexByte(value, ' ') >= 0 || l.wasSent(value) {
		return false
	}
	isBareAfter := depth == 0 && m.is("after")
	if isBareAfter && !l.sibling(path, func(n name, _ string) bool { return n.is("before") }) {
		return false
	}
	_, isNumber := item.DecimalOf(value)
	return !isNumber
}

// noticed are words by which a member beside the items is wanted.
const noticed = next | more | bound | end | part | broken | all | sum | pageWord | token | linkWord |
	sizeWord | left | fail | state | done | inexact

// Notable tells whether a member beside the items is wanted as [Answer.Around].
func Notable(quoted []byte) bool {
	m := read(quoted)
	if m.isThing() {
		return m.has(state) || isErrorName(quoted)
	}
	const alone = PageNames | OffsetNames | SizeNames
	isBox := m.has(box) && m.isContainer()
	isOfAll := m.isCeiling() && classOf(quoted) == 0
	isWanted := isOfAll || m.has(noticed&^(sizeWord|linkWord)) || m.is("links") || m.is("link") || m.is("urls")
	return isBox || isWanted || m.saysFirst() || m.saysBefore() || m.is("before") || classOf(quoted)&^alone != 0 || isErrorName(quoted)
}

// A Finding is something in an answer that says how it is paged, or what is wrong
// with it.
type Finding struct {
	// Kind is such as more, next page, total, rate limit.
	Kind string `json:"kind"`
	// At is a path in the response, or the name of a header.
	At string `json:"at"`
	// Value is for people: compact JSON, or the text of a header; it may be secret.
	Value string `json:"value"`
	// Used: the pagination reads it.
	Used bool `json:"used,omitempty"`
}

// Findings lists what the answer says, in its order; headers come last.
func (a *Answer) Findings(reads Reads) []Finding {
	var all []Finding
	for _, s := range a.Signs(reads) {
		all = append(all, s.finding(reads))
	}
	if bad := Complaint(a.Around); bad != nil {
		all = append(all, Finding{Kind: "error", At: bad.Path.String(), Value: string(bad.Value)})
	}
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if strings.Contains(Normal(name), "ratelimit") || name == "Retry-After" {
			value := strings.Join(a.Header[name], ", ")
			all = append(all, Finding{Kind: "rate limit", At: name, Value: value})
		}
	}
	return all
}

func (s *Sign) finding(reads Reads) Finding {
	f := Finding{Kind: string(s.Says), At: s.At, Value: string(s.Value), Used: s.Own}
	if s.Path == nil {
		f.Value, _ = item.Text(s.Value)
	} else {
		f.Used = s.Own || reads.uses(s.At)
	}
	return f
}
