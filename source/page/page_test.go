package page_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/page"
)

// field is the Spec of a dataField with the delimiter ".".
func field(path string) *page.Spec {
	return &page.Spec{Select: item.ParsePath(path, "."), Field: path}
}

func detect() *page.Spec { return &page.Spec{Detect: true} }

// lines decodes body and returns its items, and the page, which is given away.
func lines(t testing.TB, d *page.Decoder, body string, s *page.Spec) ([]string, *page.Page, error) {
	t.Helper()
	p, err := d.Decode(strings.NewReader(body), s)
	if err != nil {
		return nil, nil, err
	}
	return given(t, p), p, nil
}

// given gives a page away, and checks what every page promises.
func given(t testing.TB, p *page.Page) []string {
	t.Helper()
	var text strings.Builder
	items, batches := 0, 0
	err := p.Batches(func(b *pipeline.Batch) error {
		if n := strings.Count(string(b.Text), "\n"); n != b.Items || n == 0 && p.Items > 0 {
			t.Errorf("a batch of %d items has %d lines", b.Items, n)
		}
		text.Write(b.Text)
		items, batches = items+b.Items, batches+1
		b.Release()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if batches == 0 || items != p.Items {
		t.Errorf("%d items of %d were given away, in %d batches", items, p.Items, batches)
	}
	return slices.DeleteFunc(strings.SplitAfter(text.String(), "\n"), func(s string) bool { return s == "" })
}

func TestItemsAreSelectedByDataField(t *testing.T) {
	for _, c := range []struct{ path, body, want string }{
		{"a", `{"a":[1,2,3]}`, "1 2 3"},
		{"a.b", `{"x":[9],"a":{"c":[8],"b":[1,{"k":[2]}]},"y":{"b":[7]}}`, `1 {"k":[2]}`},
		{"a.1.b", `{"a":[{"b":[9]},{"b":[1]},{"b":[8]}]}`, "1"},
		{"0", `[[1,2],[3]]`, "1 2"},
		{"a.00", `{"a":[[1]]}`, ""},
		{"a.00", `{"a":{"00":[1]}}`, "1"},
		{".", `[1,2]`, "1 2"},
		{".", `{"a":[1]}`, `{"a":[1]}`},
		{".", `{}`, `{}`},
		{"scalar .", `"text"`, `"text"`},
		{"scalar .", `17`, `17`},
		{"scalar .", `true`, `true`},
		{".", `null`, ``},
		{".", `false`, ``},
		{".", `0`, ``},
		{".", `-0.0e7`, ``},
		{".", `""`, ``},
		{"scalar .", `"0"`, `"0"`},
		{".", `[]`, ``},
		{".", ` `, ``},
		{"a", ``, ``},
		{"a", `null`, ``},
		{"a", `"text"`, ``},
		{"a", `[1]`, ``},
		{"a", `{}`, ``},
		{"a", `{"b":[1]}`, ``},
		{"a", `{"a":null}`, ``},
		{"a", `{"a":[]}`, ``},
		{"a", `{"a":""}`, ``},
		{"a", `{"a":0}`, ``},
		{"a", `{"a":false}`, ``},
		{"a", `{"a":{}}`, `{}`},
		{"a", `{"a":{"b":[1]}}`, `{"b":[1]}`},
		{"scalar a", `{"a":1e400}`, `1e400`},
		{"scalar a", `{"a":[1,"x"]}`, `1 "x"`},
		{"a.*", `{"a":[1,["x"]]}`, `1 "x"`},
		{"1", `[{"total":1},[5]]`, `5`},
		{"1", `[{"total":0},null]`, ``},
		{"a", `{"a":[null,0,"",[],{}]}`, `null 0 "" [] {}`},
		{"a.b", `{"a":[1]}`, ``},
		{"a.b", `{"a":5}`, ``},
		{"é", `{"\u00e9":[1]}`, `1`},
	} {
		path, scalar := strings.CutPrefix(c.path, "scalar ")
		s := field(path)
		s.Scalar = scalar
		got, p, err := lines(t, &page.Decoder{}, c.body, s)
		if err != nil {
			t.Errorf("%s of %s: %v", c.path, c.body, err)
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(c.want, " ", "\n"), strings.TrimSuffix(strings.Join(got, ""), "\n")); diff != "" {
			t.Errorf("%s of %s (-want +got)\n%s", c.path, c.body, diff)
		}
		if p.Field != path || p.NoArray {
			t.Errorf("%s of %s: Field is %q, NoArray %t", c.path, c.body, p.Field, p.NoArray)
		}
	}
}

func TestALoneScalarIsNoItem(t *testing.T) {
	const rest = `, where items should be: if it is an item, write "dataField": {"path": `
	ndjson := &page.Spec{Detect: true, Format: format(t, `"ndjson"`)}
	ofLines := &page.Spec{Select: item.Path{"a"}, Field: "a", Format: ndjson.Format}
	for _, c := range []struct {
		spec *page.Spec
		body string
		want string
	}{
		{field("result"), `{"result":"Max calls per sec","status":"0"}`, `result is "Max calls per sec"` + rest + `"result", "scalar": true}`},
		{field("a.b"), `{"page":1,"a":{"b": true}}`, `a.b is true` + rest + `"a.b", "scalar": true}`},
		{field("*.b"), `[{"b":[1]},{"b":7}]`, `*.b is 7` + rest + `"*.b", "scalar": true}`},
		{field("."), `"x"`, `the answer is "x"` + rest + `".", "scalar": true}`},
		{ndjson, "{}\n\"x\"\n{}\n", `line 2: the line is "x"` + rest + `".", "scalar": true}`},
		{ndjson, "[1]\n \n 7 \n", `line 3: the line is 7` + rest + `".", "scalar": true}`},
		{ndjson, "7\n\"x\"\nnull\n{}\n0", `line 5: the body was cut short: its last line is a number ` +
			`without a line break, which may have had more digits: unexpected EOF`},
		{ofLines, "{\"a\":[1]}\n{\"a\":\"x\"}\n", `line 2: a is "x"` + rest + `"a", "scalar": true}`},
	} {
		_, err := newDecoders(t).decode(t, []byte(c.body), c.spec)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.body, err, c.want)
		}
	}
	secret := &page.Decoder{Redact: func(text string) string { return strings.ReplaceAll(text, "canary", "?") }}
	_, err := secret.Decode(strings.NewReader(`{"a":"`+strings.Repeat("x", 155)+`canary","b":1}`), field("a"))
	if err == nil || strings.Contains(err.Error(), "can") {
		t.Errorf("a secret shows: %v", err)
	}
}

