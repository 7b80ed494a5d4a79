package transform_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/transform"
)

func TestAValueAtAPathBecomesItsJSONText(t *testing.T) {
	for _, c := range []struct{ paths, item, want string }{
		{"a", `{"a":{"b":1.0}}`, `{"a":"{\"b\":1.0}"}`},
		{"a", `{"z":[1],"a":[1,"x\n"],"b":{"a":[2]}}`, `{"z":[1],"a":"[1,\"x\\n\"]","b":{"a":[2]}}`},
		{"a", `{"a":{}}`, `{"a":"{}"}`},
		{"a", `{"a":[]}`, `{"a":"[]"}`},
		{"a.b", `{"a":{"z":1,"b":[1],"c":{}},"b":[2]}`, `{"a":{"z":1,"b":"[1]","c":{}},"b":[2]}`},
		{"a b", `{"b":[1],"c":[2],"a":[3]}`, `{"b":"[1]","c":[2],"a":"[3]"}`},
		{"a.b a.c", `{"a":{"b":[1],"c":[2]}}`, `{"a":{"b":"[1]","c":"[2]"}}`},

		// Each element of an array.
		{"a[]", `{"a":[{"b":1},[2],3,"4",null]}`, `{"a":["{\"b\":1}","[2]",3,"4",null]}`},
		{"a[].b", `{"a":[{"b":[1]},{"c":[2]},{"b":{}},[],5]}`, `{"a":[{"b":"[1]"},{"c":[2]},{"b":"{}"},[],5]}`},
		{"a.b[]", `{"a":{"b":[[1],[2]]}}`, `{"a":{"b":["[1]","[2]"]}}`},
		{"a[].b[]", `{"a":[{"b":[[1]]},{"b":[[2],[3]]}]}`, `{"a":[{"b":["[1]"]},{"b":["[2]","[3]"]}]}`},
		{"a[][]", `{"a":[[[1]],[{}]]}`, `{"a":[["[1]"],["{}"]]}`},
		{"a[].b a.b", `{"a":{"b":[1]}}`, `{"a":{"b":"[1]"}}`},

		// A scalar stays, at compatLevel 1 and 2.
		{"a b c d e", `{"a":1,"b":"{}","c":true,"d":null,"e":-1.50e3}`, `{"a":1,"b":"{}","c":true,"d":null,"e":-1.50e3}`},

		// A path that leads nowhere is ignored.
		{"x a.x a[].x a.b.c a.0", `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{"a.b a.0 a.0.b", `{"a":[{"b":[1]}]}`, `{"a":[{"b":[1]}]}`},
		{"a[]", `{"a":{"":[1]}}`, `{"a":{"":[1]}}`},
		{"a a[]", `5`, `5`},
		{"a 0", `[{"a":[1]}]`, `[{"a":[1]}]`},
		{"", `{"a":[1]}`, `{"a":[1]}`},

		// One path after the other.
		{"a a.b a[]", `{"a":{"b":[1]}}`, `{"a":"{\"b\":[1]}"}`},
		{"a.b a", `{"a":{"b":[1]}}`, `{"a":"{\"b\":\"[1]\"}"}`},
		{"a[] a", `{"a":[[1]]}`, `{"a":"[\"[1]\"]"}`},
		{"a a", `{"a":[1]}`, `{"a":"[1]"}`},

		// The whole item.
		{".", `{"a":1}`, `"{\"a\":1}"`},
		{". a", `{"a":[1]}`, `"{\"a\":[1]}"`},

		// Names in other spellings, and repeated ones.
		{"a", `{"\u0061":[1],"a":[2]}`, `{"\u0061":"[1]","a":"[2]"}`},
		{"é", `{"\u00e9":["\u00e9é\/"]}`, `{"\u00e9":"[\"\\u00e9é\\/\"]"}`},
	} {
		f := transform.NewFilter(strings.Fields(c.paths), ".", false)
		if got := f.Append([]byte("x"), []byte(c.item)); string(got) != "x"+c.want {
			t.Errorf("%s of %s: got %s, want x%s", c.paths, c.item, got, c.want)
		}
	}
}

func TestScalarsBecomeTheirJSONTextToo(t *testing.T) {
	for _, c := range []struct{ paths, item, want string }{
		{"a b c d e f", `{"a":1,"b":"x\"é","c":true,"d":null,"e":-1.50e3,"f":[1],"g":2}`, `{"a":"1","b":"\"x\\\"é\"","c":"true","d":"null","e":"-1.50e3","f":"[1]","g":2}`},
		{"a[] b[].c", `{"a":[1,null,["x"]],"b":[{"c":"y"},{"d":1},2]}`, `{"a":["1","null","[\"x\"]"],"b":[{"c":"\"y\""},{"d":1},2]}`},
		{"a.b a", `{"a":false}`, `{"a":"false"}`},
		{"a.b a", `{"a":{"b":0}}`, `{"a":"{\"b\":\"0\"}"}`},
		{"a.b", `{"a":7}`, `{"a":7}`},
		{".", `5`, `"5"`},
	} {
		f := transform.NewFilter(strings.Fields(c.paths), ".", true)
		if got := f.Append(nil, []byte(c.item)); string(got) != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.paths, c.item, got, c.want)
		}
	}
}

func TestAPathOfAFilterMayHaveAnotherDelimiter(t *testing.T) {
	for _, c := range []struct{ path, delimiter, want string }{
		{"a/b", "/", `{"a":{"b":"[1]"},"a.b":[2]}`},
		{"a->b", "->", `{"a":{"b":"[1]"},"a.b":[2]}`},
		{"a.b", "/", `{"a":{"b":[1]},"a.b":"[2]"}`},
		{"a.b", "", `{"a":{"b":"[1]"},"a.b":[2]}`},
	} {
		f := transform.NewFilter([]string{c.path}, c.delimiter, false)
		if got := f.Append(nil, []byte(`{"a":{"b":[1]},"a.b":[2]}`)); string(got) != c.want {
			t.Errorf("%s, %q: got %s, want %s", c.path, c.delimiter, got, c.want)
		}
	}
}

func TestAFilterAllocatesNothing(t *testing.T) {
	f := transform.NewFilter([]string{"a[].b", "c", "e"}, ".", true)
	value := []byte(`{"a":[{"b":[1,"x\n"]},{"z":1}],"c":{"d":"é"},"e":5}`)
	buf := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() { buf = f.Append(buf[:0], value) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzAFilteredValueCanBeReadBack(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":{"b":[1,{"c":"\"\\\u0000é"}]},"d":[]}`, "a.b"}, {`{"a":[[1],{"b":2},"c"]}`, "a[]"}, {`{"a":[{"b":[2]}]}`, "a[].b"},
		{`{"":{"":[1.0]}}`, "."}, {`{"":{"":[1.0]}}`, ""}, {`[[1]]`, "[]"}, {`"a"`, "a"}, {`{"a":[1],"a":{"b":2},"\u0061":3}`, "a"},
		{`{"a":`, "a"}, {`{"a":[{"b"`, "a[].b"},
	} {
		f.Add([]byte(seed[0]), seed[1])
	}
	f.Fuzz(func(t *testing.T, value []byte, path string) {
		filter := transform.NewFilter([]string{path}, ".", false)
		if !json.Valid(value) {
			filter.Append(nil, value) // ends
			return
		}
		value, _ = item.Compact(nil, value)
		before := slices.Clone(value)
		got := filter.Append(nil, value)
		if !json.Valid(got) {
			t.Fatalf("%s of %s is not valid: %s", path, value, got)
		}
		if string(before) != string(value) {
			t.Errorf("%s of %s changed the item itself: %s", path, before, value)
		}
		same(t, value, got)
	})
}

