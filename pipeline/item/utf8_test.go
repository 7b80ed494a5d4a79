package item_test

import (
	"testing"
	"unicode/utf8"

	"sluice/pipeline/item"
)

// mended tells what Compact makes of a string of these bytes between letters, which is a word of eight bytes or more.
func mended(text []byte) int {
	_, n := item.Compact(nil, append(append([]byte(`"1234567`), text...), '"'))
	return n
}

func TestCompactTakesForUTF8WhatTheStandardLibraryTakes(t *testing.T) {
	edges := []byte{
		'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
		0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
	}
	for _, first := range edges {
		for _, second := range edges {
			for _, third := range edges {
				for _, fourth := range edges {
					text := []byte{first, second, third, fourth}
					if got := mended(text) == 0; got != utf8.Valid(text) {
						t.Fatalf("% x: %v", text, got)
					}
				}
			}
		}
	}
}
