package expr_test

import (
	"fmt"
	"time"

	"sluice/source/config"
	"sluice/source/expr"
)

// A header of an API request is compiled when the configuration is loaded and
// evaluated with each login response.
func ExampleCompile() {
	var problems config.Problems
	n := config.Parse("api.json", []byte(`{
		"function": "concat",
		"args": ["Bearer ", {"response": "access.token"}]
	}`), &problems)

	e := expr.Compile(n, expr.Env{Contexts: expr.Contexts{"response": nil}}, &problems)
	fmt.Println(problems.Err(), e.Ready())

	response := func(path string) (expr.Value, bool) {
		return expr.Value{JSON: []byte(`"abc"`), Secret: true}, path == "access.token"
	}
	v, err := e.Eval(expr.Env{Contexts: expr.Contexts{"response": response}})
	fmt.Printf("%s %v %v\n", v.JSON, v.Secret, err)
	// Output:
	// <nil> false
	// "Bearer abc" true <nil>
}

func ExampleParseTime() {
	now := time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{"2026-02-01 08:30:00", "Sun, 01 Feb 2026 08:30:00 GMT", "tomorrow +8 hours", "+1 month"} {
		t, err := expr.ParseTime(text, now)
		fmt.Println(t.Format(time.RFC3339), err)
	}
	// Output:
	// 2026-02-01T08:30:00Z <nil>
	// 2026-02-01T08:30:00Z <nil>
	// 2026-02-01T08:00:00Z <nil>
	// 2026-03-03T12:00:00Z <nil>
}
