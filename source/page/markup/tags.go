package markup

import (
	"bytes"
	"io"

	"sluice/pipeline/item"
)

// What a tag is.
type tag uint8

const (
	// The document has ended.
	noTag tag = iota
	startTag
	endTag
)

// isEndTag tells whether the tag at hand ends an element; there is none at the end of the document.
func (s *scanner) isEndTag() bool { return s.w-s.r >= 2 && s.buf[s.r+1] == '/' }

// next reads the tag at hand. An empty element has a start tag, and next tells that its end came with it.
func (s *scanner) next() (t tag, isEmpty bool, err error) {
	if s.r == s.w {
		if len(s.starts) > 0 || !s.rooted {
			return noTag, false, s.broken()
		}
		s.ended = true
		return noTag, false, nil
	}
	end, err := s.tagEnd()
	if err != nil {
		return noTag, false, err
	}
	text := s.buf[s.r+1 : end]
	if text[0] == '/' {
		err = s.endTag(text[1:])
		s.r = end + 1
		return endTag, false, err
	}
	isEmpty, err = s.startTag(text)
	if err != nil {
		return noTag, false, err
	}
	s.r = end + 1
	return startTag, isEmpty, nil
}

// tagEnd is where the tag at hand ends, which is read whole.
func (s *scanner) tagEnd() (int, error) {
	quote := byte(0)
	for n := 1; ; {
		for text := s.buf[s.r:s.w]; n < len(text); n++ {
			switch c := text[n]; {
			case c == '<':
				return 0, s.bad("< within a tag: in a value it is written &lt;")
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				if n == 1 {
					return 0, s.bad("a tag without a name")
				}
				return s.r + n, nil
			}
		}
		if n > s.most {
			return 0, ErrTooLong
		}
		if !s.fill() {
			return 0, s.broken()
		}
	}
}

// endTag reads what stands in an end tag.
func (s *scanner) endTag(text []byte) error {
	name := bytes.TrimRight(text, " \t\r\n")
	last := len(s.starts) - 1
	if last < 0 {
		return s.bad("the end of an element that has not begun")
	}
	if !bytes.Equal(name, s.opened(last)) {
		return s.bad("an element ends by another name than it began with")
	}
	s.open = s.open[:s.starts[last]]
	s.starts = s.starts[:last]
	return nil
}

// startTag reads what stands in a start tag.
func (s *scanner) startTag(text []byte) (isEmpty bool, err error) {
	if text[len(text)-1] == '/' {
		isEmpty = true
		text = text[:len(text)-1]
	}
	n := 0
	for n < len(text) && !isSpace(text[n]) {
		n++
	}
	s.name = text[:n]
	s.attributes = s.attributes[:0]
	switch {
	case n > maxName:
		return false, s.bad("a name of more than %d bytes", maxName)
	case len(s.starts) == 0 && s.rooted:
		return false, s.bad("a second outermost element")
	case len(s.starts) == maxDepth:
		return false, s.bad("elements nested too deeply, more than %d levels", maxDepth)
	}
	s.rooted = true
	if n < len(text) {
		if err := s.readAttributes(text[n:]); err != nil {
			return false, err
		}
	}
	if !isEmpty {
		s.starts = append(s.starts, int32(len(s.open)))
		s.open = append(s.open, s.name...)
	}
	return isEmpty, nil
}

// readAttributes reads the attributes of an element: what stands behind its name.
func (s *scanner) readAttributes(text []byte) error {
	for {
		rest := bytes.TrimLeft(text, " \t\r\n")
		if len(rest) == 0 {
			return nil
		}
		if len(rest) == len(text) {
			return s.bad("no white space between two attributes")
		}
		if len(s.attributes) == maxAttributes {
			return s.bad("more than %d attributes of one element", maxAttributes)
		}
		equals := bytes.IndexByte(rest, '=')
		if equals < 0 {
			return s.bad("an attribute without a value")
		}
		name := bytes.TrimRight(rest[:equals], " \t\r\n")
		rest = bytes.TrimLeft(rest[equals+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return s.bad("the value of an attribute is not in quotes")
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return s.bad("the value of an attribute is not in quotes")
		}
		if len(name) > maxName {
			return s.bad("a name of more than %d bytes", maxName)
		}
		s.attributes = append(s.attributes, xmlAttribute{name, rest[1 : end+1]})
		text = rest[end+2:]
	}
}

// value appends the value of an attribute as the inside of a JSON string.
func (s *scanner) value(dst, raw []byte) ([]byte, error) {
	from := 0
	for i := 0; i < len(raw); {
		c := raw[i]
		class := inValue[c]
		if class == plain {
			i++
			continue
		}
		dst = append(dst, raw[from:i]...)
		switch {
		case class == escaped:
			dst = escape(dst, c)
			i++
		case class == wide:
			n, ok := wideRun(raw[i:])
			if !ok || n == 0 {
				return dst, s.bad("a character that is not UTF-8, or that XML does not have")
			}
			dst = append(dst, raw[i:i+n]...)
			i += n
		case class == never:
			return dst, s.bad("the character %#U, which XML does not have", rune(c))
		case c == '&':
			length := bytes.IndexByte(raw[i:], ';')
			if length < 0 {
				return dst, s.bad("an ampersand that is no reference: it is written &amp;")
			}
			r, ok := referred(raw[i+1 : i+length])
			if !ok {
				return dst, s.noReference(raw[i+1 : i+length])
			}
			dst = appendRune(dst, r)
			i += length + 1
		// An end of a line, which is white space there.
		case c == '\r' && i+1 < len(raw) && raw[i+1] == '\n':
			dst = append(dst, ' ')
			i += 2
		default:
			dst = append(dst, ' ')
			i++
		}
		from = i
	}
	return append(dst, raw[from:]...), nil
}

// address is the value of an attribute that declares a namespace.
func (s *scanner) address(raw []byte) (string, error) {
	quoted, err := s.value([]byte{'"'}, raw)
	if err != nil {
		return "", err
	}
	return item.Unquote(append(quoted, '"')), nil
}

// isEOF tells whether err says that a text has ended well.
func isEOF(err error) bool {
	//nolint:errorlint // wrapped, it is a failure
	return err == io.EOF
}
