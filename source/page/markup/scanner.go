package markup

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Limits of a document.
const (
	// Elements within each other.
	maxDepth = 1000
	// Attributes of one element.
	maxAttributes = 4096
	// Bytes of a name.
	maxName = 1000
	// Bytes of a declaration of the document, of a reference.
	maxHead = 1024
)

// A scanner splits a document, which is UTF-8, into tags and the text between them. It refuses what is not well-formed.
type scanner struct {
	src io.Reader

	// What is not read yet is buf[r:w].
	buf  []byte
	r, w int

	// Byte of the document that buf[0] is.
	base int64

	// What src has ended with.
	err error

	// Bytes of one tag.
	most int

	// Names of the open elements, one behind the other, and where each begins.
	open   []byte
	starts []int32

	// Of the start tag at hand, as it stands there.
	name       []byte
	attributes []xmlAttribute

	// The outermost element was there; there was a document type; the document has ended.
	rooted, typed, ended bool
}

type xmlAttribute struct{ name, value []byte }

// window is how much of a document is looked at together.
const window = 32 << 10

func (s *scanner) reset(src io.Reader, most int) {
	const tooLarge = 1 << 20
	buf := s.buf
	if buf == nil || len(buf) > tooLarge {
		buf = make([]byte, window)
	}
	*s = scanner{
		src: src, buf: buf, most: most,
		open: s.open[:0], starts: s.starts[:0], attributes: s.attributes[:0],
	}
}

// offset is the byte of the document at hand.
func (s *scanner) offset() int64 { return s.base + int64(s.r) }

// within are the names of the open elements.
func (s *scanner) within() (names []string) {
	for i := range s.starts {
		names = append(names, string(s.opened(i)))
	}
	return names
}

// opened is the name of the i-th open element.
func (s *scanner) opened(i int) []byte {
	end := len(s.open)
	if i+1 < len(s.starts) {
		end = int(s.starts[i+1])
	}
	return s.open[s.starts[i]:end]
}

