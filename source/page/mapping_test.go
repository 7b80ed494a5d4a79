package page_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/page"
)

// example is a pair of blocks of docs/xml.md.
type example struct{ options, document, want string }

// examples are those of docs/xml.md.
func examples(t *testing.T) (all []example) {
	t.Helper()
	text, err := os.ReadFile("../../docs/xml.md")
	if err != nil {
		t.Fatal(err)
	}
	for rest := string(text); ; {
		_, behind, found := strings.Cut(rest, "```xml\n")
		if !found {
			return all
		}
		document, after, _ := strings.Cut(behind, "\n```\n")
		_, want, _ := strings.Cut(after, "```text\n")
		want, rest, _ = strings.Cut(want, "\n```\n")
		e := example{document: document, want: want}
		if first, more, isTold := strings.Cut(document, " -->\n"); isTold && strings.HasPrefix(first, `<!-- "`) {
			e.options, e.document = ", "+strings.TrimPrefix(first, "<!-- "), more
		}
		all = append(all, e)
	}
}

// itemsInXML are the items of a document.
func itemsInXML(t *testing.T, f *page.Format, field string, document io.Reader) (string, error) {
	t.Helper()
	s := &page.Spec{Format: f, Select: item.ParsePath(field, "."), Field: field}
	if field == "." {
		s.Select = nil
	}
	p, err := new(page.Decoder).Decode(document, s)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = p.Batches(func(batch *pipeline.Batch) error {
		b.Write(batch.Text)
		return release(batch)
	})
	return b.String(), err
}

func TestXMLBecomesWhatTheDocumentationSays(t *testing.T) {
	all := examples(t)
	if len(all) != 20 {
		t.Errorf("docs/xml.md has %d examples", len(all))
	}
	for _, e := range all {
		f := format(t, `{"type": "xml"`+e.options+`}`)
		got, err := itemsInXML(t, f, ".", iotest.OneByteReader(strings.NewReader(e.document)))
		if err != nil {
			t.Errorf("%s: %v", e.document, err)
			continue
		}
		for _, value := range item.Members([]byte(strings.TrimSuffix(got, "\n"))) {
			if string(value) != e.want {
				t.Errorf("%s\n%s, want\n%s", e.document, value, e.want)
			}
		}
	}
}

// A tree is a drawn element.
type tree struct {
	name     string
	names    []string
	values   []string
	children []any
}

// drawTree draws an element.
func drawTree(r *rand.Rand, depth int) *tree {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	e := &tree{name: pick("a", "b", "c", "p:d", "é")}
	for _, name := range []string{"x", "y", "p:z"} {
		if r.IntN(4) == 0 {
			e.names = append(e.names, name)
			e.values = append(e.values, pick("", "1", "a & b", "<\"'>", "\n\t x"))
		}
	}
	for range r.IntN(5) {
		isText := depth == 0 || r.IntN(3) == 0
		if isText {
			e.children = append(e.children, pick("", " ", "text", "a < b & \"c\"", "\\ü\U0001F600", "]]>", "\n"))
			continue
		}
		e.children = append(e.children, drawTree(r, depth-1))
	}
	return e
}

// write writes an element as XML, by chance in one of several ways that mean the same.
func (e *tree) write(b *strings.Builder, r *rand.Rand, prefix string) {
	name := strings.Replace(e.name, "p:", prefix+":", 1)
	b.WriteString("<" + name)
	for i, attribute := range e.names {
		quote := []string{`"`, `'`}[r.IntN(2)]
		fmt.Fprintf(b, " %s=%s%s%s", strings.Replace(attribute, "p:", prefix+":", 1), quote, escapeAll(e.values[i]), quote)
	}
	if len(e.children) == 0 && r.IntN(2) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteString(">")
	for _, child := range e.children {
		if r.IntN(6) == 0 {
			b.WriteString("<!-- <c> -->")
		}
		switch child := child.(type) {
		case *tree:
			child.write(b, r, prefix)
		case string:
			isCDATA := child != "" && strings.TrimSpace(child) != "" && !strings.Contains(child, "]]>") && r.IntN(2) == 0
			if isCDATA {
				b.WriteString("<![CDATA[" + child + "]]>")
			} else {
				b.WriteString(escapeText(child))
			}
		}
	}
	b.WriteString("</" + name + ">")
}

func escapeText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

func escapeAll(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "'", "&#39;", "\n", "&#10;", "\t", "&#x9;").Replace(text)
}

