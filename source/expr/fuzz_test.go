package expr_test

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/config"
	"sluice/source/expr"
)

// Any configuration compiles or has problems, and what compiles gives JSON.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		`{"a":[1.0,{"attr":"login"},{"response":"token"}],"b":{"attr":1}}`,
		call("concat", `"a"`, `{"response":"list"}`, `{"nope":"x"}`),
		call("base64_encode", call("concat", `{"attr":"login"}`, `":"`, `{"attr":"#password"}`)),
		call("sprintf", `"%'x-05.2f %1$s %c %%"`, `{"response":"n"}`, `"é"`),
		call("implode", `","`, `["a",[1],{"response":"list"}]`),
		call("date", `"D, d M \\Y B"`, call("strtotime", `"+1 week"`, `7`)),
		call("hash", `"sha512/256"`, call("ifempty", `null`, call("time"))),
		call("hash_hmac", `"sha256"`, `{"response":"token"}`, `{"attr":"#password"}`),
		`{"function":null,"args":{}}`, `{"function":"md5","args":[{}]}`, `{"\ud800":"\udc00"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !jsontext.Value(text).IsValid() {
			return // a matter of config alone
		}
		var p config.Problems
		n := config.Parse("fuzz", text, &p)
		if n == nil || p.Err() != nil {
			return
		}
		e := expr.Compile(n, places(t), &p)
		if p.Err() != nil {
			return
		}
		for _, env := range []expr.Env{answered(t, `{"token":"abc","list":["x",2],"n":-1.5,"":null}`), {}} {
			v, err := e.Eval(env)
			if err != nil {
				if e.Ready() {
					t.Errorf("ready, but %v", err)
				}
				continue
			}
			if !v.JSON.IsValid(jsontext.AllowDuplicateNames(true)) {
				t.Errorf("this is not JSON: %s", v.JSON)
			}
		}
	})
}

// Whatever is read can be written as RFC 3339 and read again.
func FuzzParseTime(f *testing.F) {
	for _, text := range []string{
		"2026-01-31 12:34:56", "Sat, 31 Jan 2026 12:34:56 GMT", "Saturday, 31-Jan-26 12:34:56 GMT", "Sat Jan 31 12:34:56 2026",
		"2026-01-31T12:34:56.789+02:00", "20260131T123456Z", "31/Jan/2026:12:34:56 -0700", "@1769862896.5", "tomorrow +2 hours",
		"2026-01-31 +1 month", "2 days ago", "1:05 pm GMT+0100 (x)", "13:00 pm", "0000-01-01", "-9999999 weeks", "today CET",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := expr.ParseTime(text, noon)
		if err != nil {
			return
		}
		again, err := expr.ParseTime(first.Format(time.RFC3339Nano), time.Unix(0, 0))
		if err != nil || !again.Equal(first) || first.Location() != time.UTC {
			t.Errorf("%q is %v, which is %v, %v", text, first, again, err)
		}
	})
}
