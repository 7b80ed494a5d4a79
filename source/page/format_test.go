package page_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/fixtures/cases"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/page"
)

func format(t testing.TB, text string) *page.Format {
	t.Helper()
	var problems config.Problems
	root := config.Parse("format", []byte(`{"format":`+text+`}`), &problems)
	f := page.NewFormat(root.Member("format"), &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return f
}

type decoders struct{ plain, tight *page.Decoder }

func newDecoders(t testing.TB) decoders {
	return decoders{&page.Decoder{}, &page.Decoder{ChunkSize: 5, HoldLimit: 7, Folder: t.TempDir()}}
}

// decode returns the items of a body, read whole and byte by byte, with chunks that all go
// to a file.
func (d decoders) decode(t testing.TB, body []byte, s *page.Spec) (items string, err error) {
	t.Helper()
	p, err := d.plain.Decode(bytes.NewReader(body), s)
	q, again := d.tight.Decode(iotest.OneByteReader(bytes.NewReader(body)), s)
	if (err == nil) != (again == nil) {
		t.Fatalf("%q: %v, byte by byte %v", body, err, again)
	}
	if err != nil {
		return "", err
	}
	if p.Hash != q.Hash || p.Bytes != q.Bytes || p.First != q.First || p.Last != q.Last || p.Replaced != q.Replaced || p.Selected != q.Selected {
		t.Errorf("%q: the facts of the page differ", body)
	}
	items = strings.Join(given(t, p), "")
	if spilled := strings.Join(given(t, q), ""); spilled != items {
		t.Errorf("%q: got %q, spilled %q", body, items, spilled)
	}
	if p.Items != strings.Count(items, "\n") || p.Bytes < int64(len(items)-p.Items) {
		t.Errorf("%q: %d items of %d bytes: %q", body, p.Items, p.Bytes, items)
	}
	return items, nil
}

func FuzzNDJSON(f *testing.F) {
	for _, body := range []string{
		"", "\n", "1\n", "1", "1\r", "1 ", "[1]\n 1.5e3", "[1]\n-", "{\"a\":[1]}\r\n\n \t\n[2]\nnull", "{\"a\" : \"\xff\"}\n", "{\"a\":1}{\"a\":2}\n", "{\n}\n", "\ufeff1\n2", "{\"a\":[1,2]}\n{\"a\":[3]}\n{\"b\":1}", "{\"a\":", "tru", "tru\n", "<a>",
		"{}\n5\n", "{}\n \"x\"", "[1]\nnull\ntrue\n{}", "5\n\"x\"\n{}\n0\n", "{}\n 7 \n", "{\"a\":7}\n{\"a\":[1]}",
	} {
		f.Add([]byte(body))
	}
	ndjson, d := format(f, `"ndjson"`), newDecoders(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		var want, inside strings.Builder
		bad, cut := false, false
		rest := bytes.TrimPrefix(body, []byte("\ufeff"))
		containers := false
		for first := true; !bad; first = false {
			begin := bytes.TrimLeft(rest, " \t\r\n")
			if len(begin) == 0 {
				break
			}
			if bad = !first && !bytes.Contains(rest[:len(rest)-len(begin)], []byte("\n")); bad {
				break
			}
			in := json.NewDecoder(bytes.NewReader(begin))
			var value json.RawMessage
			if err := in.Decode(&value); err != nil {
				bad, cut = true, errors.Is(err, io.ErrUnexpectedEOF) && !bytes.HasSuffix(body, []byte("\n"))
				break
			}
			rest = begin[in.InputOffset():]
			if item.Kind(value) == '0' && len(rest) == 0 {
				bad, cut = true, true
				break
			}
			isContainer := value[0] == '{' || value[0] == '['
			containers = containers || isContainer
			if bad = containers && !isContainer && len(itemsOf(value)) > 0; bad {
				break
			}
			want.WriteString(compact(value) + "\n")
			if array := item.Lookup([]byte(compact(value)), item.Path{"a"}); item.Kind(array) == '[' {
				for _, i := range elements(array) {
					inside.WriteString(compact(i) + "\n")
				}
			}
		}
		got, err := d.decode(t, body, &page.Spec{Format: ndjson, Detect: true})
		if (err != nil) != bad || got != want.String() && !bad {
			t.Errorf("%q: got %q, %v, want %q", body, got, err, want.String())
		}
		var e *page.Error
		if err != nil && cut == errors.As(err, &e) && !bytes.HasPrefix(body, []byte{0}) {
			t.Errorf("%q: cut %t, but %v", body, cut, err)
		}
		got, err = d.decode(t, body, &page.Spec{Format: ndjson, Field: "a", Select: item.Path{"a"}})
		if err == nil && len(inside.String()) > 0 && !strings.Contains(got, inside.String()[:1]) {
			t.Errorf("%q: got %q, want %q", body, got, inside.String())
		}
	})
}

