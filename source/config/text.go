package config

import (
	"errors"
	"fmt"
	"slices"
)

// documentText is the text that nodes point into.
type documentText struct {
	name string
	text []byte

	// Nil until they are needed.
	marks []lineStart

	// The text is not JSON.
	broken bool

	// Of a broken text: the path of the value that was begun last.
	last string

	// See shownValues; nil until they are needed.
	shown map[int]int
}

// deepest bounds how deep a document may be nested, and with it the stack and the length of paths.
const deepest = 100

var errDeep = fmt.Errorf("the document is nested more than %d deep", deepest)

var errMore = errors.New("there is more text after the end of the document")

// position returns line and column, both from 1; the column counts bytes.
func (f *documentText) position(offset int) (line, column int) {
	offset = min(offset, len(f.text))
	m := f.mark(offset)
	return m.line, offset - m.begin + 1
}

// A lineStart is a place in a text outside strings, from which a line can be read.
type lineStart struct {
	at int

	// The number of its line, from 1.
	line int

	// Where the line begins.
	begin int
}

// mark returns the last mark at or before an offset.
func (f *documentText) mark(offset int) lineStart {
	if f.marks == nil {
		f.marks = marksOf(f.text)
	}
	i, found := slices.BinarySearchFunc(f.marks, offset, func(m lineStart, offset int) int { return m.at - offset })
	if !found {
		i--
	}
	return f.marks[i]
}

// marksOf puts a mark at the beginning of each line, and behind a comma every now and then.
func marksOf(text []byte) []lineStart {
	last := lineStart{line: 1}
	marks := []lineStart{last}
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			last = lineStart{at: i + 1, line: last.line + 1, begin: i + 1}
			marks = append(marks, last)
			inString = false
		case inString && c == '\\':
			// What is escaped does not end the string.
			if i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '"':
			inString = !inString
		case c == ',' && !inString:
			if i-last.at > excerptWidth {
				last.at = i + 1
				marks = append(marks, last)
			}
		}
	}
	return marks
}

// excerptWidth is the most of a line that is shown, in columns.
const excerptWidth = 100

// blanks may stand between the tokens of JSON.
const blanks = " \t\r\n"
