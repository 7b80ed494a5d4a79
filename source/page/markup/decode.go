package markup

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode/utf32"
)

// counted counts the bytes that are read.
type counted struct {
	src io.Reader
	n   int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.n += int64(n)
	return n, err
}

// A declaration is what a document says of itself at its beginning.
type declaration struct {
	// Bytes of it; 0: there is none.
	length   int
	encoding string
}

// decode returns the document as UTF-8; other: it is in another encoding, which was decoded.
func decode(src io.Reader, isUTF8 bool) (text io.Reader, other bool, err error) {
	var begin [maxHead]byte
	// Src gives its error again.
	n, _ := io.ReadFull(src, begin[:])
	head := begin[:n]
	text = io.MultiReader(bytes.NewReader(bytes.Clone(head)), src)
	switch family(head) {
	case "UTF-16BE":
		return &utf16{src: text, big: true}, true, nil
	case "UTF-16LE":
		return &utf16{src: text}, true, nil
	case "UTF-32BE":
		return whole(text, utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "UTF-32"), true, nil
	case "UTF-32LE":
		return whole(text, utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "UTF-32"), true, nil
	case "EBCDIC":
		return nil, false, &Error{Reason: "the document is written in EBCDIC", Remedy: ": ask the API for UTF-8"}
	}
	if isUTF8 {
		return text, false, nil
	}
	d, err := declared(head)
	if err != nil {
		return nil, false, err
	}
	switch strings.ToUpper(d.encoding) {
	case "", "UTF-8", "UTF8", "US-ASCII", "ASCII":
		return text, false, nil
	case "UTF-16", "UTF-16LE", "UTF-16BE", "ISO-10646-UCS-2", "UTF-32", "UTF-32LE", "UTF-32BE", "ISO-10646-UCS-4":
		e := &Error{Reason: "the document says that it is written in " + d.encoding + ", and it is not"}
		return nil, false, e
	}
	known, err := ianaindex.IANA.Encoding(d.encoding)
	if err != nil || known == nil {
		e := &Error{Reason: "the document is written in " + d.encoding + ", which is not known"}
		e.Remedy = ": ask the API for UTF-8"
		return nil, false, e
	}
	return whole(text, known, d.encoding), true, nil
}

// family tells the encoding by the first bytes; empty: ASCII is written as such.
func family(head []byte) string {
	for _, f := range []struct{ begin, name string }{
		{"\x00\x00\xfe\xff", "UTF-32BE"},
		{"\xff\xfe\x00\x00", "UTF-32LE"},
		{"\x00\x00\x00<", "UTF-32BE"},
		{"<\x00\x00\x00", "UTF-32LE"},
		{"\xfe\xff", "UTF-16BE"},
		{"\xff\xfe", "UTF-16LE"},
		{"\x00<", "UTF-16BE"},
		{"<\x00", "UTF-16LE"},
		{"\x4c\x6f\xa7\x94", "EBCDIC"},
	} {
		if bytes.HasPrefix(head, []byte(f.begin)) {
			return f.name
		}
	}
	return ""
}

// whole decodes a text, and refuses what is none in its encoding.
func whole(src io.Reader, known encoding.Encoding, name string) io.Reader {
	return &strict{src: known.NewDecoder().Reader(src), name: name}
}

// strict is a text that was decoded. A decoder writes U+FFFD for what is wrong, which other encodings than those of
// Unicode do not have.
type strict struct {
	src  io.Reader
	name string

	// The last bytes that were read.
	last [2]byte
}

var replacement = []byte(string(utf8.RuneError))

// Read implements io.Reader.
func (s *strict) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	seam := append(s.last[:2:2], p[:min(n, 2)]...)
	if bytes.Contains(p[:n], replacement) || bytes.Contains(seam, replacement) {
		return 0, &Error{Reason: "a character that " + s.name + ", the encoding of the document, does not have"}
	}
	switch {
	case n >= 2:
		copy(s.last[:], p[n-2:n])
	case n == 1:
		s.last = [2]byte{s.last[1], p[0]}
	}
	return n, err
}

// utf16 decodes that encoding.
type utf16 struct {
	src io.Reader
	big bool

	// Bytes that were read, decoded text that was not given yet.
	in, out []byte
	begun   bool
	err     error
}

