package expr_test

import (
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

func TestATextIsSplitWhereFunctionsJoinIt(t *testing.T) {
	attributes := map[string]expr.Value{
		"a":  {JSON: []byte(`"A?"`)},
		"#s": {JSON: []byte(`"S"`), Secret: true},
		"l":  {JSON: []byte(`["x","y"]`)},
		"n":  {JSON: []byte(`7`)},
		"e":  {JSON: []byte(`""`)},
	}
	attr := func(path string) (expr.Value, bool) { v, ok := attributes[path]; return v, ok }
	// A value stands in brackets, a secret one with a #, a whole one with a *, one that is escaped with a %.
	for text, want := range map[string]string{
		`"users/{id}"`:  `users/{id}`,
		`{"attr": "a"}`: `[*A?]`,
		`{"function": "concat", "args": ["bot", {"attr": "#s"}, "/get", 1, null]}`:                                  `bot[#S]/get1`,
		`{"function": "concat", "args": [{"function": "concat", "args": ["x/", {"attr": "a"}]}, "/y"]}`:             `x/[A?]/y`,
		`{"function": "implode", "args": ["/", ["v1", {"attr": "a"}, "z"]]}`:                                        `v1/[A?]/z`,
		`{"function": "implode", "args": [",", {"attr": "l"}]}`:                                                     `[x],[y]`,
		`{"function": "ifempty", "args": [{"attr": "e"}, "u/"]}`:                                                    `u/`,
		`{"function": "ifempty", "args": [{"attr": "a"}, "u/"]}`:                                                    `[A?]`,
		`{"function": "sprintf", "args": ["u/%s/%03d%%?x=%2$s", {"attr": "a"}, {"attr": "n"}]}`:                     `u/[A?]/[007]%?x=[7]`,
		`{"function": "sprintf", "args": ["%2$s%1$s", "b", {"function": "concat", "args": ["a", {"attr": "#s"}]}]}`: `a[#S]b`,
		`{"function": "concat", "args": ["x?y=", {"function": "urlencode", "args": [{"attr": "a"}]}]}`:              `x?y=[%A%3F]`,
		`{"function": "concat", "args": [{"function": "md5", "args": [{"attr": "#s"}]}]}`:                           `[#5dbc98dcc983a70728bd082d1a47546e]`,
		`{"function": "concat", "args": [{"function": "date", "args": ["Y", 86400]}]}`:                              `[1970]`,
	} {
		var p config.Problems
		var told []string
		env := expr.Env{Contexts: expr.Contexts{"attr": attr}}
		e := expr.Compile(config.Parse("", []byte(text), &p), env, &p)
		if p.Failed() {
			t.Fatal(text, p.Err())
		}
		env.Secret = func(_, text string) { told = append(told, text) }
		pieces, err := e.Pieces(env)
		if err != nil {
			t.Fatal(text, err)
		}
		got, joined := "", ""
		for _, piece := range pieces {
			joined += piece.Text
			sign := ""
			for mark, has := range map[string]bool{"#": piece.Secret, "*": piece.Whole, "%": piece.Escaped} {
				if has {
					sign += mark
				}
			}
			if piece.Name == "" {
				got += piece.Text
			} else {
				got += "[" + sign + piece.Text + "]"
			}
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
		v, _ := e.Eval(env)
		if whole, _ := item.Text(v.JSON); whole != joined {
			t.Errorf("%s: the pieces are %q, the whole is %q", text, joined, whole)
		}
		for _, made := range told {
			if len(made) != 32 {
				t.Errorf("%s: %q is taken for a secret", text, made)
			}
		}
		if strings.Contains(text, "md5") != (len(told) == 1) {
			t.Errorf("%s: secrets %q", text, told)
		}
	}
}

func TestWhatIsNoTextHasNoPieces(t *testing.T) {
	for _, value := range []string{`["a"]`, `{"a": 1}`, `null`} {
		env := expr.Env{Contexts: expr.Contexts{"attr": func(string) (expr.Value, bool) {
			return expr.Value{JSON: []byte(value)}, true
		}}}
		var p config.Problems
		_, err := expr.Compile(config.Parse("", []byte(`{"attr": "a"}`), &p), env, &p).Pieces(env)
		if err == nil {
			t.Errorf("%s has pieces", value)
		}
	}
}
