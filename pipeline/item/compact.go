package item

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Eight bytes are looked at together, as the lanes of one word, the first in
// the lowest. A mask has the high bit of a lane set where something is true.
const (
	lanes = 0x0101010101010101
	lows  = 0x7f * lanes
	highs = 0x80 * lanes
)

// Compact appends raw to dst without insignificant white space. raw is one JSON
// value as a decoder has validated it, but for invalid UTF-8 inside strings:
// each byte that belongs to no character becomes U+FFFD and is counted in
// mended. Everything else (numbers, order, repeated keys, escapes) stays as it
// is. Of valid text it allocates only to grow dst; dst and raw must not overlap.
//
// It is the hot loop of the program: most items are compact already, which is
// seen at a fraction of the cost of looking at every token.
func Compact(dst, raw []byte) (out []byte, mended int) {
	begin := len(dst)
	compact, ascii := inspect(raw)
	if compact {
		out = append(dst, raw...)
	} else {
		out, ascii = strip(dst, raw)
	}
	if ascii || valid(out[begin:]) {
		return out, 0
	}
	return mend(out, begin)
}

// inspect tells whether raw surely has no white space between tokens, and, if
// so, whether it is ASCII.
func inspect(raw []byte) (compact, ascii bool) {
	last := len(raw) - 8
	if last < 0 {
		return false, false
	}
	seen := binary.LittleEndian.Uint64(raw[last:]) // may overlap the word before
	if white := upToSpace(seen); white != 0 && anyBetween(raw, last, white) {
		return false, false
	}
	for i := 0; i < last; i += 8 {
		w := binary.LittleEndian.Uint64(raw[i:])
		seen |= w
		if white := upToSpace(w); white != 0 && anyBetween(raw, i, white) {
			return false, false
		}
	}
	return true, seen&highs == 0
}

// structural is what white space between tokens has on one side at least.
var structural = [256]bool{'{': true, '}': true, '[': true, ']': true, ':': true, ',': true, ' ': true, '\t': true, '\n': true, '\r': true}

// anyBetween tells whether any of the white space in the word at raw[i] may stand between
// tokens. Most is between words of a text.
func anyBetween(raw []byte, i int, white uint64) bool {
	for ; white != 0; white &= white - 1 {
		at := i + bits.TrailingZeros64(white)/8
		between := at == 0 || at+1 == len(raw) || structural[raw[at-1]] || structural[raw[at+1]] || raw[at] != ' '
		if between && mayStandBetween(raw, at) {
			return true
		}
	}
	return false
}

// mayStandBetween tells, by its neighbours, whether the white space at raw[i] may
// be the first between two tokens; if not, it belongs to a string. A space
// between tokens stands before one of } ] : , or after one of { [ : , and then
// before the beginning of a value.
func mayStandBetween(raw []byte, i int) bool {
	if raw[i] != ' ' || i == 0 || i+2 >= len(raw) {
		return true
	}
	after := raw[i+1]
	switch after {
	case '}', ']', ':', ',', ' ', '\t', '\n', '\r':
		return true
	}
	switch raw[i-1] {
	default:
		return false
	case '{', '[', ':', ',':
	}
	switch after {
	case 't':
		return raw[i+2] == 'r'
	case 'f':
		return raw[i+2] == 'a'
	case 'n':
		return raw[i+2] == 'u'
	case '"', '{', '[', '-':
		return true
	}
	return '0' <= after && after <= '9'
}

// strip appends raw without the white space between tokens, and tells whether
// it is ASCII. There is no branch for a byte, only for a word that has a
// backslash or such white space.
func strip(dst, raw []byte) (out []byte, ascii bool) {
	dst = slices.Grow(dst, len(raw)+8) // the last word is stored whole
	out = dst[:cap(dst)]
	end := len(dst)
	var (
		inside  uint64 // highs if the word begins inside a string
		escaped uint64 // the high bit of the first lane if a backslash stands before the word
		seen    uint64 // all words or-ed
	)
	for len(raw) > 0 {
		var w uint64
		if len(raw) >= 8 {
			w, raw = binary.LittleEndian.Uint64(raw), raw[8:]
		} else {
			w, raw = padded(raw), nil
		}
		seen |= w
		quotes := equal(w, '"')
		if backslashes := equal(w, '\\'); backslashes|escaped != 0 {
			var escapedNow uint64
			escapedNow, escaped = follow(backslashes, escaped)
			quotes &^= escapedNow
		}
		// Each lane becomes the parity of the quotes up to it.
		quoted := quotes ^ quotes<<8
		quoted ^= quoted << 16
		quoted ^= quoted << 32
		quoted ^= inside
		inside = -(quoted >> 63) & highs

		white := upToSpace(w) &^ quoted
		if white == highs {
			continue
		}
		for left := uint(64); ; { // bits of w that are not yet copied
			binary.LittleEndian.PutUint64(out[end:], w)
			if white == 0 {
				end += int(left / 8)
				break
			}
			run := uint(bits.TrailingZeros64(white)) &^ 7
			end += int(run / 8)
			w >>= run + 8
			white >>= run + 8
			left -= run + 8
		}
	}
	return out[:end], seen&highs == 0
}

// padded returns fewer than eight bytes as a word that ends in white space.
func padded(tail []byte) uint64 {
	buf := [8]byte{' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '}
	copy(buf[:], tail)
	return binary.LittleEndian.Uint64(buf[:])
}

// equal masks the lanes of w that hold c.
func equal(w uint64, c byte) uint64 {
	w ^= lanes * uint64(c)
	return ^(((w & lows) + lows) | w) & highs
}

// upToSpace masks the lanes of w that hold a byte up to a space: outside
// strings, these are the white space of JSON.
func upToSpace(w uint64) uint64 {
	return ^(((w & lows) + (0x7f-' ')*lanes) | w) & highs
}

// follow masks the lanes that an unescaped backslash stands before. before and
// after carry that from word to word.
func follow(backslashes, before uint64) (escaped, after uint64) {
	escaped = backslashes<<8 | before
	if backslashes&escaped != 0 { // a backslash that is escaped itself escapes nothing
		escaped = before
		for lane := uint64(0x80); lane != 0; lane <<= 8 {
			if backslashes&lane&^escaped != 0 {
				escaped |= lane << 8
			}
		}
	}
	return escaped, backslashes &^ escaped >> 56
}

// valid is [utf8.Valid], faster for text that is partly ASCII, and where characters
// have two bytes, or three that cannot be too long a form nor half a pair.
func valid(text []byte) bool {
	for len(text) >= 8 {
		high := binary.LittleEndian.Uint64(text) & highs
		if high == 0 {
			text = text[8:]
			continue
		}
		text = text[bits.TrailingZeros64(high)/8:]
		for len(text) > 2 && text[0] >= utf8.RuneSelf {
			var n int
			switch first, goesOn := text[0], text[1]&0xc0 == 0x80; {
			case 0xc2 <= first && first < 0xe0 && goesOn:
				n = 2
			case 0xe0 < first && first < 0xed && goesOn && text[2]&0xc0 == 0x80:
				n = 3
			default:
				var r rune
				if r, n = utf8.DecodeRune(text); r == utf8.RuneError && n == 1 {
					return false
				}
			}
			text = text[n:]
		}
	}
	return utf8.Valid(text)
}

// mend replaces invalid UTF-8 in text[begin:].
func mend(text []byte, begin int) (out []byte, mended int) {
	rest := slices.Clone(text[begin:])
	out = text[:begin]
	for len(rest) > 0 {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			mended++
		}
		out = utf8.AppendRune(out, r)
		rest = rest[n:]
	}
	return out, mended
}