func TestALastLineThatIsANumberMayHaveBeenCut(t *testing.T) {
	for body, want := range map[string]string{
		"1\n12":                     "line 2",
		"12":                        "line 1",
		"{\"a\":1}\n\n [1]\n-1.5e3": "line 4",
		"1\n12\n":                   "",
		"1\r\n12\r":                 "",
		"1\n12 ":                    "",
		"1\n{\"a\":12}":             "",
		"1\n\"12\"":                 "",
		"1\ntrue":                   "",
	} {
		_, err := newDecoders(t).decode(t, []byte(body), &page.Spec{Format: format(t, `"ndjson"`), Detect: true})
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", body, err)
			}
			continue
		}
		want += ": the body was cut short: its last line is a number without a line break, which may have had more digits: unexpected EOF"
		if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", body, err, want)
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, body := range []string{
		"", "a,b\n1,2\n", "a,b\r\n\"1\r\n\"\"x\",2\r\n\r\n\n3,4", "\ufeffa\n\"\"\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,a\n", "a,\n", "a\n\"x", "a\n\"x\"y\n", "a\nx\"y\n", "a\n\xff\n", "{\"a\":1}", "{" + strings.Repeat("x", 1000), "a;b\n1;2", "a\n1\r", "a\n\r\r\n",
		"a,b\r1,2\r3,4\r", "a\r\r1\r\n\r\n2", "\n\ra\n\n\n1", "\"a\rb\",c\r1,\"2\r\"\r", "a\x00,\x00", "\x00a\x00\n", "a\n\x00\n", "0,1\n0", "a,b\n\"1\"\r\"2\"", "\"\"\n",
	} {
		f.Add([]byte(body), false)
		f.Add([]byte(body), true)
	}
	d := newDecoders(f)
	comma, semicolon := format(f, `{"type":"csv"}`), format(f, `{"type":"csv","delimiter":";"}`)
	f.Fuzz(func(t *testing.T, body []byte, semi bool) {
		text := bytes.TrimPrefix(body, []byte("\ufeff"))
		f := comma
		if semi {
			f = semicolon
		}
		got, err := d.decode(t, body, &page.Spec{Format: f, Detect: true})
		if noTable(text) {
			if err == nil {
				t.Errorf("%q is taken as a table", body)
			}
			return
		}
		delimiter := ","
		if semi {
			delimiter = ";"
		}
		in := csv.NewReader(strings.NewReader(asGoReads(text, delimiter)))
		in.Comma = rune(delimiter[0])
		rows, bad := in.ReadAll()
		if bad == nil && len(rows) > 0 {
			seen := map[string]bool{}
			for _, name := range rows[0] {
				name = string([]rune(name))
				if name == "" || seen[name] {
					bad = errors.New("names")
				}
				seen[name] = true
			}
		}
		if (err != nil) != (bad != nil) {
			t.Fatalf("%q: %v, want %v", body, err, bad)
		}
		if bad != nil {
			return
		}
		var want strings.Builder
		for _, row := range rows[min(1, len(rows)):] {
			for i, value := range row {
				name, _ := json.Marshal(rows[0][i])
				text, _ := json.Marshal(value)
				want.WriteString("{,"[min(i, 1):min(i, 1)+1] + string(name) + ":" + string(text))
			}
			want.WriteString("}\n")
		}
		if a, b := canonical(t, got), canonical(t, want.String()); a != b {
			t.Errorf("%q: got %s, want %s", body, a, b)
		}
	})
}

// noTable tells whether a text is a JSON document, a page, or UTF-16.
func noTable(text []byte) bool {
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) > 0 && strings.ContainsRune("{[<", rune(start[0])) {
		return true
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return true
	}
	first := text[:min(len(text), 512)]
	if end := bytes.IndexAny(first, "\r\n"); end >= 0 {
		first = first[:end]
	}
	return bytes.IndexByte(first, 0) >= 0
}

