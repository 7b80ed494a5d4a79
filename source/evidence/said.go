package evidence

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
)

// Said is what a member beside the items says, by hashes of its name and its value. It is plain
// data.
type Said struct {
	Name  uint64 `json:"name"`
	Value uint64 `json:"value"`
	// Is is by [Tone].
	Is uint8 `json:"is"`
}

// Kinds of what a member says; 0 says nothing of an error, such as a flag or a number that counts.
const (
	// nothing is null, or an empty text.
	nothing uint8 = iota + 1
	// fineNumber and fineWord say that all is well: 0, 200, "ok".
	fineNumber
	fineWord
	otherNumber
	otherText
	// others are objects and arrays.
	others
	// yes is true.
	yes

	kinds uint8 = 0xf
	// codeNamed and messageNamed are by the name.
	codeNamed    uint8 = 0x10
	messageNamed uint8 = 0x20
)

// Tone tells what a member beside the items says of its answer, by its name, which may be quoted,
// and by its value, of which the first byte is enough for an object or array.
func Tone(name, value []byte) uint8 {
	if len(name) > nameLimit {
		return 0
	}
	var buf [nameLimit]byte
	plain := normal(buf[:0], name)
	kind := kindOf(value)
	if kind == 0 || counts(name, plain) {
		return 0
	}
	switch {
	case kind == yes && isErrorName(name):
		return fineWord
	case slices.Contains(codeNames, string(plain)):
		kind |= codeNamed
	case bytes.HasSuffix(plain, []byte("message")), bytes.HasSuffix(plain, []byte("msg")):
		kind |= messageNamed
	}
	return kind
}

// codeNames say whether all is well, by a number.
var codeNames = []string{
	"code",
	"status",
	"statuscode",
	"errcode",
	"errorcode",
	"errno",
	"retcode",
	"resultcode",
}

func kindOf(value []byte) uint8 {
	switch kind := item.Kind(value); kind {
	case 'n':
		return nothing
	case 't':
		return yes
	case '{', '[':
		return others
	case '0':
		return numberKind(value)
	case '"':
		return textKind(value[1 : len(value)-1])
	}
	return 0
}

func textKind(text []byte) uint8 {
	isDigit := func(c rune) bool { return c >= '0' && c <= '9' }
	switch {
	case len(text) == 0:
		return nothing
	case len(bytes.TrimLeftFunc(text, isDigit)) == 0:
		return numberKind(text)
	}
	for _, word := range fineWords {
		if bytes.EqualFold(text, word) {
			return fineWord
		}
	}
	return otherText
}

func numberKind(digits []byte) uint8 {
	isSuccess := len(digits) == 3 && digits[0] == '2'
	isSmall := len(digits) == 1 && digits[0] <= '1'
	if isSuccess || isSmall {
		return fineNumber
	}
	return otherNumber
}

var fineWords = [][]byte{
	[]byte("ok"),
	[]byte("success"),
	[]byte("successful"),
	[]byte("succeeded"),
	[]byte("none"),
}

// counts tells whether a plain name may be that of a number that counts, of a time, of what leads
// from page to page, or of what is another one in each answer.
func counts(quoted, plain []byte) bool {
	m := read(quoted)
	isPaging := m.has(next|more|bound|end|pageWord|token|sizeWord|all|sum) || m.isContainer()
	if isPaging || classOf(plain) != 0 {
		return true
	}
	for _, part := range countWords {
		if bytes.Contains(plain, part) {
			return true
		}
	}
	return bytes.HasSuffix(plain, []byte("id"))
}

var countWords = bytes.Fields([]byte(
	"count total num page size limit offset start index from skip seq " +
		"time date took elapsed duration millis seconds quota remaining credit cost next prev cursor token"))

// MayRefuse tells whether what a member says may be about an error.
func MayRefuse(is uint8) bool {
	kind := is & kinds
	isObject := is == codeNamed|others
	return isObject || slices.Contains([]uint8{otherNumber, otherText}, kind)
}

// Tells tells whether what a member says is more than that there is nothing, or that all is well. That an object or array is
// empty is known elsewhere.
func Tells(is uint8) bool {
	kind := is & kinds
	return MayRefuse(is) || kind == others || kind == yes
}

// Counts tells whether a member may say how the list is paged, or counts something, or is a flag.
func Counts(is uint8) bool { return is == 0 || is&kinds == yes }