func TestAScalarThatIsAllIsADoubtedItem(t *testing.T) {
	for _, c := range []struct{ path, body, alone string }{
		{"a", `{"a": "Max calls per sec"}`, `"Max calls per sec"`},
		{"a.b", `{"a":{"b":7}}`, `7`},
		{"a", `{"a":{"b":7}}`, ``},
		{"a", `{"a":null}`, ``},
	} {
		_, p, err := lines(t, &page.Decoder{}, c.body, field(c.path))
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if p.Alone != c.alone {
			t.Errorf("%s: %q stands alone, want %q", c.body, p.Alone, c.alone)
		}
		if c.alone == "" {
			continue
		}
		at, value, scalar := p.Lone()
		if at != c.path || value != c.alone || !strings.Contains(scalar, `"scalar": true`) {
			t.Errorf("%s: %s is %s, and dataField %s", c.body, at, value, scalar)
		}
	}
}

func TestTheFirstOfTwoElementsStandsBesideTheItems(t *testing.T) {
	s := field("1")
	s.Notable = func([]byte) bool { return true }
	s.Wants = []item.Path{{"0", "total"}}
	_, p, err := lines(t, &page.Decoder{}, `[{"page":1,"total":3},[{"page":9}]]`, s)
	if err != nil {
		t.Fatal(err)
	}
	var beside []string
	for _, m := range p.Beside.Notable {
		beside = append(beside, m.Path.String()+"="+string(m.Value))
	}
	if !slices.Equal(beside, []string{"0.page=1", "0.total=3"}) || string(p.Wanted[0]) != "3" {
		t.Errorf("got %q, and %s", beside, p.Wanted)
	}
}

