package page_test

import (
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
	"sluice/source/page"
)

func TestWantedValuesMayBeAnywhere(t *testing.T) {
	body := `{"meta":{"next":"a\u0062c","n":1.0,"deep":{"er":[10,{"x":true}]}},` +
		`"items":[{"id":1,"sub":{"k":[5,6]}},{"id":2},[7]],"after":null,"list":[[1],{"y":"z"}]}`
	for _, c := range []struct{ path, want string }{
		{"meta.next", `"a\u0062c"`},
		{"meta.n", `1.0`},
		{"meta.deep.er.1.x", `true`},
		{"meta.deep", `{"er":[10,{"x":true}]}`},
		{"meta.deep.er.7", ``},
		{"meta.deep.er.01", ``},
		{"items", `[{"id":1,"sub":{"k":[5,6]}},{"id":2},[7]]`},
		{"items.0.id", `1`},
		{"items.0.sub.k.1", `6`},
		{"items.1", `{"id":2}`},
		{"items.2.0", `7`},
		{"items.3", ``},
		{"after", `null`},
		{"list.1.y", `"z"`},
		{"list.0", `[1]`},
		{"nothing", ``},
		{"meta.next.more", ``},
		{".", body},
	} {
		for _, s := range []*page.Spec{field("items"), field("."), field("items.0"), field("items.0.sub"), field("none")} {
			s.Wants = []item.Path{{"first"}, item.ParsePath(c.path, "."), item.ParsePath(c.path, ".")}
			_, p, err := lines(t, &page.Decoder{}, strings.ReplaceAll(body, ",", " ,\n"), s)
			if err != nil {
				t.Fatal(err)
			}
			if p.Wanted[0] != nil || string(p.Wanted[1]) != c.want || string(p.Wanted[2]) != c.want || (c.want == "") != (p.Wanted[1] == nil) {
				t.Errorf("%s beside %s: got %q, want %q", c.path, s.Field, p.Wanted, c.want)
			}
		}
	}
}

func TestAPathByAnIndexAndOneToEachElementAreBothFollowed(t *testing.T) {
	const body = `{"c":[{"r":{"w":[{"id":1}],"n":"a","m":"b"}},{"r":{"w":[{"id":2}],"n":"c"}}]}`
	for field1, c := range map[string]struct {
		wants []string
		want  []string
		items int
	}{
		"c.*.r.w": {[]string{"c.0.r.n", "c.*.r.n", "c.1.r.w.0.id", "c.0.r"},
			[]string{`"a"`, `"c"`, `2`, `{"w":[{"id":1}],"n":"a","m":"b"}`}, 2},
		"c.0.r.w": {[]string{"c.0.r.n", "c.*.r.n", "c.1.r.n"}, []string{`"a"`, `"c"`, `"c"`}, 1},
		"c.*":     {[]string{"c.0.r.n", "c.1.r.n"}, []string{`"a"`, `"c"`}, 2},
	} {
		s := field(field1)
		for _, path := range c.wants {
			s.Wants = append(s.Wants, item.ParsePath(path, "."))
		}
		_, p, err := lines(t, &page.Decoder{}, body, s)
		if err != nil {
			t.Fatal(err)
		}
		if p.Items != c.items {
			t.Errorf("%s: %d items, want %d", field1, p.Items, c.items)
		}
		for i, want := range c.want {
			if string(p.Wanted[i]) != want {
				t.Errorf("%s beside %s: got %s, want %s", c.wants[i], field1, p.Wanted[i], want)
			}
		}
	}
}

func TestWantedValuesAreFoundBesideADetectedArray(t *testing.T) {
	for body, want := range map[string][]string{
		`{"x":5,"d":[{"id":1}]}`:  {"5", "1", `{"x":5,"d":[{"id":1}]}`},
		`{"d":[{"id":1}],"x":{}}`: {"{}", "1", `{"d":[{"id":1}],"x":{}}`},
		`[1]`:                     {"", "", "[1]"},
		``:                        {"", "", ""},
		`null`:                    {"", "", "null"},
	} {
		s := detect()
		s.Wants = []item.Path{{"x"}, {"d", "0", "id"}, {}}
		_, p, err := lines(t, &page.Decoder{}, body, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if string(p.Wanted[i]) != want[i] {
				t.Errorf("%s: %q is wanted, got %q", body, want[i], p.Wanted[i])
			}
		}
	}
}

func TestARepeatedKeyIsWantedByItsLastValue(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":{"b":1},"a":{"b":2},"items":[]}`:   "2",
		`{"a":{"b":1},"a":{},"items":[]}`:        "",
		`{"a":{"b":1},"a":5,"items":[]}`:         "",
		`{"a":{"b":1,"b":[2]},"items":[]}`:       "[2]",
		`{"items":[],"a":[1],"a":{"b":{"b":3}}}`: `{"b":3}`,
	} {
		s := field("items")
		s.Wants = []item.Path{{"a", "b"}}
		_, p, err := lines(t, &page.Decoder{}, body, s)
		if err != nil || string(p.Wanted[0]) != want {
			t.Errorf("%s: got %q, %v; want %q", body, p.Wanted[0], err, want)
		}
	}
}

