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
func (r *reader) syntax(at int, err error) {
	f, p := r.file, r.problems
	f.broken = true
	switch {
	case len(bytes.Trim(f.text, blanks)) == 0:
		p.add(nil, 0, "", "%s is empty", f.name)
		return
	case bytes.HasPrefix(f.text, []byte("\xff\xfe")), bytes.HasPrefix(f.text, []byte("\xfe\xff")):
		p.add(nil, 0, "", "%s is UTF-16: save it as UTF-8", f.name)
		return
	case errors.Is(err, errDeep):
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
	token := at - len(bytes.TrimLeft(f.text[min(int(r.dec.InputOffset()), at):at], blanks+",:"))
	word := len(bytes.TrimRightFunc(f.text[:at], func(c rune) bool { return c == '+' || isWordRune(c) }))
	path, text := "", ""
	switch {
	case token < at && f.text[token] == '"':
		path, text = r.at(token), inString(f.text[at:])
	case ended:
		at = len(bytes.TrimRight(f.text, blanks))
		path, text = r.at(at), r.atEnd()
	case word < at:
		if text = inWord(f.text[word:at], f.text[at]); text != "" {
			at, path = word, r.path
		}
	}
	if text == "" {
		path, text = r.at(at), r.unexpected(at)
	}
	p.add(f, at, path, "this is not JSON: %s", text)
}

// top is the innermost open object or array; its kind is 0 if there is none.
func (r *reader) top() *Node {
	if len(r.open) == 0 {
		return &Node{}
	}
	return r.open[len(r.open)-1]
}

// wanted tells what may stand at text[at], where the decoder stopped: 'k' is a
// name, 'v' a value, ':' a colon, and ',' a comma or the end.
func (r *reader) wanted(at int) byte {
	before := bytes.TrimRight(r.file.text[:at], blanks)
	if len(before) == 0 {
		return 'v'
	}
	kind, tokens := r.dec.StackIndex(r.dec.StackDepth())
	switch before[len(before)-1] {
	case '{':
		return 'k'
	case '[', ':':
		return 'v'
	case ',':
		if kind == '{' {
			return 'k'
		}
		return 'v'
	}
	if kind == '{' && tokens%2 == 1 {
		return ':'
	}
	return ','
}

// at is the path of what stands at text[at], where the decoder stopped.
func (r *reader) at(at int) string {
	if r.wanted(at) == 'v' {
		return r.path
	}
	return r.top().Path
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
	case isLiteral(word) && !isWordByte(next):
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

func isWordByte(c byte) bool { return c < utf8.RuneSelf && isWordRune(rune(c)) }

func isWordRune(c rune) bool {
	return c == '_' || c == '-' || c == '.' || c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

func isLiteral(word []byte) bool {
	return slices.Contains([]string{"true", "false", "null"}, string(word))
}

// atEnd says what is missing at the end of the file.
func (r *reader) atEnd() string {
	top := r.top()
	if top.Kind == 0 {
		return "the file ends early"
	}
	line, _ := r.file.position(top.offset)
	return fmt.Sprintf("the file ends early, the %c of line %d is not closed", top.Kind, line)
}

// unexpected says what is wrong with the token at text[at], which cannot follow.
func (r *reader) unexpected(at int) string {
	text, nested, want := r.file.text, r.top().Kind != 0, r.wanted(at)
	rest := text[at:]
	switch rest[0] {
	case '\'', '`':
		return "strings and names stand in double quotes"
	case '/', '#':
		return "JSON has no comments"
	case '}', ']':
		return r.wrongEnd(rest[0], want)
	case ',':
		if after := bytes.TrimLeft(rest[1:], blanks); want == ',' && len(after) > 0 && nested {
			return fmt.Sprintf("there must be no comma before the closing %c", after[0])
		}
		if nested {
			return "one comma too many, or nothing before it"
		}
	}
	if odd := oddCharacter(rest); odd != "" {
		return odd
	}
	switch {
	case want == 'k':
		return "a name in double quotes must stand here"
	case want == ':':
		return "a colon must stand between name and value"
	case want == 'v':
		return wrongValue(rest[0])
	case !nested:
		return "there is more text after the end of the document"
	case rest[0] == ':':
		return "a comma must stand here, not a colon"
	case text[at-1] == '"' && rest[0] != '"':
		return `a comma is missing here, or a backslash before a quote that is part of a string (\")`
	}
	return "a comma is missing before this"
}

// wrongEnd says why the closing bracket c cannot stand where want should.
func (r *reader) wrongEnd(c, want byte) string {
	top := r.top()
	switch {
	case top.Kind == 0:
		return fmt.Sprintf("this %c closes nothing", c)
	case c != byte(top.Kind)+2: // in ASCII, a closing bracket is two after its opening one
		line, _ := r.file.position(top.offset)
		return fmt.Sprintf("this %c does not close the %c of line %d", c, top.Kind, line)
	case want == ':':
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
