// Package evidence is what an answer says besides its items, and what its items say:
// it sees and remembers. It knows no paging and no verdict: which request comes next,
// what ends a walk, and what speaks against that end is decided elsewhere.
package evidence

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Sign is a statement: a place beside the items, or in a header, that tells whether there is
// more, by the words of its name and by its value.
type Sign struct {
	Says Says
	// At is a path such as paging.next, or the name of a header.
	At string
	// Value is compact JSON, which may hold a secret, and may be cut.
	Value jsontext.Value
	// Own: the method, or a stop condition on a number of items, reads it, so it is
	// no evidence.
	Own bool
	// Total is the number that it says, such as a Total or Pages.
	Total int64

	// Path is nil in a header, and for what does not stand so in the answer.
	Path item.Path
	// Where is, for an element of a list of links, the condition that it is the one.
	Where string
	// Follow is the pagination that may follow the answer, as JSON; empty if none is
	// known. Tried: it does; without Follow that ways were tried of which none does.
	Follow string
	Tried  bool
	// Cure says what else to do; empty: Follow, or nothing more, is known.
	Cure string

	// least: there may be more than Total.
	least bool
	// weak: it counts as a total only since the page may be full.
	weak bool
	// note: it is text for people.
	note bool
	// odd: the number is no JSON number and no text of digits, so no option can read it.
	odd bool
	// vague: what stands beside the number, or its name, says that it is inexact.
	vague bool
	// of: the number is said beside that of the page, as in 1-7 of 82.
	of bool
	// loose: it stands in an object that is neither about paging nor about the answer as a whole by its name.
	loose bool
	// inHeader: it stands in a header, or in the JSON that one has.
	inHeader bool
}

// Says is what a sign says.
type Says string

// What signs say.
const (
	// More is a flag: there is more.
	More Says = "more"
	// NoMore is a flag: there is no more.
	NoMore Says = "no more"
	// Link is what leads to the next page.
	Link Says = "next page"
	// Cursor is one that some APIs also give at the end.
	Cursor Says = "cursor"
	// Onward is an address of the list itself that asks for a later page.
	Onward Says = "another page"
	// Total is how many items there are.
	Total Says = "total"
	// Pages is how many pages there are.
	Pages Says = "number of pages"
	// Part is the status of an answer that has not all of the list.
	Part Says = "part of a list"
	// Hint is what may say that there is more: a flag by a word in its name, or a flag or a
	// number of pages in an object of any name.
	Hint Says = "hint of more"
	// Guessed may be how many items there are: by a word in its name, or in an object of any
	// name.
	Guessed Says = "number"
	// Left is how many items, or pages, are left.
	Left Says = "left"
	// Partial is what says that the answer is not whole.
	Partial Says = "partial"
	// Size is how many items a page has; only [Answer.Statements] has it.
	Size Says = "size of a page"
)

// Dotted tells whether an option can name the path of the sign by its steps.
func (s *Sign) Dotted() bool { return !s.odd && dotted(s.Path) }

// NoMoreFlag tells whether the sign is a flag whose name says that there is no more.
func (s *Sign) NoMoreFlag() bool {
	m := read(s.Path[len(s.Path)-1])
	return m.has(no) != (m.has(end) && !m.has(more|next))
}

// Named tells whether an option can name where the sign stands.
func (s *Sign) Named() bool {
	if s.Where != "" {
		list := len(s.Path) - 2
		return dotted(s.Path[:list]) && !strings.Contains(s.Path[list+1], ".")
	}
	if s.Path == nil {
		return s.InHeader()
	}
	return s.Dotted()
}

// dotted tells whether an option can name a path: no index in a list, whose order
// may change, no dot.
func dotted(path item.Path) bool {
	if len(path) <= 1 {
		return len(path) == 1
	}
	// What describes the items stands first in an envelope that is an array.
	if path[0] == "0" {
		path = path[1:]
	}
	return !slices.ContainsFunc(path, func(step string) bool {
		_, err := strconv.Atoi(step)
		isIndex := err == nil || step == "*"
		return isIndex || strings.Contains(step, ".")
	})
}

// Read is the path by which a condition looks at the sign.
func (s *Sign) Read() item.Path {
	if s.InHeader() {
		return HeaderPath(s.At)
	}
	return s.Path
}

// Inexact tells whether the number is only a lower bound.
func (s *Sign) Inexact() bool { return s.least }

// Vague tells whether the number is said to be inexact.
func (s *Sign) Vague() bool { return s.vague }

// Loose tells whether the number stands in an object of a name that says nothing of the list or of the answer.
func (s *Sign) Loose() bool { return s.loose }

// Weak tells whether the number counts as a total only since the page may be full.
func (s *Sign) Weak() bool { return s.weak }

// OfAll tells whether the number is none of the page, also where it is just as great: it is said beside that of the page, as in
// 1-7 of 82, or it stands in a header, where nobody counts what the body has.
func (s *Sign) OfAll() bool { return s.of || s.inHeader }

// Signs lists what the answer says about what follows, and about itself.
func (a *Answer) Signs(reads Reads) []Sign {
	signs, _ := a.Heard(reads)
	return signs
}

// Aside is what an answer says that is no sign by itself; empty: it does not.
type Aside struct {
	// NoNext is a place for a link to the next page where there is none, and NoLeft one that says that nothing is left.
	NoNext, NoLeft string
	// NoMore are flags in objects of any name that say that there is no more.
	NoMore []string
	// Full is where the answer says how many items a page has, if that is as many as it has itself.
	Full string
	// Most is how many results the answer says are shown at most, at Ceiling.
	Ceiling string
	Most    int64
	// Echoed are numbers beside the size and the position that were asked for.
	Echoed []Echoed
	// Bare is a number called total or count, at BareAt, which may be any number where the page is not full.
	BareAt string
	Bare   int64
}

