package evidence_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"sluice/source/evidence"
)

// keysOf are the keys of a page that is written as a text, one byte each.
func keysOf(page string) (all []uint64) {
	for _, c := range page {
		all = append(all, uint64(c))
	}
	return all
}

// sequence is what is known after these pages, of which those that begin with ^ are the first of the list.
func sequence(most int, pages ...string) *evidence.Sequence {
	q := &evidence.Sequence{}
	for i, page := range pages {
		isFront := page[0] == '^'
		if isFront {
			page = page[1:]
		}
		q.Merge(keysOf(page), i+1, isFront, most)
	}
	return q
}

func TestANewItemStandsBesideItsNeighbour(t *testing.T) {
	for want, pages := range map[string][]string{
		"abcdef":  {"abc", "cdef"},
		"abxcd":   {"abc", "bxcd"},
		"xabcd":   {"abcd", "xabc"},
		"axyb":    {"ab", "axyb"},
		"abcxy":   {"abc", "cxy"},
		"abcz":    {"abc", "z"},
		"zabc":    {"abc", "^z"},
		"abxyzcd": {"abcd", "bxyz"},
		"ab":      {"aab"},
	} {
		got := ""
		for _, key := range sequence(100, pages...).Keys {
			got += string(rune(key))
		}
		if got != want {
			t.Errorf("%v: %s, want %s", pages, got, want)
		}
	}
}

func TestAnotherOrderIsOneOnlyOfItemsThatStoodOnOnePage(t *testing.T) {
	for _, c := range []struct {
		pages []string
		page  string
		want  bool
	}{
		{[]string{"abc"}, "abc", false},
		{[]string{"abc"}, "acx", false},
		{[]string{"abc"}, "ba", true},
		{[]string{"abc", "cde"}, "dxc", true},
		// x stood beside a, and b beside a: of x and b nobody knows.
		{[]string{"ab", "ax"}, "bx", false},
		{[]string{"ab", "ax"}, "xb", false},
		// The last page on which they stood counts, too.
		{[]string{"ab", "cd", "bd"}, "db", true},
	} {
		if got := sequence(100, c.pages...).Disordered(keysOf(c.page)); got != c.want {
			t.Errorf("%v, then %s: %t", c.pages, c.page, got)
		}
	}
}

// An upper case letter is an item that its text alone tells apart. $ after a page says that the list ends with it.
func TestAnItemIsTheOneThatCameWhereTheListHadIt(t *testing.T) {
	for _, c := range []struct {
		page string
		want bool
	}{
		// Keys tell items apart wherever they stand.
		{"gab", true},
		{"xyz", true},
		// The last that came, or several of them.
		{"Hxy", true},
		{"GHxy", true},
		// Between two that came.
		{"aBxc", true},
		{"aEg", true},
		// Behind one that it stood before, and before one that it stood behind.
		{"cBd", false},
		{"gHa", false},
		{"hAx", false},
		// Alone, and not the last.
		{"Bxy", false},
		{"xCyz", false},
		// At the beginning of the page beside the next one, at its end beside the one before.
		{"Bcxy", true},
		{"xaB", true},
		{"xaC", false},
		// Most of what stood there is on the page, or hardly any of it.
		{"DFGHx", true},
		{"ABxyz", false},
		// The list begins, or ends, with the page.
		{"^Bxd", true},
		{"aFx$", true},
		{"aFx", false},
	} {
		q := sequence(100, "ABCDEFGH")
		page, isFront := strings.CutPrefix(c.page, "^")
		page, isEnd := strings.CutSuffix(page, "$")
		apart := evidence.Apart{Keys: keysOf(strings.ToUpper(page))}
		for _, letter := range page {
			apart.ByText = append(apart.ByText, unicode.IsUpper(letter))
		}
		if got := q.Explains(apart, isFront, isEnd); got != c.want {
			t.Errorf("%s: %t", c.page, got)
		}
	}
}

func TestASequenceForgetsWhatStandsFarBeforeThePage(t *testing.T) {
	q := &evidence.Sequence{}
	for i := range 1000 {
		q.Merge([]uint64{uint64(i + 1), uint64(i + 2)}, i+1, i == 0, 10)
	}
	if len(q.Keys) != 12 || !q.Has(1001) || q.Has(989) || len(q.Of) != len(q.Keys) || q.Cut {
		t.Errorf("%v", q.Keys)
	}
	// Back to the front, where all that is known stands behind the page.
	for i := range 30 {
		q.Merge([]uint64{uint64(5000 + i)}, 2000+i, true, 10)
	}
	if !q.Has(5029) || len(q.Keys) > 20 || len(q.Of) != len(q.Keys) {
		t.Errorf("%d: %v", len(q.Keys), q.Keys)
	}
	if !q.Cut {
		t.Error("it was not noted that some were forgotten that may come again")
	}
}

func TestManyItemsBetweenTwoHaveRoom(t *testing.T) {
	q := sequence(1000, "az")
	for i := range 100 {
		q.Merge([]uint64{'a', uint64(1000 + i), 'z'}, i+2, false, 1000)
	}
	want := []uint64{'a'}
	for i := range 100 {
		want = append(want, uint64(1099-i))
	}
	if want = append(want, 'z'); !slices.Equal(q.Keys, want) || !slices.IsSorted(q.Places) {
		t.Errorf("%v", q.Keys)
	}
}

func TestASequenceIsPlainData(t *testing.T) {
	q := sequence(100, "abc", "cde", "bxd")
	text, err := json.Marshal(q)
	var back evidence.Sequence
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if err != nil || !reflect.DeepEqual(q, &back) {
		t.Errorf("%v, %s", err, text)
	}
}
