package evidence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sluice/source/evidence"
)

// answerOf is what is seen of a page, whose items are in a walk.
func answerOf(w *evidence.WalkEvidence, items []string, isFirst bool) *evidence.Answer {
	f := evidence.NewKeyFinder(evidence.Unique{}, w.Sought(), isFirst, evidence.KnownOfRoot)
	for _, text := range items {
		f.Add([]byte(text))
	}
	return &evidence.Answer{Items: len(items), Keys: f.Keys(), Marks: f.Marks()}
}

func TestTheFirstPageSettlesMarksWhereItHasNoKey(t *testing.T) {
	wide := ""
	for n := range 70 {
		wide += fmt.Sprintf(`"m%d":0,`, n)
	}
	for name, c := range map[string]struct {
		items []string
		want  []string
	}{
		"what differs in all items":       {[]string{`{"type":"x","gid":1,"n":"a"}`, `{"type":"x","gid":2,"n":"b"}`}, []string{"gid", "n"}},
		"and is there in all":             {[]string{`{"a":1,"b":1}`, `{"b":2}`}, []string{"b"}},
		"three, as the first item goes":   {[]string{`{"d":1,"c":1,"b":1,"a":1}`, `{"a":2,"b":2,"c":2,"d":2}`}, []string{"d", "c", "b"}},
		"not what comes again":            {[]string{`{"a":1}`, `{"a":2}`, `{"a":1}`}, nil},
		"also a container":                {[]string{`{"sys":[1]}`, `{"sys":[2]}`}, []string{"sys"}},
		"what differs in the only one":    {[]string{`{"sys":{"a":1,"x":1}}`, `{"sys":{"a":1,"x":2}}`}, []string{"x"}},
		"nothing in it":                   {[]string{`{"sys":{"a":1,"x":1}}`, `{"sys":{"a":1,"x":2}}`, `{"sys":{"a":2,"x":1}}`}, []string{"sys"}},
		"not where there are two":         {[]string{`{"sys":{"x":1},"n":1}`, `{"sys":{"x":2},"n":2}`}, []string{"sys", "n"}},
		"elements of rows":                {[]string{`[7,"a",1]`, `[7,"b",2]`}, []string{"1", "2"}},
		"whose name has an escape":        {[]string{`{"\u0061":1}`, `{"\u0061":2}`}, []string{"a"}},
		"none where there is a key":       {[]string{`{"id":1,"a":1}`, `{"id":2,"a":2}`}, nil},
		"nor where one item lacks it":     {[]string{`{"id":1,"a":1}`, `{"a":2}`}, nil},
		"nor where the first does":        {[]string{`{"id":null,"a":1}`, `{"id":7,"a":2}`}, nil},
		"but where most do":               {[]string{`{"b":1,"a":1}`, `{"id":7,"b":1,"a":2}`, `{"b":1,"a":3}`}, []string{"a"}},
		"also if the first item lacks it": {[]string{`{"all":9}`, `{"a":1,"c":1}`, `{"a":2,"c":1}`}, []string{"a"}},
		"not if two items do":             {[]string{`{"all":9}`, `{"all":8}`, `{"a":1}`, `{"a":2}`}, nil},
		"none of one item":                {[]string{`{"a":1}`}, nil},
		"none of texts":                   {[]string{`"a"`, `"b"`}, nil},
		"none behind many members":        {[]string{`{` + wide + `"a":1}`, `{` + wide + `"a":2}`}, nil},
	} {
		w := &evidence.WalkEvidence{}
		w.Meet(answerOf(w, c.items, true), evidence.Meeting{Most: 10})
		if got := w.Items.Marks.Names; !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestPagesWhoseFirstItemIsAnotherAreKnownByTheOthers(t *testing.T) {
	w := &evidence.WalkEvidence{}
	how := evidence.Meeting{Most: 10}
	page := func(at int) []string {
		return []string{`{"all":9}`, fmt.Sprintf(`{"n":"a","at":%d}`, at), fmt.Sprintf(`{"n":"b","at":%d}`, at)}
	}
	if w.Meet(answerOf(w, page(1), true), how).Same {
		t.Error("the first page is the same as one before it")
	}
	if !w.Meet(answerOf(w, page(2), false), how).Same {
		t.Error("the items of the page before are not known")
	}
	if w.Meet(answerOf(w, []string{`{"all":9}`, `{"n":"c","at":3}`, `{"n":"d","at":3}`}, false), how).Same {
		t.Error("other items are taken for them")
	}
}

func TestAPageHasTheSameItemsByAllMembersButOne(t *testing.T) {
	const first = `{"gid":1,"n":"a","at":1} {"gid":2,"n":"b","at":1}`
	for name, c := range map[string]struct {
		first, second string
		how           evidence.Meeting
		want          string
	}{
		"one differs":               {first, `{"gid":1,"n":"a","at":2} {"gid":2,"n":"b","at":2}`, evidence.Meeting{}, "gid"},
		"the first mark":            {first, `{"gid":3,"n":"a","at":1} {"gid":4,"n":"b","at":1}`, evidence.Meeting{}, "n"},
		"in one item":               {first, `{"gid":1,"n":"a","at":1} {"gid":2,"n":"b","at":2}`, evidence.Meeting{}, "gid"},
		"two differ":                {first, `{"gid":1,"n":"c","at":2} {"gid":2,"n":"b","at":2}`, evidence.Meeting{}, ""},
		"another order":             {first, `{"gid":2,"n":"b","at":2} {"gid":1,"n":"a","at":2}`, evidence.Meeting{}, ""},
		"fewer items":               {first, `{"gid":1,"n":"a","at":2}`, evidence.Meeting{}, ""},
		"more items":                {first, first + ` {"gid":3,"n":"c","at":1}`, evidence.Meeting{}, ""},
		"another member":            {first, `{"gid":1,"n":"a","at":1,"x":1} {"gid":2,"n":"b","at":1}`, evidence.Meeting{}, ""},
		"an item lacks the mark":    {`{"a":1,"b":1,"c":1} {"a":2,"b":1,"c":2}`, `{"a":1,"b":1} {"a":2,"b":1,"c":2}`, evidence.Meeting{}, "a"},
		"nothing tells items apart": {`{"a":1,"b":1} {"a":1,"b":1}`, `{"a":1,"b":2} {"a":1,"b":2}`, evidence.Meeting{}, ""},
		"a link led there":          {first, `{"gid":1,"n":"a","at":2} {"gid":2,"n":"b","at":2}`, evidence.Meeting{Followed: true}, ""},
		"in the only object":        {`{"c":{"id":1,"at":1}} {"c":{"id":2,"at":1}}`, `{"c":{"id":1,"at":2}} {"c":{"id":2,"at":2}}`, evidence.Meeting{}, "c.id"},
		"two in the only object":    {`{"c":{"id":1,"at":1,"n":1}} {"c":{"id":2,"at":1,"n":1}}`, `{"c":{"id":1,"at":2,"n":2}} {"c":{"id":2,"at":2,"n":2}}`, evidence.Meeting{}, ""},
		"one beside the object":     {`{"c":{"id":1},"at":1} {"c":{"id":2},"at":1}`, `{"c":{"id":1},"at":2} {"c":{"id":2},"at":2}`, evidence.Meeting{}, "c.id"},
		"null for the object":       {`{"c":{"id":1}} {"c":{"id":2}}`, `{"c":null} {"c":null}`, evidence.Meeting{}, ""},
		"one of rows":               {`["a",1,5] ["b",1,6]`, `["a",2,5] ["b",2,6]`, evidence.Meeting{}, "0"},
		"two of rows":               {`["a",1,5] ["b",1,6]`, `["a",2,5] ["b",2,7]`, evidence.Meeting{}, ""},
		"unique is false":           {first, `{"gid":1,"n":"a","at":2} {"gid":2,"n":"b","at":2}`, evidence.Meeting{Unique: evidence.Unique{Never: true}}, ""},
	} {
		w := &evidence.WalkEvidence{}
		w.Meet(answerOf(w, strings.Fields(c.first), true), c.how)
		met := w.Meet(answerOf(w, strings.Fields(c.second), false), c.how)
		if w.Items.Same.Mark != c.want || met.Same != (c.want != "") {
			t.Errorf("%s: %v by %q, want %q", name, met.Same, w.Items.Same.Mark, c.want)
		}
	}
}

// BenchmarkMarks is what the members of one item cost.
func BenchmarkMarks(b *testing.B) {
	var items [][]byte
	for i := range 1000 {
		items = append(
			items,
			fmt.Appendf(nil, `{"gid":%d,"name":"some name %[1]d","active":true,"tags":["red","green"],`+
				`"text":"Lorem ipsum dolor sit amet","owner":{"gid":%[1]d,"mail":"someone@example.com"}}`, 1_000_000+i),
		)
	}
	for name, sought := range map[string]evidence.Sought{"first": {}, "later": {None: true, Marked: true}, "none": {None: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f := evidence.NewKeyFinder(evidence.Unique{}, sought, name == "first", evidence.KnownOfRoot)
				for _, text := range items {
					f.Add(text)
				}
				f.Marks()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/item")
		})
	}
}