// same walks both values: where they differ, got is the text of value.
func same(t *testing.T, value, got []byte) {
	t.Helper()
	switch kind := item.Kind(value); {
	case kind != item.Kind(got):
		if (kind != '{' && kind != '[') || item.Unquote(got) != string(value) {
			t.Errorf("%s became %s", value, got)
		}
	case kind == '{':
		names, values := members(value)
		gotNames, gotValues := members(got)
		if !slices.Equal(names, gotNames) {
			t.Fatalf("%s became %s", value, got)
		}
		for i := range values {
			same(t, values[i], gotValues[i])
		}
	case kind == '[':
		values, gotValues := slices.Collect(item.Elements(value)), slices.Collect(item.Elements(got))
		if len(values) != len(gotValues) {
			t.Fatalf("%s became %s", value, got)
		}
		for i := range values {
			same(t, values[i], gotValues[i])
		}
	case string(value) != string(got):
		t.Errorf("%s became %s", value, got)
	}
}

func members(object []byte) (names []string, values [][]byte) {
	for name, value := range item.Members(object) {
		names, values = append(names, string(name)), append(values, value)
	}
	return names, values
}

func TestManyPathsAreAppliedAsOneByOne(t *testing.T) {
	var paths []string
	for i := range 40 {
		name := "m" + strconv.Itoa(i)
		paths = append(paths, []string{name, name + "[]", name + ".x", name + ".é", name + ".x[].y"}[i%5])
	}
	value := `{"m0":1,"m1":[1,[2]],"m2":{"x":2,"y":3},"m3":{"\u00e9":[4]},"m4":{"x":[{"y":5}]},"\u006d30":{"z":6},"m41":7}`
	want := []byte(value)
	for _, path := range paths {
		want = transform.NewFilter([]string{path}, "", true).Append(nil, want)
	}
	if got := transform.NewFilter(paths, "", true).Append(nil, []byte(value)); string(got) != string(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