// asGoReads writes LF for other line breaks outside quotes, and "" for a blank line of a table of one column.
func asGoReads(text []byte, delimiter string) string {
	var out strings.Builder
	inQuotes, header, columns := false, true, 1
	line := 0 // bytes of it
	for i, c := range text {
		crlf := c == '\n' && i > 0 && text[i-1] == '\r'
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case inQuotes:
		case crlf:
			continue
		case c == '\n' || c == '\r':
			if line == 0 && !header && columns == 1 {
				out.WriteString(`""`)
			}
			header = header && line == 0
			line = 0
			out.WriteByte('\n')
			continue
		case header && string(c) == delimiter:
			columns++
		}
		line++
		out.WriteByte(c)
	}
	return out.String()
}

// canonical writes the texts of each line.
func canonical(t *testing.T, lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		for _, m := range members(json.RawMessage(line)) {
			var value string
			if err := json.Unmarshal(m.value, &value); err != nil {
				t.Fatal(err)
			}
			b.WriteString(m.name + "=" + value + "\x00")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestLongAnswersKeepTheirText(t *testing.T) {
	var table, lines, want strings.Builder
	table.WriteString("a,b\n")
	for i := range cases.Few(5_000, 20_000) { // more than the decoder looks at together
		text := strings.Repeat(string(rune('a'+i%26)), i%97)
		fmt.Fprintf(&table, "%d,\"%s\n\"\n", i, text)
		fmt.Fprintf(&lines, "{\"a\":\"%d\", \"b\":\"%s\\n\"}\r\n", i, text)
		fmt.Fprintf(&want, "{\"a\":\"%d\",\"b\":\"%s\\n\"}\n", i, text)
	}
	for name, body := range map[string]string{`"csv"`: table.String(), `"ndjson"`: lines.String()} {
		got, err := newDecoders(t).decode(t, []byte(body), &page.Spec{Format: format(t, name), Detect: true})
		if err != nil || got != want.String() {
			t.Errorf("%s: %v, or another text", name, err)
		}
	}
}

func TestAnItemThatIsTooLongIsRefused(t *testing.T) {
	for name, body := range map[string]string{`"csv"`: "a\n\"" + strings.Repeat("x", 1<<20), `"ndjson"`: `"` + strings.Repeat("x", 1<<20)} {
		for _, limit := range []int64{1 << 10, 1 << 19} {
			_, err := (&page.Decoder{ItemLimit: limit}).Decode(strings.NewReader(body), &page.Spec{Format: format(t, name), Detect: true})
			var e *page.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), "the limit for one item") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestAnAnswerThatIsGzipStillIsAnError(t *testing.T) {
	for _, f := range []string{`"json"`, `"ndjson"`, `"csv"`} {
		_, err := newDecoders(t).decode(t, []byte("\x1f\x8b\x08\x00"), &page.Spec{Format: format(t, f), Detect: true})
		if err == nil || err.Error() != "the answer is gzip within gzip more than twice" {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestLinesOfATableEndWithCRToo(t *testing.T) {
	want := `{"a":"1","b":"x\ry"}` + "\n" + `{"a":"3","b":""}` + "\n"
	for _, lineBreak := range []string{"\n", "\r\n", "\r"} {
		body := strings.ReplaceAll("a,b|1,\"x\ry\"||3,|", "|", lineBreak)
		got, err := newDecoders(t).decode(t, []byte(body), &page.Spec{Format: format(t, `"csv"`), Detect: true})
		if err != nil || got != want {
			t.Errorf("%q: got %s, %v, want %s", body, got, err, want)
		}
	}
}

func TestABlankLineInATableOfOneColumnIsAnEmptyValue(t *testing.T) {
	for body, want := range map[string]string{
		"\n\na\n1\n\n2\n":     `{"a":"1"}{"a":""}{"a":"2"}`,
		"a\r\n1\r\n\r\n":      `{"a":"1"}{"a":""}`,
		"a\r\r":               `{"a":""}`,
		"a":                   ``,
		"a\n1\n2":             `{"a":"1"}{"a":"2"}`,
		"a\n1":                `{"a":"1"}`,
		"a,b\n1,2\n\n3,4\n\n": `{"a":"1","b":"2"}{"a":"3","b":"4"}`,
	} {
		got, err := newDecoders(t).decode(t, []byte(body), &page.Spec{Format: format(t, `"csv"`), Detect: true})
		if got = strings.ReplaceAll(got, "\n", ""); err != nil || got != want {
			t.Errorf("%q: got %s, %v, want %s", body, got, err, want)
		}
	}
}

func TestAWrongTableIsAnErrorWithItsLine(t *testing.T) {
	d := &page.Decoder{ItemLimit: 1 << 20}
	long := strings.Repeat("x,y\n", 1<<20)
	tooLong := "a value of more than 1 MiB, the limit for one item, at byte "
	for _, c := range []struct{ body, want string }{
		{"a,b\n\n1,2\n3\n", "line 4: wrong number of fields: 1, where the header has 2"},
		{"a,b\n1,\"2\r\n\r\n\"\r3,4,5", "line 5: wrong number of fields: 3, where the header has 2"},
		{"a,b\n1,2\"\n", "line 2: a quote within a value that has none around it"},
		{"a,b\n1,\"2\n\n\"3\n", "line 2: text behind the quote that closes a value"},
		{"a,b\n\"1\n2\",\"3\n4", "line 3: the quote that opens in this line is never closed"},
		{"a\n\"", "line 2: the quote that opens in this line is never closed"},
		{"a,b\n\"1\n2\",\"3\n" + long, "line 3: " + tooLong + "4: the quote that opens in this line is not closed before"},
		{"a,\"b\n" + long, "line 1: " + tooLong + "0: the quote that opens in this line is not closed before"},
		{"a,b\n1,2\n1," + strings.Repeat("x", 2<<20), "line 3: " + tooLong + "8"},
		{"a,b\n1,2\n" + strings.Repeat(",", 2<<20), "line 3: " + tooLong + "8"},
		{"a,b\n1,2\n1," + strings.Repeat("\x01", 1<<18), "line 3: " + tooLong + "8"},
		{names(1 << 18), "line 1: " + tooLong + "0"},
		{strings.Repeat("x", 2<<20), "line 1: " + tooLong + "0"},
	} {
		_, err := d.Decode(strings.NewReader(c.body), &page.Spec{Format: format(t, `"csv"`), Detect: true})
		var e *page.Error
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%.20q:\n got %v\nwant %s", c.body, err, c.want)
		}
	}
}

// names is a header of so many columns.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%x,", i)
	}
	return b.String() + "z\n"
}

func TestALongRowNeedsNoMoreMemoryThanAnItemMayHave(t *testing.T) {
	const limit = 1 << 20
	for name, body := range map[string]string{
		"a stray quote":  "a,b\n1,\"" + strings.Repeat("x,y\n", 8*limit),
		"commas":         "a,b\n" + strings.Repeat(",", limit),
		"endless commas": "a,b\n" + strings.Repeat(",", 32*limit),
		"an endless row": "a,b\n1," + strings.Repeat("x", 32*limit),
		"escapes":        "a,b\n1," + strings.Repeat("\x01", limit),
		"columns":        names(limit / 8),
	} {
		d := &page.Decoder{ItemLimit: limit}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := d.Decode(strings.NewReader(body), &page.Spec{Format: format(t, `"csv"`), Detect: true})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		// All that is allocated, what is free again included.
		if used := after.TotalAlloc - before.TotalAlloc; used > 12*limit {
			t.Errorf("%s: %d MiB", name, used>>20)
		}
	}
}

func TestALongValueOfATableKeepsItsText(t *testing.T) {
	for _, letter := range []string{"x", "é", "€", "\U0001F600", "\\", "\x01"} {
		for shift := range 5 {
			value := "abcd"[:min(shift, 4)] + strings.Repeat(letter, 70<<10)
			quoted, _ := jsontext.AppendQuote(nil, value)
			got, err := newDecoders(t).decode(t, []byte("a\n"+value), &page.Spec{Format: format(t, `"csv"`), Detect: true})
			if want := `{"a":` + string(quoted) + "}\n"; err != nil || got != want {
				t.Errorf("%q, %d: %v, or another text", letter, shift, err)
			}
		}
	}
	p, err := (&page.Decoder{}).Decode(strings.NewReader("a\n"+strings.Repeat("\xff\ufffd", 70<<10)), &page.Spec{Format: format(t, `"csv"`), Detect: true})
	if err != nil || p.Replaced != 70<<10 {
		t.Errorf("%v, or another number of bytes that are no UTF-8", err)
	}
}

func TestATableKeepsItsText(t *testing.T) {
	got, err := newDecoders(t).decode(t, []byte("\ufeffid;a name;\"x\"\"y\"\r\n1;\"a\r\nb;\"\"c\"\"\";\r\n\r\n2;é\t,\\;\" \"\r\n"), &page.Spec{Format: format(t, `{"type":"csv","delimiter":";"}`), Detect: true})
	want := `{"id":"1","a name":"a\nb;\"c\"","x\"y":""}` + "\n" + `{"id":"2","a name":"é\t,\\","x\"y":" "}` + "\n"
	if err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
