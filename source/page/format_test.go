package page_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

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
		"", "\n", "1\n", "1", "{\"a\":[1]}\r\n\n \t\n[2]\nnull", "{\"a\" : \"\xff\"}\n", "{\"a\":1}{\"a\":2}\n", "{\n}\n", "\ufeff1\n2", "{\"a\":[1,2]}\n{\"a\":[3]}\n{\"b\":1}", "{\"a\":", "tru", "tru\n", "<a>",
	} {
		f.Add([]byte(body))
	}
	ndjson, d := format(f, `"ndjson"`), newDecoders(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		var want, inside strings.Builder
		bad, cut := false, false
		rest := bytes.TrimPrefix(body, []byte("\ufeff"))
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
			want.WriteString(compact(value) + "\n")
			if array := item.Lookup([]byte(compact(value)), item.Path{"a"}); item.Kind(array) == '[' {
				for _, i := range elements(array) {
					inside.WriteString(compact(i) + "\n")
				}
			}
			rest = begin[in.InputOffset():]
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

func FuzzCSV(f *testing.F) {
	for _, body := range []string{
		"", "a,b\n1,2\n", "a,b\r\n\"1\r\n\"\"x\",2\r\n\r\n\n3,4", "\ufeffa\n\"\"\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,a\n", "a,\n", "a\n\"x", "a\n\"x\"y\n", "a\nx\"y\n", "a\n\xff\n", "{\"a\":1}", "{" + strings.Repeat("x", 1000), "a;b\n1;2", "a\n1\r", "a\n\r\r\n",
	} {
		f.Add([]byte(body), false)
		f.Add([]byte(body), true)
	}
	d := newDecoders(f)
	comma, semicolon := format(f, `{"type":"csv"}`), format(f, `{"type":"csv","delimiter":";"}`)
	f.Fuzz(func(t *testing.T, body []byte, semi bool) {
		text := bytes.TrimPrefix(body, []byte("\ufeff"))
		in, f := csv.NewReader(bytes.NewReader(text)), comma
		if semi {
			in.Comma, f = ';', semicolon
		}
		got, err := d.decode(t, body, &page.Spec{Format: f, Detect: true})
		if start := bytes.TrimLeft(text, " \t\r\n"); len(start) > 0 && strings.ContainsRune("{[<", rune(start[0])) || bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
			if err == nil {
				t.Errorf("%q is taken as a table", body)
			}
			return
		}
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

func TestATableKeepsItsText(t *testing.T) {
	got, err := newDecoders(t).decode(t, []byte("\ufeffid;a name;\"x\"\"y\"\r\n1;\"a\r\nb;\"\"c\"\"\";\r\n\r\n2;é\t,\\;\" \"\r\n"), &page.Spec{Format: format(t, `{"type":"csv","delimiter":";"}`), Detect: true})
	want := `{"id":"1","a name":"a\nb;\"c\"","x\"y":""}` + "\n" + `{"id":"2","a name":"é\t,\\","x\"y":" "}` + "\n"
	if err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
