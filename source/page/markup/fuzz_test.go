package markup_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sluice/source/page/markup"
)

// read is a document as JSON.
func read(in io.Reader, way []string) (string, error) {
	var r markup.Reader
	if err := r.Reset(in, false, way, &markup.Options{}, 1<<20); err != nil {
		return "", err
	}
	text, err := io.ReadAll(&r)
	if err != nil {
		return "", err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return "", errors.Join(errWrong, err)
	}
	return compact.String(), nil
}

var errWrong = errors.New("no JSON")

// FuzzXML reads a document whole and byte by byte, and compares what is accepted with the mapping made of what
// encoding/xml reads.
func FuzzXML(f *testing.F) {
	for _, seed := range []string{
		`<?xml version="1.0" encoding="UTF-8" standalone="yes"?><!DOCTYPE r><r a='1&amp;2' b="x">t<i>1</i> <i/>]]&gt;<![CDATA[<c>]]></r>`,
		"<r xmlns='u' xmlns:p='v'><p:i p:a='1' a='2'/><i xmlns=''>\r\n\t</i><!-- c --><?pi x?></r>\n",
		"<r><list><item>1</item><x/><item>2</item></list><list><item/></list></r>",
		`<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><i xsi:nil="true"/></r>`,
		"<é:ü xmlns:é='u'>\U0001F600&#233;&#xe9;</é:ü>", "<r>&#0;</r>", "<r a=1>", "<r></s>", "\xff\xfe<\x00r\x00/\x00>\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		for _, way := range [][]string{nil, {"r", "list", "item"}, {"r"}} {
			got, err := read(bytes.NewReader(document), way)
			again, bad := read(iotest.OneByteReader(bytes.NewReader(document)), way)
			isSame := got == again && (err == nil) == (bad == nil)
			if !isSame || errors.Is(err, errWrong) {
				t.Fatalf("%q\n%q %v, byte by byte\n%q %v", document, got, err, again, bad)
			}
			// Line ends in attributes, which become blanks, encoding/xml leaves as they are.
			hasEnds := bytes.ContainsAny(document, "\t\r\n") && bytes.IndexByte(document, '=') >= 0
			if err != nil || way != nil || hasEnds || bytes.Contains(document, []byte("encoding")) || isWide(document) {
				continue
			}
			want, err := reference(document)
			if err != nil || got != want {
				t.Fatalf("%q\n%s, want\n%s, %v", document, got, want, err)
			}
		}
	})
}

func isWide(document []byte) bool {
	return bytes.IndexByte(document, 0) >= 0 || bytes.HasPrefix(document, []byte("\xff"))
}

// node is an element as encoding/xml reads it.
type node struct {
	names  []string
	values map[string][]any
	text   string
	null   bool
	parent bool
}

func (n *node) add(name string, value any) {
	if !slices.Contains(n.names, name) {
		n.names = append(n.names, name)
	}
	n.values[name] = append(n.values[name], value)
}

// addText adds text that stands before a start tag, or at the end.
func (n *node) addText(isEnd bool) {
	text := n.text
	n.text = ""
	isBetween := strings.Trim(text, " \t\r\n") == "" && (n.parent || !isEnd || n.null)
	if text == "" || isBetween {
		return
	}
	if old := n.values["#text"]; len(old) > 0 {
		n.values["#text"] = []any{old[0].(string) + text}
		return
	}
	n.add("#text", text)
}

// json is the mapping.
func (n *node) json() any {
	_, hasText := n.values["#text"]
	switch {
	case n.null && len(n.names) == 0:
		return nil
	case n.null:
		n.add("#text", nil)
	case len(n.names) == 0:
		return ""
	case len(n.names) == 1 && hasText:
		return n.values["#text"][0]
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range n.names {
		if i > 0 {
			b.WriteByte(',')
		}
		var value any = n.values[name]
		if len(n.values[name]) == 1 {
			value = n.values[name][0]
		}
		b.Write(encoded(name))
		b.WriteByte(':')
		b.Write(encoded(value))
	}
	b.WriteByte('}')
	return json.RawMessage(b.Bytes())
}

// encoded is a value as JSON, as little escaped as can be.
func encoded(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // what it is made of can be encoded
	text := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(b.String())
	return []byte(strings.TrimSuffix(text, "\n"))
}

// reference is the mapping made by encoding/xml.
func reference(document []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(document))
	top := &node{values: map[string][]any{}}
	open := []*node{top}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		n := open[len(open)-1]
		switch token := token.(type) {
		case xml.CharData:
			n.text += string(token)
		case xml.StartElement:
			n.addText(false)
			n.parent = true
			child := &node{values: map[string][]any{}}
			for _, a := range token.Attr {
				isDeclared := a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns"
				isNil := a.Name.Space == "http://www.w3.org/2001/XMLSchema-instance" && a.Name.Local == "nil"
				switch {
				case isDeclared:
				case isNil:
					child.null = a.Value == "true" || a.Value == "1"
				default:
					child.add("@"+a.Name.Local, a.Value)
				}
			}
			open = append(open, child)
		case xml.EndElement:
			n.addText(true)
			open = open[:len(open)-1]
			open[len(open)-1].add(token.Name.Local, n.json())
		}
	}
	return string(encoded(top.json())), nil
}
