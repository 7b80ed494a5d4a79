package transform_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"sluice/transform"
)

func TestAnEnvelopeSaysWhereTheItemComesFrom(t *testing.T) {
	got := transform.Envelope("users-2", `the "users"`, 3)([]byte("before "), []byte(`{"id":1.0}`))
	want := `before {"job":"users-2","dataType":"the \"users\"","page":3,"item":{"id":1.0}}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAFunctionIsAppliedToEachLineOfABatch(t *testing.T) {
	got := transform.Lines(nil, []byte("1\n{}\n"), transform.Envelope("a", "b", 1))
	want := `{"job":"a","dataType":"b","page":1,"item":1}` + "\n" + `{"job":"a","dataType":"b","page":1,"item":{}}` + "\n"
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAMemberThatIsAddedNeverChangesTheItem(t *testing.T) {
	for _, c := range []struct{ item, members, want string }{
		{`{}`, ``, `{}`},
		{`{}`, `a=1 b="x"`, `{"a":1,"b":"x"}`},
		{`{"id":7}`, `a=1`, `{"id":7,"a":1}`},
		{`{"a":7}`, `a=1`, `{"a":7,"a_2":1}`},
		{`{"a":7,"a_2":8}`, `a=1`, `{"a":7,"a_2":8,"a_3":1}`},
		{`{"\u0061":7,"a_\u0032":8}`, `a=1`, `{"\u0061":7,"a_\u0032":8,"a_3":1}`},
		{`{"\u0022":7}`, `"=1`, `{"\u0022":7,"\"_2":1}`},
		{`{"\"":7,"é":8}`, `"=1 é=2`, `{"\"":7,"é":8,"\"_2":1,"é_2":2}`},
		{`{}`, `a=1 a=2 a_2=3`, `{"a":1,"a_2":2,"a_2_2":3}`},
		{`{"n":{"a":1}}`, `a=1`, `{"n":{"a":1},"a":1}`},
		{`[1]`, `a=1`, `{"data":[1],"a":1}`},
		{`5`, `data=1`, `{"data":5,"data_2":1}`},
		{`5`, ``, `{"data":5}`},
	} {
		var members []transform.AddedMember
		for _, m := range strings.Fields(c.members) {
			name, value, _ := strings.Cut(m, "=")
			members = append(members, transform.AddedMember{Name: name, Value: []byte(value)})
		}
		if got := transform.AddMembers([]byte("x"), []byte(c.item), members); string(got) != "x"+c.want {
			t.Errorf("%s and %s: got %s, want x%s", c.item, c.members, got, c.want)
		}
	}
}

func TestAMemberSaysHowATakenNameGoesOn(t *testing.T) {
	members := []transform.AddedMember{
		{Name: "a", Value: []byte("7"), Suffix: "_u"}, {Name: "a", Value: []byte("8")}, {Name: "a", Value: []byte("9"), Suffix: "_u"},
	}
	for object, want := range map[string]string{
		`{"b":1}`:              `{"b":1,"a":7,"a_2":8,"a_u0":9}`,
		`{"a":1}`:              `{"a":1,"a_u0":7,"a_2":8,"a_u1":9}`,
		`{"a":1,"a_u0":2}`:     `{"a":1,"a_u0":2,"a_u1":7,"a_2":8,"a_u2":9}`,
		`{"a":1,"a\u005f2":3}`: `{"a":1,"a\u005f2":3,"a_u0":7,"a_3":8,"a_u1":9}`,
	} {
		if got := transform.AddMembers(nil, []byte(object), members); string(got) != want {
			t.Errorf("%s: got %s, want %s", object, got, want)
		}
	}
}

func TestAddingMembersAllocatesNothing(t *testing.T) {
	members := []transform.AddedMember{{Name: "account of the parent", Value: []byte(`"x"`)}, {Name: "é", Value: []byte(`1`), Suffix: "_u"}}
	buf := make([]byte, 0, 1024)
	for _, value := range []string{`{"account of the parent":1,"b":{"c":[1,"\n"]},"é":2,"é_u0":3}`, `5`} {
		text := []byte(value)
		if n := testing.AllocsPerRun(100, func() { buf = transform.AddMembers(buf[:0], text, members) }); n > 0 {
			t.Errorf("%s: %v allocations", value, n)
		}
	}
}

func TestTheTextOfAValueIsWhatACellHolds(t *testing.T) {
	for value, want := range map[string]string{
		`"plain"`: "plain", `"a\n\"b\" \u00e9"`: "a\n\"b\" é", `""`: "", `null`: "", `true`: "true", `false`: "false",
		`12345678901234567890`: "12345678901234567890", `1.0`: "1.0", `-1E+3`: "-1E+3", `[1,"a"]`: `[1,"a"]`, `{}`: `{}`,
	} {
		if got := string(transform.Text(nil, []byte(value))); got != want {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}

func flat(item string) string {
	var b strings.Builder
	transform.Flatten(nil, []byte(item), func(path, value []byte) {
		b.WriteString(transform.ColumnName(path) + "=" + string(value) + " ")
	})
	return strings.TrimSuffix(b.String(), " ")
}

func TestNestedObjectsBecomeColumns(t *testing.T) {
	for item, want := range map[string]string{
		`{}`:                               "",
		`{"a":1,"b":"x"}`:                  `a=1 b="x"`,
		`{"a":{"b":{"c":1},"d":2},"e":3}`:  `a_b_c=1 a_d=2 e=3`,
		`{"a":{},"b":[],"c":[{"d":1}]}`:    `a={} b=[] c=[{"d":1}]`,
		`{"a":null,"a":2}`:                 `a=null a=2`,
		`{"":{"":1}}`:                      `_=1`,
		`{"a":"},{\"","b":[["]"]],"c":-1}`: `a="},{\"" b=[["]"]] c=-1`,
		`{"\u0061":1,"b\\":{"c":"\\\\"}}`:  `a=1 b\_c="\\\\"`,
		`5`:                                `data=5`,
		`"a"`:                              `data="a"`,
		`[{"a":1}]`:                        `data=[{"a":1}]`,
		`null`:                             `data=null`,
		`{"data":1}`:                       `data=1`,
		`{"a":{"b":true},"a_b":false}`:     `a_b=true a_b=false`,
	} {
		if got := flat(item); got != want {
			t.Errorf("%s: got %s, want %s", item, got, want)
		}
	}
}

func TestPathsThatMakeOneNameStillDiffer(t *testing.T) {
	seen := map[string]bool{}
	transform.Flatten(nil, []byte(`{"a":{"b":1},"a_b":2,"a\"\"b":3,"\u0061":{"b":4}}`), func(path, _ []byte) { seen[string(path)] = true })
	if len(seen) != 3 {
		t.Errorf("got the paths %v, want 3: the last is the first, escaped otherwise", seen)
	}
}

func TestDeepNestingTakesOnePass(t *testing.T) {
	const depth = 5000
	item := strings.Repeat(`{"a":`, depth) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", depth)
	cells := 0
	transform.Flatten(nil, []byte(item), func(_, value []byte) { cells += len(value) - 1<<20 })
	if cells != 2 {
		t.Errorf("the one cell was not found: %d", cells)
	}
}

func FuzzFlattenFindsEveryLeafAndEndsOnAnything(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1,{}]},"c":"\\"}`, `{"a":`, `{"a"`, `{"a":,`, `{`, `"`, `{"a":{"b":1}`, `{"a":}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var leaves []string
		transform.Flatten(nil, text, func(_, value []byte) { leaves = append(leaves, string(value)) })
		if !json.Valid(text) {
			return
		}
		for _, leaf := range leaves {
			if compact(text) && !json.Valid([]byte(leaf)) {
				t.Errorf("%s: %q is not a value", text, leaf)
			}
		}
	})
}

func compact(text []byte) bool { return !strings.ContainsAny(string(text), " \t\r\n") }

func TestManyMembersAreNamedAsIfAddedOneByOne(t *testing.T) {
	var members []transform.AddedMember
	for i := range 40 {
		name := []string{"a", "b", "é\n", "data", "a_2", "c" + strconv.Itoa(i)}[i%6]
		members = append(members, transform.AddedMember{Name: name, Value: []byte("1"), Suffix: []string{"", "_u"}[i%2]})
	}
	for _, value := range []string{`{}`, `{"a":1,"\u0062":2,"\u00e9\n":3}`, `7`} {
		want := []byte(value)
		for _, m := range members {
			want = transform.AddMembers(nil, want, []transform.AddedMember{m})
		}
		if got := transform.AddMembers(nil, []byte(value), members); string(got) != string(want) {
			t.Errorf("%s: got %s, want %s", value, got, want)
		}
	}
}