func TestArraysElsewhereAreCounted(t *testing.T) {
	for body, want := range map[string][]page.Array{
		`{"b":[1,2,[3]],"c":{"d":[4],"e":[]},"f":[[5,6]]}`: {{"b", 3}, {"c.d", 1}, {"f", 1}},
		`{"b":[1],"b":[1,2]}`:                              {{"b", 2}},
		`{"b":[1,2],"b":[]}`:                               {{"b", 2}},
	} {
		_, p, err := lines(t, &page.Decoder{}, body, field("a"))
		if err != nil || !slices.Equal(p.Beside.Arrays, want) {
			t.Errorf("%s: %v, %v", body, p, err)
		}
	}
}

func TestArraysAreCountedInTheElementThatLeadsToTheItems(t *testing.T) {
	const body = `{"t":[{"b":[1,2]},{"b":[1,2,3],"c":{"d":[4]},"e":[[5]]}],"f":[{"g":[6]}]}`
	want := []page.Array{{"t", 2}, {"t.1.b", 3}, {"t.1.c.d", 1}, {"t.1.e", 1}, {"f", 1}}
	_, p, err := lines(t, &page.Decoder{}, body, field("t.1.a"))
	if err != nil || !slices.Equal(p.Beside.Arrays, want) {
		t.Errorf("%v, %v", p, err)
	}
	// A name that a pointer writes otherwise.
	_, p, err = lines(t, &page.Decoder{}, `{"a/b":[{"c":[1,2]}]}`, field("a/b.0.d"))
	want = []page.Array{{"a/b", 1}, {"a/b.0.c", 2}}
	if err != nil || !slices.Equal(p.Beside.Arrays, want) {
		t.Errorf("%v, %v", p, err)
	}
}

func TestAStarIsEachElement(t *testing.T) {
	for _, c := range []struct{ path, body, want, near string }{
		{"*.r", `[{"r":[1,2],"f":"x"},{"r":[]},{"r":{"a":3}},{"f":"y"}]`, `1 2 {"a":3}`, "x"},
		{"d.*.r", `{"d":[{"r":[1]},{"r":[2]}]}`, `1 2`, ""},
		{"d.*.*", `{"d":[[[1],2],[],[[3]]]}`, `1 2 3`, ""},
		{"*.r", `[]`, ``, ""},
		{"*.r", `{"*":{"r":[1]}}`, `1`, ""},
		{"*.r", `{"r":[1]}`, ``, ""},
	} {
		s := field(c.path)
		s.Wants = []item.Path{{"0", "f"}}
		got, p, err := lines(t, &page.Decoder{}, c.body, s)
		if text := strings.Join(strings.Fields(strings.Join(got, "")), " "); err != nil || text != c.want {
			t.Errorf("%s in %s: %v, got %s, want %s", c.path, c.body, err, text, c.want)
			continue
		}
		if near, _ := item.Text(p.Wanted[0]); near != c.near {
			t.Errorf("%s: 0.f is %q, want %q", c.body, near, c.near)
		}
		if nothing := p.Selected == 0; nothing != (c.body == `{"r":[1]}`) {
			t.Errorf("%s: selected is %v", c.body, p.Selected)
		}
	}
	if _, _, err := lines(t, &page.Decoder{}, `{"d":[{"r":[1],"r":[2]}]}`, field("d.*.r")); err == nil {
		t.Error("a member that is there twice is no error")
	}
}