// The same item is the same JSON in each document: alone, repeated, moved, among others, under another prefix, in another
// encoding, read in pieces of any length.
func TestAnItemIsTheSameJSONInEveryDocument(t *testing.T) {
	f := format(t, `{"type": "xml", "lists": ["b", "q:d"], "namespaces": {"q": "urn:p"}}`)
	for seed := range cases.Raced(50, 300, 5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 48))
		var trees []*tree
		for range 1 + r.IntN(5) {
			e := drawTree(r, 3)
			e.name = "item"
			trees = append(trees, e)
		}
		document := func(order []int) string {
			var b strings.Builder
			prefix := []string{"p", "other", "_"}[r.IntN(3)]
			b.WriteString("<r xmlns:" + prefix + "='urn:p'><list n='1'>")
			for _, i := range order {
				if r.IntN(3) == 0 {
					b.WriteString("<beside><item>no</item></beside>\n")
				}
				if r.IntN(5) == 0 {
					b.WriteString("</list><list>")
				}
				if r.IntN(3) == 0 {
					b.WriteString(", &amp; ")
				}
				trees[i].write(&b, r, prefix)
			}
			b.WriteString("</list><item>no</item></r>")
			return b.String()
		}
		read := func(order []int) []string {
			text := document(order)
			var in io.Reader = strings.NewReader(text)
			if r.IntN(2) == 0 {
				in = iotest.OneByteReader(in)
			}
			got, err := itemsInXML(t, f, "r.list.item", in)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			return slices.Collect(strings.Lines(got))
		}
		var want []string
		for i := range trees {
			want = append(want, read([]int{i})...)
		}
		order := r.Perm(len(trees))
		order = append(order, order[r.IntN(len(order))])
		got := read(order)
		for k, i := range order {
			if k >= len(got) || got[k] != want[i] {
				t.Fatalf("seed %d: item %d:\n%q, alone\n%q", seed, i, got, want[i])
			}
		}
	}
}

// Items are given out apart, and the texts between them are one text, as they are between other elements.
func TestTextBetweenItemsIsOneText(t *testing.T) {
	document := "<r>p<list>a<i>1</i>,<i>2</i>,<i>3</i>z<u>x</u>y</list>q</r>"
	s := &page.Spec{Format: format(t, `{"type": "xml"}`), Select: item.Path{"r", "list", "i"}, Field: "r.list.i"}
	s.Wants = []item.Path{{"r", "list", "#text"}, {"r", "#text"}}
	p, err := new(page.Decoder).Decode(strings.NewReader(document), s)
	if err != nil || p.Items != 3 || string(p.Wanted[0]) != `"a,,zy"` || string(p.Wanted[1]) != `"pq"` {
		t.Errorf("%v, %+v", err, p)
	}
}

