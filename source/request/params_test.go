package request_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/fixtures/cases"
	"sluice/pipeline/item"
	"sluice/source/request"
)

// params reads name=JSON pairs, one a line.
func params(text string) request.Params {
	var p request.Params
	for line := range strings.SplitSeq(text, "\n") {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			p = append(p, request.Param{Name: name, Value: []byte(value)})
		}
	}
	return p
}

// show is the reverse of params, on one line.
func show(p request.Params) string {
	var parts []string
	for _, q := range p {
		if q.Raw != "" {
			parts = append(parts, "raw "+q.Raw)
			continue
		}
		parts = append(parts, q.Name+"="+string(q.Value))
	}
	return strings.Join(parts, " ")
}

// A map of names makes Merge fast. What it does is said more simply so.
func TestMergeIsASetOfEachParameterThatIsNotRepeated(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range cases.Raced(2_000, 20_000, 500_000) {
		var all [2]request.Params
		for i := range all {
			for range draw.IntN(6) {
				name := string("ab"[draw.IntN(2)]) + []string{"", "[]", "[b]", "[b][]"}[draw.IntN(4)]
				if draw.IntN(2) == 0 {
					all[i] = append(all[i], request.ParseQuery(name+"=1")...)
				} else {
					all[i] = append(all[i], request.Param{Name: name, Value: []byte("2")})
				}
			}
		}
		p, over := all[0], all[1]
		want := p
		for i, q := range over {
			if over[:i].Has(q.Name) {
				want = append(want[:len(want):len(want)], q)
			} else {
				want = want.Set(q)
			}
		}
		if len(p) == 0 {
			want = over
		}
		if got := p.Merge(over); show(got) != show(want) {
			t.Fatalf("%s with %s: got %s, want %s", show(p), show(over), show(got), show(want))
		}
	}
}

func TestSetTakesThePlaceOfTheFirstOfItsName(t *testing.T) {
	one := request.Param{Name: "b", Value: []byte("9")}
	for name, c := range map[string]struct {
		p    request.Params
		want string
	}{
		"to nothing":              {nil, "b=9"},
		"at the end":              {params("a=1\nc=3"), "a=1 c=3 b=9"},
		"in its place":            {params("a=1\nb=2\nc=3"), "a=1 b=9 c=3"},
		"for all of its name":     {request.ParseQuery("a=1&b=2&c=3&b=4"), "raw a=1 b=9 raw c=3"},
		"for elements of a query": {request.ParseQuery("b[]=1&b[x]=2&a=3"), "b=9 raw a=3"},
		"not for longer names":    {request.ParseQuery("bb=1&bb[0]=1"), "raw bb=1 raw bb[0]=1 b=9"},
		"not for other brackets":  {params("b[0]=1"), "b[0]=1 b=9"},
		"names have case":         {params("B=1"), "B=1 b=9"},
	} {
		t.Run(name, func(t *testing.T) {
			before := show(c.p)
			if got := show(c.p.Set(one)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if show(c.p) != before {
				t.Errorf("the receiver became %s", show(c.p))
			}
		})
	}
}

func TestMergeKeepsThePlacesOfTheEarlierSource(t *testing.T) {
	for name, c := range map[string]struct{ p, over, want string }{
		"nothing over nothing":    {"", "", ""},
		"something over nothing":  {"", "b=1\na=2", "b=1 a=2"},
		"nothing over something":  {"b=1\na=2", "", "b=1 a=2"},
		"new ones at the end":     {"b=1", "d=2\nc=3", "b=1 d=2 c=3"},
		"a name that is repeated": {"a=1\nb=2", "a=3\na=4\nc=5", "a=3 b=2 a=4 c=5"},
		"an earlier place":        {"a=1\nb=2\nc=3", "d=4\nb=null", "a=1 b=null c=3 d=4"},
	} {
		t.Run(name, func(t *testing.T) {
			p, over := params(c.p), params(c.over)
			if got := show(p.Merge(over)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if show(p) != show(params(c.p)) || show(over) != show(params(c.over)) {
				t.Errorf("the sources became %s and %s", show(p), show(over))
			}
		})
	}
}

func TestParamsWithoutANameDropEveryOneOfIt(t *testing.T) {
	p := append(request.ParseQuery("a=1&b=2&a[x]=3&ab=4"), params("a=5\nc=6")...)
	if got, want := show(p.Without(request.Param{Name: "a"})), "raw b=2 raw ab=4 c=6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := show(p.Without(request.Param{Name: "none"})); got != show(p) {
		t.Errorf("got %s", got)
	}
}

func TestANameIsAloneIfWithoutItOneParameterIsMissing(t *testing.T) {
	for _, query := range []string{
		"", "a=1", "a=1&b=2", "a=1&a=2&a=3", "a=1&a[0]=2", "a[0]=1&a=2&b=3", "a[0][1]=1&a[0]=2&a[]=3",
	} {
		p := request.ParseQuery(query)
		alone := p.Alone()
		for _, q := range p {
			if want := len(p.Without(request.Param{Name: q.Name})) == len(p)-1; alone[q.Name] != want {
				t.Errorf("%s: %s is alone: %t", query, q.Name, !want)
			}
		}
	}
}

func TestAParameterIsFoundByItsName(t *testing.T) {
	p := append(request.ParseQuery("q=1&list[]=2&sp%20ace=3"), params("a=true\na=2\nb=null")...)
	for name, want := range map[string]struct {
		has   bool
		value string
	}{
		"q":        {true, ""},
		"list":     {true, ""},
		"list[]":   {true, ""},
		"sp ace":   {true, ""},
		"sp%20ace": {false, ""},
		"a":        {true, "true"},
		"b":        {true, "null"},
		"c":        {false, ""},
	} {
		if has, value := p.Has(name), string(p.Get(name)); has != want.has || value != want.value {
			t.Errorf("%s: got %t %q, want %t %q", name, has, value, want.has, want.value)
		}
	}
}

func TestParseQueryKeepsPartsAsTheyStand(t *testing.T) {
	for raw, want := range map[string]string{
		"":                          "",
		"&&":                        "",
		"a=1&b=2":                   "raw a=1 raw b=2",
		"flag&=x&a=":                "raw flag raw =x raw a=",
		"a=%2f+%20x&b[]=c;d":        "raw a=%2f+%20x raw b[]=c;d",
		"a=b=c":                     "raw a=b=c",
		`q=a b"<>` + "ü\x01":        "raw q=a%20b%22%3C%3E%C3%BC%01",
		"share=100%&x=%zz&y=%4&%41": "raw share=100%25 raw x=%25zz raw y=%254 raw %41",
	} {
		if got := show(request.ParseQuery(raw)); got != want {
			t.Errorf("%q: got %s, want %s", raw, got, want)
		}
	}
}

// quoted is a parameter with a string value.
func quoted(name, text string) request.Param {
	return request.Param{Name: name, Value: item.Quote(text)}
}
