package sink_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
)

// table runs items through CSV and returns the text and the warnings.
func table(t *testing.T, columns []string, items ...string) (string, *report.OutputReport, []string) {
	t.Helper()
	var warnings []string
	path := filepath.Join(t.TempDir(), "t.csv")
	var batches []*pipeline.Batch
	for _, item := range items {
		batches = append(batches, batch("a", item))
	}
	r, err := run(t, sink.Options{Output: path, Columns: columns, Environment: sink.Environment{Warn: func(job, text string) { warnings = append(warnings, job+": "+text) }}}, outputs("a"), batches...)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, path), &r.Outputs[0], warnings
}

func TestATableHasAllColumnsThatOccur(t *testing.T) {
	for _, c := range []struct{ items, want string }{
		{``, ""},
		{`{"id":1} {"id":2}`, "id\n1\n2\n"},
		{`{"b":1} {"a":2}`, "b,a\n1,\n,2\n"},
		{`{"a":{"b":{"c":1},"d":[1,{"e":2}]},"f":{}}`, "a_b_c,a_d,f\n1,\"[1,{\"\"e\"\":2}]\",{}\n"},
		{`{"a":12345678901234567890} {"a":1.0} {"a":1e5} {"a":true} {"a":false} {"a":null} {"a":""} {"a":0}`,
			"a\n12345678901234567890\n1.0\n1e5\ntrue\nfalse\n\"\"\n\"\"\n0\n"},
		{`{"a":"x,y","b":"l\nm","c":"say\u0020\"hi\"","d":"\u00e9\\"}`, "a,b,c,d\n\"x,y\",\"l\nm\",\"say \"\"hi\"\"\",é\\\n"},
		{`5 "x" [1] null {"id":1} {"data":6}`, "data,id\n5,\nx,\n[1],\n,\n,1\n6,\n"},
		{`null`, "data\n\"\"\n"},
		{`{} {}`, "data\n\"\"\n\"\"\n"},
		{`{} {"a":1}`, "a\n\"\"\n1\n"},
		{`{"a":1,"a":2,"b":3}`, "a,b\n2,3\n"},
		{`{"":1}`, "\"\"\n1\n"},
		{`{"a":{"b":1},"a_b":2} {"a_b":3,"a":{"b":4}}`, "a_b,a_b_2\n1,2\n4,3\n"},
		{`{"a_b_2":1,"a":{"b":2},"a_b":3}`, "a_b_2,a_b,a_b_3\n1,2,3\n"},
		{`{"a":{}} {"a":{"b":1}} {"a":null}`, "a,a_b\n{},\n,1\n,\n"},
	} {
		if got, _, _ := table(t, nil, strings.Fields(c.items)...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.items, got, c.want)
		}
	}
}

func TestATableOfKnownColumnsLeavesOutAndCountsTheRest(t *testing.T) {
	got, r, warnings := table(t, []string{"b", "n_x", "never"}, `{"a":1,"b":"x","n":{"x":2,"y":3}}`, `{"b":null,"a":4,"c":{}}`, `7`)
	if want := "b,n_x,never\nx,2,\n,,\n,,\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(r.LeftOut, []string{"a", "n_y", "c", "data"}) || r.LeftOutValues != 5 || !slices.Equal(r.Columns, report.Header([]string{"b", "n_x", "never"})) {
		t.Errorf("the report says %+v", r)
	}
	if want := []string{"a: --columns names never, which no item has", "a: --columns leaves out a, n_y, c, data (values: 5)"}; !slices.Equal(warnings, want) {
		t.Errorf("got the warnings %q, want %q", warnings, want)
	}
}

func TestAWarningCutsNoNameOfAColumn(t *testing.T) {
	// A name may hold a secret, of which a part would show.
	name := strings.Repeat("n", 290)
	for _, c := range []struct{ item, want string }{
		{`{"a":1,"` + name + `":2,"secret-in-a-name":3}`, "a, " + name + " and 1 more (values: 3)"},
		{`{"` + name + name + `":1,"b":2}`, "2 members with long names (values: 2)"},
	} {
		_, _, warnings := table(t, []string{"x"}, `{"x":0}`, c.item)
		if want := []string{"a: --columns leaves out " + c.want}; !slices.Equal(warnings, want) {
			t.Errorf("got the warnings %q, want %q", warnings, want)
		}
	}
}

