package expr_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// noon is the time of all tests that read the clock.
var noon = time.Date(2026, time.January, 31, 12, 34, 56, 0, time.UTC)

func atNoon() time.Time { return noon }

// attributes look members up in a JSON object by name; those with # are secret.
func attributes(t testing.TB, text string) func(string) (expr.Value, bool) {
	var p config.Problems
	n := config.Parse("attributes", []byte(text), &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return func(path string) (expr.Value, bool) {
		i := slices.IndexFunc(n.Members, func(m config.Member) bool { return m.Name == path })
		if i < 0 {
			return expr.Value{}, false
		}
		return expr.Value{JSON: n.Members[i].Value.Raw, Secret: strings.HasPrefix(path, "#")}, true
	}
}

// user is what {"attr": …} finds in most tests.
const user = `{"login":"ann","#password":"s3cret","n":7,"big":9007199254740993,"yes":true,"no":false,
	"nothing":null,"list":["a",1,true],"deep":{"b":1.0,"a":[]}}`

func compile(t testing.TB, env expr.Env, text string) (*expr.Expr, error) {
	var p config.Problems
	n := config.Parse("test", []byte(text), &p)
	if n == nil {
		t.Fatal(p.Err())
	}
	e := expr.Compile(n, env, &p)
	return e, p.Err()
}

// eval returns the value of an expression in an environment with attributes, or
// the text of its only problem, without file and excerpt.
func eval(t testing.TB, text string) string {
	t.Helper()
	env := expr.Env{Contexts: expr.Contexts{"attr": attributes(t, user)}, Now: atNoon}
	e, err := compile(t, env, text)
	if err != nil {
		return problem(err)
	}
	v, err := e.Eval(env)
	if err != nil {
		t.Fatalf("%s: compiled, but %v", text, err)
	}
	return string(v.JSON)
}

// problem strips a configuration error down to path and text.
func problem(err error) string {
	var bad *config.Error
	if !errors.As(err, &bad) {
		return "not a problem of the configuration: " + err.Error()
	}
	var lines []string
	for _, p := range bad.Problems {
		lines = append(lines, strings.TrimPrefix(p.Path+": "+p.Text, ": "))
	}
	return strings.Join(lines, "\n")
}

// call writes a function expression.
func call(function string, args ...string) string {
	return `{"function":"` + function + `","args":[` + strings.Join(args, ",") + `]}`
}

type cases []struct{ name, text, want string }

func (c cases) run(t *testing.T) {
	t.Helper()
	for _, tt := range c {
		t.Run(tt.name, func(t *testing.T) {
			if got := eval(t, tt.text); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestPlainDataKeepsOrderAndDigits(t *testing.T) {
	cases{
		{"scalars", `[1.0, 1e3, 9007199254740993, true, null, "é"]`, `[1.0,1e3,9007199254740993,true,null,"é"]`},
		{"objects", `{"z": {"b": 1, "a": []}, "y": {}}`, `{"z":{"b":1,"a":[]},"y":{}}`},
		{"an expression deep inside", `{"z":[{"k":` + call("concat", `"a"`, `1`) + `}],"a":0}`, `{"z":[{"k":"a1"}],"a":0}`},
		{"references give what is there", `[{"attr":"deep"},{"attr":"big"},{"attr":"nothing"}]`, `[{"b":1.0,"a":[]},9007199254740993,null]`},
		{"names are quoted again", `{"a\"b": {"attr":"n"}}`, `{"a\"b":7}`},
	}.run(t)
}

func TestAnObjectIsAReferenceOnlyWhereItsContextExists(t *testing.T) {
	cases{
		{"one member", `{"attr":"login"}`, `"ann"`},
		{"two members are plain data", `{"attr":"login","x":1}`, `{"attr":"login","x":1}`},
		{"a context of another place is plain data", `{"response":"token"}`, `{"response":"token"}`},
		{"but not inside args", `{"a":[` + call("concat", `"x"`, `{"respons":"token"}`) + `]}`,
			`a[0].args[1]: unknown context "respons" (here: attr)`},
		{"nor in an array inside args", call("implode", `","`, `[{"x":"y"}]`), `args[1][0]: unknown context "x" (here: attr)`},
		{"an object with more members inside args", call("concat", `{"attr":"login","x":1}`),
			`args[0]: an object inside args must be a function expression or a reference with one member (here: attr)`},
		{"a path that is no string", `{"attr":7}`, `attr must be a string, the path of a value`},
		{"a missing value", `{"p":{"attr":"logn"}}`, `p: attr "logn" is missing: set it in config, or with --attr-env 'logn=VARIABLE'`},
	}.run(t)
}

func TestAnUnknownContextNamesThoseThatExist(t *testing.T) {
	nothing := func(string) (expr.Value, bool) { return expr.Value{}, false }
	for want, contexts := range map[string]expr.Contexts{
		`args[0]: unknown context "respons" (here: attr, time)`:     {"time": nothing, "attr": nothing},
		`args[0]: unknown context "respons" (here: attr, response)`: {"response": nil, "attr": nothing},
		`args[0]: unknown context "respons" (here: none)`:           nil,
	} {
		_, err := compile(t, expr.Env{Contexts: contexts}, call("concat", `{"respons":"x"}`))
		if err == nil || problem(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestExpressionsThatAreNoneAreProblems(t *testing.T) {
	const have = " (have base64_encode, concat, date, hash, hash_hmac, ifempty, implode, jwt, last, md5, sha1, sprintf, strtotime, time, urlencode"
	cases{
		{"unknown function", call("base64_encod", `"a"`), `unknown function "base64_encod"` + have + "; did you mean base64_encode?)"},
		{"no name", `{"function":null}`, "function must be a string, the name of a function"},
		{"args", `{"function":"concat","args":"a"}`, "args: must be an array of arguments"},
		{"too many", call("sha1", `"a"`, `"b"`), "wrong number of arguments for sha1: 2, want 1"},
		{"too few", call("hash", `"md5"`), "wrong number of arguments for hash: 1, want 2"},
		{"none at all", `{"function":"concat"}`, "wrong number of arguments for concat: 0, want 1 or more"},
		{"one for none", call("time", `1`), "wrong number of arguments for time: 1, want 0"},
		{"out of a range", call("date", `"Y"`, `1`, `2`), "wrong number of arguments for date: 3, want 1 to 2"},
		{"every problem at once", `{"b":` + call("sha1", call("md6", `"a"`), `{"x":"y"}`) + `,"a":{"attr":"no one"}}`,
			"b: wrong number of arguments for sha1: 2, want 1\n" +
				`b.args[0]: unknown function "md6"` + have + "; did you mean md5?)" + "\n" +
				`b.args[1]: unknown context "x" (here: attr)` + "\n" +
				`a: attr "no one" is missing: set it in config, or with --attr-env 'no one=VARIABLE'`},
	}.run(t)
}

func TestAnUnknownMemberOfAnExpressionIsAWarning(t *testing.T) {
	var p config.Problems
	n := config.Parse("test", []byte(`{"function":"md5","args":["a"],"arg":1}`), &p)
	expr.Compile(n, expr.Env{}, &p)
	if all := p.All(); len(all) != 1 || all[0].Severity != "warning" || all[0].Path != "arg" {
		t.Errorf("got %v", all)
	}
}

// places are the environment of apiRequest: attributes are known, a response is not.
func places(t testing.TB) expr.Env {
	return expr.Env{Contexts: expr.Contexts{"attr": attributes(t, user), "response": nil}, Now: atNoon}
}

// answered is the environment at evaluation: nothing but the response, all of it secret.
func answered(t testing.TB, response string) expr.Env {
	values := attributes(t, response)
	return expr.Env{Now: atNoon, Contexts: expr.Contexts{"response": func(path string) (expr.Value, bool) {
		v, ok := values(path)
		v.Secret = true
		return v, ok
	}}}
}

func TestLaterValuesAreFilledIn(t *testing.T) {
	text := `{"sig":` + call("sha1", call("concat", `{"attr":"login"}`, `":"`, `{"response":"token"}`)) +
		`,"raw":[{"response":"n"}],"list":` + call("implode", `"-"`, `{"response":"list"}`) + `}`
	e, err := compile(t, places(t), text)
	if err != nil {
		t.Fatal(err)
	}
	if e.Ready() {
		t.Error("ready before the response is there")
	}
	v, err := e.Eval(answered(t, `{"token":"s3cret","n":1.50,"list":["x",2]}`))
	want := `{"sig":"582dafc84566011546dae238af6f9d3edccafefe","raw":[1.50],"list":"x-2"}`
	if err != nil || string(v.JSON) != want || !v.Secret {
		t.Errorf("got %s, %v, secret %v\nwant %s", v.JSON, err, v.Secret, want)
	}
}

func TestLaterValuesThatDoNotFitAreErrorsWithAPathAndWithoutValues(t *testing.T) {
	const response = `{"null":null,"list":["hidden"],"text":"hidden","stamp":1770000000000}`
	for _, tt := range []struct{ text, want string }{
		{`{"q":{"response":"token"}}`, `q: response "token" is missing`},
		{`{"q":{"response":"null"}}`, `q: response "null" is null`},
		{call("ifempty", `{"response":"null"}`, `"b"`), `args[0]: response "null" is null`},
		{`[{"response":"list"}]`, `[0]: response "list" is an array, want a string, a number or a boolean`},
		{call("concat", `"a"`, `{"response":"list"}`), `args[1]: concat needs text here, not an array`},
		{call("sprintf", `"%d"`, `{"response":"text"}`), `args[1]: sprintf needs a number here`},
		{call("date", `"c"`, `{"response":"stamp"}`), `args[1]: date needs Unix seconds between the years 0 and 9999 here (are these milliseconds?)`},
		{call("hash", `{"response":"text"}`, `"x"`), `args[0]: unknown algorithm for hash (have md5, sha1`},
		{call("strtotime", `{"response":"text"}`), `args[0]: this is not a time in a form that is known`},
	} {
		e, err := compile(t, places(t), tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		_, err = e.Eval(answered(t, response))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

func TestAMistakeThatNeedsNoLaterValueShowsAtCompilation(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{call("hash", `"sha257"`, `{"response":"x"}`), "args[0]: unknown algorithm for hash (have md5"},
		{call("sprintf", `"%d %s"`, `{"response":"x"}`), "args[0]: conversion 2 of the format needs argument 2 behind the format, and there are 1"},
		{call("sprintf", `"%d%d"`, `{"response":"x"}`, `"seven"`), "args[2]: sprintf needs a number here"},
		{call("concat", `{"response":"x"}`, `["a"]`), "args[1]: concat needs text here, not an array"},
		{call("implode", `{"response":"x"}`, `"a"`), "args[1]: implode needs an array here, not a string"},
		{call("implode", `","`, `[{"response":"x"},["a"]]`), "args[1]: implode joins texts, and element 1 is an array"},
		{call("strtotime", `"+1 dya"`, `{"response":"x"}`), "args[0]: this is not a time"},
		{call("concat", call("time"), call("strtotime", `"nonsense"`)), "args[1].args[0]: this is not a time"},
	} {
		_, err := compile(t, places(t), tt.text)
		if err == nil || !strings.HasPrefix(problem(err), tt.want) {
			t.Errorf("%s\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

func TestAnExpressionOfLaterValuesIsNoProblemAtCompilation(t *testing.T) {
	for _, text := range []string{
		call("hash", call("concat", `"sha"`, `{"response":"x"}`), `"a"`),
		call("hash", call("implode", `""`, `["sha",{"response":"x"}]`), `"a"`),
		call("strtotime", call("concat", `"+1 "`, `{"response":"x"}`)),
		call("sprintf", `{"response":"x"}`, `"a"`),
		call("sprintf", `"%c%e"`, `{"response":"x"}`, `{"response":"y"}`),
		call("implode", `","`, call("ifempty", `{"response":"x"}`, `[]`)),
		call("date", `{"response":"x"}`, `{"response":"x"}`),
	} {
		if _, err := compile(t, places(t), text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLaterValuesThatNobodyBringsAreAnError(t *testing.T) {
	e, err := compile(t, places(t), `{"q":{"response":"x"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.Eval(expr.Env{}); err == nil || err.Error() != `q: response "x" is not known yet` {
		t.Errorf("got %v", err)
	}
}

func TestABrokenExpressionCannotBeEvaluated(t *testing.T) {
	e, _ := compile(t, expr.Env{}, `{"q":`+call("nope")+`}`)
	if _, err := e.Eval(expr.Env{}); err == nil {
		t.Error("no error")
	}
	if e.Ready() {
		t.Error("ready")
	}
}

func TestAFixedValueIsEvaluatedOnce(t *testing.T) {
	asked := 0
	lookup := func(string) (expr.Value, bool) {
		asked++
		return expr.Value{JSON: item.Quote("ann")}, true
	}
	e, err := compile(t, expr.Env{Contexts: expr.Contexts{"attr": lookup}}, call("md5", call("concat", `{"attr":"x"}`)))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if v, err := e.Eval(expr.Env{}); err != nil || string(v.JSON) != `"7e0d7f8a5d96c24ffcc840f31bce72b2"` {
			t.Fatalf("got %s, %v", v.JSON, err)
		}
	}
	if asked != 1 {
		t.Errorf("looked up %d times", asked)
	}
}

func TestTheClockIsReadOnceInEachEvaluation(t *testing.T) {
	now := noon
	env := expr.Env{Now: func() time.Time { now = now.Add(time.Second); return now }}
	e, err := compile(t, env, `[`+call("time")+`,`+call("concat", call("date", `"s"`), `" "`, call("strtotime", `"now"`))+`]`)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Ready() {
		t.Error("not ready, though nothing later is needed")
	}
	now = noon
	for _, want := range []string{`[1769862897,"57 1769862897"]`, `[1769862898,"58 1769862898"]`} {
		if v, err := e.Eval(env); err != nil || string(v.JSON) != want {
			t.Errorf("got %s, %v, want %s", v.JSON, err, want)
		}
	}
}

func TestSecretsSpreadAndTextsMadeOfThemAreTold(t *testing.T) {
	for _, tt := range []struct {
		text   string
		secret bool
		told   string
	}{
		{`{"attr":"login"}`, false, ""},
		{`{"attr":"#password"}`, true, ""},
		{`{"a":[1,{"b":{"attr":"#password"}}]}`, true, ""},
		{call("concat", `{"attr":"login"}`, `":"`), false, ""},
		{call("base64_encode", call("concat", `{"attr":"login"}`, `":"`, `{"attr":"#password"}`)), true,
			"ann:s3cret YW5uOnMzY3JldA=="},
		{call("implode", `","`, `["a",{"attr":"#password"}]`), true, "a,s3cret"},
		{`[` + call("md5", `"a"`) + `,` + call("urlencode", `{"attr":"#password"}`) + `]`, true, "s3cret"},
	} {
		var told []string
		env := expr.Env{
			Contexts: expr.Contexts{"attr": attributes(t, user)},
			Secret:   func(_, text string) { told = append(told, text) },
		}
		e, err := compile(t, env, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Eval(env)
		if err != nil || v.Secret != tt.secret || strings.Join(told, " ") != tt.told {
			t.Errorf("%s: %v, secret %v, told %q", tt.text, err, v.Secret, told)
		}
	}
}

func TestTextsMadeOfLaterSecretsAreToldAtEvaluationOnly(t *testing.T) {
	var told []string
	tell := func(_, text string) { told = append(told, text) }
	env := places(t)
	env.Secret = tell
	e, err := compile(t, env, call("concat", `"Bearer "`, `{"response":"token"}`, `{"attr":"#password"}`))
	if err != nil || len(told) > 0 {
		t.Fatalf("got %v, told %q", err, told)
	}
	env = answered(t, `{"token":"abc "}`)
	env.Secret = tell
	if _, err := e.Eval(env); err != nil || !slices.Equal(told, []string{"Bearer abc s3cret"}) {
		t.Errorf("got %v, told %q", err, told)
	}
}

func TestNoMessageShowsASecret(t *testing.T) {
	for _, text := range []string{
		call("hash", `{"attr":"#password"}`, `"a"`),
		call("strtotime", `{"attr":"#password"}`),
		call("sprintf", `"%d"`, `{"attr":"#password"}`),
		call("sprintf", call("concat", `"%"`, `{"attr":"#password"}`)),
		call("date", `"Y"`, `{"attr":"#password"}`),
	} {
		if got := eval(t, text); strings.Contains(got, "s3cret") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestOnlyAPlainStringIsALiteral(t *testing.T) {
	for text, want := range map[string]string{`"data.tok\u0065n"`: "data.token", `""`: ""} {
		e, _ := compile(t, places(t), text)
		if got, ok := e.Literal(); !ok || got != want {
			t.Errorf("%s: got %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{`7`, `null`, `["a"]`, `{"attr":"login"}`, call("concat", `"a"`), `{"response":"a"}`} {
		e, _ := compile(t, places(t), text)
		if got, ok := e.Literal(); ok {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
