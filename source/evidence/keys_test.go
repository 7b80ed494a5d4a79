package evidence_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

func TestTheKeyIsFoundWhereverItStands(t *testing.T) {
	for _, c := range []struct{ item, want string }{
		{`{"id":5}`, `5`},
		{`{"id":5,"x":1}`, `5`},
		{`{"x":"a","id":5}`, `5`},
		{`{"x":"a","id":-1.5e3}`, `-1.5e3`},
		{`{"x":"abc","id":"k","y":{"id":7}}`, `"k"`},
		{`{"x":"abc\"","id":"k\"}"}`, `"k\"}"`},
		{`{"x":",\"id\":5"}`, ``},
		{`{"x":{"id":5}}`, ``},
		{`{"x":[{"id":5}],"id":"z"}`, `"z"`},
		{`{"x":"\\","id":"z"}`, `"z"`},
		{`{"i\u0064":3}`, `3`},
		{`{"xid":3}`, ``},
		{`{"id":null}`, ``},
		{`{"id":true}`, ``},
		{`{"id":{"x":1}}`, ``},
		{`{"id":0}`, `0`},
		{`{"id":0.0}`, `0.0`},
		{`{"id":""}`, ``},
		{`{"id":"0"}`, `"0"`},
		{`{}`, ``},
		{`[1]`, ``},
		{`"id"`, ``},
		{`7`, ``},
	} {
		want := evidence.KeyColumn{Name: "id", Lacking: 2}
		if c.want != "" {
			hash := evidence.Hash([]byte(c.want))
			want = evidence.KeyColumn{Name: "id", Hashes: []uint64{hash, hash}}
		}
		// The second item is found as the first was.
		for _, before := range []string{``, `{"id":1}`, `{"x":1,"id":2,"y":3}`} {
			f := evidence.NewKeyFinder(evidence.Unique{}, evidence.Sought{Key: "id"}, false, evidence.KnownOfRoot)
			if before != "" {
				f.Add([]byte(before))
			}
			f.Add([]byte(c.item))
			f.Add([]byte(c.item))
			got := f.Keys()[0]
			if before != "" {
				got.Hashes = got.Hashes[1:]
			}
			if len(got.Hashes) == 0 {
				got.Hashes = nil
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s after %s: %s", c.item, before, d)
			}
		}
	}
}

func TestTheFirstPageSaysWhatMayBeTheKey(t *testing.T) {
	for _, c := range []struct {
		items []string
		want  []string
		key   string
	}{
		{[]string{`{"uuid":"a","id":1,"key":"x"}`, `{"id":2,"uuid":"b","key":"y"}`}, []string{"id 0", "key 0", "uuid 0"}, "id"},
		{[]string{`{"id":1,"guid":"x"}`, `{"guid":"y"}`}, []string{"id 1", "guid 0"}, "guid"},
		{[]string{`{"ID":1}`, `{"ID":2,"id":1}`}, []string{"ID 0"}, "ID"},
		{[]string{`{"name":1}`, `{"id":2}`}, []string{"id 1"}, "id"},
		{[]string{`{"id":null}`, `{"id":2}`, `{"id":""}`, `{"id":4}`}, []string{"id 2"}, "id"},
		{[]string{`{"id":0}`, `{"id":2}`}, []string{"id 0"}, "id"},
		{[]string{`{"key":"x"}`, `{"id":2}`, `{"id":3}`}, []string{"key 2", "id 1"}, "id"},
		{[]string{`{"name":1}`, `{"name":2}`, `{"id":2}`}, []string{"id 2"}, ""},
		{[]string{`{"id":1}`, `5`}, []string{"id 1"}, "id"},
		{nil, nil, ""},
	} {
		f := evidence.NewKeyFinder(evidence.Unique{}, evidence.Sought{}, true, evidence.KnownOfRoot)
		for _, text := range c.items {
			f.Add([]byte(text))
		}
		var got []string
		for _, column := range f.Keys() {
			got = append(got, fmt.Sprintf("%s %d", column.Name, column.Lacking))
			if len(column.Hashes)+column.Lacking != len(c.items) {
				t.Errorf("%q: %s has %d keys", c.items, column.Name, len(column.Hashes))
			}
		}
		w := &evidence.WalkEvidence{}
		w.Meet(&evidence.Answer{Items: len(c.items), Keys: f.Keys()}, evidence.Meeting{Most: 10})
		if w.Items.Name != c.key {
			t.Errorf("%q: the key is %q, want %q", c.items, w.Items.Name, c.key)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q: %s", c.items, d)
		}
	}
}

func TestAKeyMayHaveSeveralParts(t *testing.T) {
	u := evidence.Unique{Paths: []item.Path{{"a", "b"}, {"c"}}}
	f := evidence.NewKeyFinder(u, evidence.Sought{}, true, evidence.KnownOfRoot)
	for _, text := range []string{
		`{"a":{"b":1},"c":0}`, `{"a":{"b":1},"c":2}`, `{"a":{"b":1},"c":0,"d":1}`, `{"c":1}`, `{"a":{"b":null},"c":1}`, `{"a.b":1,"c":0}`,
	} {
		f.Add([]byte(text))
	}
	c := f.Keys()[0]
	if c.Lacking != 2 || len(c.Hashes) != 4 || c.Hashes[0] != c.Hashes[2] || c.Hashes[0] != c.Hashes[3] || c.Hashes[0] == c.Hashes[1] {
		t.Errorf("got %+v", c)
	}
}

func TestOfALongPageAsManyKeysAreKeptAsTheWalkKnows(t *testing.T) {
	for _, most := range []int{evidence.KnownOfRoot, evidence.KnownOfOther} {
		f := evidence.NewKeyFinder(evidence.Unique{}, evidence.Sought{}, true, most)
		items := 3*most + 5
		for i := range items {
			f.Add(fmt.Appendf(nil, `{"id":%d}`, i+1))
		}
		hashes := f.Keys()[0].Hashes
		first, last := evidence.Hash(fmt.Append(nil, items-most+1)), evidence.Hash(fmt.Append(nil, items))
		if len(hashes) != most || hashes[0] != first || hashes[most-1] != last || cap(hashes) > most*5/4 {
			t.Errorf("%d keys take %d", len(hashes), cap(hashes))
		}
	}
}

// BenchmarkFinder is what the key of one item costs.
func BenchmarkFinder(b *testing.B) {
	const filler = `"name":"some name %d","active":true,"tags":["red","green","blue"],"text":"Lorem ipsum dolor sit amet, consectetur ` +
		`adipiscing elit, sed do eiusmod tempor.","owner":{"id":%d,"mail":"someone@example.com","city":"Zürich"}`
	for name, form := range map[string]string{
		"first":  `{"id":%[1]d,` + filler + `}`,
		"last":   `{` + filler + `,"id":"%[1]d"}`,
		"middle": `{` + filler + `,"id":%[1]d,"end":null}`,
	} {
		var items [][]byte
		for i := range 1000 {
			items = append(items, fmt.Appendf(nil, form, 1_000_000+i, i))
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); {
				f := evidence.NewKeyFinder(evidence.Unique{}, evidence.Sought{Key: "id"}, false, evidence.KnownOfRoot)
				for range 1000 {
					f.Add(items[i%1000])
					i++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/item")
		})
	}
}
