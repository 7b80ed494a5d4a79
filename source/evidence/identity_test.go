package evidence_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// page has those items, parted by spaces, as the answer of a walk's page.
func page(w *evidence.WalkEvidence, texts string) *evidence.Answer {
	f := evidence.NewKeyFinder(evidence.Unique{}, w.Sought(), w.Settled() == "", evidence.KnownOfRoot)
	a := answer(0, `{}`)
	for text := range strings.FieldsSeq(texts) {
		f.Add([]byte(text))
		hash := evidence.Hash([]byte(text))
		if a.Items == 0 {
			a.First = hash
		}
		a.Items, a.Last, a.Texts, a.Set = a.Items+1, hash, 31*a.Texts+hash, a.Set+hash
		a.Varied = a.Varied || hash != a.First
	}
	a.Keys, a.Marks = f.Keys(), f.Marks()
	return a
}

// walked is a walk that had those pages.
func walked(pages ...string) *evidence.WalkEvidence {
	w := &evidence.WalkEvidence{}
	for n, texts := range pages {
		a := page(w, texts)
		w.Meet(a, evidence.Meeting{Most: evidence.KnownOfOther})
		w.Pages.Enter(n+1, a, a.Fingerprint(uint64(n)))
	}
	return w
}

func TestItemsBeyondTheEndAreNewByTheirKeysIfTheseMeanSomething(t *testing.T) {
	for name, c := range map[string]struct {
		came   []string
		beyond string
		want   evidence.BeyondItems
	}{
		"some are":                            {[]string{`{"id":1} {"id":2}`}, `{"id":2} {"id":3}`, evidence.BeyondItems{New: 1}},
		"none is":                             {[]string{`{"id":1}`, `{"id":2}`}, `{"id":1}`, evidence.BeyondItems{}},
		"a key stands twice on the only page": {[]string{`{"id":1,"n":1} {"id":1,"n":2}`}, `{"id":1,"n":3}`, evidence.BeyondItems{New: 1}},
		"a key stands twice beyond":           {[]string{`{"id":1,"n":1}`}, `{"id":1,"n":2} {"id":1,"n":3}`, evidence.BeyondItems{New: 2}},
		"the same with other texts":           {[]string{`{"id":1,"n":1} {"id":2}`}, `{"id":1,"n":2} {"id":2}`, evidence.BeyondItems{Same: true}},
		"the very same":                       {[]string{`{"id":1} {"id":2}`}, `{"id":1} {"id":2}`, evidence.BeyondItems{}},
		"without keys the first may be known": {[]string{`1 2`}, `2 3`, evidence.BeyondItems{New: 1}},
		"an empty page":                       {[]string{`1 2`}, ``, evidence.BeyondItems{}},
	} {
		w := walked(c.came...)
		if got := w.Beyond(page(w, c.beyond), evidence.Unique{}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestItemsWithNewKeysMayBeThoseOfThePageBefore(t *testing.T) {
	const first = `{"id":"a","mail":"x","n":1} {"id":"b","mail":"y","n":1}`
	long := func(id, last string) (page string) {
		for n := range 30 {
			page += fmt.Sprintf(`{"id":"%s%d","n":%d,"of":1} `, id, n, n)
		}
		return page + last
	}
	for name, c := range map[string]struct {
		first, second string
		want          bool
	}{
		"all else is the same":           {first, `{"id":"c","mail":"x","n":1} {"id":"d","mail":"y","n":1}`, true},
		"and the key stands last":        {`{"n":1,"of":1,"id":"a"} {"n":2,"of":1,"id":"b"}`, `{"n":1,"of":1,"id":"c"} {"n":2,"of":1,"id":"d"}`, true},
		"or is a number":                 {`{"id":1,"n":1,"of":1} {"id":2,"n":2,"of":1}`, `{"id":13,"n":1,"of":1} {"id":14,"n":2,"of":1}`, true},
		"one other member, as a rank is": {`{"id":1,"n":1} {"id":2,"n":2}`, `{"id":13,"n":1} {"id":14,"n":2}`, false},
		"one key is not new":             {first, `{"id":"c","mail":"x","n":1} {"id":"b","mail":"y","n":1}`, false},
		"one member differs":             {first, `{"id":"c","mail":"x","n":1} {"id":"d","mail":"y","n":2}`, false},
		"nothing tells them apart":       {`{"id":1,"n":1} {"id":2,"n":1}`, `{"id":3,"n":1} {"id":4,"n":1}`, false},
		"one item":                       {`{"id":1,"n":1}`, `{"id":2,"n":1}`, false},
		"fewer":                          {first + ` {"id":"e","mail":"z"}`, `{"id":"c","mail":"x","n":1} {"id":"d","mail":"y","n":1}`, false},
		"another order":                  {first, `{"id":"d","mail":"y","n":1} {"id":"c","mail":"x","n":1}`, false},
		"the first of many":              {long("a", `{"id":"a","n":1,"of":1}`), long("b", `{"id":"b","n":2,"of":1}`), true},
		"there is nothing but a key":     {`{"id":1} {"id":2}`, `{"id":3} {"id":4}`, false},
	} {
		w := walked(c.first)
		met := w.Meet(page(w, c.second), evidence.Meeting{Most: evidence.KnownOfOther})
		if met.Same != c.want || w.Items.Same.ButKeys != c.want {
			t.Errorf("%s: %v, want %v", name, met.Same, c.want)
		}
	}
	for name, u := range map[string]evidence.Unique{"a person names the key": {Paths: []item.Path{{"id"}}}, "there is none": {Never: true}} {
		w := &evidence.WalkEvidence{}
		for _, text := range []string{`{"id":%d,"n":1,"of":1}`, `{"id":1%d,"n":1,"of":1}`} {
			f := evidence.NewKeyFinder(u, w.Sought(), true, evidence.KnownOfOther)
			for n := range 2 {
				f.Add(fmt.Appendf(nil, text, n+1))
			}
			a := &evidence.Answer{Items: 2, Keys: f.Keys()}
			if w.Meet(a, evidence.Meeting{Unique: u, Most: evidence.KnownOfOther}).Same {
				t.Errorf("%s: the same", name)
			}
			w.Pages.Enter(1, a, a.Fingerprint(0))
		}
	}
}

func TestPagesGoRoundInAnyOrderOfTheirItems(t *testing.T) {
	for second, want := range map[string]bool{
		`{"n":2} {"n":1} {"n":2}`: true,
		`{"n":1} {"n":1} {"n":2}`: false,
		`{"n":1} {"n":2}`:         false,
	} {
		w := walked(`{"n":1} {"n":2} {"n":2}`)
		if got := w.Meet(page(w, second), evidence.Meeting{}).Round; got != want {
			t.Errorf("%s: %v, want %v", second, got, want)
		}
	}
}
