package evidence

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sluice/pipeline/item"
)

// hasNextWord tells whether a name has the word next, such as nextFileName, next_batch and
// X-Pagination-Next, and no word that says that it leads to no further page.
func hasNextWord(name string) bool {
	all := words(name)
	return slices.ContainsFunc(all, isNextWord) && !slices.ContainsFunc(all, isOtherWord)
}

// isNextWord tells whether a word is next, or what is called so without a break, such as
// nextpage.
func isNextWord(word string) bool {
	isLink := strings.HasPrefix(word, "next") && classes[word].is(linkName)
	return word == "next" || isLink
}

// isOtherWord tells whether a word is about time or about changes, leads back, or is for people.
func isOtherWord(word string) bool { return slices.Contains(otherWords, word) }

var otherWords = strings.Fields(
	"time times timestamp datetime date dates day days week month quarter year hour hours minute minutes " +
		"second seconds ms at in due schedule scheduled run runs execution executions interval wait " +
		"sync delta update updates refresh poll polling retry retries attempt check checks reset rate ratelimit " +
		"renewal renew billing bill payment payout expiry expiration " +
		"back backward backwards before prev previous action actions step steps hint tip")

// words are those of a name in lower case: camelCase, snake_case, kebab-case, and @odata.nextLink.
func words(name string) (all []string) {
	begin := 0
	for i := 1; i <= len(name); i++ {
		if i < len(name) && !breaks(name, i) {
			continue
		}
		if isLetter(name[begin]) {
			all = append(all, strings.ToLower(name[begin:i]))
		}
		begin = i
	}
	return all
}

// breaks tells whether a word, or what stands between words, begins at i.
func breaks(name string, i int) bool {
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

// NextHeader tells whether a header may lead on by a word in its name.
func NextHeader(name string) bool {
	// Names of headers are canonical, and most have not even these letters.
	if !strings.Contains(name, "ext") {
		return false
	}
	return hasNextWord(name) && !slices.Contains(linkHeaders, name)
}

// isTime tells whether a value is a date, a time, or a number that is one since 1970.
func isTime(value []byte) bool {
	if item.Kind(value) == '"' {
		text := strings.TrimSpace(item.Unquote(value))
		if timeText.MatchString(text) {
			return true
		}
	}
	n, ok := item.Integer(value)
	if !ok {
		return false
	}
	// In seconds, milliseconds or microseconds, from 2001 to 2064.
	for _, second := range []int64{1, 1e3, 1e6} {
		if billions := n / second / 1e9; billions == 1 || billions == 2 {
			return true
		}
	}
	return false
}

// timeText matches dates and times as a whole: one with more is a cursor.
var timeText = regexp.MustCompile(
	`^(\d{4}[-/]\d\d?[-/]\d\d?)?([T ]*\d\d?:\d\d(:\d\d([.,]\d+)?)?)?[ ]*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$|` +
		`^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d`)
