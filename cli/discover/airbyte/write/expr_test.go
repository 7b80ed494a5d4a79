package write_test

import (
	"strings"
	"testing"

	"sluice/cli/discover/airbyte/write"
)

func TestAValueIsWrittenAsTheConfigurationHasIt(t *testing.T) {
	attr := write.Attr("#key")
	for _, c := range []struct {
		name string
		of   write.ConfigValue
		want string
	}{
		{"nothing", nil, ``},
		{"a text with quotes", write.Text(`a"b`), `"a\"b"`},
		{"a number, as it is written", write.Word("1.0"), `1.0`},
		{"an empty list", write.Array{}, `[]`},
		{"a list", write.Array{write.Text("a"), write.Word("null"), attr}, `["a", null, {"attr": "#key"}]`},
		{"an object without members", write.Object{}, `{}`},
		{"members in order", write.Object{}.And("b", write.Word("1")).And("a", attr), `{"b": 1, "a": {"attr": "#key"}}`},
		{"only members that are needed", write.Object{}.With(false, "a", attr), `{}`},
		{"a call without arguments", write.Calling("time"), `{"function": "time", "args": []}`},
		{"a constant", write.Data(map[string]any{"b": []any{int64(1), 0.5, true, nil}, "a": "x"}), `{"a": "x", "b": [1, 0.5, true, null]}`},
	} {
		if got := write.JSON(c.of); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if c.of == nil {
			continue
		}
		laid := strings.Join(strings.Fields(write.Layout(c.of)), "")
		if laid != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s is laid out as %s", c.name, laid)
		}
	}
}

func TestTwoObjectsThatBeginAlikeShareNoMember(t *testing.T) {
	common := write.Object{}.And("a", write.Word("1")).And("b", write.Word("2")).And("c", write.Word("3"))
	one, other := common.And("d", write.Text("one")), common.And("d", write.Text("other"))
	if write.Same(one, other) || one.Get("d") != write.Text("one") {
		t.Errorf("%s and %s", write.JSON(one), write.JSON(other))
	}
}

func TestJoinedTextsAreOneAndCallsBecomeTheirParts(t *testing.T) {
	attr := write.Attr("a")
	for _, c := range []struct {
		of   []write.ConfigValue
		want string
	}{
		{nil, `""`},
		{[]write.ConfigValue{write.Text("a"), write.Text(""), write.Text("b")}, `"ab"`},
		{[]write.ConfigValue{write.Text(""), attr}, `{"attr": "a"}`},
		{
			[]write.ConfigValue{write.Text("a"), write.Calling("concat", write.Text("b"), attr), nil},
			`{"function": "concat", "args": ["ab", {"attr": "a"}]}`,
		},
	} {
		if got := write.JSON(write.Joined(c.of...)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestAnExpressionWithinAValueIsFound(t *testing.T) {
	of := write.Array{write.Object{}.And("a", write.Calling("last", write.Text("id"), write.Word("0")))}
	for _, c := range []struct {
		within write.ConfigValue
		want   bool
	}{
		{write.Text("id"), true},
		{write.Calling("last", write.Text("id"), write.Word("0")), true},
		{write.Text("other"), false},
	} {
		if write.Has(of, func(e write.ConfigValue) bool { return write.Same(e, c.within) }) != c.want {
			t.Errorf("%s is found: want %v", write.JSON(c.within), c.want)
		}
	}
	if write.Has(nil, func(write.ConfigValue) bool { return true }) {
		t.Error("something is found in nothing")
	}
}
