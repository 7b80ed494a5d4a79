package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// Parse reads a JSON document, which messages call name. What is wrong goes to p, and the node is nil then.
func Parse(name string, text []byte, p *Problems) *Node {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &documentReader{
		file:     &documentText{name: name, text: text},
		dec:      jsontext.NewDecoder(bytes.NewBuffer(text)),
		problems: p,
	}
	n, err := r.value("")
	at := int(r.dec.InputOffset())
	after := bytes.TrimLeft(text[at:], blanks)
	if err == nil && len(after) > 0 {
		at = len(text) - len(after)
		err = errMore
	}
	if err != nil {
		r.syntax(at, err)
		return nil
	}
	return n
}

type documentReader struct {
	file     *documentText
	dec      *jsontext.Decoder
	problems *Problems

	// Objects and arrays whose end is not read yet.
	open []*Node

	// The path of the value that was begun last.
	path string
}

// value reads the next value into a node.
func (r *documentReader) value(path string) (*Node, error) {
	n := &Node{Path: path, Kind: r.dec.PeekKind(), file: r.file}
	r.path = path
	if n.Kind == '{' || n.Kind == '[' {
		return n, r.container(n)
	}
	raw, err := r.dec.ReadValue()
	n.offset = int(r.dec.InputOffset()) - len(raw)
	n.Raw = raw.Clone()
	if n.Kind == '"' {
		n.Raw = item.Quote(item.Unquote(raw))
	}
	return n, err
}

// container reads an object or an array.
func (r *documentReader) container(n *Node) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	n.offset = int(r.dec.InputOffset()) - 1
	if len(r.open) == deepest {
		return errDeep
	}
	r.open = append(r.open, n)
	next := r.member
	if n.Kind == '[' {
		next = r.element
	}
	for r.dec.PeekKind() != n.Kind+2 {
		if err := next(n); err != nil {
			return err
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	r.open = r.open[:len(r.open)-1]
	n.write()
	return nil
}

// element reads the next element of an array.
func (r *documentReader) element(n *Node) error {
	e, err := r.value(fmt.Sprintf("%s[%d]", n.Path, len(n.Elems)))
	if err != nil {
		return err
	}
	n.Elems = append(n.Elems, e)
	return nil
}

// member reads the next name of an object and its value.
func (r *documentReader) member(n *Node) error {
	name, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	m := Member{Name: item.Unquote(name), offset: int(r.dec.InputOffset()) - len(name)}
	m.Value, err = r.value(join(n.Path, m.Name))
	if err != nil {
		return err
	}
	n.Members = append(n.Members, m)
	return nil
}

// syntax explains why the text is not JSON: at is where the decoder stopped.
func (r *documentReader) syntax(at int, err error) {
	f, p := r.file, r.problems
	switch {
	case len(bytes.Trim(f.text, blanks)) == 0:
		p.add(nil, 0, "", "%s is empty", f.name)
		return
	case bytes.HasPrefix(f.text, []byte("\xff\xfe")), bytes.HasPrefix(f.text, []byte("\xfe\xff")):
		p.add(nil, 0, "", "%s is UTF-16: save it as UTF-8", f.name)
		return
	}
	// The innermost object or array that is open.
	top := &Node{}
	if n := len(r.open); n > 0 {
		top = r.open[n-1]
	}
	f.broken = true
	f.last = r.path
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at, err = int(s.ByteOffset), s.Err
	}
	line, _ := f.position(top.offset)
	path := top.Path
	text := "this is not JSON: "
	switch {
	case errors.Is(err, errDeep):
		path = ""
		text = err.Error()
	case errors.Is(err, jsontext.ErrDuplicateName):
		path = join(path, s.JSONPointer.LastToken())
		text = "the key stands twice in one object"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		at = len(bytes.TrimRight(f.text, blanks))
		text += "the file ends early"
		if top.Kind != 0 {
			text += fmt.Sprintf(", the %c of line %d is not closed", top.Kind, line)
		}
	case errors.Is(err, errMore):
		text += err.Error()
	default:
		hint := r.hint(at, err.Error(), byte(top.Kind), line)
		if hint == "" {
			hint = err.Error()
		}
		text += hint
	}
	p.add(f, at, path, "%s", text)
}

// hint says of common mistakes what to do, where the decoder complains of text[at]; open is the innermost
// bracket that is open, and stands on the line. It is empty where the complaint says enough.
func (r *documentReader) hint(at int, complaint string, open byte, line int) string {
	rest := r.file.text[at:]
	c, size := utf8.DecodeRune(rest)
	next := bytes.TrimLeft(rest[size:], blanks)
	inString := strings.HasSuffix(complaint, "in string (expecting non-control character)")
	beforeClosing := len(next) > 0 && isClosing(rune(next[0]))
	// In ASCII, a closing bracket is two after its opening one.
	closesOther := open != 0 && byte(c) != open+2
	switch {
	// The complaint is not shown: it may have a part of a secret.
	case c == '\\':
		return `a backslash must be followed by one of "\/bfnrt or by u and four hexadecimal digits, ` +
			`a surrogate by its other half: for the backslash itself write \\`
	case c == '\n' && inString:
		return `a string must end on the line on which it begins: a quote is missing, or \n for the line break`
	case strings.ContainsRune("'`‘’“”", c):
		return `strings and names stand in straight double quotes (")`
	case c == '/' || c == '#':
		return "JSON has no comments"
	case c == ',' && beforeClosing:
		return fmt.Sprintf("there must be no comma before the closing %c", next[0])
	case isClosing(c) && closesOther:
		return fmt.Sprintf("this %c does not close the %c of line %d", c, open, line)
	case unicode.IsLetter(c) && strings.HasSuffix(complaint, "at start of value"):
		return "text needs double quotes: only true, false and null stand without, in lower case"
	case at > int(r.dec.InputOffset()) && strings.Contains(complaint, "(expecting ',' or"):
		return "a comma is missing before this"
	}
	return ""
}

func isClosing(c rune) bool { return c == '}' || c == ']' }
