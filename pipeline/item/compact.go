package item

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Compact appends raw to dst without insignificant white space. raw is one JSON value as a decoder has validated it,
// but for invalid UTF-8 inside strings: each such byte becomes U+FFFD and is counted in mended. Everything else stays
// as it is. dst and raw must not overlap.
func Compact(dst, raw []byte) (out []byte, mended int) {
	begin := len(dst)
	compact, ascii := inspect(raw)
	if compact {
		out = append(dst, raw...)
	} else {
		out = strip(dst, raw)
	}
	if ascii || validUTF8(out[begin:]) {
		return out, 0
	}
	return mend(out, begin)
}

// inspect tells whether raw surely has no white space between tokens, and, if so, whether it is ASCII.
func inspect(raw []byte) (compact, ascii bool) {
	last := len(raw) - 8
	if last < 0 {
		return false, false
	}
	// May overlap the word before.
	seen := binary.LittleEndian.Uint64(raw[last:])
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

// besideSpace are the bytes that white space between tokens stands after (1), before (2), or both; 4 begins a value.
var besideSpace = [256]byte{
	'{': 5, '[': 5, ':': 3, ',': 3, '}': 2, ']': 2, ' ': 2, '\t': 2, '\n': 2, '\r': 2, '"': 4, '-': 4,
	'0': 4, '1': 4, '2': 4, '3': 4, '4': 4, '5': 4, '6': 4, '7': 4, '8': 4, '9': 4,
}

// anyBetween tells whether any of the white space in the word at raw[i] may be the first between two tokens.
func anyBetween(raw []byte, i int, white uint64) bool {
	for ; white != 0; white &= white - 1 {
		at := i + bits.TrailingZeros64(white)/8
		atEdge := at == 0 || at+2 >= len(raw)
		if raw[at] != ' ' || atEdge {
			return true
		}
		if besideSpace[raw[at+1]]&2 != 0 {
			return true
		}
		if besideSpace[raw[at-1]]&1 != 0 && beginsValue(raw[at+1], raw[at+2]) {
			return true
		}
	}
	return false
}

// beginsValue tells whether a value may begin with two bytes.
func beginsValue(first, second byte) bool {
	switch first {
	case 't':
		return second == 'r'
	case 'f':
		return second == 'a'
	case 'n':
		return second == 'u'
	}
	return besideSpace[first]&4 != 0
}

// strip appends raw without the white space between tokens.
func strip(dst, raw []byte) []byte {
	// Of what is not copied yet.
	begin := 0
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			i += stringSize(raw[i:])
		case c <= ' ':
			dst = append(dst, raw[begin:i]...)
			i++
			begin = i
		default:
			i++
		}
	}
	return append(dst, raw[begin:]...)
}

// upToSpace masks the lanes of w that hold a byte up to a space: outside strings, these are the white space of JSON.
func upToSpace(w uint64) uint64 {
	return ^(((w & lows) + (0x7f-' ')*lanes) | w) & highs
}

// replacement is U+FFFD.
const replacement = "\uFFFD"

// mend replaces each byte of text[begin:] that is no UTF-8 by U+FFFD, from the end on, so that no copy is needed.
func mend(text []byte, begin int) (out []byte, mended int) {
	for rest := text[begin:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if isInvalid(r, size) {
			mended++
		}
		rest = rest[size:]
	}
	const more = len(replacement) - 1
	read := len(text)
	out = slices.Grow(text, mended*more)[:read+mended*more]
	// What is read and what is written meet where the first of them has been replaced.
	for write := len(out); write > read; {
		r, size := utf8.DecodeLastRune(out[begin:read])
		read -= size
		if isInvalid(r, size) {
			write -= copy(out[write-len(replacement):], replacement)
			continue
		}
		write -= copy(out[write-size:write], out[read:read+size])
	}
	return out, mended
}

// isInvalid tells of what was decoded whether it is a byte that is no UTF-8.
func isInvalid(r rune, size int) bool { return r == utf8.RuneError && size == 1 }
