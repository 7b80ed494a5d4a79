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
		{``, "-1 day", `"first"`},
		{`"2026-03-01"`, "+1 day", "needs a step back here"},
		{`"2026-03-01"`, "often", "needs a step back here"},
		{`1700000000`, "-1 day", "steps back from dates only"},
		{`"March"`, "-1 day", "steps back from dates only"},
	} {
		env := expr.Env{Last: func(string) jsontext.Value {
			if c.known == "" {
				return nil
			}
			return jsontext.Value(c.known)
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
