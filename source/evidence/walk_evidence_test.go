package evidence_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// answer has those members beside so many items.
func answer(items int, beside string) *evidence.Answer {
	a := &evidence.Answer{Items: items, Array: true, Header: http.Header{}, Asked: at("https://a.test/x?limit=2")}
	for name, value := range item.Members([]byte(beside)) {
		a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
	}
	return a
}

func TestABareNumberOfPagesCountsWhereAPageWasAskedFor(t *testing.T) {
	for address, want := range map[string]int{"https://a.test/x?limit=2": 1, "https://a.test/x": 0} {
		a := answer(2, `{"pages":320}`)
		a.Asked = at(address)
		if signs := a.Signs(evidence.Reads{}); len(signs) != want {
			t.Errorf("%s: %v", address, signs)
		}
	}
}

func TestAPageThatIsTheOneBeforeMovedOnIsKnown(t *testing.T) {
	page := func(items ...uint64) *evidence.Answer {
		a := &evidence.Answer{Items: len(items), First: items[0], Last: items[len(items)-1]}
		for _, one := range items {
			a.Set += one
		}
		return a
	}
	first := page(1, 20, 300)
	for name, c := range map[string]struct {
		next *evidence.Answer
		want bool
	}{
		"one item further on":    {page(20, 300, 4000), true},
		"in another order":       {page(300, 20, 4000), true},
		"the last one, shorter":  {page(20, 300), false},
		"two items further on":   {page(300, 4000, 50000), false},
		"the same":               {page(1, 20, 300), false},
		"the same, turned round": {page(20, 300, 1), false},
		"others":                 {page(7, 80, 900), false},
	} {
		var f evidence.Fingerprints
		f.Enter(1, first, first.Fingerprint(1))
		if got := f.Moves(c.next); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		if f.Moves(c.next) {
			t.Errorf("%s: it is told twice", name)
		}
	}
	var f evidence.Fingerprints
	long := page(1, 20, 300, 4000)
	f.Enter(1, long, long.Fingerprint(1))
	if !f.Moves(page(20, 300, 4000)) {
		t.Error("a shorter last page has not moved")
	}
}

func TestAPageThatComesAgainIsKnown(t *testing.T) {
	var w evidence.WalkEvidence
	f := &w.Pages
	repeats := func(a *evidence.Answer, request uint64) bool {
		return w.Repeats(a, a.Fingerprint(request), evidence.Unique{})
	}
	page := func(n uint64) *evidence.Answer {
		return &evidence.Answer{Items: 2, Hash: 100 + n, First: n, Last: n + 1, Texts: 200 + n}
	}
	for n := range uint64(4) {
		a := page(n)
		this := a.Fingerprint(n)
		if repeats(a, n) || f.Circles(this) {
			t.Fatalf("page %d came before", n)
		}
		if overlaps := f.Overlaps(a); overlaps != (n == 1) {
			t.Errorf("page %d overlaps: %t", n, overlaps)
		}
		f.Enter(int(n+1), a, this)
	}
	if a := page(3); !repeats(a, 9) {
		t.Error("the same answer to another request is not repeated")
	}
	other := page(3)
	other.Hash = 7
	if !repeats(other, 3) {
		t.Error("the same items of the same request are not repeated")
	}
	if !f.Circles(page(3).Fingerprint(3)) {
		t.Error("the fourth page is not the one that later ones are compared with")
	}
}

func TestAWalkIsPlainData(t *testing.T) {
	a := answer(2, `{"total":9}`)
	a.Hash, a.First, a.Last = 1, 2, 3
	var w evidence.WalkEvidence
	w.Hear(a.Signs(evidence.Reads{}))
	w.Pages.Enter(1, a, a.Fingerprint(4))
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	var back evidence.WalkEvidence
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(w, back); d != "" {
		t.Error(d)
	}
	if strings.Contains(string(text), `"Whole":{"Items":0,"At"`) {
		t.Errorf("no total was heard: %s", text)
	}
}

func TestAnAnswerMaySayThatThereAreNone(t *testing.T) {
	for around, want := range map[string]bool{
		`{"total":0}`: true, `{"meta":{"totalResults":0}}`: true, `{"total":0,"totalCount":2}`: false,
		`{"resultSizeEstimate":0}`: true, `{"result_count":0}`: true, `{"resultCount":0,"total":2}`: false, `{"error_count":0}`: false,
		`{"count":0}`: false, `{"total":"none"}`: false, `{}`: false,
	} {
		a := evidence.Answer{}
		for name, value := range item.Members([]byte(around)) {
			a.Around = append(a.Around, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
		}
		if got := a.SaysNone(); got != want {
			t.Errorf("%s: %t", around, got)
		}
	}
}

// at is an address that was asked for.
type at string

func (a at) Address() string { return string(a) }

func (a at) Numbers() (all evidence.Numbers) {
	_, query, _ := strings.Cut(string(a), "?")
	params, _ := url.ParseQuery(query)
	for name, values := range params {
		for _, text := range values {
			all = all.Asked(name, []byte(text))
		}
	}
	return all
}
