package expr_test

import (
	"fmt"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

func TestHeadersAreCheckedAsFarAsTheyAreKnown(t *testing.T) {
	const cannot = "the value has a line break or another character that no header can have"
	for _, c := range []struct{ name, value, want string }{
		{"Accept", `"a b\tü"`, ""},
		{"Accept", `""`, ""},
		{"Accept", `7`, ""},
		{"Accept", `{"response":"x"}`, ""},
		{"", `"a"`, `"" cannot be the name of a header`},
		{"a b", `"a"`, `"a b" cannot be the name of a header`},
		{"a:b", `"a"`, `"a:b" cannot be the name of a header`},
		{"ä", `"a"`, `"ä" cannot be the name of a header`},
		{"Accept", `"a\r\nb"`, cannot},
		{"Accept", `"a\r\n"`, "the value ends in a line break, which no header can have: give it without"},
		{"Accept", `"a\u0000"`, cannot},
		{"Accept", `"a\u007f"`, cannot},
		{"Accept", `["a"]`, "must be a string, number or boolean"},
		{"Accept", `[{"response":"x"}]`, "must be a string, number or boolean"},
	} {
		var p config.Problems
		n := config.Parse("test", fmt.Appendf(nil, "{%s:%s}", item.Quote(c.name), c.value), &p)
		expr.CompileHeaders(n, places(t), &p)
		got := ""
		for _, problem := range p.All() {
			got += problem.Text
		}
		if got != c.want {
			t.Errorf("%s: %s: got %q, want %q", c.name, c.value, got, c.want)
		}
	}
}