// Read implements io.Reader.
func (u *utf16) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.more()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// more decodes another piece.
func (u *utf16) more() {
	const size = 8 << 10
	rest := len(u.in)
	u.in = append(u.in, make([]byte, size)...)
	n, err := u.src.Read(u.in[rest:])
	u.in = u.in[:rest+n]
	u.err = err
	out := u.out[:0]
	at := 0
	for ; at+2 <= len(u.in); at += 2 {
		c := u.unit(at)
		switch {
		case !u.begun && c == 0xFEFF:
		case c >= 0xDC00 && c < 0xE000:
			u.err = noUTF16()
		case c >= 0xD800 && c < 0xDC00:
			if at+4 > len(u.in) {
				u.leave(at, out)
				return
			}
			low := u.unit(at + 2)
			if low < 0xDC00 || low >= 0xE000 {
				u.err = noUTF16()
				break
			}
			out = utf8.AppendRune(out, (c-0xD800)<<10+low-0xDC00+0x10000)
			at += 2
		default:
			out = utf8.AppendRune(out, c)
		}
		u.begun = true
	}
	u.leave(at, out)
}

// leave keeps what was not decoded. A document that ends within a character was cut.
func (u *utf16) leave(at int, out []byte) {
	u.in = append(u.in[:0], u.in[at:]...)
	u.out = out
	if isEOF(u.err) && len(u.in) > 0 {
		u.err = ErrCut
	}
}

func (u *utf16) unit(at int) rune {
	if u.big {
		return rune(u.in[at])<<8 | rune(u.in[at+1])
	}
	return rune(u.in[at+1])<<8 | rune(u.in[at])
}

func noUTF16() error {
	return &Error{Reason: "half of a character, which UTF-16 does not have"}
}

// declared reads the declaration at the beginning of a document.
func declared(head []byte) (d declaration, err error) {
	const open = "<?xml"
	if !bytes.HasPrefix(head, []byte(open)) || len(head) == len(open) || !isSpace(head[len(open)]) {
		return d, nil
	}
	end := bytes.Index(head, []byte("?>"))
	if end < 0 {
		if len(head) < maxHead {
			return d, ErrCut
		}
		return d, &Error{Reason: "the declaration of the document does not end"}
	}
	d.length = end + len("?>")
	names := []string{"version", "encoding", "standalone"}
	for rest := head[len(open):end]; ; {
		trimmed := bytes.TrimLeft(rest, " \t\r\n")
		if len(trimmed) == 0 {
			if names[0] == "version" {
				return d, badDeclaration()
			}
			return d, nil
		}
		var name, value string
		name, value, trimmed, err = pair(trimmed, len(trimmed) < len(rest))
		if err != nil {
			return d, err
		}
		for len(names) > 0 && names[0] != name && name != "version" && names[0] != "version" {
			names = names[1:]
		}
		if len(names) == 0 || names[0] != name {
			return d, badDeclaration()
		}
		names = append(names[1:], "")
		if err := d.take(name, value); err != nil {
			return d, err
		}
		rest = trimmed
	}
}

// take enters what a declaration says.
func (d *declaration) take(name, value string) error {
	switch {
	case name == "version" && value != "1.0":
		return &Error{Reason: "the document is written in XML of another version than 1.0"}
	case name == "encoding":
		if !isName([]byte(value)) || value[0] >= utf8.RuneSelf || value[0] == '_' {
			return badDeclaration()
		}
		d.encoding = value
	case name == "standalone" && value != "yes" && value != "no":
		return badDeclaration()
	}
	return nil
}

// pair reads a name and its value, before which white space must stand.
func pair(text []byte, hasSpace bool) (name, value string, rest []byte, err error) {
	before, behind, ok := bytes.Cut(text, []byte("="))
	behind = bytes.TrimLeft(behind, " \t\r\n")
	isQuoted := len(behind) > 0 && (behind[0] == '"' || behind[0] == '\'')
	if !ok || !hasSpace || !isQuoted {
		return "", "", nil, badDeclaration()
	}
	end := bytes.IndexByte(behind[1:], behind[0])
	if end < 0 {
		return "", "", nil, badDeclaration()
	}
	return string(bytes.TrimRight(before, " \t\r\n")), string(behind[1 : end+1]), behind[end+2:], nil
}

func badDeclaration() error {
	return &Error{Reason: "the declaration of the document is wrong"}
}

// head reads the declaration at the beginning of a document that was decoded from another encoding if other.
func (s *scanner) head(other bool) error {
	for s.w-s.r < maxHead && s.fill() {
		continue
	}
	if s.err != nil && !isEOF(s.err) {
		return s.err
	}
	d, err := declared(s.buf[s.r:min(s.w, s.r+maxHead)])
	if err != nil {
		return err
	}
	isUTF8 := strings.EqualFold(d.encoding, "UTF-8") || strings.EqualFold(d.encoding, "UTF8")
	if other && isUTF8 {
		return &Error{Reason: "the document says that it is written in " + d.encoding + ", and it is not"}
	}
	s.r += d.length
	return nil
}