func TestTheMembersOfAnObjectAreItems(t *testing.T) {
	for _, c := range []struct{ body, want, err string }{
		{`{"d": {"a": {"x": 1}, "b\u00e9": {}, "c": [1, {"id": 2}], "d": null, "a": {"y": {"id": 3}}}, "e": 1}`,
			`{"id":"a","x":1} {"id":"b\u00e9"} {"id":"c","value":[1,{"id":2}]} {"id":"d","value":null} {"id":"a","y":{"id":3}}`, ""},
		{`{"d":{}}`, "", ""},
		{`{"d":[]}`, "", ""},
		{`{"d":null}`, "", ""},
		{`{"d":{"a":{"b":1,"id":2}}}`, "", `the item "a" has a member "id" itself: give dataField.members another name`},
		{`{"d":[{"id":1}]}`, "", `the response has an array at d, where dataField.members wants an object: write the path alone`},
		{`{"d":"x"}`, "", `the response has a string at d, where dataField.members wants an object: write the path alone`},
	} {
		s := field("d")
		s.Members = "id"
		for _, d := range []*page.Decoder{{}, {ChunkSize: 5, HoldLimit: 7, Folder: t.TempDir()}} {
			got, p, err := lines(t, d, c.body, s)
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("%s: got %v, want %s", c.body, err, c.err)
				}
				continue
			}
			if text := strings.Join(strings.Fields(strings.Join(got, "")), " "); err != nil || text != c.want {
				t.Errorf("%s: %v, got %s, want %s", c.body, err, text, c.want)
			} else if c.want != "" && p.Bytes != int64(len(`{"d":{},"e":1}`)+len(c.want)) {
				t.Errorf("%s: %d bytes", c.body, p.Bytes)
			}
		}
	}
}