// What is wrong with a document, and what is said of it.
func TestDocumentsThatAreWrongAreRefused(t *testing.T) {
	many := func(n int, before, each, behind string) string { return before + strings.Repeat(each, n) + behind }
	var attributes strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&attributes, " a%d='1'", i)
	}
	var names strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&names, "<n%d/>", i)
	}
	var spaces strings.Builder
	for i := range 300 {
		fmt.Fprintf(&spaces, " xmlns:n%d='urn:%d'", i, i)
	}
	wrong := map[string][2]string{
		"no end":                  {`<r><item>`, "the body was cut short"},
		"half a tag":              {`<r><item`, "the body was cut short"},
		"half a comment":          {`<r/><!-- `, "the body was cut short"},
		"another end":             {`<r><item></r></item>`, "an element ends by another name than it began with at byte 9 within \"r.item\""},
		"an end alone":            {`<r/></r>`, "the end of an element that has not begun"},
		"two roots":               {`<r/><r/>`, "a second outermost element"},
		"text before":             {`<r/>x`, "text outside the outermost element"},
		"CDATA outside":           {`<r/><![CDATA[x]]>`, "CDATA outside the outermost element"},
		"an attribute twice":      {`<r a="1" a="2"/>`, "the attribute a stands twice in an element"},
		"twice by namespace":      {`<r xmlns:a="u" xmlns:b="u" a:x="1" b:x="2"/>`, "the attribute x stands twice in an element"},
		"no value":                {`<r a/>`, "an attribute without a value"},
		"no quotes":               {`<r a=1/>`, "the value of an attribute is not in quotes"},
		"no space":                {`<r a="1"b="2"/>`, "no white space between two attributes"},
		"< in a value":            {`<r a="<"/>`, "< within a tag"},
		"no name":                 {`<r><1/></r>`, `"1" is no name`},
		"two colons":              {`<r xmlns:a="u"><a:b:c/></r>`, `"a:b:c" is no name`},
		"no prefix":               {`<r><:b/></r>`, `":b" is no name`},
		"an undeclared prefix":    {`<r><a:b/></r>`, "the prefix a is not declared"},
		"a prefix that is over":   {`<r><x xmlns:a="u"/><a:b/></r>`, "the prefix a is not declared"},
		"a prefix for nothing":    {`<r xmlns:a=""/>`, "the prefix a stands for no namespace"},
		"xml as another":          {`<r xmlns:xml="u"/>`, "xml and xmlns stand for other namespaces than their own"},
		"another as xml":          {`<r xmlns:a="http://www.w3.org/XML/1998/namespace"/>`, "xml and xmlns stand for other namespaces than their own"},
		"xmlns":                   {`<r xmlns:xmlns="u"/>`, "xml and xmlns stand for other namespaces than their own"},
		"a declaration twice":     {`<r xmlns:a="u" xmlns:a="v"/>`, "the attribute xmlns:a stands twice in an element"},
		"many namespaces":         {`<r` + spaces.String() + `/>`, "more than 256 namespaces are declared"},
		"one name of two":         {`<r><item xmlns:a="u"><a:b/><b/></item></r>`, `two namespaces have "b" in one element: "u" and "" at byte 31 within "r.item": give one of them a prefix in namespaces of the format`},
		"two items of two":        {`<r xmlns:a="u"><item/><a:item/></r>`, `two namespaces have "item" in one element: "" and "u"`},
		"an entity":               {`<r>&nbsp;</r>`, "the entity &nbsp;, which only a document type could declare"},
		"an entity of a value":    {`<r a="&x;"/>`, "the entity &x;"},
		"an ampersand":            {`<r>a & b</r>`, "an ampersand that is no reference: it is written &amp;"},
		"an ampersand at the end": {`<r a="&"/>`, "an ampersand that is no reference"},
		"no character":            {`<r>&#0;</r>`, "a reference to a character that XML does not have"},
		"a surrogate":             {`<r>&#xD800;</r>`, "a reference to a character that XML does not have"},
		"too great a character":   {`<r>&#x110000;</r>`, "a reference to a character that XML does not have"},
		"a sign":                  {`<r>&#+65;</r>`, "a reference to a character that XML does not have"},
		"a control character":     {"<r>\x01</r>", "the character U+0001, which XML does not have"},
		"one in a value":          {"<r a='\x00'/>", "the character U+0000, which XML does not have"},
		"no UTF-8":                {"<r>\xff</r>", "a character that is not UTF-8, or that XML does not have at byte 3 within \"r\""},
		"U+FFFE":                  {"<r>\ufffe</r>", "a character that is not UTF-8, or that XML does not have"},
		"no UTF-8 in a name":      {"<r\xff/>", "is no name"},
		"no UTF-8 in a comment":   {"<r><!--\xff--></r>", "a character that is not UTF-8, or that XML does not have"},
		"two hyphens":             {"<r><!-- a -- b --></r>", "-- within a comment"},
		"]]>":                     {"<r>]]></r>", "]]> in a text"},
		"a late declaration":      {" <?xml version='1.0'?><r/>", "<?xml stands only at the beginning of a document"},
		"XML 1.1":                 {"<?xml version='1.1'?><r/>", "XML of another version than 1.0"},
		"a wrong declaration":     {"<?xml encoding='UTF-8'?><r/>", "the declaration of the document is wrong"},
		"a DTD":                   {`<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><r>&b;</r>`, "a document type with declarations, which are not read"},
		"a late DTD":              {`<r/><!DOCTYPE r>`, "a document type where none may stand"},
		"two DTDs":                {`<!DOCTYPE r><!DOCTYPE r><r/>`, "a document type where none may stand"},
		"an element declaration":  {`<r><!ELEMENT r ANY></r>`, "a declaration where none may stand"},
		"deep":                    {many(1001, "", "<r>", ""), "elements nested too deeply, more than 1000 levels"},
		"many attributes":         {"<r" + attributes.String() + "/>", "more than 4096 attributes of one element"},
		"many names":              {"<r>" + names.String() + "</r>", "too many different names of elements and attributes"},
		"a long name":             {many(2000, "<r", "r", "/>"), "a name of more than 1000 bytes"},
		"nil":                     {`<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><item i:nil="no"/></r>`, "nil is neither true nor false"},
		"nil with a text":         {`<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><item i:nil="1">x</item></r>`, "an element that is nil has content"},
		"nil with an element":     {`<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><item i:nil="1"><a/></item></r>`, "an element that is nil has content"},
		"no encoding":             {"<?xml version='1.0' encoding='klingon'?><r/>", "the document is written in klingon, which is not known at byte 0: ask the API for UTF-8"},
		"another encoding":        {"<?xml version='1.0' encoding='UTF-16'?><r/>", "the document says that it is written in UTF-16, and it is not"},
		"UTF-8 that is UTF-16":    {wide("<?xml version='1.0' encoding='UTF-8'?><r/>"), "the document says that it is written in UTF-8, and it is not"},
		"half of a character":     {wide("<r>") + "\x00\xd8<\x00", "half of a character, which UTF-16 does not have"},
		"no Shift_JIS":            {"<?xml version='1.0' encoding='Shift_JIS'?><r>\xff</r>", "a character that Shift_JIS, the encoding of the document, does not have"},
		"EBCDIC":                  {"\x4c\x6f\xa7\x94\x93", "the document is written in EBCDIC"},
		"JSON":                    {`{"a":1}`, "the answer is no XML: it begins with '{'"},
		"text":                    {`Not found`, "the answer is no XML: it begins with 'N'"},
	}
	for name, w := range wrong {
		for _, field := range []string{"r.item", "x.y", "."} {
			isWay := field == "r.item" || w[0] != wrong["two items of two"][0]
			_, err := itemsInXML(t, format(t, `"xml"`), field, strings.NewReader(w[0]))
			isSaid := err != nil && strings.Contains(err.Error(), w[1])
			if isWay && !isSaid {
				t.Errorf("%s, %s: %v, want %s", name, field, err, w[1])
			}
		}
	}
}

