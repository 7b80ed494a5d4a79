package evidence_test

import (
	"strings"
	"testing"

	"sluice/source/evidence"
)

// page has those items, parted by spaces, as the answer of a walk's page.
func page(w *evidence.Walk, texts string) *evidence.Answer {
	f := evidence.NewFinder(evidence.Unique{}, w.Sought(), w.Settled() == "", evidence.KnownOfRoot)
	a := answer(0, `{}`)
	for text := range strings.FieldsSeq(texts) {
		f.Add([]byte(text))
		hash := evidence.Hash([]byte(text))
		if a.Items == 0 {
			a.First = hash
		}
		a.Items, a.Last, a.Texts = a.Items+1, hash, 31*a.Texts+hash
	}
	a.Keys, a.Marks = f.Keys(), f.Marks()
	return a
}

// walked is a walk that had those pages.
func walked(pages ...string) *evidence.Walk {
	w := &evidence.Walk{}
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
		want   evidence.Beyond
	}{
		"some are":                            {[]string{`{"id":1} {"id":2}`}, `{"id":2} {"id":3}`, evidence.Beyond{New: 1}},
		"none is":                             {[]string{`{"id":1}`, `{"id":2}`}, `{"id":1}`, evidence.Beyond{}},
		"a key stands twice on the only page": {[]string{`{"id":1,"n":1} {"id":1,"n":2}`}, `{"id":1,"n":3}`, evidence.Beyond{New: 1}},
		"a key stands twice beyond":           {[]string{`{"id":1,"n":1}`}, `{"id":1,"n":2} {"id":1,"n":3}`, evidence.Beyond{New: 2}},
		"the same with other texts":           {[]string{`{"id":1,"n":1} {"id":2}`}, `{"id":1,"n":2} {"id":2}`, evidence.Beyond{Same: true}},
		"the very same":                       {[]string{`{"id":1} {"id":2}`}, `{"id":1} {"id":2}`, evidence.Beyond{}},
		"without keys the first may be known": {[]string{`1 2`}, `2 3`, evidence.Beyond{New: 1}},
		"an empty page":                       {[]string{`1 2`}, ``, evidence.Beyond{}},
	} {
		w := walked(c.came...)
		if got := w.Beyond(page(w, c.beyond), evidence.Unique{}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
