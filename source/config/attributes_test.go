package config_test

import (
	"testing"

	"sluice/source/config"
)

func TestAttributesAreSetInTheirPlace(t *testing.T) {
	set := []config.Attribute{{Name: "b", Value: `"2`}, {Name: "#new", Value: "3"}}
	for text, want := range map[string]string{
		`{"api":{},"config":{"a":1,"b":{"x":1},"c":3}}`: `{"api":{},"config":{"a":1,"b":"\"2","c":3,"#new":"3"}}`,
		`{"parameters":{"config":{"b":1}}}`:             `{"parameters":{"config":{"b":"\"2","#new":"3"}}}`,
		`{"api":{},"config":[]}`:                        `{"api":{},"config":[]}`,
		`[]`:                                            `[]`,
	} {
		n := parse(t, text)
		before := string(n.Raw)
		p := &config.Problems{}
		got := config.SetAttributes(n, set, p)
		if len(p.All()) > 0 || string(got.Raw) != want {
			t.Errorf("got %s with %v, want %s", got.Raw, p.All(), want)
		}
		if string(n.Raw) != before {
			t.Errorf("the document itself became %s", n.Raw)
		}
	}
}

// The text of a document is its fingerprint: all of them in each would be the square of their number.
func TestAnIterationHoldsNoOther(t *testing.T) {
	for text, want := range map[string]string{
		`{"iterations":[{"a":2},{"b":3}],"api":{},"config":{"a":1}}`:                 `{"api":{},"config":{"a":1,"b":3}}`,
		`{"parameters":{"config":{},"iterations":[{"a":2},{"b":3}]},"action":"run"}`: `{"parameters":{"config":{"b":3}},"action":"run"}`,
	} {
		n := parse(t, text)
		p := &config.Problems{}
		all := config.Iterations(n, p)
		if len(all) != 2 || len(p.All()) > 0 || string(all[1].Raw) != want {
			t.Errorf("got %d, the last %s, with %v", len(all), all[len(all)-1].Raw, p.All())
		}
		if string(n.Raw) != text {
			t.Errorf("the document itself became %s", n.Raw)
		}
	}
}

func TestAnAttributeThatIsNoneCannotBeSet(t *testing.T) {
	p := &config.Problems{}
	config.SetAttributes(parse(t, `{"api":{},"config":{}}`), []config.Attribute{{Name: "jobs", Value: "x"}}, p)
	if got, want := texts(p.All()), "config.jobs is no attribute and cannot be set"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnObjectWithoutAMemberLeavesTheOthersInOrder(t *testing.T) {
	n := parse(t, `{"a":1,"b":{"x":2},"c":3}`)
	less := n.Without("b")
	if string(less.Raw) != `{"a":1,"c":3}` || less.Member("b") != nil || less.Member("c").Text() != "3" {
		t.Errorf("got %s", less.Raw)
	}
	if n.Member("b") == nil || string(n.Raw) != `{"a":1,"b":{"x":2},"c":3}` {
		t.Errorf("the document itself became %s", n.Raw)
	}
}
