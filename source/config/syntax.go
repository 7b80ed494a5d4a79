package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// syntax explains why the text is not JSON: at is where the decoder stopped.
func (f *file) syntax(at int, err error, p *Problems) {
	switch {
	case len(bytes.Trim(f.text, blanks)) == 0:
		p.add(nil, 0, "", "%s is empty", f.name)
		return
	case bytes.HasPrefix(f.text, []byte("\xff\xfe")), bytes.HasPrefix(f.text, []byte("\xfe\xff")):
		p.add(nil, 0, "", "%s is UTF-16: save it as UTF-8", f.name)
		return
	case errors.Is(err, errDeep):
		f.good = at
		p.add(f, at, "", "%s", err)
		return
	}
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at = int(s.ByteOffset)
	}
	ended := at >= len(f.text) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	if ended {
		at = len(f.text)
	}
	f.good = at
	state := f.scan()
	path, text := state.path(), ""
	switch {
	case state.cut():
		path, text = scanText(f.text[:state.last.start]).path(), inString(f.text[at:])
	case ended:
		at, text = len(bytes.TrimRight(f.text, blanks)), state.atEnd(f)
	case at > 0 && state.last.end == at && f.text[state.last.start] != '"':
		text = inWord(f.text[state.last.start:at], f.text[at])
		if text != "" {
			at = state.last.start
			f.good, f.scanned = at, nil
			path = f.scan().path()
		}
	}
	if text == "" {
		text = state.unexpected(f, at)
	}
	p.add(f, at, path, "this is not JSON: %s", text)
}

// blanks may stand between the tokens of JSON.
const blanks = " \t\r\n"

// inString says why a string cannot go on with rest.
func inString(rest []byte) string {
	if len(rest) == 0 {
		return "the file ends within a string, its closing quote is missing"
	}
	switch c := rest[0]; {
	case c == '\n' || c == '\r':
		return `a string must end on the line on which it begins: a quote is missing, or \n for the line break`
	case c == '\t':
		return `a tab within a string must be written as \t`
	case c < ' ':
		return fmt.Sprintf(`a control character within a string must be written as \u%04x`, c)
	case bytes.HasPrefix(rest, []byte(`\u`)):
		return `\u must be followed by four hexadecimal digits, and a surrogate by its other half`
	case c == '\\':
		return `a backslash must be followed by one of "\/bfnrtu: for the backslash itself write \\`
	}
	return "the text is not UTF-8"
}

// inWord says what is wrong with a number or word that cannot go on with next.
func inWord(word []byte, next byte) string {
	switch {
	case slices.Contains([]string{"true", "false", "null"}, string(word)) && !isWordByte(next):
		return ""
	case unicode.IsLetter(rune(word[0])):
		return noWord
	case bytes.IndexByte([]byte("-+.eE"), word[len(word)-1]) >= 0:
		return "a digit is missing in a number"
	case isWordByte(next) && next != '-':
		return "a number has digits only, does not begin with 0 or end in a letter: text needs double quotes"
	}
	return ""
}

const noWord = "text needs double quotes: only true, false and null stand without, in lower case"

func isWordByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c < utf8.RuneSelf && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)))
}

// wrongWord tells whether the word is what other languages have for one of JSON's.
func wrongWord(word string) bool {
	return slices.Contains([]string{"True", "TRUE", "False", "FALSE", "None", "Null", "NULL", "nil", "undefined", "NaN", "nan", "Infinity", "yes", "no"}, word)
}

// atEnd says what is missing at the end of the file.
func (s *scan) atEnd(f *file) string {
	top := s.top()
	if top.kind == 0 {
		return "the file ends early"
	}
	line, _ := f.position(top.start)
	return fmt.Sprintf("the file ends early, the %c of line %d is not closed", top.kind, line)
}

// unexpected says what is wrong with the token at f.text[at], which cannot follow.
func (s *scan) unexpected(f *file, at int) string {
	rest := f.text[at:]
	top := s.top()
	switch rest[0] {
	case '\'', '`':
		return "strings and names stand in double quotes"
	case '/', '#':
		return "JSON has no comments"
	case '}', ']':
		return s.wrongEnd(f, rest[0])
	case ',':
		if after := bytes.TrimLeft(rest[1:], blanks); top.want == ',' && len(after) > 0 && top.kind != 0 {
			return fmt.Sprintf("there must be no comma before the closing %c", after[0])
		}
		if top.kind != 0 {
			return "one comma too many, or nothing before it"
		}
	}
	if text := oddCharacter(rest); text != "" {
		return text
	}
	switch top.want {
	case 'k':
		return "a name in double quotes must stand here"
	case ':':
		return "a colon must stand between name and value"
	case 'v':
		return wrongValue(rest[0])
	}
	switch {
	case top.kind == 0:
		return "there is more text after the end of the document"
	case rest[0] == ':':
		return "a comma must stand here, not a colon"
	case f.text[at-1] == '"' && rest[0] != '"':
		return `a comma is missing here, or a backslash before a quote that is part of a string (\")`
	}
	return "a comma is missing before this"
}

// wrongEnd says why the bracket c cannot stand there.
func (s *scan) wrongEnd(f *file, c byte) string {
	top := s.top()
	if top.kind == 0 {
		return fmt.Sprintf("this %c closes nothing", c)
	}
	if c != top.kind+2 { // in ASCII, a closing bracket is two behind its opening one
		line, _ := f.position(top.start)
		return fmt.Sprintf("this %c does not close the %c of line %d", c, top.kind, line)
	}
	if top.want == ':' {
		return "a colon and a value are missing after the name"
	}
	return "a value is missing before this"
}

// wrongValue says why no value begins with c.
func wrongValue(c byte) string {
	switch c {
	case '+', '.':
		return "a number begins with a digit or a minus sign"
	case ':', ';', '=':
		return "a value must stand here"
	}
	return noWord
}

// oddCharacter explains a character beyond ASCII outside strings.
func oddCharacter(rest []byte) string {
	switch r, size := utf8.DecodeRune(rest); {
	case size <= 1 && rest[0] >= utf8.RuneSelf:
		return "the text is not UTF-8"
	case r >= 0x2018 && r <= 0x201F:
		return `strings and names stand in straight double quotes (")`
	case !unicode.IsPrint(r):
		return fmt.Sprintf("there is an invisible character (%U), which must go", r)
	}
	return ""
}
