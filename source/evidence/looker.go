package evidence

import (
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// looker looks for signs in one answer.
type looker struct {
	reads  Reads
	answer *Answer
	signs  []Sign
	// aside is what is no sign.
	aside Aside
	// at is the address that was asked for, and params its parameters, if hasAt.
	at     *url.URL
	params url.Values
	hasAt  bool
	// inAny: what is looked at stands in an object that is none about paging by its name.
	inAny bool
	// inOther: nor is that object about the answer as a whole by its name, as results and header are.
	inOther bool
	// foreign: that object, or one around it, has a name with a noun of its own.
	foreign bool
	// numbers are what askedNumbers returned, if hasNumbers.
	numbers    []int64
	hasNumbers bool
	// header is the one whose JSON, an object, is looked at; empty: none is.
	header       string
	headerObject []byte
}

// address is the one that was asked for, which is read once; nil: it is not known.
func (l *looker) address() *url.URL {
	if l.hasAt {
		return l.at
	}
	l.hasAt = true
	text := l.answer.Address()
	at, err := url.Parse(text)
	if text == "" || err != nil {
		return nil
	}
	l.at, l.params = at, at.Query()
	return at
}

// query has the parameters of the address.
func (l *looker) query() url.Values {
	l.address()
	return l.params
}

// linked is the address that a text is, which may be relative; nil: it is none, or that of the answer is not known.
func (l *looker) linked(text string) *url.URL {
	asked := l.address()
	if asked == nil {
		return nil
	}
	to, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil:
		return nil
	case to.IsAbs():
		return to
	}
	return asked.ResolveReference(to)
}

// inAny is what a sign says in an object whose name says nothing; not there: nothing.
var inAny = map[Says]Says{
	More: Hint, Pages: Hint, Link: Cursor, Cursor: Cursor, Onward: Onward, Hint: Hint, Guessed: Guessed,
	Left: Left, Partial: Partial,
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
	s := Sign{Says: says, At: l.place(path), Value: value, Path: path, Own: l.reads.has(path), Loose: l.inOther}
	if l.header != "" || IsHeader(path) {
		s.Path, s.inHeader = nil, true
	}
	l.signs = append(l.signs, s)
}

// addNumber adds what a number says, of a kind that counts in an object of any name, too.
func (l *looker) addNumber(says Says, path item.Path, value jsontext.Value, q quantity) *Sign {
	l.add(says, path, value)
	sign := &l.signs[len(l.signs)-1]
	sign.Total, sign.odd = q.n, !q.plain
	return sign
}

// addPartial adds what says that the answer is not whole, be it text for people.
func (l *looker) addPartial(path item.Path, value jsontext.Value, isNote bool) {
	l.add(Partial, path, value)
	l.signs[len(l.signs)-1].note = isNote
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

// objectLimit is the length of the longest object of any name that is looked at.
const objectLimit = 8 << 10

func isSmall(object []byte) bool { return len(object) <= objectLimit }

// isNoun tells whether a word, or its singular or plural, is one of the items: of dataField, or of
// the endpoint. No looker knows none.
func (l *looker) isNoun(word []byte) bool {
	if l == nil {
		return false
	}
	return hasWordOf(l.answer.Field, word) || hasWordOf(l.endpoint(), word)
}

// endpoint is the path that was asked for.
func (l *looker) endpoint() string {
	if at := l.address(); at != nil {
		return at.Path
	}
	return ""
}

// hasWordOf tells whether a text has the word, or its singular or plural.
func hasWordOf(text string, word []byte) bool {
	for first := 0; first < len(text); {
		end := wordEnd(text, first)
		if isLetter(text[first]) && sameNoun(strings.ToLower(text[first:end]), string(word)) {
			return true
		}
		first = end
	}
	return false
}

func sameNoun(a, b string) bool { return a == b || isPlural(a, b) || isPlural(b, a) }

// sibling tells whether one of the members beside the one at path has such a name.
func (l *looker) sibling(path item.Path, is func(m name, text string) bool) bool {
	found := false
	l.eachSibling(path, func(text string, _ []byte) bool {
		m := read(text)
		found = is(m, text)
		return !found
	})
	return found
}

// eachSibling goes through the members of the object that has the one at path, that one left out.
func (l *looker) eachSibling(path item.Path, look func(text string, value []byte) bool) {
	if len(path) == 0 || IsHeader(path) {
		return
	}
	object, own := path[:len(path)-1], path[len(path)-1]
	if l.header != "" {
		lookBeside(item.Lookup(l.headerObject, object), own, look)
		return
	}
	for _, o := range l.answer.Around {
		above := o.Path[:len(o.Path)-1]
		if slices.Equal(above, object) {
			text := o.Path[len(above)]
			if text != own && !look(text, o.Value) {
				return
			}
			continue
		}
		isAbove := len(o.Path) <= len(object) && slices.Equal(o.Path, object[:len(o.Path)])
		if !isAbove {
			continue
		}
		if !lookBeside(item.Lookup(o.Value, object[len(o.Path):]), own, look) {
			return
		}
	}
}

// lookBeside goes through the other members of an object, as long as look says so.
func lookBeside(object []byte, own string, look func(text string, value []byte) bool) bool {
	for quoted, value := range item.Members(object) {
		text := item.Unquote(quoted)
		if text != own && !look(text, value) {
			return false
		}
	}
	return true
}

// wasSent tells whether a text is the value of a parameter of the request.
func (l *looker) wasSent(value jsontext.Value) bool {
	text, _ := item.Text(value)
	for _, values := range l.query() {
		if slices.Contains(values, text) {
			return true
		}
	}
	return false
}

// ownAddress tells whether a link leads to the page that it stands in.
func (l *looker) ownAddress(link string) bool {
	if !strings.ContainsAny(link, "/?") {
		return false
	}
	to := l.linked(link)
	return to != nil && samePage(l.address(), to)
}

// samePage tells whether both addresses are the same but for their fragments and the
// order of their parameters.
func samePage(a, b *url.URL) bool {
	if a.Scheme != b.Scheme || a.Host != b.Host {
		return false
	}
	return a.EscapedPath() == b.EscapedPath() && a.Query().Encode() == b.Query().Encode()
}

// onlyObject is the only element of a list if that is an object, else nil.
func onlyObject(list jsontext.Value) (only jsontext.Value) {
	if !isSmall(list) {
		return nil
	}
	for one := range item.Elements(list) {
		if only != nil || item.Kind(one) != '{' {
			return nil
		}
		only = one
	}
	return only
}
