package page_test

import (
	"strings"
	"testing"

	"sluice/source/page"
)

func TestALastLineThatIsUnlikeTheOthersMayBeAnError(t *testing.T) {
	d := newDecoders(t)
	const row = `{"id":1,"name":"a"}` + "\n"
	wrong := `{"exception":"Code: 395. DB::Exception"}`
	for name, c := range map[string]struct{ body, want string }{
		"an error":                     {row + row + wrong, wrong},
		"with a line break":            {row + row + wrong + "\n", wrong},
		"with blanks in it":            {row + row + ` { "message" : "no", "code": 7 }`, `{"message":"no","code":7}`},
		"lines with blanks":            {strings.Repeat(`{ "id" : 1, "name":"a"}`+"\n", 3) + wrong, wrong},
		"lines in another order":       {row + `{"name":"a","id":1}` + "\n" + wrong, wrong},
		"not the last":                 {row + row + wrong + "\n" + row, ""},
		"two in a row":                 {row + row + wrong + "\n" + wrong, ""},
		"two kinds of lines":           {strings.Repeat(row+row+`{"x":1,"y":2}`+"\n", 9), ""},
		"one line before":              {row + wrong, ""},
		"a name of the first line":     {row + row + `{"error":"x","id":null}`, ""},
		"a name of the line before":    {row + `{"id":2,"exception":null}` + "\n" + wrong, ""},
		"no name":                      {row + row + `{}`, ""},
		"an array":                     {row + row + `[1,2]`, ""},
		"lines of one member":          {strings.Repeat(`{"id":1}`+"\n", 3) + wrong, ""},
		"a line before of one member":  {row + row + `{"id":1}` + "\n" + wrong, ""},
		"lines that are arrays":        {strings.Repeat(`[1,2]`+"\n", 3) + wrong, ""},
		"a first line that is no item": {"null\n" + row + row + wrong, ""},
	} {
		s := detect()
		s.Format = format(t, `"ndjson"`)
		for _, decoder := range []*page.Decoder{d.plain, d.tight} {
			_, p, err := lines(t, decoder, c.body, s)
			if err != nil {
				t.Fatal(name, err)
			}
			if got := p.Lines.Odd.Text; got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}

func TestADoubtfulLineIsQuotedWithoutSecrets(t *testing.T) {
	d := newDecoders(t).plain
	d.Redact = func(text string) string { return strings.ReplaceAll(text, "s3cret", "[secret]") }
	s := detect()
	s.Format = format(t, `"ndjson"`)
	body := strings.Repeat(`{"id":1,"name":"a"}`+"\n", 2) + `{"exception":"no s3cret"}`
	_, p, err := lines(t, d, body, s)
	if err != nil {
		t.Fatal(err)
	}
	want := page.OddLine{Name: "exception", Text: `{"exception":"no [secret]"}`}
	if got := p.Lines.Odd; got != want {
		t.Errorf("%+v", got)
	}
}