func TestATableOfKnownColumnsHasItsHeaderWithoutItems(t *testing.T) {
	if got, r, _ := table(t, []string{"a", "b c"}); got != "a,b c\n" || r.Items != 0 {
		t.Errorf("got %q and %+v", got, r)
	}
	if got, _, _ := table(t, []string{"a"}, `{"b":1}`); got != "a\n\"\"\n" {
		t.Errorf("got %q", got)
	}
}

func TestATableOfKnownColumnsStreams(t *testing.T) {
	var out bytes.Buffer
	s, err := sink.New(sink.Options{Format: "csv", Columns: []string{"a"}, Environment: sink.Environment{Stdout: &out}}, outputs("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Write(t.Context(), batch("a", `{"a":1}`, `{"a":2}`)); err != nil || out.String() != "a\n1\n2\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestTwoPathsOfOneNameAreToldApartWithAWarning(t *testing.T) {
	items := []string{`{"a":{"b":1},"a_b":2}`, `{"a_b":3}`}
	want := []string{"a: two members have the same CSV column, a_b: the later one becomes the column a_b_2"}
	if _, _, warnings := table(t, nil, items...); !slices.Equal(warnings, want) {
		t.Errorf("got %q", warnings)
	}
	if got, _, warnings := table(t, []string{"a_b_2"}, items...); got != "a_b_2\n2\n3\n" || !slices.Equal(warnings[:1], want) {
		t.Errorf("got %q and %q", got, warnings)
	}
}

func TestAStreamOfATableIsNeverTornWithinARow(t *testing.T) {
	var w counter
	var batches []*pipeline.Batch
	for i := range 200 {
		batches = append(batches, batch("a", fmt.Sprintf(`{"id":%d,"text":%q}`, i, strings.Repeat("x", i*10))))
	}
	if _, err := run(t, sink.Options{Format: "csv", Environment: sink.Environment{Stdout: &w}}, outputs("a"), batches...); err != nil {
		t.Fatal(err)
	}
	writes := strings.Split(strings.TrimSuffix(string(w), "|"), "|")
	if len(writes) < 3 {
		t.Errorf("%d writes prove nothing", len(writes))
	}
	for i, text := range writes {
		if !strings.HasSuffix(text, "\n") {
			t.Errorf("write %d ends in %q", i, text[len(text)-10:])
		}
	}
}

func TestSeveralTablesDoNotDisturbEachOther(t *testing.T) {
	dir := t.TempDir()
	_, err := run(t, sink.Options{Output: dir + "/", Format: "csv"}, outputs("a", "b", "none"),
		batch("a", `{"x":1}`), batch("b", `{"y":2,"z":3}`), batch("a", `{"w":4}`), batch("b", `{"z":5}`))
	if err != nil || read(t, dir, "a.csv") != "x,w\n1,\n,4\n" || read(t, dir, "b.csv") != "y,z\n2,3\n,5\n" || read(t, dir, "none.csv") != "" {
		t.Errorf("got %v", err)
	}
}

func TestItemsWhoseKeysAreIdsEndWithAnError(t *testing.T) {
	var items []string
	for i := range 1<<16 + 1 {
		items = append(items, fmt.Sprintf(`{"k%d":1}`, i))
	}
	_, err := run(t, sink.Options{Output: filepath.Join(t.TempDir(), "t.csv")}, outputs("a"), batch("a", items...))
	if err == nil || !strings.Contains(err.Error(), "more than 65536 different members") {
		t.Errorf("got %v", err)
	}
	// With --columns the wanted one is found all the same.
	path := filepath.Join(t.TempDir(), "t.csv")
	r, err := run(t, sink.Options{Output: path, Columns: []string{"last"}}, outputs("a"), batch("a", items...), batch("a", `{"x":1,"last":2}`))
	if err != nil || !strings.HasSuffix(read(t, path), "\"\"\n2\n") || len(r.Outputs[0].LeftOut) != 1<<16 {
		t.Errorf("got %v, left out %d", err, len(r.Outputs[0].LeftOut))
	}
}

// An oracle flattens a decoded item, in the plainest way.
func oracle(prefix string, value any, row map[string]string) {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			row[prefix] = "{}"
		}
		for name, inner := range v {
			oracle(prefix+"_"+name, inner, row)
		}
	case []any:
		text, _ := json.Marshal(v)
		row[prefix] = string(text)
	case nil:
		row[prefix] = ""
	case bool:
		row[prefix] = strconv.FormatBool(v)
	case json.Number:
		row[prefix] = v.String()
	case string:
		row[prefix] = v
	}
}

// randomItem has keys of its page: names never hold _, so that none fall together.
func randomItem(r *rand.Rand, page, depth int) map[string]any {
	item := map[string]any{}
	for range r.IntN(6) {
		name := string(rune('a'+r.IntN(4))) + strconv.Itoa(page*r.IntN(2)) + []string{"", " ", ",", "\"", "é", "\n", "\\"}[r.IntN(7)]
		var value any
		switch r.IntN(8) {
		case 0:
			value = nil
		case 1:
			value = r.IntN(2) == 0
		case 2:
			value = json.Number(strconv.FormatUint(r.Uint64(), 10))
		case 3:
			value = json.Number(strconv.FormatFloat(r.NormFloat64(), 'e', -1, 64))
		case 4:
			value = []any{"x,\"", json.Number("1"), map[string]any{"b": nil}}
		case 5:
			if depth < 4 {
				value = randomItem(r, page, depth+1)
			}
		default:
			value = []string{"", "plain", "a,b", "q\"q", "line\nbreak", " lead", "\\.", "日本", "tab\t", "=1+1"}[r.IntN(10)]
		}
		item[name] = value
	}
	return item
}

func TestATableReadBackIsTheItemsEvenIfTheirKeysChangeOnEveryPage(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		var batches []*pipeline.Batch
		var want []map[string]string
		columns := map[string]bool{}
		for page := range 12 {
			var lines []string
			for range r.IntN(20) {
				value := randomItem(r, page, 0)
				line, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, string(line))
				row := map[string]string{}
				if len(value) > 0 {
					oracle("", value, row)
				}
				for name := range row {
					columns[name] = true
				}
				want = append(want, row)
			}
			batches = append(batches, batch("a", lines...))
		}
		text := stdout(t, sink.Options{Format: "csv"}, outputs("a"), batches...)
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(records) != len(want)+1 || len(records[0]) != len(columns) {
			t.Fatalf("seed %d: got %d records of %d columns, %v, want %d of %d", seed, len(records), len(records[0]), err, len(want)+1, len(columns))
		}
		for i, row := range want {
			for c, name := range records[0] {
				if got := records[i+1][c]; got != row["_"+name] {
					t.Fatalf("seed %d: item %d: column %q is %q, want %q", seed, i, name, got, row["_"+name])
				}
			}
		}
	}
}

