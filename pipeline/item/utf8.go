package item

import "encoding/binary"

// The states of a reader of UTF-8 between two bytes. Each is where its successor stands in the words of nextState.
const (
	// No UTF-8, whatever comes.
	_ = 6 * iota
	// Between two characters.
	complete
	// So many bytes of a character are to come.
	wantsOne
	wantsTwo
	wantsThree
	// After a byte that some bytes must not follow: the character would be a surrogate, beyond U+10FFFF, or too long.
	afterE0
	afterED
	afterF0
	afterF4

	stateBits = 63
)

// nextState has a word for each byte, with the state after it: that of state s are the lowest bits of the word
// shifted right by s.
var nextState = func() (words [256]uint64) {
	for _, t := range []struct {
		from        uint
		first, last byte
		to          uint64
	}{
		{complete, 0x00, 0x7f, complete},
		{complete, 0xc2, 0xdf, wantsOne},
		{complete, 0xe0, 0xe0, afterE0},
		{complete, 0xe1, 0xec, wantsTwo},
		{complete, 0xed, 0xed, afterED},
		{complete, 0xee, 0xef, wantsTwo},
		{complete, 0xf0, 0xf0, afterF0},
		{complete, 0xf1, 0xf3, wantsThree},
		{complete, 0xf4, 0xf4, afterF4},
		{wantsOne, 0x80, 0xbf, complete},
		{wantsTwo, 0x80, 0xbf, wantsOne},
		{wantsThree, 0x80, 0xbf, wantsTwo},
		{afterE0, 0xa0, 0xbf, wantsOne},
		{afterED, 0x80, 0x9f, wantsOne},
		{afterF0, 0x90, 0xbf, wantsTwo},
		{afterF4, 0x80, 0x8f, wantsTwo},
	} {
		for b := int(t.first); b <= int(t.last); b++ {
			words[b] |= t.to << t.from
		}
	}
	return words
}()

// validUTF8 is utf8.Valid, but no branch depends on a letter: where words of several scripts stand among ASCII, as in
// most items, it takes a third of the time.
func validUTF8(text []byte) bool {
	state := uint64(complete)
	for len(text) >= 8 {
		word := binary.LittleEndian.Uint64(text)
		text = text[8:]
		if word&highs == 0 && state&stateBits == complete {
			continue
		}
		state = nextState[byte(word)] >> (state & stateBits)
		state = nextState[byte(word>>8)] >> (state & stateBits)
		state = nextState[byte(word>>16)] >> (state & stateBits)
		state = nextState[byte(word>>24)] >> (state & stateBits)
		state = nextState[byte(word>>32)] >> (state & stateBits)
		state = nextState[byte(word>>40)] >> (state & stateBits)
		state = nextState[byte(word>>48)] >> (state & stateBits)
		state = nextState[byte(word>>56)] >> (state & stateBits)
	}
	for _, b := range text {
		state = nextState[b] >> (state & stateBits)
	}
	return state&stateBits == complete
}
