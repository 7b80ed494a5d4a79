package secret

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
)

// formsOf returns the ways in which v may stand in a text without escapes, and what v is if it is escaped
// itself; too short a value has none.
func formsOf(v string) []string {
	var all []string
	for range maxDepth {
		all = append(all, formsOfPlain(v)...)
		plain := escapedText{text: v}.unescape('%', urlEscape).text
		if plain == v {
			break
		}
		v = plain
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// formsOfPlain are those of v as it is.
func formsOfPlain(v string) []string {
	if len(v) < shortest {
		return nil
	}
	last := len(v) - 1
	// A quote at an end may belong to the text around the value.
	inTable := v[:1] + strings.ReplaceAll(v[1:last], `"`, `""`) + v[last:]
	inForm := strings.ReplaceAll(v, " ", "+")
	inJSON := string([]rune(v))
	all := []string{v, inForm, inJSON, inTable}
	inText := append(inURL(v), v)
	slices.Sort(inText)
	for _, plain := range slices.Compact(inText) {
		all = append(all, inBase64(plain)...)
	}
	return all
}

// inURL returns v as a form and a path of a URL have it, and by RFC 3986 and encodeURIComponent.
func inURL(v string) (all []string) {
	form := url.QueryEscape(v)
	strict := strings.ReplaceAll(form, "+", "%20")
	script := strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(strict)
	for _, escaped := range []string{form, url.PathEscape(v), strict, script} {
		all = append(all, escaped, lowerHex(escaped))
	}
	return all
}

// inBase64 returns v in base64, alone, and as it stands within a longer text. Of the latter, for each of the three
// places in a group where v may begin, it returns the characters that the bytes beside v do not change.
func inBase64(v string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		all = append(all, enc.EncodeToString([]byte(v)))
		for shift := range 3 {
			padded := append(make([]byte, shift), v...)
			from := (shift*8 + 5) / 6
			to := len(padded) * 8 / 6
			all = append(all, enc.EncodeToString(padded)[from:to])
		}
	}
	return all
}

// lowerHex writes the escapes of a URL as some servers do.
func lowerHex(escaped string) string {
	b := []byte(escaped)
	for i := range b {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}