// KindOf is the kind of value that a member has which says so, as jsontext has them, if it is no array.
func KindOf(is uint8) byte {
	switch is & kinds {
	case nothing:
		return 'n'
	case others:
		return '{'
	case fineNumber, otherNumber:
		return '0'
	case fineWord, otherText:
		return '"'
	}
	return 'f'
}

// SaidIn lists what members of objects say that are called status, error and the like.
func SaidIn(around []item.Found) (all []Said) {
	for _, m := range around {
		isStatus := item.Kind(m.Value) == '{' && isErrorName(m.Path[len(m.Path)-1])
		if !isStatus {
			continue
		}
		for name, value := range item.Members(m.Value) {
			sum := xxhash.Sum64(name)*31 + 1
			all = append(all, Said{Name: sum, Value: xxhash.Sum64(value), Is: Tone(name, value)})
		}
	}
	return all
}

// SteadyMembers are what all pages with items of a walk have around these. They are plain data, and fold whatever the order of the
// pages is.
type SteadyMembers struct {
	// Members are those of any such page, sorted by their names.
	Members []Steady `json:"members,omitempty"`
	// First is the number of the first such page; 0: there is none. Pages is how many there were, at most 2.
	First int `json:"first,omitempty"`
	Pages int `json:"pages,omitempty"`
}

// Steady is a member beside the items of several pages, the first of which is Since. What it says is that of all of them,
// else 0.
type Steady struct {
	Said
	Since int `json:"since"`
}

func (s Steady) compareName(name uint64) int { return cmp.Compare(s.Name, name) }

// mostAround is how many members around items are remembered: those with the least hashes of their names.
const mostAround = 512

// Learn enters what the page of that number, which has items, has around them.
func (a *SteadyMembers) Learn(page int, members []Said) {
	for _, m := range members {
		a.enter(Steady{Said: m, Since: page})
	}
	a.count(page, 1)
}

// Fold enters what other pages have.
func (a *SteadyMembers) Fold(other *SteadyMembers) {
	if other.Pages == 0 {
		return
	}
	for _, m := range other.Members {
		a.enter(m)
	}
	a.count(other.First, other.Pages)
}

// count enters so many pages, of which the first has that number.
func (a *SteadyMembers) count(first, pages int) {
	if a.First == 0 || first < a.First {
		a.First = first
	}
	a.Pages = min(a.Pages+pages, 2)
}

func (a *SteadyMembers) enter(m Steady) {
	at, isKnown := slices.BinarySearchFunc(a.Members, m.Name, Steady.compareName)
	if !isKnown {
		a.Members = slices.Insert(a.Members, at, m)
		a.Members = a.Members[:min(len(a.Members), mostAround)]
		return
	}
	known := &a.Members[at]
	known.Since = min(known.Since, m.Since)
	if isSame := known.Value == m.Value && known.Is == m.Is; !isSame {
		known.Value, known.Is = 0, 0
	}
}

// ofAll is what the member of that name says on all pages; nil: not all have it, or it differs.
func (a *SteadyMembers) ofAll(name uint64) *Said {
	at, isKnown := slices.BinarySearchFunc(a.Members, name, Steady.compareName)
	if !isKnown || a.Members[at].Is == 0 || a.Members[at].Since > a.First {
		return nil
	}
	return &a.Members[at].Said
}

// Contradicts tells whether a page without items says something else than all pages with some: a
// word or a number no longer says that all is well. That a number does not is only sure beside another text, or
// after two pages, on which what differs from answer to answer has done so; then another text alone is enough, unless
// a number still says that all is well.
func (a *SteadyMembers) Contradicts(members []Said) bool {
	var hasCode, hasText, isFine bool
	for _, m := range members {
		known := a.ofAll(m.Name)
		if known == nil {
			continue
		}
		was, is := known.Is&kinds, m.Is&kinds
		isSame := known.Value == m.Value
		isText := is == otherText
		switch {
		case isSame:
			isFine = isFine || was == fineNumber
		case was == fineNumber && is == otherNumber:
			hasCode = true
		case was == fineWord && is == others:
			return true
		case isText && was != otherNumber:
			hasText = true
		}
	}
	isSure := a.Pages > 1
	if hasCode {
		return hasText || isSure
	}
	return hasText && isSure && !isFine
}

// SaysError tells whether an answer without items says by a number that something is wrong, and has a message.
func SaysError(members []Said) bool {
	isCode := func(m Said) bool { return m.Is == codeNamed|otherNumber }
	isMessage := func(m Said) bool { return m.Is == messageNamed|otherText }
	return slices.ContainsFunc(members, isCode) && slices.ContainsFunc(members, isMessage)
}