// Heard is [Answer.Signs], and what else the answer says.
func (a *Answer) Heard(reads Reads) ([]Sign, Aside) {
	l := looker{reads: reads, answer: a}
	l.look()
	return l.signs, l.aside
}

// Statements lists all that the answer says: [Answer.Signs], and the sizes of pages.
func (a *Answer) Statements(reads Reads) []Sign {
	l := looker{reads: reads, answer: a, sizes: true}
	l.look()
	return l.signs
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

// looker looks for signs in one answer.
type looker struct {
	reads  Reads
	answer *Answer
	signs  []Sign
	// sizes: those of pages are wanted.
	sizes bool
	// aside is what is no sign.
	aside Aside
	// at is what address returned.
	at string
	// path is what endpoint returned, if hasPath.
	path    string
	hasPath bool
	// inAny: what is looked at stands in an object that is none about paging by its name.
	inAny bool
	// inOther: nor is that object about the answer as a whole by its name, as results and header are.
	inOther bool
	// foreign: that object, or one around it, has a name with a noun of its own.
	foreign bool
	// numbers are what the parameters of the address are, if hasNumbers.
	numbers    []int64
	hasNumbers bool
	// header is the one whose JSON, an object, is looked at; empty: none is.
	header       string
	headerObject []byte
}

// address is the one that was asked for, which is made once.
func (l *looker) address() string {
	if l.at == "" {
		l.at = l.answer.Address()
	}
	return l.at
}

// inAny is what a sign says in an object whose name says nothing; not there: nothing.
var inAny = map[Says]Says{
	More: Hint, Link: Cursor, Cursor: Cursor, Onward: Onward, Hint: Hint, Guessed: Guessed,
	Left: Left, Partial: Partial, Size: Size,
}

func (l *looker) add(says Says, path item.Path, value jsontext.Value) {
	isOfAll := says == Total && !l.inOther
	if l.inAny && !isOfAll {
		if says == NoMore {
			l.aside.NoMore = append(l.aside.NoMore, l.place(path))
		}
		says = inAny[says]
		if says == "" {
			return
		}
	}
	s := Sign{Says: says, At: l.place(path), Value: value, Path: path, Own: l.reads.has(path), loose: l.inOther}
	if l.header != "" || IsHeader(path) {
		s.Path, s.inHeader = nil, true
	}
	l.signs = append(l.signs, s)
}

// place is where something stands, as [Sign.At] has it.
func (l *looker) place(path item.Path) string {
	switch {
	case l.header != "":
		return l.header + " " + path.String()
	case IsHeader(path):
		return path[1]
	}
	return path.String()
}

// below is the path of a member, or an element, of what is at a path.
func below(path item.Path, name string) item.Path {
	return append(slices.Clip(path), name)
}

// deepest is how many objects there may be around a member that is looked at.
const deepest = 3

// member looks at a member of an object on the way to the items, or of one that deep.
func (l *looker) member(m *name, path item.Path, value jsontext.Value, depth int) {
	before := len(l.signs)
	l.says(m, path, value, depth)
	isElse := len(l.signs) == before
	kind := item.Kind(value)
	switch {
	case kind == '[':
		l.list(path, value)
	case kind == '{' && m.isContainer():
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
		l.add(Partial, path, value)
		l.signs[len(l.signs)-1].note = true
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

// isContainer tells whether an object of that name is one about paging.
func (m *name) isContainer() bool {
	return m.has(pageWord|linkWord|token|box) && !m.isThing() && m.only(pageWord|linkWord|token|box)
}

// isThing tells whether the name may be that of the items themselves.
func (m *name) isThing() bool { return m.only(thing | whole | small) }

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
	return leads(back) && leads(on)
}

// objectLimit is the length of the longest object of any name that is looked at.
const objectLimit = 8 << 10

func isSmall(object []byte) bool { return len(object) <= objectLimit }

// object looks at the members of a small object of any name.
func (l *looker) object(m *name, path item.Path, value jsontext.Value, depth int) {
	isElse := depth >= deepest || !isSmall(value)
	if isElse || isResource(value) {
		return
	}
	inAny, inOther, foreign := l.inAny, l.inOther, l.foreign
	const known = pageWord | linkWord | token | box | whole | thing | small | next | all | spot
	isKnown := !m.has(echo) && m.onlyOr(known, l)
	isWhole := isKnown && m.only(known)
	l.inAny, l.inOther, l.foreign = true, inOther || !isWhole, foreign || !isKnown
	if m.has(echo) {
		l.shards(m, path, value)
	} else {
		l.members(path, value, depth)
	}
	l.inAny, l.inOther, l.foreign = inAny, inOther, foreign
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
	if l.answer.Items < 2 || !isIdentifier(value) || !leads(value) {
		return false
	}
	if len(l.answer.Keys) == 0 {
		_, isNumber := item.DecimalOf(value)
		return !isNumber && !l.wasSent(value)
	}
	hash := Hash(value)
	return slices.ContainsFunc(l.answer.Keys, func(c Column) bool {
		return len(c.Hashes) > 0 && c.Hashes[len(c.Hashes)-1] == hash
	})
}

// isCursor tells whether a text may be a cursor. At the top a member after is one only beside
// before, and a number is none.
func (l *looker) isCursor(m *name, path item.Path, value jsontext.Value, depth int) bool {
	const others = token | pageWord | linkWord | spot | thing | small
	isNamed := m.has(token) && !m.has(back|begin|elsewhere) && m.only(others)
	if !isNamed || l.inAny || !leads(value) {
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

// LeadsOn tells whether a member leads on by its name.
func LeadsOn(text string) bool {
	m := read(text)
	return m.leadsOn()
}
