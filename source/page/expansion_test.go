package page_test

import (
	"regexp"
	"strings"
	"testing"

	"sluice/source/page"
)

// Each item has all names of columns: a long one makes a short response a long page.
func TestRowsThatBecomeManyTimesWhatCameAreAnError(t *testing.T) {
	const rows = 600
	long := strings.Repeat("n", 128<<10)
	csv := &page.Spec{Field: ".", Format: format(t, `"csv"`)}
	for name, c := range map[string]struct {
		spec            *page.Spec
		begin, row, end string
		came            string
	}{
		"columns": {bare(t, ".", inColumns), `{"` + long + `":[0`, `,1`, `]}`, `132\d\d\d`},
		"header":  {bare(t, ".", underHeader), `[["` + long + `"]`, `,[1]`, `]`, `13[23]\d\d\d`},
		"a table": {csv, long + "\n", "1\n", "", `13[12]\d\d\d`},
	} {
		d := &page.Decoder{Folder: t.TempDir()}
		_, _, err := lines(t, d, c.begin+strings.Repeat(c.row, rows)+c.end, c.spec)
		want := c.came + ` bytes of the response expand to more than 64 MiB, over 500 times as much: the rest is not read: ` +
			`the names of the columns, which each item has, are 131076 bytes long$`
		if !isError(err) || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
		// Less than 64 MiB may be any number of times what came.
		_, _, err = lines(t, d, c.begin+strings.Repeat(c.row, rows*4/5)+c.end, c.spec)
		if err != nil {
			t.Errorf("%s with fewer rows: %v", name, err)
		}
	}
}

// What is a few hundred times as much is data, however much it is.
func TestRowsThatBecomeManyTimesWhatCameAreDataBelowABound(t *testing.T) {
	body := strings.Repeat("n", 256<<10) + "\n" + strings.Repeat("1\n", 300)
	_, p, err := lines(t, &page.Decoder{Folder: t.TempDir()}, body, &page.Spec{Field: ".", Format: format(t, `"csv"`)})
	if err != nil || p.Items != 300 {
		t.Errorf("%v", err)
	}
}
