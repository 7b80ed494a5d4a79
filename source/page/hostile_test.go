package page_test

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"sluice/pipeline/item"
	"sluice/source/page"
)

func TestABodyThatIsNoJSONIsAnErrorThatSaysWhereAndQuotesNothing(t *testing.T) {
	for body, want := range map[string]string{
		"<html>secret</html>":                `not JSON: begins with '<'`,
		"\n  <html>":                         `not JSON: begins with '<'`,
		"Not found":                          `not JSON: begins with 'N'`,
		"nope":                               `not JSON: begins with 'n'`,
		"\x89PNG":                            `not JSON: begins with '\u0089'`,
		"\x00":                               `not JSON: begins with '\x00'`,
		"]":                                  `not JSON: begins with ']'`,
		`{"a":[1,2`:                          `invalid JSON: the text ends too early at byte 9 within "a.2"`,
		`{"a":`:                              `invalid JSON: the text ends too early at byte 5 within "a"`,
		`{"a":[{"b":"secret`:                 `invalid JSON: the text ends too early at byte 18 within "a.0"`,
		`"secret`:                            `invalid JSON: the text ends too early at byte 7`,
		`tru`:                                `invalid JSON: the text ends too early at byte 3`,
		`[1}`:                                `invalid JSON: invalid character '}' after array element (expecting ',' or ']') at byte 2`,
		`{"a":[{"b":nope}]}`:                 `invalid JSON: invalid character 'o' in literal null (expecting 'u') at byte 12 within "a.0"`,
		`{"a":["se` + "\n" + `cret"]}`:       `invalid JSON: invalid character '\n' in string (expecting non-control character) at byte 9 within "a.0"`,
		`{"a":["secret \u00zz secret"]}`:     `invalid JSON: invalid escape sequence in a string at byte 14 within "a.0"`,
		`{"a":1,}`:                           `invalid JSON: invalid character ',' at start of value at byte 6`,
		`{"a":01}`:                           `invalid JSON: invalid character '1' after object value (expecting ',' or '}') at byte 6`,
		`{1:2}`:                              `invalid JSON: object member name must be a string at byte 1`,
		`{"a":[1]} {"a":[2]}`:                `invalid JSON: more text after the end of the document at byte 9`,
		`null secret`:                        `invalid JSON: more text after the end of the document at byte 4`,
		`[1],`:                               ``,
		`{"a":[NaN]}`:                        `invalid JSON: invalid character 'N' at start of value at byte 6 within "a.0"`,
		strings.Repeat(`[`, 20000):           `invalid JSON: nested too deeply, more than 10000 levels at byte 10000 within "0.0`,
		strings.Repeat(`{"a":`, 20000) + `1`: `invalid JSON: nested too deeply, more than 10000 levels at byte 50000 within "a"`,
	} {
		for _, s := range []*page.Spec{field("a"), field("none"), field("."), detect()} {
			_, _, err := lines(t, &page.Decoder{}, body, s)
			if !isError(err) {
				t.Errorf("%.40q: got %v", body, err)
				continue
			}
			if s.Field == "a" && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%.40q:\n got %v\nwant %s", body, err, want)
			}
			if strings.Contains(err.Error(), "secret") || len(err.Error()) > 400 {
				t.Errorf("%.40q: the message quotes too much: %v", body, err)
			}
		}
	}
}

