package evidence

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// partial looks at what says that the answer is not whole, but for a flag.
func (l *looker) partial(m *name, path item.Path, value jsontext.Value, depth int) {
	if l.foreign || !m.has(state|fail|done|note|part|broken) {
		return
	}
	kind := item.Kind(value)
	switch {
	case kind == '"' && l.isPartialState(m, value),
		m.has(fail) && l.hasFailed(m, path, value, depth),
		isShareOfAll(m, value):
		l.addPartial(path, value, m.has(fail) && m.isWarning())
	case (kind == '"' || kind == '[') && m.isNote():
		l.note(path, value)
	}
}

// note looks at text for people: that the answer is not whole, or how many items there are beside those that it has.
func (l *looker) note(path item.Path, value jsontext.Value) {
	if saysPartial(value) {
		l.addPartial(path, value, true)
		return
	}
	if rest, ok := furtherIn(value); ok && rest > 0 {
		l.addNumber(Left, path, value, quantity{n: rest})
	}
}

// tellsOfRest tells whether a text for people says that not all is there.
func tellsOfRest(text []byte) bool {
	_, isRest := furtherIn(text)
	return isRest || saysPartial(text)
}

// isWarning tells whether what is called so is text for people.
func (m *name) isWarning() bool { return m.contains("warnings") || m.contains("warning") }

// isPartialState tells whether a status says that the answer is not whole, and is not the one
// that was asked for.
func (l *looker) isPartialState(m *name, value jsontext.Value) bool {
	if !m.has(state) || !m.only(state|thing|whole|small|pageWord|has) {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(item.Unquote(value)))
	isState := slices.Contains(partialStates, text) || endsPartial(text) || isNotDone(text)
	return isState && !l.wasSent(value)
}

// endsPartial tells whether the last of the words of a state, which is written as a constant is, says that the answer is not whole.
func endsPartial(text string) bool {
	at := strings.LastIndexAny(text, "_-")
	return at > 0 && len(text) <= longestState && isOneOf([]byte(text[at+1:]), cutWords)
}

// isNotDone tells whether a state of several words, which is written as a constant is, ends in what was not done.
func isNotDone(text string) bool {
	_, done, isNot := strings.Cut(strings.ReplaceAll(text, "-", "_"), "not_")
	return isNot && isOneOf([]byte(done), doneWords)
}

var doneWords = bytes.Fields([]byte("processed complete completed finished executed ready"))

// longestState is how long a state of several words is at most.
const longestState = 64

var partialStates = []string{"pending", "running", "partial", "incomplete", "partial_success"}

// hasFailed tells whether something has failed: a list, object or text of that is not empty, or a
// number beside one of what was successful. What stands at the top as an error is told elsewhere.
func (l *looker) hasFailed(m *name, path item.Path, value jsontext.Value, depth int) bool {
	isError := m.contains("error") || m.contains("errors")
	isTold := isError && depth == 0
	if isTold || !m.onlyOr(fail|thing|whole|small|box|sum, l) {
		return false
	}
	if m.isWarning() {
		return saysPartial(value)
	}
	switch item.Kind(value) {
	case '[', '{':
		return item.True(value) && !isNone(value)
	case '"':
		isNumber := hasDigit(value) && len(value) <= longestQuantity
		return !isNumber && item.True(value) && !isNone(value)
	case '0':
		return item.True(value) && l.sibling(path, func(n name, _ string) bool { return n.is("successful") })
	}
	return false
}

// shards looks at an object that tells how many of several parts have answered.
func (l *looker) shards(m *name, path item.Path, value jsontext.Value) {
	if !m.contains("shards") {
		return
	}
	failed := item.Lookup(value, item.Path{"failed"})
	successful, hasSuccessful := item.Integer(item.Lookup(value, item.Path{"successful"}))
	total, hasTotal := item.Integer(item.Lookup(value, item.Path{"total"}))
	isBelow := hasSuccessful && hasTotal && successful < total
	switch {
	case item.Kind(failed) == '0' && item.True(failed):
		l.add(Partial, below(path, "failed"), failed)
	case isBelow:
		l.add(Partial, below(path, "successful"), item.Lookup(value, item.Path{"successful"}))
	}
}

// isShareOfAll tells whether a value is a share below 100 per cent of what is searched or
// complete.
func isShareOfAll(m *name, value []byte) bool {
	if !m.has(done) || len(value) > longestQuantity {
		return false
	}
	digits, isPercent := bytes.CutSuffix(bytes.Trim(value, `" `), []byte("%"))
	isNamed := m.contains("percent") || m.contains("percentage") || m.contains("pct")
	if !isPercent && !isNamed {
		return false
	}
	share, err := strconv.ParseFloat(string(bytes.TrimSpace(digits)), 64)
	return err == nil && share >= 0 && share < 100
}

