package evidence

import (
	"strings"
	"unicode"
)

// A word is what a word in the name of a member or header may mean: bits.
type word uint32

const (
	next word = 1 << iota
	more
	has
	// bound says that a limit was met.
	bound
	no
	// end says that nothing follows.
	end
	part
	// broken is part with off behind it, as in timed out.
	broken
	off
	// all counts all items.
	all
	// sum counts something.
	sum
	// thing is what an item may be called.
	thing
	// box is what stands around the paging.
	box
	// whole is of the answer as a whole.
	whole
	pageWord
	linkWord
	// token leads on from where the page ends.
	token
	// spot is a place in the list.
	spot
	begin
	back
	sizeWord
	left
	// elsewhere is about time or about changes, or is for people.
	elsewhere
	// echo is about the request, or about something else than a page.
	echo
	fail
	state
	// done counts what has been searched.
	done
	inexact
	note
	// astray leads to no later page of this list.
	astray
	// small has no meaning of its own.
	small
)

// wordKinds are the words that matter, without case. A word may be of several kinds.
//
//nolint:gosec // no credentials
var wordKinds = mergedWords(map[word]string{
	next:   "next continue continuation",
	more:   "more additional",
	has:    "has have is are",
	bound:  "truncated exceeded reached",
	no:     "no not",
	end:    "last done end eof final complete completed finished exhausted",
	part:   "partial incomplete limited capped degraded",
	broken: "timed terminated",
	off:    "out early",
	all:    "total totals found matched matches hits",
	sum:    "count counts number num nb",
	thing: "search result results item items record records row rows entry entries element elements " +
		"data object objects document documents hit hits stream sets set list",
	box: "info context meta metadata additional response result list data",
	whole: "attr attrs attributes properties props summary result results response answer output payload body " +
		"envelope head header headers collection set resultset list search data navigation nav content odata root " +
		"feed channel transfer stats status state api opensearch query",
	pageWord: "page pages paging pagination paginator pager",
	linkWord: "url urls uri uris link links href hrefs",
	token:    "cursor cursors after token marker bookmark continuation scroll position resumption offset evaluated",
	spot:     "start skip range key keys index id param offset from to forward ref path batch",
	begin:    "start starting startat begin beginning",
	back:     "prev previous back backward backwards before first self current this",
	sizeWord: "max maximum limit per size length len top",
	left:     "remaining left omitted pending",
	elsewhere: "time times timestamp datetime date dates day days week month quarter year hour hours minute minutes " +
		"second seconds ms at in due schedule scheduled run runs execution executions interval wait " +
		"sync delta update updates refresh poll polling retry retries attempt check checks reset rate ratelimit " +
		"renewal renew billing bill payment payout expiry expiration " +
		"back backward backwards before prev previous action actions step steps hint tip",
	echo: "request params parameters query filter filters arguments args input variables config settings " +
		"rate ratelimit limits quota usage user account credits cost throttle extensions " +
		"facets facet aggregations aggs buckets stats statistics histogram shards " +
		"auth csrf xsrf trace etag session login cookie cache",
	fail:    "failed failures failure unreachable warnings warning errors error exception exceptions",
	state:   "status state",
	done:    "complete completed searched progress",
	astray:  "canonical alternate parent home future newer latest export download up changes delta sync refresh",
	inexact: "exact estimate estimated approximate approximately approx accurate lower",
	note:    "message messages msg note notes notice notices notification notifications warning warnings hint hints info information detail details reason remark text",
	small: "of in the to come is are was be by all available there exists value x odata showing shown displaying " +
		"potentially possibly probably maybe",
})

func mergedWords(kinds map[word]string) map[string]word {
	merged := map[string]word{}
	for kind, list := range kinds {
		for w := range strings.FieldsSeq(list) {
			merged[w] |= kind
		}
	}
	return merged
}

// nameLimit is the length of the longest name that is looked at, and mostWords how many words
// it may have.
const (
	nameLimit = 40
	mostWords = 8
)

// A name is the words of the name of a member or header, in lower case. The zero name has none.
type name struct {
	text  [nameLimit]byte
	from  [mostWords]uint8
	to    [mostWords]uint8
	kinds [mostWords]word
	n     int
}