func TestAWantedContainerIsKeptUpToABound(t *testing.T) {
	long := strings.Repeat("x", 64<<10)
	body := `{"s":"` + long + `","o":{"s":"` + long + `"},"items":["` + long + `"]}`
	want := []string{`"` + long + `"`, `{"":null}`, `[null]`, `{"":null}`, `"` + long + `"`}
	for _, s := range []*page.Spec{field("items"), field("."), field("o")} {
		s.Wants = []item.Path{{"s"}, {"o"}, {"items"}, nil, {"o", "s"}}
		_, p, err := lines(t, &page.Decoder{}, body, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if string(p.Wanted[i]) != want[i] || !item.True(p.Wanted[i]) {
				t.Errorf("value %d beside %s is %.20q…", i, s.Field, p.Wanted[i])
			}
		}
	}
	fits := `[` + strings.Repeat("1", 64<<10-2) + `]`
	s := field("items")
	s.Wants = []item.Path{{"items"}}
	if _, p, err := lines(t, &page.Decoder{}, `{"items":`+fits+`}`, s); err != nil || string(p.Wanted[0]) != fits {
		t.Errorf("what fits exactly is not kept: %v", err)
	}
}

func TestBytesIsTheLengthOfTheCompactResponse(t *testing.T) {
	compact := `{"a":{"b":[1,"x y",null],"c":{}},"items":[{"k":1},[2,3],"z"],"e":[]}`
	spaced := strings.NewReplacer(":", " : ", ",", " ,\n\t").Replace(compact)
	for _, path := range []string{"items", "a", ".", "a.b", "none", "items.0"} {
		for _, body := range []string{compact, spaced} {
			_, p, err := lines(t, &page.Decoder{}, body, field(path))
			if err != nil || p.Bytes != int64(len(compact)) {
				t.Errorf("%s of %s: %d bytes, want %d; %v", path, body, p.Bytes, len(compact), err)
			}
		}
	}
}

func TestHashIsTheSameForTheSameJSONOnly(t *testing.T) {
	scalars := field("items")
	scalars.Scalar = true
	hash := func(body string) uint64 {
		_, p, err := lines(t, &page.Decoder{ChunkSize: 8, HoldLimit: -1}, body, scalars)
		if err != nil {
			t.Fatal(err)
		}
		_, q, err := lines(t, &page.Decoder{}, body, scalars)
		if err != nil || p.Hash != q.Hash {
			t.Errorf("%s: chunks show in the hash (%v)", body, err)
		}
		return p.Hash
	}
	base := `{"n":1,"items":[{"a":1},{"a":2}],"m":[]}`
	if hash(base) != hash(strings.NewReplacer(":", ": ", ",", "\n,").Replace(base)) {
		t.Error("white space between tokens shows in the hash")
	}
	seen := map[uint64]string{}
	for _, body := range []string{base, ``, `null`, `{}`,
		`{"n":2,"items":[{"a":1},{"a":2}],"m":[]}`,
		`{"n":1,"items":[{"a":2},{"a":1}],"m":[]}`,
		`{"n":1,"items":[{"a":1},{"a":2.0}],"m":[]}`,
		`{"n":1,"items":[{"a":1},{"a":2}],"m":{}}`,
		`{"n":1,"items":[{"a":1}],"m":[]}`,
		`{"items":[{"a":1},{"a":2}],"n":1,"m":[]}`,
		`{"items":[1,2]}`, `{"items":[12]}`, `{"items":[[1,2]]}`, `{"items":[[1],2]}`, `{"items":"1,2"}`, `{"items":12}`,
	} {
		h := hash(body)
		if other, same := seen[h]; same {
			t.Errorf("%s and %s have one hash", body, other)
		}
		seen[h] = body
	}
}

func TestFirstAndLastAreHashesOfItems(t *testing.T) {
	d := &page.Decoder{ChunkSize: 8, HoldLimit: -1}
	for body, ends := range map[string][2]string{
		`[ {"a": 1}, 2, 3, {"b" : 4} ]`: {`{"a":1}`, `{"b":4}`},
		`[5]`:                           {`5`, `5`},
	} {
		_, p, err := lines(t, d, body, detect())
		want := [2]uint64{xxhash.Sum64String(ends[0]), xxhash.Sum64String(ends[1])}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, [2]uint64{p.First, p.Last}); diff != "" {
			t.Errorf("%s (-want +got)\n%s", body, diff)
		}
	}
	if _, p, _ := lines(t, d, `[]`, detect()); p.First != 0 || p.Last != 0 {
		t.Error("an empty page has a first or last item")
	}
}

func TestTextsAreThoseOfTheItemsInOrder(t *testing.T) {
	texts := func(body string) (uint64, bool) {
		_, p, err := lines(t, &page.Decoder{}, body, field("d"))
		if err != nil {
			t.Fatal(err)
		}
		return p.Texts, p.Varied
	}
	base, varied := texts(`{"at":1,"d":[{"a":1},2,3]}`)
	if again, _ := texts(`{"at":2,"d":[ {"a": 1}, 2, 3 ],"more":[4]}`); again != base || !varied {
		t.Error("what stands beside the items shows in their texts")
	}
	for _, body := range []string{`{"d":[{"a":1},3,2]}`, `{"d":[{"a":1},2]}`, `{"d":[{"a":1},2,3,3]}`, `{"d":[]}`} {
		if other, _ := texts(body); other == base {
			t.Errorf("%s has the same texts", body)
		}
	}
	if _, varied := texts(`{"d":[1,1,1]}`); varied {
		t.Error("items that are the same are varied")
	}
}
