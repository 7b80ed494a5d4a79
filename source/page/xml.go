package page

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/page/markup"
)

// decodeMapping decodes what a configuration says of the JSON that XML becomes.
func (f *Format) decodeMapping(o *config.ObjectDecoder, p *config.Problems) {
	lists := o.List("lists", "Names of elements that are a list also where they come once.", "string")
	for _, n := range lists {
		if !markup.IsName(n.Text()) {
			p.Errorf(n, "is no name of an element")
		}
		f.mapping.Lists = append(f.mapping.Lists, n.Text())
	}
	spaces := o.Map("namespaces", "Prefixes that names of these namespaces get, whatever the document calls them.")
	if spaces == nil {
		return
	}
	f.mapping.Namespaces = map[string]string{}
	for _, m := range spaces.Members {
		isGood := m.Value.Kind == '"' && m.Value.Text() != ""
		switch {
		case !isGood:
			p.Errorf(m.Value, "must be the address of a namespace, a text")
		case !markup.IsPrefix(m.Name):
			p.Errorf(m.Value, "%q is no prefix", m.Name)
		default:
			f.mapping.Namespaces[m.Name] = m.Value.Text()
		}
	}
}

// xml reads a document, of which a reader makes JSON.
func (r *bodyReading) xml() error {
	// An error is met again by the reader.
	begin, _ := r.in.Peek(window)
	start := bytes.TrimLeft(begin, " \t\r\n")
	if len(start) == 0 && isEOF(r.body.end) {
		r.page.Selected = 'n'
		if r.spec.Answer == nil {
			return nil
		}
		return r.spec.Answer.Cut(r.body.given, false)
	}
	isPartOfMark := isEOF(r.body.end) && bytes.HasPrefix(byteOrderMark, start)
	if isPartOfMark {
		return r.badMarkup(io.ErrUnexpectedEOF)
	}
	if !markup.Begins(start) {
		return judgement("the answer is no XML: it begins with %q", start[0])
	}
	if r.spec.Detect {
		e := judgement("the answer is XML, and dataField does not say where its items are")
		e.Remedy = r.redacted(placesOf(begin))
		return e
	}
	if r.markup == nil {
		r.markup = &markup.Reader{}
	}
	r.document = r.markup
	r.body.reader = r.document
	isMarked := bytes.Equal(r.mark[:3], byteOrderMark)
	f := r.spec.Format
	if err := r.markup.Reset(r.in, isMarked, r.spec.Select, &f.mapping, int(r.body.limit)); err != nil {
		return r.badMarkup(err)
	}
	r.dec.Reset(r.markup, lenient...)
	return r.response()
}

// placesOf names what dataField could be in a document that begins so.
func placesOf(begin []byte) string {
	places := markup.Places(begin)
	if len(places) == 0 {
		return ""
	}
	var shown []string
	for _, p := range places {
		field := pipeline.Shorten(strings.Join(p.Way, "."), longest)
		shown = append(shown, fmt.Sprintf("%q (%d)", field, p.Count))
	}
	return ": dataField could be " + strings.Join(shown, " or ")
}

// mayBeXML tells whether a text that is no JSON is a document of XML, and not of HTML.
func mayBeXML(text []byte) bool { return markup.Begins(text) && !markup.IsHTML(text) }

// Value is a whole text in the format as one JSON value; nil: it is none, or the format is JSON.
func (f *Format) Value(text []byte) []byte {
	if f == nil || f.features.value == nil {
		return nil
	}
	return f.features.value(f, text)
}

// document is a whole document as JSON.
func (f *Format) document(text []byte) []byte {
	var r markup.Reader
	if r.Reset(bytes.NewReader(text), false, nil, &f.mapping, ItemLimit) != nil {
		return nil
	}
	value, err := io.ReadAll(&r)
	if err != nil {
		return nil
	}
	compact, _ := item.Compact(nil, value)
	return compact
}
