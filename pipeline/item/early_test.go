package item_test

import (
	"testing"

	"sluice/pipeline/item"
)

func TestEveryBeginningOfAValueEndsEarly(t *testing.T) {
	const value = ` {"a":[1,-2.5e3,null,true],"b":"\u00e9\n é","a":{}}`
	for n := range len(value) + 1 {
		if got := item.EndsEarly([]byte(value[:n])); got != (n < len(value)) {
			t.Errorf("%q: %t", value[:n], got)
		}
	}
	for _, text := range []string{`{"a":]`, `{"a" 1`, `<html>`, `[1] `, `[1] x`, `"a"`, `12`, `user=a`} {
		if item.EndsEarly([]byte(text)) {
			t.Errorf("%q ends early", text)
		}
	}
}
