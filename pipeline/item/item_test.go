package item_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
)

const tree = `{"id":1.0,"a":{"b":[10,{"c":"x"},[]],"b.c":{"":5}},"é\n":true,"twice":1,"twice":{"k":2},"list":[[1,2],{"0":3},"s,]}\"",null]}`

func TestLookupFollowsKeysAndIndices(t *testing.T) {
	for _, c := range []struct {
		path item.Path
		want string
	}{
		{nil, tree},
		{item.Path{"id"}, `1.0`},
		{item.Path{"a", "b", "0"}, `10`},
		{item.Path{"a", "b", "1", "c"}, `"x"`},
		{item.Path{"a", "b", "2"}, `[]`},
		{item.Path{"a", "b.c", ""}, `5`},
		{item.Path{"é\n"}, `true`},
		{item.Path{"twice", "k"}, `2`},
		{item.Path{"list", "1", "0"}, `3`},
		{item.Path{"list", "2"}, `"s,]}\""`},
		{item.Path{"list", "3"}, `null`},
		{item.Path{"list", "4"}, ``},
		{item.Path{"list", "-1"}, ``},
		{item.Path{"list", "+1"}, ``},
		{item.Path{"list", "01"}, ``},
		{item.Path{"list", ""}, ``},
		{item.Path{"list", "99999999999999999999"}, ``},
		{item.Path{"list", "3", "x"}, ``},
		{item.Path{"id", "0"}, ``},
		{item.Path{"nothing"}, ``},
		{item.Path{"a", "nothing", "b"}, ``},
		{item.Path{""}, ``},
	} {
		for _, paths := range []int{1, 100} {
			got := item.Looker([]byte(tree), paths)(c.path)
			if string(got) != c.want || (c.want == "") != (got == nil) {
				t.Errorf("%q of %d leads to %q, want %q", c.path, paths, got, c.want)
			}
		}
	}
}

func TestParsePathSplitsAtTheDelimiter(t *testing.T) {
	for _, c := range []struct {
		text, delimiter string
		want            item.Path
	}{
		{".", ".", nil},
		{"a", ".", item.Path{"a"}},
		{"a.0.b", ".", item.Path{"a", "0", "b"}},
		{"a.b/c", "/", item.Path{"a.b", "c"}},
		{"/", "/", nil},
		{"..", ".", item.Path{"", "", ""}},
	} {
		if diff := cmp.Diff(c.want, item.ParsePath(c.text, c.delimiter)); diff != "" {
			t.Errorf("%q at %q (-want +got)\n%s", c.text, c.delimiter, diff)
		}
	}
}

func TestScalarsAsTextAndAsBoolean(t *testing.T) {
	for _, c := range []struct {
		value, text string
		ok, truth   bool
	}{
		{`"a\u00e9\n"`, "aé\n", true, true},
		{`""`, "", true, false},
		{`"0"`, "0", true, false},
		{`"00"`, "00", true, true},
		{`"false"`, "false", true, true},
		{`"\ud800"`, "\uFFFD", true, true},
		{`1.50`, "1.50", true, true},
		{`1e400`, "1e400", true, true},
		{`0`, "0", true, false},
		{`-0.0E5`, "-0.0E5", true, false},
		{`0e1`, "0e1", true, false},
		{`0.01`, "0.01", true, true},
		{`true`, "1", true, true},
		{`false`, "0", true, false},
		{`null`, "", false, false},
		{`[]`, "", false, false},
		{`{}`, "", false, false},
		{`[0]`, "", false, true},
		{`{"":null}`, "", false, true},
		{``, "", false, false},
	} {
		text, ok := item.Text([]byte(c.value))
		if text != c.text || ok != c.ok {
			t.Errorf("the text of %s is %q, %t", c.value, text, ok)
		}
		if item.True([]byte(c.value)) != c.truth {
			t.Errorf("%s reads as %t", c.value, !c.truth)
		}
	}
}

func TestQuoteEscapesWhatItMustOnly(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "é<>&/\u2028": "\"é<>&/\u2028\"", "\"\\\n\x01": `"\"\\\n\u0001"`, "\xff": "\"\uFFFD\"",
	} {
		if got := item.Quote(text); string(got) != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}

func TestAWalkMayEndEarly(t *testing.T) {
	for name := range item.Members([]byte(`{"a":1,"b":2}`)) {
		if string(name) != `"a"` {
			t.Errorf("%s comes after the end", name)
		}
		break
	}
	for v := range item.Elements([]byte(`[1,2]`)) {
		if string(v) != `1` {
			t.Errorf("%s comes after the end", v)
		}
		break
	}
}