// isCut tells whether a text is one word that says that the answer is not whole, whatever it is called, and not what was asked for.
func (l *looker) isCut(value jsontext.Value) bool {
	return !l.foreign && isCutWord(value) && !l.wasSent(value)
}

// isCutWord tells whether a text is one word of what is not whole.
func isCutWord(value []byte) bool {
	return item.Kind(value) == '"' && isOneOf(value[1:len(value)-1], cutWords)
}

var cutWords = bytes.Fields([]byte("partial incomplete truncated"))

// isNote tells whether a text of that name tells people something of the answer.
func (m *name) isNote() bool { return m.has(note) && m.only(note|thing|whole|small|box|state|part) }

// longestNote is the length of the longest text for people that is read.
const longestNote = 2 << 10

// saysPartial tells whether a text has a word of partial and one of what is listed.
func saysPartial(text []byte) bool {
	if len(text) > longestNote || bytes.IndexByte(text, ' ') < 0 {
		return false
	}
	before, _, couldNotBe := bytes.Cut(text, couldNot)
	isLater := couldNotBe && endsInSome(before) || hasAny(text, againPhrases) || someDidNotAnswer(text)
	if isLater {
		return true
	}
	isPartial := couldNotBe || hasAnyWord(text, partialWords) || hasAny(text, partialPhrases)
	return isPartial && hasAnyWord(text, listWords)
}

// furtherIn is how many items there are beside those of the answer, where a text says "37 additional results" or "5 more items".
func furtherIn(text []byte) (n int64, ok bool) {
	if len(text) > longestNote || !hasDigit(text) {
		return 0, false
	}
	words := bytes.Fields(text)
	for i := range max(len(words)-2, 0) {
		isFurther := isOneOf(words[i+1], furtherWords) && isOneOf(bytes.Trim(words[i+2], `".,;:)`), listWords)
		if !isFurther {
			continue
		}
		if n, ok = wholeNumber(bytes.TrimLeft(words[i], `"(`)); ok {
			return n, true
		}
	}
	return 0, false
}

// someDidNotAnswer tells whether a text says that some of those that were asked, whatever they are called, did not answer.
func someDidNotAnswer(text []byte) bool {
	return hasAny(text, silentPhrases) && hasAnyWord(text, someWords) && !hasAnyWord(text, partWords)
}

// hasAny tells whether a text has one of the phrases.
func hasAny(text []byte, phrases [][]byte) bool {
	return slices.ContainsFunc(phrases, func(phrase []byte) bool { return bytes.Contains(text, phrase) })
}

// endsInSome tells whether a text ends in some of what may be items, as in "some structures", whatever they are called.
func endsInSome(text []byte) bool {
	// More words are no noun with its adjectives.
	const words = 3
	for range words {
		text = bytes.TrimRight(text, " ")
		at := bytes.LastIndexByte(text, ' ') + 1
		// The text may begin with the word, as a value of a list or of an object.
		quote := bytes.LastIndexByte(text[at:], '"') + 1
		word := text[at+quote:]
		switch m := read(word); {
		case isOneOf(word, someWords):
			return true
		case m.has(echo), isOneOf(word, partWords), quote > 0:
			return false
		}
		text = text[:at]
	}
	return false
}

// couldNot begins what was not possible, such as to read some of the items.
var couldNot = []byte(" could not be ")

var (
	someWords = bytes.Fields([]byte("some several many"))
	// partWords are what an item, or an answer, has besides items.
	partWords    = bytes.Fields([]byte("field fields column columns value values member members property properties link links image images"))
	partialWords = bytes.Fields([]byte("partial partially incomplete truncated limited capped omitted trimmed degraded timeout timed-out"))
	furtherWords = bytes.Fields([]byte("more additional further remaining other"))
	listWords    = bytes.Fields([]byte("result results record records row rows item items list query search"))
	// partialPhrases say that a query did not come to its end, againPhrases that the answer is none yet, or one of less than was asked for.
	partialPhrases = [][]byte{[]byte(" timed out"), []byte(" out of memory")}
	silentPhrases  = [][]byte{[]byte("o response"), []byte(" not respond"), []byte(" not answer")}
	againPhrases   = [][]byte{[]byte("ry again later"), []byte(" range has been reduced")}
)

// hasAnyWord tells whether a text has one of the words, as a whole, in any case.
func hasAnyWord(text []byte, words [][]byte) bool {
	first := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (isLetter(text[i]) || text[i] == '-') {
			if first < 0 {
				first = i
			}
			continue
		}
		if first >= 0 && isOneOf(text[first:i], words) {
			return true
		}
		first = -1
	}
	return false
}

func isOneOf(word []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return bytes.EqualFold(w, word) })
}