func TestABodyInUTF16OrUTF32IsNamedWithItsMarkOrWithout(t *testing.T) {
	want := "the answer is written in UTF-16 or UTF-32: ask the API for UTF-8"
	for _, body := range []string{
		"\xff\xfe[\x00]\x00",
		"\xfe\xff\x00[\x00]",
		"[\x00]\x00",
		"\x00[\x00]",
		"\xff\xfe\x00\x00[\x00\x00\x00]\x00\x00\x00",
		"\x00\x00\xfe\xff\x00\x00\x00[\x00\x00\x00]",
		"[\x00\x00\x00]\x00\x00\x00",
		"\x00\x00\x00[\x00\x00\x00]",
	} {
		for _, s := range []*page.Spec{field("a"), detect(), {Format: format(t, `"ndjson"`), Detect: true}} {
			if _, _, err := lines(t, &page.Decoder{}, body, s); !isError(err) || err.Error() != want {
				t.Errorf("%q:\n got %v\nwant %s", body, err, want)
			}
		}
	}
	for _, body := range []string{"\x00\x00", "\x00\x00\x00", "\x00\x00\x00\x00[", "\x00\x00[]"} {
		if _, _, err := lines(t, &page.Decoder{}, body, detect()); !isError(err) || err.Error() == want {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// The decoder's window moves with each byte, under what its errors point to.
func TestAnErrorQuotesNothingHoweverTheBodyComes(t *testing.T) {
	for _, body := range []string{
		`{"a":[{"name":"secret","b":{"c":["secret", nope]}}]}`,
		`{"a":[{"name":"secret","b":{"c":["secret","secret`,
		`{"a":[0,{"name":{"secret":"secret`,
	} {
		for _, s := range []*page.Spec{field("a"), field("."), detect()} {
			_, err := (&page.Decoder{}).Decode(iotest.OneByteReader(strings.NewReader(body)), s)
			var e *page.Error
			if !errors.As(err, &e) || strings.Contains(err.Error(), "secret") {
				t.Fatalf("%s: %v", body, err)
			}
			if s.Field != "." && !regexp.MustCompile(` within "a\.\d"$`).MatchString(err.Error()) {
				t.Errorf("%s: %v", body, err)
			}
		}
	}
}

func TestTheErrorOfTheBodyWinsOverTheOneItCauses(t *testing.T) {
	reset := fmt.Errorf("read tcp: %w", errors.New("connection reset by peer"))
	for _, cut := range []error{reset, io.ErrUnexpectedEOF, fmt.Errorf("wrapped: %w", io.EOF)} {
		for _, body := range []string{"", " ", `{`, `{"a":[1,`, `{"a":[1,2]`, `{"a":[1,2]}`, `{"a":[1,2]} `, `{"a":[1],"a":[2]}`, `"x`, `tr`, `12`} {
			for _, s := range []*page.Spec{field("a"), field("."), field("none"), detect()} {
				for _, src := range []io.Reader{
					io.MultiReader(strings.NewReader(body), iotest.ErrReader(cut)),
					&together{text: body, err: cut},
				} {
					p, err := (&page.Decoder{}).Decode(src, s)
					if p != nil || err != cut {
						t.Errorf("%q cut by %q: got %v", body, cut, err)
					}
				}
			}
		}
	}
}

// together gives its text and its error at once, and afterwards nothing good.
type together struct {
	text string
	err  error
}

func (r *together) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, r.err
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, r.err
}

func TestAValueAboveTheLimitIsAnErrorThatNamesIt(t *testing.T) {
	d := &page.Decoder{ItemLimit: 1 << 20}
	fits := `"` + strings.Repeat("x", 1<<20-2) + `"`
	over := `"` + strings.Repeat("x", 1<<20-1) + `"`
	endless := `"` + strings.Repeat("x", 3<<20)
	for _, c := range []struct{ body, want string }{
		{`{"a":[1,` + fits + `]}`, ``},
		{`{"b":` + fits + `,"a":[` + fits + `,` + fits + `]}`, ``},
		{`{"a":[1, ` + over + `]}`, `at byte 9 within "a.1"`},
		{`{"a":[1,` + endless, `at byte 7 within "a.1"`},
		{`{"a":[` + endless, `at byte 6 within "a.0"`},
		{`{"a":[{"k":[` + endless, `at byte 6 within "a.0"`},
		{`{"a":` + endless, `at byte 4 within "a"`},
		{`{"b":{"c":` + endless, `at byte 9 within "b.c"`},
		{`{"b":{"c":1,` + endless, `at byte 11 within "b"`},
		{`{"b":{"c":` + over + `}}`, `at byte 10 within "b.c"`},
		{endless, `at byte 0`},
		{`{"a":[]}` + strings.Repeat(" ", 3<<20), `at byte 8`},
	} {
		_, _, err := lines(t, d, c.body, field("a"))
		if c.want == "" {
			if err != nil {
				t.Errorf("%.20q: %v", c.body, err)
			}
			continue
		}
		want := "a value of more than 1 MiB, the limit for one item, " + c.want
		if err == nil || err.Error() != want || !isError(err) {
			t.Errorf("%.20q:\n got %v\nwant %s", c.body, err, want)
		}
	}
}

func TestManyMembersAndWantsCostNoMoreThanTheirText(t *testing.T) {
	var body strings.Builder
	body.WriteString(`{"a":[]`)
	s := field("a")
	for i := range 20000 {
		fmt.Fprintf(&body, `,"m%d":{"x":%d}`, i, i)
		if i%100 == 0 {
			s.Wants = append(s.Wants, item.Path{fmt.Sprintf("m%d", i), "x"})
		}
	}
	body.WriteString("}")
	_, p, err := lines(t, &page.Decoder{}, body.String(), s)
	if err != nil || string(p.Wanted[199]) != "19900" || p.Bytes != int64(body.Len()) {
		t.Errorf("got %q, %v", p.Wanted, err)
	}
}

func TestAResponseThatDoesNotEndIsAnError(t *testing.T) {
	for _, piece := range []string{`{"id":1},`, "0 \n,", `"x",`, `[[],{}],`} {
		for _, s := range []*page.Spec{detect(), field("none"), field("a")} {
			d := &page.Decoder{Folder: t.TempDir(), PageLimit: 256 << 10, HoldLimit: 25 << 10}
			p, err := d.Decode(io.MultiReader(strings.NewReader(`{"a":[`), &endless{text: piece, times: 1 << 30}), s)
			if p != nil || !isError(err) || err.Error() != "the response is longer than 262144 bytes, the limit for one page: ask for smaller pages" {
				t.Errorf("%q for ever: %v", piece, err)
			}
		}
	}
	d := &page.Decoder{Folder: t.TempDir(), PageLimit: 1 << 20}
	if _, _, err := lines(t, d, "["+strings.Repeat("0,", 1<<19-2)+"10]", detect()); err != nil {
		t.Errorf("as long as it may be: %v", err)
	}
	if _, _, err := lines(t, d, "[]"+strings.Repeat(" ", 2<<20), detect()); !isError(err) {
		t.Errorf("white space behind it: %v", err)
	}
}