// typical is an item like those of an API.
func typical(i int) string {
	return fmt.Sprintf(`{"id":%d,"name":"user %d","email":"user%d@example.com","active":true,"score":12.5,"address":{"street":"Main Street 5","city":"Zürich","geo":{"lat":47.1,"lon":8.5}},"tags":["a","b"],"note":null,"text":"%s"}`,
		i, i, i, strings.Repeat("words ", 30))
}

func typicalBatch(from, items int) *pipeline.Batch {
	lines := make([]string, items)
	for i := range lines {
		lines[i] = typical(from + i)
	}
	return batch("a", lines...)
}

var typicalColumns = []string{"id", "name", "email", "active", "score", "address_street", "address_city", "address_geo_lat", "address_geo_lon", "tags", "note", "text"}

func TestARowWithKnownColumnsTakesNoAllocation(t *testing.T) {
	const items = 500
	s, err := sink.New(sink.Options{Format: "csv", Columns: typicalColumns, Environment: sink.Environment{Stdout: io.Discard}}, outputs("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := typicalBatch(0, items)
	allocs := testing.AllocsPerRun(20, func() {
		if err := s.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	})
	if allocs >= items {
		t.Errorf("%.0f allocations for %d items", allocs, items)
	}
}

// heap returns what is alive.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what pools keep goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// rows runs a number of items through CSV, and calls at now and then.
func rows(tb testing.TB, o sink.Options, items int, at func()) {
	const page = 1000
	s, err := sink.New(o, outputs("a"))
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	b := typicalBatch(0, page)
	for i := range items / page {
		if err := s.Write(tb.Context(), b); err != nil {
			tb.Fatal(err)
		}
		if i%25 == 24 {
			at()
		}
	}
	if err := s.Commit(tb.Context(), noReport); err != nil {
		tb.Fatal(err)
	}
	at()
}

func TestMemoryStaysFlatHoweverManyRowsWaitForTheirHeader(t *testing.T) {
	manyRows := cases.Few(40_000, 1_000_000)
	before, most := heap(), uint64(0)
	rows(t, sink.Options{Format: "csv", Environment: sink.Environment{Stdout: io.Discard}}, manyRows, func() { most = max(most, heap()) })
	if grown := int64(most) - int64(before); grown > 6<<20 {
		t.Errorf("the heap grew by %d KiB for %d items of about 400 bytes", grown>>10, manyRows)
	}
}

func TestMemoryDoesNotGrowWithTheNumberOfOutputs(t *testing.T) {
	for _, o := range []sink.Options{{Compress: "gzip"}, {Compress: "zstd"}, {Format: "csv"}} {
		var grown [2]int64
		for i, n := range []int{20, 95} { // more than are compressed at a time, so that each compressor has worked
			var names []string
			for i := range n {
				names = append(names, "t"+strconv.Itoa(i))
			}
			o.Output = t.TempDir() + "/"
			before := heap()
			s, err := sink.New(o, outputs(names...))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				b := typicalBatch(0, 300)
				b.DataType, b.Job = name, name
				if err := s.Write(t.Context(), b); err != nil {
					t.Fatal(err)
				}
			}
			grown[i] = int64(heap()) - int64(before)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if more := grown[1] - grown[0]; more > 75*16<<10 {
			t.Errorf("%s%s: 75 more outputs take %d KiB", o.Format, o.Compress, more>>10)
		}
	}
}

func TestSpoolsAreGoneFromTheTemporaryFolderAtOnce(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s, err := sink.New(sink.Options{Format: "csv", Environment: sink.Environment{Stdout: io.Discard}}, outputs("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Write(t.Context(), typicalBatch(0, 10)); err != nil || list(t, dir) != "" {
		t.Errorf("left is %s, %v", list(t, dir), err)
	}
}

func TestATemporaryFolderThatIsMissingShowsInTheProbe(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	s, err := sink.New(sink.Options{Format: "csv", Environment: sink.Environment{Stdout: io.Discard}}, outputs("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "the rows of a in "+missing+": no such file or directory") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkOneMillionRows(b *testing.B) {
	for name, o := range map[string]sink.Options{
		"known columns": {Columns: typicalColumns},
		"all columns":   {},
	} {
		b.Run(name, func(b *testing.B) {
			o.Format, o.Stdout = "csv", io.Discard
			before, most := heap(), uint64(0)
			for b.Loop() {
				rows(b, o, 1_000_000, func() {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					most = max(most, m.HeapInuse)
				})
			}
			b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "items/s")
			b.ReportMetric((float64(most)-float64(before))/(1<<20), "MiB-heap")
		})
	}
}

func BenchmarkCompression(b *testing.B) {
	batch := typicalBatch(0, 1000)
	for _, compress := range []string{"none", "gzip", "zstd"} {
		b.Run(compress, func(b *testing.B) {
			s, err := sink.New(sink.Options{Compress: compress, Output: os.DevNull}, outputs("a"))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			b.SetBytes(int64(len(batch.Text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Write(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
