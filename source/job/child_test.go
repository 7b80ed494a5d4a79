package job_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/job"
)

func TestThePlaceholdersOfAnItemAreCombined(t *testing.T) {
	for name, c := range map[string]struct {
		// What is at the placeholders, none if empty; ? before it: it is optional.
		kept []string
		// The combinations, or what is wrong.
		want string
	}{
		"one of each":                  {kept: []string{`1`, `"x"`}, want: `1,"x"`},
		"the last changes first":       {kept: []string{`[1,2]`, `["x","y"]`}, want: `1,"x" 1,"y" 2,"x" 2,"y"`},
		"an empty list":                {kept: []string{`1`, `[]`}},
		"values that look like none":   {kept: []string{`?""`, `?0`, `?false`}, want: `"",0,false`},
		"a missing one":                {kept: []string{`1`, ``}, want: "placeholder p1: there is nothing at p1"},
		"null":                         {kept: []string{`null`}, want: "placeholder p0: there is nothing at p0"},
		"an object":                    {kept: []string{`{}`}, want: "placeholder p0: the value at p0"},
		"null in a list":               {kept: []string{`[1,null]`}, want: "placeholder p0: the value at p0"},
		"an optional one is missing":   {kept: []string{`1`, `?`}, want: "lacks p1"},
		"an optional one is null":      {kept: []string{`?null`, `1`}, want: "lacks p0"},
		"an optional list is empty":    {kept: []string{`?[]`}, want: "lacks p0"},
		"an optional list has nothing": {kept: []string{`?[null]`}, want: "lacks p0"},
		"an optional list has null":    {kept: []string{`?[null,3]`}, want: "3"},
		"another one is wrong, too":    {kept: []string{`{}`, `?null`}, want: "lacks p1"},
		"too many":                     {kept: []string{many, many}, want: "it makes more than 1048576 jobs"},
	} {
		var own []job.Placeholder
		above := job.Ancestors{Kept: make([][]jsontext.Value, 1)}
		for i, kept := range c.kept {
			value, optional := strings.CutPrefix(kept, "?")
			path := fmt.Sprint("p", i)
			own = append(own, job.Placeholder{Name: path, Path: path, Level: 1, Kept: i, Optional: optional})
			above.Kept[0] = append(above.Kept[0], jsontext.Value(value))
		}
		child := job.NewChild(own)
		child.Job = &job.Job{ID: "c"}
		if got := combined(child, above); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// many is a list whose combinations with another like it are too many.
var many = "[1" + strings.Repeat(",1", 1<<10) + "]"

// combined is what [job.Child.Combine] gives, in words.
func combined(c *job.Child, above job.Ancestors) string {
	all, err := c.Combine(above, nil)
	switch {
	case err != nil:
		return err.Error()
	case all.Lacks != nil:
		return "lacks " + all.Lacks.Path
	}
	var texts []string
	for i := range all.Size {
		var values []string
		for _, v := range all.At(i) {
			values = append(values, string(v))
		}
		texts = append(texts, strings.Join(values, ","))
	}
	return strings.Join(texts, " ")
}
