package page_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sluice/fixtures/cases"
	"sluice/fixtures/kinds"
	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/page"
)

// unscanned is a decoder without the scan, and scanned are some that have windows of several sizes. Decoders are
// kept, since a window is large.
var unscanned, scanned = func() (plain *page.Decoder, others []*page.Decoder) {
	plain = &page.Decoder{}
	plain.SetScan(math.MaxInt64, 0)
	for _, window := range []int{64, 65, 1000, 1 << 16, 4 << 20} {
		d := &page.Decoder{}
		d.SetScan(1, window)
		others = append(others, d)
	}
	return plain, others
}()

// inParts is how an error names a character of several bytes: if it comes in parts, its first byte.
var inParts = regexp.MustCompile(`'(\\[xuU][0-9a-f]+|[^\x00-\x7f]+)'`)

// outcome is all that a decoder says of a body.
func outcome(t *testing.T, d *page.Decoder, body []byte, s page.Spec, slow bool) string {
	t.Helper()
	var each []byte
	s.Top = &item.Top{Name: []byte(`"id"`)}
	s.Each = func(text []byte) error {
		checkTop(t, s.Top, text)
		each = append(append(each, text...), '|')
		return nil
	}
	var src io.Reader = bytes.NewReader(body)
	if slow {
		src = iotest.OneByteReader(src)
	}
	p, err := d.Decode(src, &s)
	if err != nil {
		return inParts.ReplaceAllString(err.Error(), "a character")
	}
	facts := fmt.Sprintln(p.Items, p.Hash, p.First, p.Last, p.Bytes, p.Replaced, p.Field, p.Selected, p.Beside)
	for _, w := range p.Wanted {
		facts += string(w) + "\n"
	}
	return facts + string(each) + fmt.Sprint(given(t, p))
}

// checkTop compares what the scan has found in an item with what another look finds.
func checkTop(t *testing.T, top *item.Top, text []byte) {
	t.Helper()
	if !top.Known {
		return
	}
	var want []byte
	for name, value := range item.Members(text) {
		if item.NameIs(name, item.Unquote(top.Name)) {
			want = value
			break
		}
	}
	if !bytes.Equal(top.Value, want) {
		t.Errorf("of %.300q: %.100q, want %.100q", text, top.Value, want)
	}
}

func checkScan(t *testing.T, body []byte, path string, slow bool) {
	t.Helper()
	s := page.Spec{Detect: path == "", Field: path, Wants: []item.Path{{"a"}, {"a", "2"}, {"z"}}, Notable: evidence.Notable}
	if !s.Detect {
		s.Select = item.ParsePath(path, ".")
	}
	want := outcome(t, unscanned, body, s, slow)
	s.Plan()
	for i, d := range scanned {
		if got := outcome(t, d, body, s, slow); got != want {
			t.Errorf("window %d, %q in %.300q:\n%.600s\nwithout the scan:\n%.600s", i, path, body, got, want)
		}
	}
}

// long are bodies of which most is items, with all kinds of what may be wrong in one.
func long() (all [][]byte) {
	kinds := []string{
		`1`, `"x"`, `{"id":1,"a":[true,null,{"b":"é\u00e9\""}]}`, `{ "id" : 2 }`, `[ ]`, `{}`, `""`, `null`, `-0.5e-7`,
		"\"\xff\"", `"\ud800"`, `"` + string(bytes.Repeat([]byte("long "), 30)) + `"`,
		`tru`, `{"a"}`, `{"a":1,}`, `[1}`, `"\x"`, `01`, `1.`, "\"\n\"", `{"a":1 "b"}`, ``, `}`, `,`, `1 2`, `<html>`,
	}
	for _, odd := range kinds {
		for _, end := range []string{`],"z":{"more":[1]}}`, ` ] }`, `]}{`, `]`, `}`, ``, `,]}`} {
			items := append(slices.Repeat(kinds[:6], 3), odd, `{"id":9}`)
			body := []byte(`{"total":7,"a":[`)
			for i, text := range items {
				if i > 0 {
					body = append(body, ", "[:1+i%2]...)
				}
				body = append(body, text...)
			}
			all = append(all, append(body, end...))
		}
	}
	return all
}

func TestAScanSaysWhatTheDecoderSays(t *testing.T) {
	for _, body := range long() {
		for _, path := range []string{"a", "", ".", "a.2", "*"} {
			checkScan(t, body, path, false)
		}
		checkScan(t, body[len(`{"total":7,"a":`):], "", false)
	}
}

func TestAScanFindsAMemberOfAnItemOnItsWay(t *testing.T) {
	for text, known := range map[string]bool{
		`{"id":1}`: true, `{"a":{"id":2},"id":"x","id":3}`: true, `{"a":[{"id":2}]}`: true, `[{"id":1}]`: true, `5`: true,
		`{ "id" : 1 }`: true, `{ "id" : [1, 2] }`: false, `{"id":[1,2]}`: true, "{\"id\":\"\xff\"}": false,
		`{"i\u0064":1}`: false, `{"id":1,"x\n":2}`: true, `{"x\n":2,"id":1}`: false,
	} {
		body := []byte(`[1,2,3,4,` + text + `,6]`)
		top := &item.Top{Name: []byte(`"id"`)}
		number := 0
		s := &page.Spec{Detect: true, Top: top, Each: func(text []byte) error {
			number++
			checkTop(t, top, text)
			isIt := number == 5
			if isIt && top.Known != known {
				t.Errorf("%s: looked through: %t", text, top.Known)
			}
			return nil
		}}
		if _, err := scanned[2].Decode(bytes.NewReader(body), s); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAScanOfABodyThatComesSlowlyOrIsCutSaysTheSame(t *testing.T) {
	for i, body := range long() {
		if i%7 == 0 {
			checkScan(t, body, "a", true)
		}
	}
	for _, body := range long()[:3] {
		for end := range body {
			checkScan(t, body[:end], "a", false)
		}
	}
}

// within is a text as an item among others.
func within(text string) []byte {
	return []byte(`{"total":7,"a":[1, "x",{"id":2}, [ ],` + text + `,{"id":9}],"z":[1]}`)
}

func TestAScanSaysOfEachKindOfItemWhatTheDecoderSays(t *testing.T) {
	for i, k := range kinds.All() {
		body := within(k.Text)
		checkScan(t, body, "a", false)
		checkScan(t, body, "a", true)
		isChosen := cases.All() || i%9 == 0
		if !isChosen || len(body) > 300 {
			continue
		}
		for end := range body {
			checkScan(t, body[:end], "a", false)
		}
	}
}

func TestAScanOfRandomPagesSaysWhatTheDecoderSays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := kinds.All()
	for range cases.Raced(100, 500, 100_000) {
		var items []string
		for range r.IntN(40) {
			k := all[r.IntN(len(all))]
			isUsual := k.Verdict != kinds.Wrong && len(k.Text) < 300
			if isUsual || r.IntN(100) == 0 {
				items = append(items, k.Text)
			}
		}
		body := within(strings.Join(items, ",\n"[:1+r.IntN(2)]))
		checkScan(t, body, "a", false)
		at := r.IntN(len(body))
		body[at] = byte(r.IntN(256))
		checkScan(t, body, "a", false)
	}
}

func FuzzScan(f *testing.F) {
	for _, body := range long() {
		f.Add(body, "a")
		f.Add(body[len(`{"total":7,"a":`):], "")
	}
	for _, k := range kinds.All() {
		f.Add(within(k.Text), "a")
	}
	f.Fuzz(func(t *testing.T, body []byte, path string) { checkScan(t, body, path, false) })
}
