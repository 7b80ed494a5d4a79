package page_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/page"
)

// workload is a page of a thousand items of about 500 bytes.
func workload() []byte {
	var b bytes.Buffer
	b.WriteString(`{"total":200000,"items":[`)
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"uuid":"0189f7e2-5d1c-7a3b-9c4d-%012d","name":"Ünïcödé name %d","active":%t,`+
			`"price":%d.50,"ratio":1.5e-7,"note":null,"tags":["red","green \"quoted\"","blue\\slash"],`+
			`"owner":{"id":%d,"mail":"someone%d@example.com","address":{"street":"Long Street 17","city":"Zürich","zip":"8001"}},`+
			`"text":"Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.\n\u00e9\u4e16",`+
			`"links":[{"rel":"self","href":"https:\/\/example.com\/api\/items\/%d"}],"big":9007199254740993}`,
			1<<53+i, i, i, i%2 == 0, i, i%50, i%50, i)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func release(b *pipeline.Batch) error {
	b.Release()
	return nil
}

// BenchmarkDecode is to be compared with BenchmarkIdeal.
func BenchmarkDecode(b *testing.B) {
	decode(b, workload(), &page.Spec{Select: item.Path{"items"}, Field: "items", Wants: []item.Path{{"total"}}})
}

// BenchmarkEvidence is to be compared with BenchmarkDecode.
func BenchmarkEvidence(b *testing.B) {
	decode(b, workload(), &page.Spec{Select: item.Path{"items"}, Field: "items", Wants: []item.Path{{"total"}}, Notable: evidence.Notable, Telling: evidence.Telling})
}

// BenchmarkSmallPages is of pages of one item with much around it.
func BenchmarkSmallPages(b *testing.B) {
	body := []byte(`{"meta":{"page":1,"per_page":100,"total":1,"links":{"next":null}},"has_more":false,"status":"ok","took":3,"request_id":"0189f7e2","items":[{"id":1}]}`)
	for name, notable := range map[string]func([]byte) bool{"without": nil, "with": evidence.Notable} {
		b.Run(name, func(b *testing.B) {
			s := &page.Spec{Select: item.Path{"items"}, Field: "items", Notable: notable}
			if notable != nil {
				s.Telling = evidence.Telling
			}
			decode(b, body, s)
		})
	}
}

func decode(b *testing.B, body []byte, spec *page.Spec) {
	d := &page.Decoder{}
	spec.Plan()
	b.SetBytes(int64(len(body)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		p, err := d.Decode(bytes.NewReader(body), spec)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Batches(release); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(b.N)/1000, "allocs/item")
	b.ReportMetric(float64(len(body))/1000, "bytes/item")
}

// BenchmarkNDJSON is to be compared with BenchmarkDecode: it has the same items.
func BenchmarkNDJSON(b *testing.B) {
	body := bytes.ReplaceAll(bytes.TrimSuffix(workload()[len(`{"total":200000,"items":[`):], []byte("]}")), []byte("},{\"id\""), []byte("}\n{\"id\""))
	decode(b, body, &page.Spec{Format: format(b, `"ndjson"`), Detect: true})
}

// BenchmarkTable is of a thousand rows: of plain values, and of values in quotes.
func BenchmarkTable(b *testing.B) {
	for name, row := range map[string]string{
		"plain":  "%d,0189f7e2-5d1c-7a3b-9c4d,name %d,true,9.50,,Zürich,Lorem ipsum dolor sit amet consectetur adipiscing elit\n",
		"quoted": `"%d","0189f7e2-5d1c-7a3b-9c4d","name ""%d""","true","9.50","","Zürich","Lorem ipsum` + "\r\n" + `dolor sit amet, consectetur adipiscing elit"` + "\r\n",
	} {
		b.Run(name, func(b *testing.B) {
			body := bytes.NewBufferString("id,uuid,name,active,price,note,city,text\n")
			for i := range 1000 {
				fmt.Fprintf(body, row, i, i)
			}
			decode(b, body.Bytes(), &page.Spec{Format: format(b, `"csv"`), Detect: true})
		})
	}
}

// BenchmarkIdeal splits and compacts, and does nothing else.
func BenchmarkIdeal(b *testing.B) {
	body := workload()
	b.SetBytes(int64(len(body)))
	dec := jsontext.NewDecoder(bytes.NewReader(nil))
	var text []byte
	for b.Loop() {
		dec.Reset(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		for range 4 { // to the array
			if _, err := dec.ReadToken(); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := dec.ReadToken(); err != nil {
			b.Fatal(err)
		}
		text = text[:0]
		for dec.PeekKind() != ']' {
			raw, err := dec.ReadValue()
			if err != nil {
				b.Fatal(err)
			}
			text, _ = item.Compact(text, raw)
			text = append(text, '\n')
		}
		if _, err := io.Discard.Write(text); err != nil {
			b.Fatal(err)
		}
	}
}

// feed is a document of a thousand items as arXiv's.
func feed() []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<feed xmlns="http://www.w3.org/2005/Atom">` +
		`<opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">200000</opensearch:totalResults>`)
	for i := range 1000 {
		fmt.Fprintf(&b, "\n  <entry>\n    <id>http://arxiv.org/abs/2101.%05dv1</id>\n    <updated>2021-01-01T00:00:00Z</updated>\n"+
			"    <title>On the properties of something: ünïcödé &amp; number %d</title>\n"+
			"    <summary>We show that properties of something are rather long to read;\nthis is what people write in a summary.</summary>\n"+
			"    <author><name>Jane Doe</name></author>\n    <author><name>John Doe</name></author>\n"+
			`    <link href="http://arxiv.org/abs/2101.%05dv1" rel="alternate" type="text/html"/>`+"\n"+
			`    <category term="cs.AI" scheme="http://arxiv.org/schemas/atom"/>`+"\n  </entry>", i, i, i)
	}
	b.WriteString("\n</feed>\n")
	return b.Bytes()
}

// BenchmarkXML is to be compared with BenchmarkDecode.
func BenchmarkXML(b *testing.B) {
	s := &page.Spec{
		Format: format(b, `"xml"`), Select: item.Path{"feed", "entry"}, Field: "feed.entry",
		Wants: []item.Path{{"feed", "totalResults"}},
	}
	decode(b, feed(), s)
}
