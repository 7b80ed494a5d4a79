package sink

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/s2"
)

// put appends a row to out, with what text appends of each value. An only field that is empty is quoted: a
// blank line is no record to most readers.
func (s *scratch) put(values [][]byte, text func(dst, value []byte) []byte) {
	begin := len(s.out)
	for i, value := range values {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		field := len(s.out)
		s.out = text(s.out, value)
		if needsQuotes(s.out[field:]) {
			s.quote(field)
		}
	}
	if len(values) == 1 && len(s.out) == begin {
		s.out = append(s.out, `""`...)
	}
	s.out = append(s.out, '\n')
}

// special are the bytes that a field without quotes does not have.
var special = [256]bool{',': true, '"': true, '\r': true, '\n': true}

// needsQuotes tells whether a field is written in quotes. Beside those that must be, that are the ones that
// encoding/csv quotes: some readers drop a space at the beginning, and \. ends the data of PostgreSQL.
func needsQuotes(field []byte) bool {
	for _, c := range field {
		if special[c] {
			return true
		}
	}
	first, _ := utf8.DecodeRune(field)
	return unicode.IsSpace(first) || string(field) == `\.`
}

// quote puts the field that out ends with in quotes.
func (s *scratch) quote(field int) {
	s.text = append(s.text[:0], s.out[field:]...)
	s.out = append(s.out[:field], '"')
	for part := range bytes.SplitAfterSeq(s.text, []byte{'"'}) {
		s.out = append(s.out, part...)
		s.out = append(s.out, '"')
	}
}

// scratch are the buffers that all encoders share: one works at a time.
type scratch struct {
	out []byte

	// Of a field that gets quotes.
	text []byte

	path []byte

	// To the files of spools.
	rows *s2.Writer
}

// keptSize is the largest buffer that is kept for the next item. A huge item gets a larger one, which is dropped
// afterwards.
const keptSize = 4 << 20

func (s *scratch) reset() {
	if cap(s.out) > keptSize {
		s.out = nil
	}
	if cap(s.text) > keptSize {
		s.text = nil
	}
	s.out = s.out[:0]
}