// fill reads more; false: there is no more, and err says why.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	if s.r > 0 {
		copy(s.buf, s.buf[s.r:s.w])
		s.base += int64(s.r)
		s.w -= s.r
		s.r = 0
	}
	if s.w == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	const mostEmpty = 100
	for range mostEmpty {
		n, err := s.src.Read(s.buf[s.w:])
		s.w += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// have tells whether n bytes are there.
func (s *scanner) have(n int) bool {
	for s.w-s.r < n {
		if !s.fill() {
			return false
		}
	}
	return true
}

// broken is why there is no more, where more must come.
func (s *scanner) broken() error {
	//nolint:errorlint // wrapped, it is a failure
	if s.err == io.EOF {
		return ErrCut
	}
	return s.err
}

// begins tells whether what comes next is that text, of which the first bytes may be all that the document has.
func (s *scanner) begins(text string) (bool, error) {
	for n := 1; n <= len(text); n++ {
		if !s.have(n) {
			return false, s.broken()
		}
		if s.buf[s.r+n-1] != text[n-1] {
			return false, nil
		}
	}
	return true, nil
}

// text appends the text up to the next tag, or the end of the document, as the inside of a JSON string. Blank: it has
// nothing but white space, as it stands there.
func (s *scanner) text(dst []byte, most int) (_ []byte, blank bool, err error) {
	blank = true
	for {
		if s.r == s.w && !s.fill() {
			//nolint:errorlint // wrapped, it is a failure
			if s.err == io.EOF {
				return dst, blank, nil
			}
			return dst, blank, s.err
		}
		before := s.r
		dst, err = s.stretch(dst, inText)
		if err != nil {
			return dst, blank, err
		}
		if len(dst) > most {
			return dst, blank, ErrTooLong
		}
		blank = blank && isBlank(s.buf[before:s.r])
		if s.r == s.w {
			continue
		}
		switch s.buf[s.r] {
		case '<':
			var isTag bool
			isTag, dst, blank, err = s.aside(dst, blank, most)
			if isTag || err != nil {
				return dst, blank, err
			}
		case '&':
			blank = false
			dst, err = s.reference(dst)
		case ']':
			blank = false
			dst, err = s.bracket(dst)
		case '\r':
			dst, err = s.lineEnd(dst)
		default:
			// The rest of a character; there must be one.
			if !s.fill() {
				return dst, blank, s.broken()
			}
		}
		if err != nil {
			return dst, blank, err
		}
	}
}

// stretch appends what stands for itself at the beginning of what is buffered. It stops before what is special, or is not
// whole.
func (s *scanner) stretch(dst []byte, t *classes) ([]byte, error) {
	text := s.buf[s.r:s.w]
	i, from := 0, 0
	for i < len(text) {
		c := text[i]
		switch t[c] {
		case plain:
			i++
			continue
		case escaped:
			dst = append(dst, text[from:i]...)
			dst = escape(dst, c)
			i++
			from = i
			continue
		case wide:
			n, ok := wideRun(text[i:])
			i += n
			if !ok {
				s.r += i
				return dst, s.bad("a character that is not UTF-8, or that XML does not have")
			}
			if n > 0 {
				continue
			}
		case never:
			s.r += i
			return dst, s.bad("the character %#U, which XML does not have", rune(c))
		}
		break
	}
	s.r += i
	return append(dst, text[from:i]...), nil
}

// aside reads what begins with < and is no tag: a comment, an instruction, CDATA, the document type.
func (s *scanner) aside(dst []byte, blank bool, most int) (isTag bool, _ []byte, _ bool, err error) {
	if !s.have(2) {
		return false, dst, blank, s.broken()
	}
	switch s.buf[s.r+1] {
	case '?':
		return false, dst, blank, s.instruction()
	case '!':
	default:
		return true, dst, blank, nil
	}
	if is, err := s.begins("<!--"); is || err != nil {
		if err == nil {
			err = s.comment()
		}
		return false, dst, blank, err
	}
	if is, err := s.begins("<![CDATA["); is || err != nil {
		if err != nil {
			return false, dst, blank, err
		}
		if len(s.starts) == 0 {
			return false, dst, blank, s.bad("CDATA outside the outermost element")
		}
		s.r += len("<![CDATA[")
		dst, err = s.cdata(dst, most)
		return false, dst, false, err
	}
	if is, err := s.begins("<!DOCTYPE"); is || err != nil {
		if err == nil {
			err = s.doctype()
		}
		return false, dst, blank, err
	}
	return false, dst, blank, s.bad("a declaration where none may stand")
}

// cdata appends text up to ]]>.
func (s *scanner) cdata(dst []byte, most int) ([]byte, error) {
	for {
		if s.r == s.w && !s.fill() {
			return dst, s.broken()
		}
		var err error
		dst, err = s.stretch(dst, inCDATA)
		if err != nil {
			return dst, err
		}
		if len(dst) > most {
			return dst, ErrTooLong
		}
		if s.r == s.w {
			continue
		}
		switch s.buf[s.r] {
		case ']':
			isEnd, err := s.begins("]]>")
			if err != nil {
				return dst, err
			}
			if isEnd {
				s.r += len("]]>")
				return dst, nil
			}
			dst = append(dst, ']')
			s.r++
		case '\r':
			dst, err = s.lineEnd(dst)
			if err != nil {
				return dst, err
			}
		default:
			if !s.fill() {
				return dst, s.broken()
			}
		}
	}
}

// bracket appends a bracket of a text, which must not be the end of a CDATA that has not begun.
func (s *scanner) bracket(dst []byte) ([]byte, error) {
	isEnd, err := s.begins("]]>")
	if err != nil {
		return dst, err
	}
	if isEnd {
		return dst, s.bad("]]> in a text")
	}
	s.r++
	return append(dst, ']'), nil
}

// lineEnd appends the end of a line.
func (s *scanner) lineEnd(dst []byte) ([]byte, error) {
	if !s.have(2) {
		return dst, s.broken()
	}
	s.r++
	if s.buf[s.r] == '\n' {
		s.r++
	}
	return append(dst, `\n`...), nil
}

// reference appends the character that a reference stands for.
func (s *scanner) reference(dst []byte) ([]byte, error) {
	for n := 2; ; n++ {
		if !s.have(n) {
			return dst, s.broken()
		}
		c := s.buf[s.r+n-1]
		if c == ';' {
			name := s.buf[s.r+1 : s.r+n-1]
			r, ok := referred(name)
			if !ok {
				return dst, s.noReference(name)
			}
			s.r += n
			return appendRune(dst, r), nil
		}
		isOther := c == '<' || c == '&' || isSpace(c)
		if isOther || n > maxHead {
			return dst, s.bad("an ampersand that is no reference: it is written &amp;")
		}
	}
}

// noReference is the error about what stands between & and ;.
func (s *scanner) noReference(name []byte) error {
	if len(name) > 0 && name[0] == '#' {
		return s.bad("a reference to a character that XML does not have")
	}
	if isName(name) && len(name) < maxName {
		e := s.bad("the entity &%s;, which only a document type could declare", name)
		e.Remedy = ": those of XML itself are read, and numbers of characters"
		return e
	}
	return s.bad("an ampersand that is no reference: it is written &amp;")
}

// comment skips one.
func (s *scanner) comment() error {
	s.r += len("<!--")
	if err := s.skip("--"); err != nil {
		return err
	}
	if !s.have(1) {
		return s.broken()
	}
	if s.buf[s.r] != '>' {
		return s.bad("-- within a comment")
	}
	s.r++
	return nil
}

// instruction skips one.
func (s *scanner) instruction() error {
	at := s.offset()
	s.r += len("<?")
	n := 0
	for ; ; n++ {
		if !s.have(n + 1) {
			return s.broken()
		}
		if c := s.buf[s.r+n]; isSpace(c) || c == '?' {
			break
		}
		if n > maxName {
			return s.badAt(at, "an instruction with too long a name")
		}
	}
	target := s.buf[s.r : s.r+n]
	if !isName(target) {
		return s.badAt(at, "an instruction without a name")
	}
	if strings.EqualFold(string(target), "xml") {
		return s.badAt(at, "<?xml stands only at the beginning of a document")
	}
	s.r += n
	return s.skip("?>")
}

// skip reads up to the end of a text that stands somewhere further on.
func (s *scanner) skip(until string) error {
	for {
		text := s.buf[s.r:s.w]
		end := bytes.Index(text, []byte(until))
		var looked []byte
		if end >= 0 {
			looked = text[:end]
		} else if len(text) >= len(until) {
			looked = text[:len(text)-len(until)+1]
		}
		n, ok := valid(looked)
		s.r += n
		switch {
		case !ok:
			return s.bad("a character that is not UTF-8, or that XML does not have")
		case end >= 0 && n == len(looked):
			s.r += len(until)
			return nil
		case end >= 0:
			return s.bad("a character that is not UTF-8, or that XML does not have")
		}
		if !s.fill() {
			return s.broken()
		}
	}
}

// doctype skips a document type that declares nothing itself.
func (s *scanner) doctype() error {
	at := s.offset()
	isLate := s.typed || s.rooted
	if isLate {
		return s.bad("a document type where none may stand")
	}
	s.typed = true
	quote := byte(0)
	for n := len("<!DOCTYPE"); ; n++ {
		if !s.have(n + 1) {
			return s.broken()
		}
		c := s.buf[s.r+n]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '<':
			return s.badAt(at, "a document type with declarations, which are not read: entities and the like could stand for anything")
		case c == '>':
			return s.typeEnd(n)
		}
		const longest = 8 << 10
		if n > longest {
			return s.badAt(at, "a document type that does not end")
		}
	}
}

// typeEnd looks at a document type of n bytes.
func (s *scanner) typeEnd(n int) error {
	text := s.buf[s.r+len("<!DOCTYPE") : s.r+n]
	fields := bytes.Fields(text)
	isGood := len(fields) > 0 && isSpace(text[0])
	if isGood {
		prefix, local, hasPrefix := bytes.Cut(fields[0], []byte(":"))
		isGood = isName(prefix) && (!hasPrefix || isName(local))
	}
	if length, ok := valid(text); !isGood || !ok || length < len(text) {
		return s.bad("a document type without a name")
	}
	s.r += n + 1
	return nil
}

// bad is an [Error] at the byte at hand.
func (s *scanner) bad(format string, args ...any) *Error {
	return s.badAt(s.offset(), format, args...)
}

func (s *scanner) badAt(at int64, format string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(format, args...), At: at, Within: s.within()}
}
