package page_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"sluice/source/page"
)

func TestAnItemKeepsItsBytes(t *testing.T) {
	for _, text := range []string{
		`1e400`, `1.0`, `-0`, `1E+2`, `9007199254740993`, `123456789012345678901234567890.10`,
		`"\u00e9\/\"\\\b\f\n\r\t"`, `"é日本語😀"`, `"\ud83d\ude00"`, `"\ud800"`, `"\udc00\ud800 x"`, "\"\u2028<>&\"", `""`,
		`{"a":1,"b":2,"a":3,"":{"":[]}}`, `{"z":1,"a":[true,false,null,{}]}`, `" two  spaces , [ \" ] "`,
		"\"\u007f\uFFFD\"",
	} {
		for _, body := range []string{`{"a":[` + text + `]}`, `{"x":1,"a" : [ ` + text + "\n]\t}"} {
			got, p, err := lines(t, &page.Decoder{}, body, field("a"))
			if err != nil || len(got) != 1 || got[0] != text+"\n" || p.Replaced != 0 {
				t.Errorf("%s became %q, %v", text, got, err)
			}
		}
	}
}

func TestInvalidUTF8IsMendedAndCounted(t *testing.T) {
	got, p, err := lines(t, &page.Decoder{}, "{\"\xff\":\"\xff\",\"a\":[\"\xff\xfe.\xe2\x82\",{\"\xc3\":1},\"\xed\xa0\x80\"]}", field("a"))
	if err != nil {
		t.Fatal(err)
	}
	want := "\"\uFFFD\uFFFD.\uFFFD\uFFFD\"\n{\"\uFFFD\":1}\n\"\uFFFD\uFFFD\uFFFD\"\n"
	if text := strings.Join(got, ""); text != want || p.Replaced != 8 {
		t.Errorf("got %q, %d replaced", text, p.Replaced)
	}
}

func TestAByteOrderMarkIsNoPartOfTheJSON(t *testing.T) {
	for _, body := range []string{"\ufeff[1,2]", "\ufeff\n[1,2]"} {
		p, err := (&page.Decoder{}).Decode(iotest.OneByteReader(strings.NewReader(body)), detect())
		if err != nil || p.Items != 2 {
			t.Errorf("%q: %v", body, err)
		}
	}
	if _, _, err := lines(t, &page.Decoder{}, "\ufeff\ufeff[1]", detect()); err == nil {
		t.Error("two marks are taken")
	}
	if _, p, err := lines(t, &page.Decoder{}, "\ufeff", detect()); err != nil || p.Items != 0 {
		t.Errorf("nothing but the mark: %v", err)
	}
}

func TestTheBodyMayComeInAnyPieces(t *testing.T) {
	body := string(workload())
	want, _, err := lines(t, &page.Decoder{}, body, detect())
	if err != nil || len(want) != 1000 {
		t.Fatal(len(want), err)
	}
	p, err := (&page.Decoder{}).Decode(iotest.DataErrReader(iotest.HalfReader(strings.NewReader(body))), detect())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(given(t, p), "") != strings.Join(want, "") {
		t.Error("the items differ")
	}
}