func TestADataFieldMayHaveAnotherDelimiter(t *testing.T) {
	s := &page.Spec{Select: item.ParsePath("a.b/c", "/"), Field: "a.b/c"}
	got, _, err := lines(t, &page.Decoder{}, `{"a":{"b":{"c":[9]}},"a.b":{"c":[1]}}`, s)
	if err != nil || !slices.Equal(got, []string{"1\n"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestTheArrayIsDetectedWithoutDataField(t *testing.T) {
	for _, c := range []struct {
		body, want, field string
		noArray           bool
	}{
		{`[1,2]`, "1 2", ".", false},
		{`[[1],[2]]`, "[1] [2]", ".", false},
		{`[]`, "", ".", false},
		{`null`, "", ".", false},
		{``, "", ".", false},
		{" \n", "", ".", false},
		{`{}`, "", ".", true},
		{`{"a":1,"b":{"c":[1]}}`, "", ".", true},
		{`{"n":2,"a":[1,2],"o":{"x":[3]}}`, "1 2", "a", false},
		{`{"a\u002eb":[1]}`, "1", "a.b", false},
		{`{"a":[]}`, "", "a", false},
		{`{"b":{},"b":1,"a":[1],"c":1,"c":2}`, "1", "a", false},
	} {
		got, p, err := lines(t, &page.Decoder{}, c.body, detect())
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if text := strings.TrimSuffix(strings.Join(got, ""), "\n"); text != strings.ReplaceAll(c.want, " ", "\n") {
			t.Errorf("%s gives %q, want %q", c.body, text, c.want)
		}
		if p.Field != c.field || p.NoArray != c.noArray {
			t.Errorf("%s: Field is %q, NoArray %t", c.body, p.Field, p.NoArray)
		}
	}
}

func TestAnAmbiguousResponseIsAnErrorThatNamesTheMembers(t *testing.T) {
	several := `the response has several arrays ("a", "b"): set dataField to the one that holds the items`
	repeated := `the response has the member "a" more than once, and it leads to the items: which one is meant cannot be known`
	scalar := ` an array nor an object; if that is an item, write "dataField": {"path": ".", "scalar": true}`
	envelope := `the response is an object and an array in an array: ` +
		`if the items are those of the inner one, write "dataField": "1"; if both are items, "."`
	for _, c := range []struct {
		spec *page.Spec
		body string
		want string
	}{
		{detect(), `{"a":[1],"b":[2]}`, several},
		{detect(), `{"b":[],"a":[]}`, several},
		{detect(), `{"a":[1],"b":[2],"a":[3]}`, several},
		{detect(), `{"a":[1],"a":[2]}`, repeated},
		{detect(), `{"a":[1],"\u0061":[2]}`, repeated},
		{detect(), `{"a":[1],"a":null}`, repeated},
		{detect(), `{"\u0061":5,"a":[1]}`, repeated},
		{field("a"), `{"a":[1],"a":[1]}`, repeated},
		{field("a"), `{"a":[1],"x":0,"a":null}`, repeated},
		{field("a.b"), `{"a":{"b":[1]},"a":{}}`, repeated},
		{field("x.0.a"), `{"x":[{"a":1,"a":[]}]}`, repeated},
		{detect(), `5`, `the response is a number, neither` + scalar},
		{detect(), `"x"`, `the response is a string, neither` + scalar},
		{detect(), `false`, `the response is a boolean, neither` + scalar},
		{detect(), `[{"total":1},[5]]`, envelope},
		{detect(), `[{"total":0},[]]`, envelope},
		{detect(), `[{"total":0},null]`, envelope},
	} {
		_, _, err := lines(t, &page.Decoder{}, c.body, c.spec)
		if err == nil || err.Error() != c.want || !isError(err) {
			t.Errorf("%s:\n got %v\nwant %s", c.body, err, c.want)
		}
	}
	body := `{"` + strings.Repeat("a", 1000) + `":[]`
	for i := range 30 {
		body += `,"m` + string(rune('a'+i)) + `":[]`
	}
	_, _, err := lines(t, &page.Decoder{}, body+"}", detect())
	if err == nil || !strings.Contains(err.Error(), `"mi", …)`) || len(err.Error()) > 500 {
		t.Errorf("many arrays: %v", err)
	}
}

func TestTheArrayMayBeRepeatedWhereItIsNotMeant(t *testing.T) {
	got, _, err := lines(t, &page.Decoder{}, `{"x":{"a":[1]},"x":2,"a":[{"a":1,"a":2}]}`, field("a"))
	if err != nil || !slices.Equal(got, []string{`{"a":1,"a":2}` + "\n"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func isError(err error) bool {
	var e *page.Error
	return errors.As(err, &e) && !errors.Is(err, io.ErrUnexpectedEOF)
}

func TestEachSeesTheItemsInOrderAndItsErrorEndsTheDecoding(t *testing.T) {
	var seen []string
	s := field("a")
	s.Each = func(text []byte) error {
		seen = append(seen, string(text))
		return nil
	}
	if _, _, err := lines(t, &page.Decoder{}, `{"a":[ {"b": 1}, 2 ]}`, s); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []string{`{"b":1}`, `2`}) {
		t.Errorf("saw %q", seen)
	}
	mine := errors.New("mine")
	s.Each = func([]byte) error { return mine }
	if _, _, err := lines(t, &page.Decoder{}, `{"a":[1,`, s); err != mine {
		t.Errorf("got %v", err)
	}
}

func TestABatchThatIsRefusedEndsTheGivingAway(t *testing.T) {
	p, err := (&page.Decoder{ChunkSize: 1}).Decode(strings.NewReader(`[1,2,3]`), detect())
	if err != nil {
		t.Fatal(err)
	}
	broken, calls := errors.New("broken pipe"), 0
	err = p.Batches(func(b *pipeline.Batch) error {
		calls++
		b.Release()
		return broken
	})
	if err != broken || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	for _, p := range []*page.Page{p, p, nil} {
		p.Close()
	}
}