// read splits a name, which may be quoted, into its words: camelCase, snake_case, kebab-case,
// @odata.nextLink, and nextpage by the words that are known. A name that is too long has none.
func read[T string | []byte](text T) (m name) {
	if len(text) > nameLimit {
		return name{}
	}
	for i := range len(text) {
		c := text[i]
		if isUpper(c) {
			c += 'a' - 'A'
		}
		m.text[i] = c
	}
	for first := 0; first < len(text); {
		end := wordEnd(text, first)
		if isLetter(text[first]) && !m.run(first, end) {
			return name{}
		}
		first = end
	}
	return m
}

// run adds the letters that stand there without a break: one word, or the known ones that they
// are made of. It tells whether there is room.
func (m *name) run(from, to int) bool {
	kinds := wordKinds[string(m.text[from:to])]
	before := m.n
	if kinds != 0 || !m.pieces(from, to) {
		m.n = before
		return m.add(from, to, kinds)
	}
	return true
}

// shortest and longestWord bound the known words.
const (
	shortest    = 2
	longestWord = 13
)

// pieces adds the known words that letters are made of, the longest first; false: they are not.
func (m *name) pieces(from, to int) bool {
	if from == to {
		return true
	}
	before := m.n
	for middle := min(to, from+longestWord); middle >= from+shortest; middle-- {
		kinds := wordKinds[string(m.text[from:middle])]
		if kinds == 0 || !m.add(from, middle, kinds) {
			continue
		}
		if m.pieces(middle, to) {
			return true
		}
		m.n = before
	}
	return false
}

func (m *name) add(from, to int, kinds word) bool {
	if m.n == mostWords {
		return false
	}
	m.from[m.n], m.to[m.n], m.kinds[m.n] = uint8(from), uint8(to), kinds
	m.n++
	return true
}

// word is the i-th word.
func (m *name) word(i int) []byte { return m.text[m.from[i]:m.to[i]] }

// is tells whether the name is that one word.
func (m *name) is(word string) bool { return m.n == 1 && string(m.word(0)) == word }

// contains tells whether it has the word.
func (m *name) contains(word string) bool {
	for i := range m.n {
		if string(m.word(i)) == word {
			return true
		}
	}
	return false
}

// has tells whether one of the words is of one of the kinds.
func (m *name) has(kinds word) bool {
	for _, k := range m.kinds[:m.n] {
		if k&kinds != 0 {
			return true
		}
	}
	return false
}

// only tells whether each word is of one of the kinds.
func (m *name) only(kinds word) bool {
	for _, k := range m.kinds[:m.n] {
		if k&kinds == 0 {
			return false
		}
	}
	return m.n > 0
}

// known drops the unknown words in front, which in a header say whose it is.
func (m *name) known() {
	i := 0
	for i < m.n && m.kinds[i] == 0 {
		i++
	}
	m.drop(i)
}

// drop drops the first words.
func (m *name) drop(i int) {
	copy(m.from[:], m.from[i:m.n])
	copy(m.to[:], m.to[i:m.n])
	copy(m.kinds[:], m.kinds[i:m.n])
	m.n -= i
}

// wordEnd is where the word ends, or what stands between words, that begins at first.
func wordEnd[T string | []byte](text T, first int) int {
	end := first + 1
	for end < len(text) && !breaks(text, end) {
		end++
	}
	return end
}

// breaks tells whether a word, or what stands between words, begins at i.
func breaks[T string | []byte](name T, i int) bool {
	last, this := name[i-1], name[i]
	if isLetter(last) != isLetter(this) {
		return true
	}
	if !isUpper(this) {
		return false
	}
	// The last of several capitals begins a word: URLNext.
	isBeforeLower := i+1 < len(name) && isLetter(name[i+1]) && !isUpper(name[i+1])
	return !isUpper(last) || isBeforeLower
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isLetter(c byte) bool { return c >= 0x80 || unicode.IsLetter(rune(c)) }

// isContainer tells whether an object of that name is one about paging.
func (m *name) isContainer() bool {
	return m.has(pageWord|linkWord|token|box) && !m.isThing() && m.only(pageWord|linkWord|token|box)
}

// isThing tells whether the name may be that of the items themselves.
func (m *name) isThing() bool { return m.only(thing | whole | small) }

// onlyOr tells whether each word is of one of the kinds, or a noun.
func (m *name) onlyOr(kinds word, of *looker) bool {
	for i, k := range m.kinds[:m.n] {
		if k&kinds == 0 && !of.isNoun(m.word(i)) {
			return false
		}
	}
	return m.n > 0
}
