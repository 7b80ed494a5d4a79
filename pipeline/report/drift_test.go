package report_test

import (
	"encoding/json"
	"slices"
	"testing"

	"sluice/pipeline/report"
)

// The columns of a data type are those of all its outputs together, and a notable difference is told, a sentence each.
func TestDriftTellsWhichColumnsDiffer(t *testing.T) {
	for name, test := range map[string]struct {
		earlier, now string
		want         []string
	}{
		"the same, in pieces": {
			`[{"dataType":"a","items":4,"columns":[{"name":"x","kinds":{"integer":4}}]}]`,
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"integer":2}}]},
			  {"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"integer":2}}]}]`,
			nil,
		},
		"a kind that comes no more": {
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"integer":1,"string":1}}]}]`,
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"string":2}}]}]`,
			nil,
		},
		"a kind where only null was known": {
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"null":2}}]}]`,
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"string":2}}]}]`,
			nil,
		},
		"null where it was never": {
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"integer":2}}]}]`,
			`[{"dataType":"a","items":9,"columns":[{"name":"x","kinds":{"integer":7,"null":1}}]}]`,
			[]string{"a: columns that are null or missing more often: x (2 of 9 items, was 0 of 2)"},
		},
		"only a little more often": {
			`[{"dataType":"a","items":100,"columns":[{"name":"x","kinds":{"integer":90}}]}]`,
			`[{"dataType":"a","items":100,"columns":[{"name":"x","kinds":{"integer":81,"null":2}}]}]`,
			nil,
		},
		"a tenth more often": {
			`[{"dataType":"a","items":100,"columns":[{"name":"x","kinds":{"integer":90}}]}]`,
			`[{"dataType":"a","items":100,"columns":[{"name":"x","kinds":{"integer":80}}]}]`,
			[]string{"a: columns that are null or missing more often: x (20 of 100 items, was 10 of 100)"},
		},
		"columns that were not counted": {
			`[{"dataType":"a","items":2}]`,
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"integer":2}}]}]`,
			[]string{"a: its columns are not compared: its columns were not counted"},
		},
		"more members than are kept": {
			`[{"dataType":"a","items":2,"columns":[{"name":"x","kinds":{"integer":2}}]}]`,
			`[{"dataType":"a","items":2,"leftOutValues":3,"columns":[{"name":"x","kinds":{"integer":2}}]}]`,
			[]string{"a: its columns are not compared: it has too many columns to know all of them"},
		},
		"CSV that leaves columns out": {
			`[{"dataType":"a","items":2,"format":"csv","columns":["x","y"],"leftOut":["z"],"leftOutValues":2}]`,
			`[{"dataType":"a","items":2,"format":"csv","columns":["y","x"],"leftOut":["z"],"leftOutValues":2}]`,
			nil,
		},
		"many names": {
			`[{"dataType":"a","items":1,"format":"csv","columns":["a1","a2","a3","a4","a5","a6","a7","a8","a9","b1","b2","b3"]}]`,
			`[{"dataType":"a","items":1,"format":"csv","columns":["c"]}]`,
			[]string{
				"a: columns that are gone: a1, a2, a3, a4, a5, a6, a7, a8, a9, b1 and 2 more",
				"a: new columns: c",
			},
		},
	} {
		got := report.Drift(outputs(t, test.earlier), outputs(t, test.now), "then")
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, test.want)
		}
	}
}

func outputs(t *testing.T, text string) (all []report.OutputReport) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	return all
}
