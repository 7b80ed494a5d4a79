package item_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

func checkValid(t *testing.T, text []byte) {
	t.Helper()
	want := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) &&
		len(bytes.Trim(text, " \t\r\n")) == len(text)
	got, compact := item.Valid(text, nil)
	if got != want {
		t.Errorf("Valid(%.200q) = %t, want %t", text, got, want)
	}
	after, _ := item.Compact(nil, text)
	if got && compact != bytes.Equal(after, text) || !got && compact {
		t.Errorf("Valid(%.200q) says %t of being compact, which makes it %.200q", text, compact, after)
	}
}

func TestValidAgreesWithTheDecoder(t *testing.T) {
	for _, text := range append([]string{
		``, ` 1`, `1 `, `-`, `01`, `1.`, `.5`, `1e`, `1e+`, `-0.0E-7`, `tru`, `truex`, `nul`, `"`, `"\`, `"\u12`, `"\u12g4"`, `"\ud800"`, `"\x"`, "\"\n\"", "\"\x7f\"",
		`{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `[1,]`, `[1 2]`, `[1}`, `{"a":1]`, `[`, `{`, `[,]`, `1 2`, "{\"a\":\"\x00\"}", "{\"a\" : \"01234567\x1f\"}",
		strings.Repeat("[", 10000) + strings.Repeat("]", 10000), strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
	}, documents...) {
		for n := range 9 {
			checkValid(t, []byte(text))
			checkValid(t, []byte(`["`+strings.Repeat("x", n)+`",`+text+`]`))
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, text := range documents {
		f.Add([]byte(text))
	}
	f.Fuzz(checkValid)
}

func BenchmarkValid(b *testing.B) {
	text, _ := item.Compact(nil, []byte(sample))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, compact := item.Valid(text, nil); !compact {
			b.Fatal("not valid")
		}
	}
}

func TestANameThatIsNoUTF8IsMendedInEachItem(t *testing.T) {
	top := &item.Top{Columns: item.NewColumns(item.ColumnLimits{Names: 10, Bytes: 1000})}
	object := "{\"known\xff name\":1}"
	for i := range 3 {
		_, _, compact, ok := item.Element([]byte(","+object+"]"), item.MaxDepth, top)
		if !ok || compact {
			t.Errorf("item %d: compact %t, ok %t", i, compact, ok)
		}
		top.Columns.Count()
	}
}