// wide is a text in UTF-16.
func wide(text string) string {
	b := "\xff\xfe"
	for _, c := range text {
		b += string([]byte{byte(c), byte(c >> 8)})
	}
	return b
}

func TestDocumentsAreReadInTheirEncoding(t *testing.T) {
	for name, document := range map[string]string{
		"UTF-8":        "<r><item>é</item></r>",
		"with a mark":  "\ufeff<?xml version='1.0' encoding='utf-8'?><r><item>é</item></r>",
		"ISO-8859-1":   "<?xml version='1.0' encoding='ISO-8859-1'?><r><item>\xe9</item></r>",
		"windows-1252": "<?xml version=\"1.0\" encoding=\"windows-1252\" standalone='yes' ?><r><item>\xe9</item></r>",
		"IBM850":       "<?xml version='1.0' encoding='IBM850'?><r><item>\x82</item></r>",
		"UTF-16":       wide("<?xml version='1.0' encoding='UTF-16'?><r><item>é</item></r>"),
		"UTF-16 bare":  strings.TrimPrefix(wide("<r><item>é</item></r>"), "\xff\xfe"),
		"GB18030":      "<?xml version='1.0' encoding='GB18030'?><r><item>\xa8\xa6</item></r>",
	} {
		got, err := itemsInXML(t, format(t, `"xml"`), "r.item", iotest.OneByteReader(strings.NewReader(document)))
		if err != nil || got != "\"é\"\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// Ten million attributes, or an item that is too long, are refused before they are in memory.
func TestWhatIsTooLongIsRefused(t *testing.T) {
	d := &page.Decoder{ItemLimit: 64 << 10}
	s := &page.Spec{Format: format(t, `"xml"`), Select: item.Path{"r", "item"}, Field: "r.item"}
	endless := func(before, each string) io.Reader {
		return io.MultiReader(strings.NewReader(before), &repeated{text: each, left: 10 << 20})
	}
	for name, in := range map[string]io.Reader{
		"attributes":       endless("<r><item", " a='1'"),
		"a value":          endless("<r><item a='", "x"),
		"a text":           endless("<r><item>", "x"),
		"a text of quotes": endless("<r><item>", `"`),
		"elements":         endless("<r><item>", "<a/>"),
		"turns":            endless("<r><item>", "<a/><b/>"),
		"a reference":      endless("<r><item>&", "x"),
		"a name":           endless("<r><", "x"),
		"a target":         endless("<r><?", "x"),
		"a document type":  endless("<!DOCTYPE r SYSTEM '", "x"),
		"a declaration":    endless("<?xml version='1.0'", " "),
		"text beside":      endless("<r>", "x"),
		"different names":  &named{},
	} {
		p, err := d.Decode(in, s)
		p.Close()
		if err == nil || strings.Contains(err.Error(), "cut short") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// repeated is a text again and again.
type repeated struct {
	text string
	left int
	at   int
}

// Read implements io.Reader.
func (r *repeated) Read(p []byte) (n int, err error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	for n < len(p) {
		copied := copy(p[n:], r.text[r.at:])
		r.at = (r.at + copied) % len(r.text)
		n += copied
	}
	r.left -= n
	return n, nil
}

// named is elements of ever other names.
type named struct {
	n    int
	rest string
}

// Read implements io.Reader.
func (r *named) Read(p []byte) (n int, err error) {
	if r.rest == "" {
		r.rest = fmt.Sprintf("<n%d/>", r.n)
		if r.n == 0 {
			r.rest = "<r>"
		}
		r.n++
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
