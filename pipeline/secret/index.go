package secret

import (
	"slices"
	"strings"
)

// Hidden stands where a secret was.
const Hidden = "[secret]"

// shortest is the length of a value that is looked for in texts: a shorter one would hide too much.
const shortest = 4

// A formIndex finds the forms of all secrets in a text, and [Hidden], which is one of them: else a password "secret"
// would make it longer each time. A form that was added twice is there until it is removed twice.
type formIndex struct {
	// By their first bytes, the longest first; nil: only Hidden.
	forms map[[shortest]byte][]string

	// How many forms begin with a pair of bytes.
	begins []int32

	// How many forms have a length.
	lengths map[int]int
}

// add adds forms, each of which is at least shortest long.
func (x *formIndex) add(forms []string) {
	if x.forms == nil {
		x.forms = make(map[[shortest]byte][]string)
		x.begins = make([]int32, 1<<16)
		x.lengths = make(map[int]int)
		x.add([]string{Hidden})
	}
	for _, form := range forms {
		key := [shortest]byte([]byte(form))
		same := x.forms[key]
		isShorter := func(other string) bool { return len(other) < len(form) }
		at := slices.IndexFunc(same, isShorter)
		if at < 0 {
			at = len(same)
		}
		x.forms[key] = slices.Insert(same, at, form)
		x.begins[pair(form, 0)]++
		x.lengths[len(form)]++
	}
}

// remove removes forms that were added.
func (x *formIndex) remove(forms []string) {
	for _, form := range forms {
		key := [shortest]byte([]byte(form))
		same := x.forms[key]
		at := slices.Index(same, form)
		if len(same) == 1 {
			delete(x.forms, key)
		} else {
			x.forms[key] = slices.Delete(same, at, at+1)
		}
		x.begins[pair(form, 0)]--
		x.lengths[len(form)]--
		if x.lengths[len(form)] == 0 {
			delete(x.lengths, len(form))
		}
	}
}

// longest is the length of the longest form.
func (x *formIndex) longest() int {
	longest := len(Hidden)
	for length := range x.lengths {
		longest = max(longest, length)
	}
	return longest
}

// pair is the number of the pair of bytes at a place of a text.
func pair(text string, at int) int { return int(text[at])<<8 | int(text[at+1]) }

// match returns where the longest form that begins at text[at] ends, 0 if none begins there.
func (x *formIndex) match(text string, at int) int {
	if at+shortest > len(text) {
		return 0
	}
	if x.forms == nil {
		return matchHidden(text, at)
	}
	if x.begins[pair(text, at)] == 0 {
		return 0
	}
	for _, form := range x.forms[[shortest]byte([]byte(text[at:at+shortest]))] {
		if strings.HasPrefix(text[at:], form) {
			return at + len(form)
		}
	}
	return 0
}

// matchHidden is [formIndex.match] of an index with Hidden only.
func matchHidden(text string, at int) int {
	if strings.HasPrefix(text[at:], Hidden) {
		return at + len(Hidden)
	}
	return 0
}
