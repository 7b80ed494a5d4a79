package page_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/page"
)

// bare is the Spec of a dataField whose rows are written as in a configuration.
func bare(t testing.TB, path, rows string) *page.Spec {
	t.Helper()
	var problems config.Problems
	root := config.Parse("rows", []byte(`{"rows":`+rows+`}`), &problems)
	s := field(path)
	s.Bare = page.NewBare(root.Member("rows"), &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	inColumns   = `"columns"`
	underHeader = `"header"`
	ofNames     = `["t","o"]`
)

func TestRowsWithoutNamesBecomeItems(t *testing.T) {
	d := newDecoders(t)
	for name, c := range map[string]struct{ path, rows, body, want string }{
		"columns":               {"a.b", inColumns, `{"a": {"b": {"n": [1, 2.50], "s":["x",null]}}}`, `{"n":1,"s":"x"} {"n":2.50,"s":null}`},
		"containers in columns": {"a", inColumns, `{"a":{"n":[[1, 2],{"k": [3]}],"s":["]","}"]}}`, `{"n":[1,2],"s":"]"} {"n":{"k":[3]},"s":"}"}`},
		"columns without rows":  {"a", inColumns, `{"a":{"n":[],"s":[]}}`, ``},
		"no columns":            {"a", inColumns, `{"a":{}}`, ``},
		"columns of PHP":        {"a", inColumns, `{"a":[]}`, ``},
		"the whole answer":      {".", inColumns, `{"n":[1]}`, `{"n":1}`},
		"a header":              {".", underHeader, `[["NAME", "POP"], ["Ohio", "7"], ["Utah"], []]`, `{"NAME":"Ohio","POP":"7"} {"NAME":"Utah"} {}`},
		"a header that is all":  {"v", underHeader, `{"v":[["a","b"]]}`, ``},
		"names of any kind":     {"v", underHeader, `{"v":[["é\"", 2020, true],[1,2,3]]}`, `{"é\"":1,"2020":2,"true":3}`},
		"a header each":         {"v.*.r", underHeader, `{"v":[{"r":[["a"],[1]]},{"r":[["b"],[2],[3]]},{}]}`, `{"a":1} {"b":2} {"b":3}`},
		"names":                 {"r", ofNames, `{"r":[[1499040000000,"0.10"],[1, {"x" : 1e400}],[9007199254740993]]}`, `{"t":1499040000000,"o":"0.10"} {"t":1,"o":{"x":1e400}} {"t":9007199254740993}`},
		"names in many arrays":  {"*", ofNames, `[[[1,2]],[],[[3]]]`, `{"t":1,"o":2} {"t":3}`},
		"nothing there":         {"r", ofNames, `{"x":1}`, ``},
		"null":                  {"r", underHeader, `{"r":null}`, ``},
		"an empty body":         {"r", inColumns, ``, ``},
	} {
		got, err := d.decode(t, []byte(c.body), bare(t, c.path, c.rows))
		want := strings.ReplaceAll(c.want, " ", "\n")
		if want != "" {
			want += "\n"
		}
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestWhatCannotBeRowsIsAnErrorThatSaysWhere(t *testing.T) {
	d := newDecoders(t)
	for _, c := range []struct{ rows, body, want string }{
		{inColumns, `{"a":{"n":[1,2],"s":["x"]}}`, `the column "s" has length 1, where the first one has length 2`},
		{inColumns, `{"a":{"n":[1],"s":7,"u":null}}`, `the column "s" is a number, where dataField.rows wants an array`},
		{inColumns, `{"a":{"n":[1],"n":[2]}}`, `the column 2 has the name "n", as one before it has`},
		{inColumns, `{"a":{"":[1]}}`, `the column 1 has no name`},
		{inColumns, `{"a":[{"n":1}]}`, `the response has an array at a, where dataField.rows wants an object of arrays`},
		{inColumns, `{"a":"slow down"}`, `a is "slow down", where items should be: if it is an item, write "dataField": {"path": "a", "scalar": true}`},
		{underHeader, `{"a":[["n","n"],[1,2]]}`, `the column 2 has the name "n", as one before it has`},
		{underHeader, `{"a":[["n",""],[1,2]]}`, `the column 2 has no name`},
		{underHeader, `{"a":[["n",null],[1,2]]}`, `the column 2 has no name`},
		{underHeader, `{"a":[["n",["x"]],[1,2]]}`, `the column 2 of the header is an array, where a name should be`},
		{underHeader, `{"a":[["n"],[1],[1,2]]}`, `row 3 has 2 values, where there are names for 1`},
		{underHeader, `{"a":[{"n":1}]}`, `row 1 is an object, where dataField.rows wants an array`},
		{underHeader, `{"a":{"n":[1]}}`, `the response has an object at a, where dataField.rows wants an array of arrays`},
		{ofNames, `{"a":[[1,2],[1,2,3]]}`, `row 2 has 3 values, where there are names for 2`},
		{ofNames, `{"a":[[1,2],null]}`, `row 2 is null, where dataField.rows wants an array`},
		{ofNames, `{"a":{}}`, `the response has an object at a, where dataField.rows wants an array of arrays`},
		{ofNames, `{"a":[[1]],"a":[[2]]}`, `the response has the member "a" more than once, and it leads to the items: which one is meant cannot be known`},
		{ofNames, `{"a":[[1]`, `invalid JSON: the text ends too early at byte 9 within "a.1"`},
	} {
		_, err := d.decode(t, []byte(c.body), bare(t, "a", c.rows))
		if err == nil || err.Error() != c.want || !isError(err) {
			t.Errorf("%s of %s: got %v, want %s", c.rows, c.body, err, c.want)
		}
	}
}

// What stands beside rows, and in them, is found where the response has it.
func TestValuesAreFoundBesideRowsAndInThem(t *testing.T) {
	for rows, c := range map[string]struct{ body, in string }{
		inColumns:   {`{"next":7,"a":{"n":[1,2],"s":[3,4]}}`, "a.s.1"},
		underHeader: {`{"a":[["n"],[3],[4]],"next":7}`, "a.2.0"},
		ofNames:     {`{"a":[[4,1]],"next":7}`, "a.0.0"},
	} {
		s := bare(t, "a", rows)
		s.Wants = []item.Path{{"next"}, item.ParsePath(c.in, ".")}
		_, p, err := lines(t, &page.Decoder{}, c.body, s)
		if err != nil || string(p.Wanted[0]) != "7" || string(p.Wanted[1]) != "4" {
			t.Errorf("%s: %q, %v", rows, p.Wanted, err)
		}
		if p.Selected != '[' {
			t.Errorf("%s: selected %q", rows, p.Selected)
		}
	}
}

func TestPagesOfOtherNamesAreOtherPages(t *testing.T) {
	s := bare(t, ".", underHeader)
	_, one, _ := lines(t, &page.Decoder{}, `[["a"]]`, s)
	_, other, _ := lines(t, &page.Decoder{}, `[["b"]]`, s)
	if one.Hash == other.Hash {
		t.Error("two headers have one hash")
	}
}

// Columns do not stream. Rows do, whatever their length.
func TestColumnsAreBoundedAsOneItemIs(t *testing.T) {
	d := &page.Decoder{ItemLimit: 1 << 20, HoldLimit: -1, Folder: t.TempDir(), PageLimit: 8 << 20}
	long := strings.Repeat("1,", 1<<20) + "1"
	_, _, err := lines(t, d, `{"a":{"n":[`+long+`]}}`, bare(t, "a", inColumns))
	const want = `a value of more than 1 MiB, the limit for one item, at byte 4 within "a": columns are read as a whole, so ask for less at a time`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	items, _, err := lines(t, d, `{"a":[`+strings.Repeat("[1],", 1<<18)+`[1]]}`, bare(t, "a", ofNames))
	if err != nil || len(items) != 1<<18+1 {
		t.Errorf("%d items, %v", len(items), err)
	}
	// A long name stands in each item.
	name := strings.Repeat("n", 1<<19)
	_, _, err = lines(t, d, `[["`+name+`"]`+strings.Repeat(",[1]", 100)+`]`, bare(t, ".", underHeader))
	if err == nil || !strings.HasPrefix(err.Error(), "the response is longer than 8 MiB") {
		t.Errorf("got %v", err)
	}
}

// rowsOf is what encoding/json makes of rows: the items as compact lines, and whether there is an error.
func rowsOf(body []byte, rows string) (want string, bad bool) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if len(bytes.Trim(body, " \t\r\n")) == 0 {
		return "", false
	}
	if !json.Valid(body) {
		return "", true
	}
	value := json.RawMessage(bytes.Trim(body, " \t\r\n"))
	if len(itemsOf(value)) == 0 && value[0] != '{' {
		return "", false
	}
	names := []string{"t", "o"}
	var all []json.RawMessage
	switch {
	case rows == inColumns && value[0] == '{':
		return across(value)
	case rows == inColumns || value[0] != '[':
		return "", true
	default:
		all = elements(value)
	}
	for i, row := range all {
		if row[0] != '[' {
			return "", true
		}
		values := elements(row)
		if isHeader := rows == underHeader && i == 0; isHeader {
			names = nil
			for _, v := range values {
				if v[0] == '{' || v[0] == '[' || v[0] == 'n' {
					return "", true
				}
				names = append(names, textOf(v))
			}
			if isBadHeader(names) {
				return "", true
			}
			continue
		}
		if len(values) > len(names) {
			return "", true
		}
		want += line(names, values)
	}
	return want, false
}

func across(object json.RawMessage) (want string, bad bool) {
	var names []string
	var arrays [][]json.RawMessage
	for _, m := range members(object) {
		if m.value[0] != '[' {
			return "", true
		}
		names, arrays = append(names, m.name), append(arrays, elements(m.value))
	}
	if isBadHeader(names) {
		return "", true
	}
	for _, array := range arrays {
		if len(array) != len(arrays[0]) {
			return "", true
		}
	}
	for i := range len(slices.Concat(arrays...)) / max(len(arrays), 1) {
		var values []json.RawMessage
		for _, array := range arrays {
			values = append(values, array[i])
		}
		want += line(names, values)
	}
	return want, false
}

func textOf(v json.RawMessage) (text string) {
	if json.Unmarshal(v, &text) != nil {
		return string(v)
	}
	return text
}

func isBadHeader(names []string) bool {
	return slices.Contains(names, "") || len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names)
}

func line(names []string, values []json.RawMessage) string {
	var all []string
	for i, v := range values {
		all = append(all, string(item.Quote(names[i]))+":"+compact(v))
	}
	return "{" + strings.Join(all, ",") + "}\n"
}

// rowsBodies are seeds of fuzzing, and are cut at every byte.
var rowsBodies = []string{
	``, `null`, `7`, `[]`, "\ufeff[ ]", `{}`, `{"a":[1,2.0],"b":["x\u00e9",{"c":[1]}]}`, `{"a":[],"b":[]}`, `{"a":[1],"b":[]}`, `{"a":1}`, `{"a":[1],"\u0061":[2]}`,
	"{\"\xff\":[1]}", `[["t","o"],[1,"x"],[2],[]]`, `[["t","t"],[1,2]]`, `[["",1]]`, `[[1,true,"é"],[1,2,3],[1,2,3,4]]`, `[[null]]`, `[[[1]],[2]]`,
	`[[1,2],[3.50]]`, `[[1,2,3]]`, `[[1],{}]`, `[1]`, "\ufeff[ [ 1 , \"a b\" ] ]", `[["\ud800"],["\ud800"]]`, `[[1]`, `[[1]]]`, `{"a":[1,]}`, `"text"`, `{"":[1]}`,
}

func checkRows(t *testing.T, d decoders, body []byte, rows string) {
	want, bad := rowsOf(body, rows)
	got, err := d.decode(t, body, bare(t, ".", rows))
	if (err != nil) != bad || err == nil && got != want {
		t.Errorf("%s of %q: got %q, %v, want %q, error %t", rows, body, got, err, want, bad)
	}
}

func FuzzRows(f *testing.F) {
	for _, body := range rowsBodies {
		f.Add([]byte(body))
	}
	d := newDecoders(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, rows := range []string{inColumns, underHeader, ofNames} {
			checkRows(t, d, body, rows)
		}
	})
}

// A body that is cut is asked for again, whatever has come of it; what ends there is a page, or none.
func TestRowsThatAreCutAnywhereAreNoPage(t *testing.T) {
	d := newDecoders(t)
	for _, body := range rowsBodies {
		for end := range len(body) {
			for _, rows := range []string{inColumns, underHeader, ofNames} {
				checkRows(t, d, []byte(body[:end]), rows)
				cut := io.MultiReader(strings.NewReader(body[:end]), iotest.ErrReader(io.ErrUnexpectedEOF))
				_, err := d.plain.Decode(iotest.OneByteReader(cut), bare(t, ".", rows))
				if !errors.Is(err, io.ErrUnexpectedEOF) && json.Valid([]byte(body)) {
					t.Errorf("%s of %q, cut: %v", rows, body[:end], err)
				}
			}
		}
	}
}
