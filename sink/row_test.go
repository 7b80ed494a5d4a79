package sink_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/fixtures/cases"
	"sluice/pipeline/item"
	"sluice/sink"
	"sluice/transform"
)

// written is a table of known columns that has one item, without its header.
func written(t *testing.T, columns []string, text string) string {
	t.Helper()
	var out bytes.Buffer
	s, err := sink.New(
		sink.Options{Format: "csv", Columns: columns, Environment: sink.Environment{Stdout: &out}}, outputs("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Write(t.Context(), batch("a", text)); err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(out.String(), "\n")
	return rows
}

// record is the row as encoding/csv writes it.
func record(fields ...string) string {
	if len(fields) == 1 && fields[0] == "" {
		return "\"\"\n"
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(fields)
	w.Flush()
	return out.String()
}

// valueOf is JSON: text itself, else as a string.
func valueOf(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return string(item.Quote(text))
	}
	compact, _ := item.Compact(nil, b.Bytes())
	return string(compact)
}

// field is the text of a cell.
func field(value string) string {
	isSpread := value[0] == '{' && value != "{}"
	if isSpread {
		return ""
	}
	return string(transform.Text(nil, []byte(value)))
}

func checkRow(t *testing.T, a, b string) {
	t.Helper()
	v, w := valueOf(a), valueOf(b)
	for _, c := range []struct {
		columns []string
		item    string
		want    string
	}{
		{[]string{"a", "b"}, `{"a":` + v + `,"b":` + w + `}`, record(field(v), field(w))},
		{[]string{"b", "none", "a"}, `{"a":` + v + `,"x":1,"b":` + w + `}`, record(field(w), "", field(v))},
		{[]string{"a"}, `{"a":` + v + `,"b":` + w + `}`, record(field(v))},
		{[]string{"o_a", "o_b"}, `{"o":{"a":` + v + `,"b":` + w + `}}`, record(field(v), field(w))},
		{[]string{"a", "b"}, `{"a":1,"b":2,"a":"` + "x" + `"}`, record("x", "2")},
	} {
		if got := written(t, c.columns, c.item); got != c.want {
			t.Errorf("%.300s: got %.300q, want %.300q", c.item, got, c.want)
		}
	}
}

// texts are what fields are made of that need quotes, or are JSON of some kind.
var texts = []string{
	``, ` `, `,`, `"`, `a"b`, `""`, "\r", "\n", "\r\n", "a\nb", `\.`, `\.x`, ` a`, "a ", "\t", "\v", "\u0085a", "\u00a0a",
	"\u2003", "\u3000x", "\xff", "\xc2", "\ufeff", "é", "日本語", "🚀", "\x00", "null", "true", "0", "-1.5e-7",
	`"a\u0022b"`, `"\ud800"`, `"\\."`, `"\n"`, `"\u0020x"`, `[]`, `{}`, `[1,"x"]`, `{"b":[{"c":"d"}]}`, `[ 1 , 2 ]`,
}

func TestARowIsWhatTheStandardLibraryWrites(t *testing.T) {
	for i, a := range texts {
		checkRow(t, a, texts[len(texts)-1-i])
	}
	r := rand.New(rand.NewPCG(1, 2))
	random := func() (text string) {
		for range r.IntN(5) {
			text += texts[r.IntN(len(texts))]
		}
		return text
	}
	for range cases.Raced(100, 500, 50_000) {
		checkRow(t, random(), random())
	}
}

func FuzzRow(f *testing.F) {
	for i, text := range texts {
		f.Add(text, texts[(i+1)%len(texts)])
	}
	f.Fuzz(checkRow)
}
