package page_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"sluice/source/page"
)

// unannounced is an answer whose body was cut wherever its JSON has no end.
type unannounced struct{}

func (unannounced) Cut(int64, bool) error { return io.ErrUnexpectedEOF }

func TestJSONWithoutAnEndIsCutIfItsAnswerSaysSo(t *testing.T) {
	for text, isCut := range map[string]bool{
		"":          true,
		" \n":       true,
		`[{"id":1`:  true,
		`{"a":[1],`: true,
		`{"a":]`:    false,
		`<html>`:    false,
		`[1] x`:     false,
	} {
		p, err := new(page.Decoder).Decode(strings.NewReader(text), &page.Spec{Detect: true, Answer: unannounced{}})
		p.Close()
		if errors.Is(err, io.ErrUnexpectedEOF) != isCut || err == nil {
			t.Errorf("%q: %v", text, err)
		}
		p, err = new(page.Decoder).Decode(strings.NewReader(text), &page.Spec{Detect: true})
		p.Close()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q, without an answer that says so: %v", text, err)
		}
	}
	lines := &page.Spec{Format: format(t, `"ndjson"`), Detect: true, Answer: unannounced{}}
	p, err := new(page.Decoder).Decode(strings.NewReader(""), lines)
	p.Close()
	if err != nil {
		t.Errorf("no lines: %v", err)
	}
}