func TestPartsCannotBeAppendedIntoTheWhole(t *testing.T) {
	object, array := []byte(`{"a":1,"b":[2,3]}`), []byte(`[1,[2],"3"]`)
	for name, value := range item.Members(object) {
		_, _ = append(name, 'X'), append(value, 'X')
	}
	for value := range item.Elements(array) {
		_ = append(value, 'X')
	}
	if string(object) != `{"a":1,"b":[2,3]}` || string(array) != `[1,[2],"3"]` {
		t.Errorf("became %s and %s", object, array)
	}
}

// rebuild puts value together again from its parts.
func rebuild(dst, value []byte, depth int) []byte {
	if depth == 0 {
		return append(dst, value...)
	}
	switch item.Kind(value) {
	case '{':
		dst = append(dst, '{')
		n := 0
		for name, v := range item.Members(value) {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = append(append(dst, name...), ':')
			dst = rebuild(dst, v, depth-1)
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		n := 0
		for v := range item.Elements(value) {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = rebuild(dst, v, depth-1)
		}
		return append(dst, ']')
	}
	return append(dst, value...)
}

// On hostile text the helpers may return anything, but they return.
func FuzzHelpers(f *testing.F) {
	for _, raw := range append(documents, tree, `[`, `{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":,`, `[,`, `[,]`, `["\`, `"\\\"`, `[1}`, `{"a":]`, `-`, ` `) {
		f.Add([]byte(raw), "0")
		f.Add([]byte(raw), "twice")
	}
	f.Fuzz(func(t *testing.T, value []byte, step string) {
		valid := json.Valid(value)
		if valid {
			value, _ = item.Compact(nil, value)
		}
		rebuilt := rebuild(nil, value, 50)
		found := item.Lookup(value, item.Path{step})
		text, ok := item.Text(value)
		item.True(value)
		item.NameIs(value, step)
		item.Unquote(value)
		if !valid {
			return
		}
		if !bytes.Equal(rebuilt, value) {
			t.Errorf("%q was taken apart into %q", value, rebuilt)
		}
		if want := lookup(value, step); string(found) != string(want) {
			t.Errorf("%q in %q is %q, want %q", step, value, found, want)
		}
		var s string
		if json.Unmarshal(value, &s) == nil && string(value) != "null" && (s != text || !ok) {
			t.Errorf("the text of %q is %q, want %q", value, text, s)
		}
	})
}

// lookup is Lookup of one step in the words of the standard library.
func lookup(value []byte, step string) []byte {
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) == nil {
		for i, v := range elements {
			if strconv.Itoa(i) == step {
				return v
			}
		}
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return nil
	}
	return members[step]
}

func leaves(value []byte) (n int) {
	count := func(v []byte) {
		if k := item.Kind(v); k == '{' || k == '[' {
			n += leaves(v)
		} else {
			n++
		}
	}
	switch item.Kind(value) {
	case '{':
		for _, v := range item.Members(value) {
			count(v)
		}
	case '[':
		for v := range item.Elements(value) {
			count(v)
		}
	}
	return n
}

func TestWalkingAllocatesNothing(t *testing.T) {
	text, _ := item.Compact(nil, []byte(sample))
	if n := testing.AllocsPerRun(100, func() { leaves(text) }); n != 0 {
		t.Errorf("%v allocations for %d leaves", n, leaves(text))
	}
	path := item.Path{"owner", "mail"}
	if n := testing.AllocsPerRun(100, func() { item.Lookup(text, path) }); n != 0 {
		t.Errorf("%v allocations for a look-up", n)
	}
}

func BenchmarkWalk(b *testing.B) {
	text, _ := item.Compact(nil, []byte(sample))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		leaves(text)
	}
}

func ExampleMembers() {
	for name, value := range item.Members([]byte(`{"id":1,"tags":["a","b"]}`)) {
		fmt.Printf("%s is %s\n", item.Unquote(name), value)
	}
	// Output:
	// id is 1
	// tags is ["a","b"]
}

func TestAnIntegerIsReadHoweverItIsWritten(t *testing.T) {
	for value, want := range map[string]int64{
		"5": 5, "-0": 0, "-7": -7, "50.0": 50, "5e1": 50, `" 12 "`: 12, `"+3"`: 3, "9223372036854775807": math.MaxInt64,
	} {
		if n, ok := item.Integer([]byte(value)); !ok || n != want {
			t.Errorf("%s is read as %d, %t", value, n, ok)
		}
	}
	for _, value := range []string{"1.5", "9223372036854775808", "1e400", `"x"`, `""`, "null", "true", "[]", ""} {
		if n, ok := item.Integer([]byte(value)); ok {
			t.Errorf("%s is no integer, but is read as %d", value, n)
		}
	}
}
