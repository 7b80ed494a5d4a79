package expr_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/expr"
)

func TestLastStepsBackInTheFormOfTheDate(t *testing.T) {
	for _, c := range []struct{ known, step, want string }{
		{`"2026-03-01T00:05:00Z"`, "-10 minutes", `"2026-02-28T23:55:00Z"`},
		{`"2026-03-01T00:05:00.123456+02:00"`, "-10 minutes", `"2026-02-28T23:55:00.123456+02:00"`},
		{`"2026-03-01T00:05:00+0200"`, "-1 hour", `"2026-02-28T23:05:00+0200"`},
		{`"2026-03-01 00:05:00"`, "-1 day", `"2026-02-28 00:05:00"`},
		{`"2026-03-01"`, "-1 month", `"2026-02-01"`},
		{`"Sun, 01 Mar 2026 00:00:01 GMT"`, "-2 seconds", `"Sat, 28 Feb 2026 23:59:59 GMT"`},
		{`"/Date(1790000000000+0200)/"`, "-1 minute", `"2026-09-21T14:12:20Z"`},
		{`"\/Date(1790000000007)\/"`, "-1 minute", `"2026-09-21T14:12:20.007Z"`},
		{``, "-1 day", `"first"`},
		{`"2026-03-01"`, "+1 day", "needs a step back here"},
		{`"2026-03-01"`, "often", "needs a step back here"},
		{`1700000000`, "-1 day", "steps back from dates only"},
		{`"March"`, "-1 day", "steps back from dates only"},
		{`"/Date(soon)/"`, "-1 day", "steps back from dates only"},
		{`"/Date(1+25)/"`, "-1 day", "steps back from dates only"},
	} {
		env := expr.Env{Last: func(string) (jsontext.Value, bool) {
			if c.known == "" {
				return nil, true
			}
			return jsontext.Value(c.known), true
		}}
		e, err := compile(t, env, `{"function":"last","args":["at","first","`+c.step+`"]}`)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %s: %v", c.known, c.step, err)
			}
			continue
		}
		if v, err := e.Eval(env); err != nil || string(v.JSON) != c.want {
			t.Errorf("%s %s: got %s, %v, want %s", c.known, c.step, v.JSON, err, c.want)
		}
	}
}

// A step back leads no further than the fourth argument.
func TestLastIsNotLessThanItsFourthArgument(t *testing.T) {
	for _, c := range []struct{ known, arguments, want string }{
		{`"2026-03-01T00:05:00Z"`, `"-10 minutes","2026-03-01"`, `"2026-03-01"`},
		{`"2026-03-01T00:05:00Z"`, `"-10 minutes","2026-02-28T23:50:00Z"`, `"2026-02-28T23:55:00Z"`},
		{`"2026-03-01T01:05:00+02:00"`, `"","2026-03-01T00:00:00Z"`, `"2026-03-01T00:00:00Z"`},
		{`"2026-03-01"`, `"-1 day","soon"`, "needs a date here"},
		{`1700000000`, `"",1700000001`, `1700000001`},
		{`"1700000002"`, `"",1700000001`, `"1700000002"`},
		{`1700000002`, `"",1700000001`, `1700000002`},
		{`"March"`, `"",1700000001`, "of another kind than the last value"},
		{``, `"-1 day","2026-02-28"`, `"first"`},
	} {
		env := expr.Env{Last: func(string) (jsontext.Value, bool) { return jsontext.Value(c.known), true }}
		if c.known == "" {
			env.Last = func(string) (jsontext.Value, bool) { return nil, true }
		}
		e, err := compile(t, env, `{"function":"last","args":["at","first",`+c.arguments+`]}`)
		got := ""
		if err == nil {
			var v expr.Value
			v, err = e.Eval(env)
			got = string(v.JSON)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s %s: got %s, want %s", c.known, c.arguments, got, c.want)
		}
	}
}

// Only ticks are no form in which an API takes a date.
func TestLastGivesTicksAsATime(t *testing.T) {
	for known, want := range map[string]string{
		`"/Date(1790000000000+0000)/"`:          `"2026-09-21T14:13:20Z"`,
		`"/Date(1790000000000-0700)/"`:          `"2026-09-21T14:13:20Z"`,
		`"/Date(1790000000120)/"`:               `"2026-09-21T14:13:20.120Z"`,
		`"/Date(-62135596800000)/"`:             `"0001-01-01T00:00:00Z"`,
		`"/Date(-1+0100)/"`:                     `"1969-12-31T23:59:59.999Z"`,
		`"/Date(999999999999999999)/"`:          `"/Date(999999999999999999)/"`,
		`"/Date()/"`:                            `"/Date()/"`,
		`"Sun, 01 Mar 2026 00:00:01 GMT"`:       `"Sun, 01 Mar 2026 00:00:01 GMT"`,
		`"2026-03-01T00:05:00.123456789+02:00"`: `"2026-03-01T00:05:00.123456789+02:00"`,
	} {
		env := expr.Env{Last: func(string) (jsontext.Value, bool) { return jsontext.Value(known), true }}
		e, err := compile(t, env, `{"function":"last","args":["at","first"]}`)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := e.Eval(env); err != nil || string(v.JSON) != want {
			t.Errorf("%s: got %s, %v, want %s", known, v.JSON, err, want)
		}
	}
}

// Below items each walk has a value of its own.
func TestALastValueMayComeAtEvaluation(t *testing.T) {
	var followed []string
	env := expr.Env{Last: func(path string) (jsontext.Value, bool) {
		followed = append(followed, path)
		return nil, false
	}}
	for text, want := range map[string]string{
		`{"function":"last","args":["at",0]}`:                                                    `5`,
		`{"since":{"function":"concat","args":["at > ",{"function":"last","args":["at","0"]}]}}`: `{"since":"at > 5"}`,
		`{"function":"last","args":["at",0,"soon"]}`:                                             "needs a step back here",
		`{"function":"last","args":["at",0,"-1 day"]}`:                                           "steps back from dates only",
	} {
		followed = nil
		e, err := compile(t, env, text)
		var v expr.Value
		if err == nil {
			if e.Ready() || len(followed) != 1 {
				t.Errorf("%s: ready: %t, followed %q", text, e.Ready(), followed)
			}
			v, err = e.Eval(
				expr.Env{Last: func(string) (jsontext.Value, bool) { return jsontext.Value("5"), true }},
			)
		}
		got := string(v.JSON)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
