package item_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/fixtures/cases"
	"sluice/fixtures/kinds"
	"sluice/pipeline/item"
)

// checkElement reads a text as the element of an array.
func checkElement(t *testing.T, text []byte) {
	t.Helper()
	valid, compact := item.Valid(text, nil)
	for _, form := range [][2]string{{",", ","}, {" ,\n", "\t]"}} {
		array := append(append([]byte(form[0]), text...), form[1]...)
		begin, end, same, ok := item.Element(array, item.MaxDepth, nil)
		if !ok {
			if valid {
				t.Errorf("%.200q is no element", array)
			}
			continue
		}
		element := array[begin:end]
		isJSON := jsontext.Value(element).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		isOther := valid && (same != compact || !bytes.Equal(element, text))
		if !isJSON || isOther {
			t.Errorf("the element of %.200q is %.200q, compact: %t", array, element, same)
		}
		after, _ := item.Compact(nil, element)
		if same != bytes.Equal(after, element) {
			t.Errorf("the element %.200q is compact: %t", element, same)
		}
	}
}

func TestEachKindOfTextIsJudgedAsTheStandardSaysAndAsTheDecoderDoes(t *testing.T) {
	for _, k := range kinds.All() {
		text := []byte(k.Text)
		checkValid(t, text)
		checkElement(t, text)
		valid, _ := item.Valid(text, nil)
		isWrong := k.Verdict == kinds.Wrong && valid
		isRefused := k.Verdict == kinds.Right && !valid
		if isWrong || isRefused {
			t.Errorf("%.200q is valid: %t", text, valid)
		}
	}
}

// short are the texts of a verdict that other texts are made of.
func short(verdicts ...kinds.Verdict) (all []string) {
	for _, k := range kinds.All() {
		if slices.Contains(verdicts, k.Verdict) && len(k.Text) < 40 {
			all = append(all, k.Text)
		}
	}
	return all
}

// A leaf is a value, scraps are what is put into values.
var (
	leaf   = short(kinds.Right, kinds.Open)
	scraps = slices.Concat(short(kinds.Right, kinds.Open, kinds.Wrong), strings.Split("{ } [ ] , : \" \\ - . 0 e u", " "),
		[]string{" ", "\n", "\x80", "\x00", "é", "日", `\u`, `\"`})
)

// value appends a value to text.
func value(r *rand.Rand, text []byte, depth int) []byte {
	brackets := "{}"
	switch kind := r.IntN(3); {
	case depth == 0 || kind == 0:
		return append(text, leaf[r.IntN(len(leaf))]...)
	case kind == 1:
		brackets = "[]"
	}
	text = append(text, brackets[0])
	for i := range r.IntN(5) {
		if i > 0 {
			text = append(text, ", "[:1+r.IntN(2)]...)
		}
		if brackets == "{}" {
			text = append(text, `"name":`...)
		}
		text = value(r, text, depth-1)
	}
	return append(text, brackets[1])
}

// mutate breaks a text at one place, or not.
func mutate(r *rand.Rand, text []byte) []byte {
	at := r.IntN(len(text) + 1)
	switch end := min(at+r.IntN(3), len(text)); r.IntN(5) {
	case 0:
		return slices.Delete(text, at, end)
	case 1:
		return text[:at]
	case 2:
		return slices.Insert(text, at, text[at:end]...)
	case 3:
		return slices.Replace(text, at, end, []byte(scraps[r.IntN(len(scraps))])...)
	default:
		return slices.Insert(text, at, []byte(scraps[r.IntN(len(scraps))])...)
	}
}

func TestRandomValuesAndMutationsAreJudgedAsTheDecoderDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var text []byte
	for range cases.Raced(2_000, 20_000, 2_000_000) {
		text = value(r, text[:0], 4)
		checkElement(t, text)
		for range 1 + r.IntN(3) {
			text = mutate(r, text)
		}
		checkValid(t, text)
		if t.Failed() {
			return
		}
	}
}
