// Package escape reads YAML that has escapes of JSON which YAML does not have.
package escape

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"sluice/pipeline/pattern"
)

// escapes matches an escape: first two that are a pair, as JSON writes one emoji, then half a pair, then any other, so that
// the second of two backslashes begins none.
var escapes = pattern.Lazy(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.`)

// Unmarshal reads YAML. Generators that pass through JSON write pairs of surrogates, which are read as JSON reads them.
func Unmarshal(text []byte) (document yaml.Node, err error) {
	err = yaml.Unmarshal(text, &document)
	if err != nil {
		document = yaml.Node{}
		err = yaml.Unmarshal(Surrogates(text), &document)
	}
	return document, err
}

// Surrogates is a text of YAML in which each pair of surrogates is the escape of one character, and half a pair that of U+FFFD, as
// JSON is read. Lines stay lines.
func Surrogates(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	return escapes().ReplaceAllFunc(text, func(escape []byte) []byte {
		const one, two = len(`\ud83d`), len(`\ud83d\ude00`)
		switch len(escape) {
		case one:
			return fmt.Appendf(nil, `\u%04X`, utf8.RuneError)
		case two:
			return fmt.Appendf(nil, `\U%08X`, utf16.DecodeRune(half(escape[:one]), half(escape[one:])))
		}
		return escape
	})
}

// half is the value of an escape of four digits.
func half(escape []byte) rune {
	// The pattern lets digits through only.
	value, _ := hex.DecodeString(string(escape[len(`\u`):]))
	return rune(binary.BigEndian.Uint16(value))
}
