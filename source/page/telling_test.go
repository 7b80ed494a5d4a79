package page_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/source/page"
)

func TestMembersBesideTheItemsAreKeptForWhatTheyAre(t *testing.T) {
	many := strings.Builder{}
	for i := range 100 {
		fmt.Fprintf(&many, `"m%d":"?",`, i)
	}
	var first []string
	for i := range 32 {
		first = append(first, fmt.Sprintf(`m%d "?"`, i))
	}
	long := strings.Repeat(`"?",`, 64<<10)
	for body, want := range map[string][]string{
		`{"a":"x?y","b":"x","items":[1],"c":[ "?" ,2]}`: {`a "x?y"`, `c ["?",2]`},
		`{"a":1,"b":{"c":"?"},"items":["?"],"d":[]}`:    {`b {"c":"?"}`},
		`{"named":"x","a\u0062":"?","items":[]}`:        {`named "x"`, `ab "?"`},
		`{"other":{"a":"?"},"items":[{"a":"?"}]}`:       {`other {"a":"?"}`},
		`{"long":{"a":[` + long + `1]},"items":[]}`:     nil,
		`{"long":[` + long + `1],"items":[]}`:           nil,
		`{` + many.String() + `"items":[]}`:             first,
	} {
		s := field("items")
		s.Notable = func(quoted []byte) bool { return string(quoted) == `"named"` }
		s.Telling = func(value []byte) bool { return bytes.IndexByte(value, '?') >= 0 }
		_, p, err := lines(t, &page.Decoder{}, body, s)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range p.Beside.Notable {
			got = append(got, m.Path.String()+" "+string(m.Value))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60s: %s", body, cmp.Diff(want, got))
		}
	}
}

func TestAMemberOfAnEnvelopeIsNamedByItsPlace(t *testing.T) {
	s := field("1")
	s.Notable = func(quoted []byte) bool { return string(quoted) == `"named"` }
	s.Telling = func([]byte) bool { return true }
	_, p, err := lines(t, &page.Decoder{}, `[{"named":"x","weiter":"?"},[{"id":1}]]`, s)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0.named", "0.weiter"} {
		if got := p.Beside.Notable[i].Path.String(); got != want {
			t.Errorf("%s is at %s", want, got)
		}
	}
}
