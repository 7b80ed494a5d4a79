package item_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"sluice/pipeline/item"
)

// oracle is what Compact must return, in the words of the standard library.
func oracle(t testing.TB, raw []byte) (text []byte, mended int) {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatalf("the test itself: %q is no JSON: %v", raw, err)
	}
	runes := []rune(b.String()) // one U+FFFD for each invalid byte
	mended = strings.Count(string(runes), "\uFFFD") - strings.Count(b.String(), "\uFFFD")
	return []byte(string(runes)), mended
}

func check(t testing.TB, raw []byte) {
	t.Helper()
	want, wantMended := oracle(t, raw)
	got, mended := item.Compact([]byte("before"), raw)
	if string(got) != "before"+string(want) || mended != wantMended {
		t.Fatalf("Compact(%q) = %q, %d; want %q, %d", raw, got[len("before"):], mended, want, wantMended)
	}
	again, mended := item.Compact(nil, want)
	if !bytes.Equal(again, want) || mended != 0 {
		t.Fatalf("Compact is not idempotent: %q became %q, %d", want, again, mended)
	}
}

// documents are seeds for all tests of this package.
var documents = []string{
	`0`, `-1.50e+400`, `""`, `"a b"`, `true`, `null`, `{}`, `[]`, `[ ]`, `{ }`,
	`{"a": 1, "b": [1, 2, {"c": null}], "a": 2}`,
	"{\n  \"id\": 9007199254740993,\n\t\"text\": \"one  two\\n \\\" \\\\\",\r\n  \"more\": [ ]\n}",
	`"\\\\\\\\\\"`, `["\\", " ", "\\\"", " ", "\\\\\" ", 1 , 2]`, `["\"\"\"\"\"\"\"", " "]`,
	`{"naïve 日本語": "Ünïcödé \ud83d\ude00 \ud800 \u0020 /\/"}`,
	"[\"\xff\", \"\xe2\x82\", \"\xed\xa0\x80\", \"\xf0\x9f\x98\", \"ok \xc3\xa9 \xc3\"]",
	"{\"\xc0\xaf \": \"\xfe\"}", "[\"\uFFFD\", \"\xff\"]",
	`[` + strings.Repeat(" \t\r\n", 20) + `1` + strings.Repeat(" ", 33) + `]`,
	strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100),
}

func TestCompactStripsWhiteSpaceBetweenTokensOnly(t *testing.T) {
	for _, raw := range documents {
		check(t, []byte(raw))
	}
}

// Words are eight bytes: everything must hold wherever a word begins.
func TestCompactHoldsAtEveryAlignment(t *testing.T) {
	for _, raw := range documents {
		for n := range 17 {
			check(t, fmt.Appendf(nil, `["%s", %s]`, strings.Repeat("x", n), raw))
			check(t, fmt.Appendf(nil, `["%s", %s]`, strings.Repeat(`\\`, n), raw))
			check(t, fmt.Appendf(nil, `[%s1, %s]`, strings.Repeat(" ", n), raw))
		}
	}
}

func TestCompactAgreesWithEncodingJSONOnRandomText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`\\`, `\"`, `\u00e9`, ` `, `  `, "é", "日", "🚀", "\xff", "\xe2\x82", "\xc3", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", ",", ":", "{", "a", "long run of letters"}
	spaces := []string{"", "", "", " ", "\n", "\r\n\t", "        ", "\n            "}
	for range 6000 {
		var b strings.Builder
		space := func() { b.WriteString(spaces[rnd.IntN(len(spaces))]) }
		b.WriteString("[")
		for i := range rnd.IntN(8) {
			if i > 0 {
				b.WriteString(",")
			}
			space()
			b.WriteString(`"`)
			for range rnd.IntN(12) {
				b.WriteString(pieces[rnd.IntN(len(pieces))])
			}
			b.WriteString(`"`)
			space()
		}
		b.WriteString("]")
		check(t, []byte(b.String()))
	}
}

func TestCompactMendsInTheMiddleOfALongText(t *testing.T) {
	raw := []byte(`"` + strings.Repeat("a", 1000) + strings.Repeat("\xff", 500) + strings.Repeat("é", 500) + `"`)
	check(t, raw)
}

func TestCompactAllocatesNothingWhereThereIsRoom(t *testing.T) {
	raw := []byte(documents[11] + " ")
	dst := make([]byte, 0, len(raw)+8)
	if n := testing.AllocsPerRun(100, func() { item.Compact(dst, raw) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// One byte that is no UTF-8 must not make a long item take many times its size.
func TestCompactMendsALongTextInAboutItsOwnSize(t *testing.T) {
	const size = 2 << 20
	raw := []byte(`"` + strings.Repeat("a", size) + "\xff" + strings.Repeat("é", size/2) + `"`)
	if ratio := allocated(func() { item.Compact(nil, raw) }) / float64(len(raw)); ratio > 2.5 {
		t.Errorf("without room it allocates %.1f times the text, where two copies are enough", ratio)
	}
	dst := make([]byte, 0, len(raw)+8)
	if ratio := allocated(func() { item.Compact(dst, raw) }) / float64(len(raw)); ratio > 0.1 {
		t.Errorf("with room it allocates %.1f times the text", ratio)
	}
}

// allocated is how many bytes a function allocates.
func allocated(do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// On text that is no JSON the result means nothing, but there is one.
func FuzzCompact(f *testing.F) {
	for _, raw := range documents {
		f.Add([]byte(raw))
	}
	f.Add([]byte(`"\`))
	f.Add([]byte("{\"a\xff "))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			item.Compact(nil, raw)
			return
		}
		check(t, raw)
	})
}

var sink []byte

func BenchmarkCompact(b *testing.B) {
	plain, _ := item.Compact(nil, []byte(sample))
	unicode := bytes.ReplaceAll(plain, []byte("engine"), []byte("Größe und 日本語"))
	escapes := bytes.ReplaceAll(plain, []byte("engine"), []byte(`\u00e9\"x\/`))
	broken := bytes.ReplaceAll(plain, []byte("engine"), []byte("\xff"))
	for name, raw := range map[string][]byte{"compact": plain, "indented": []byte(sample), "spaced": bytes.ReplaceAll(bytes.ReplaceAll(plain, []byte(`":`), []byte(`": `)), []byte(`,"`), []byte(`, "`)), "unicode": unicode, "escapes": escapes, "broken": broken} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				sink, _ = item.Compact(sink[:0], raw)
			}
		})
	}
}

const sample = `{
  "id": 9007199254740993,
  "name": "a name with engine in it",
  "created": "2026-01-31T12:34:56Z",
  "price": 12.50,
  "tags": ["one", "two", "engine"],
  "owner": {"id": 17, "mail": "someone@example.com", "active": true, "note": null},
  "text": "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.",
  "links": {"self": "https://example.com/api/items/9007199254740993", "next": null},
  "size": {"w": 10, "h": 20, "d": 3.25}
}`
