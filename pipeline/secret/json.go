package secret

import (
	"bytes"
	"encoding/json"
	"slices"

	"sluice/pipeline/pattern"
)

// quoted is a string, which may lack its end.
var quoted = pattern.Lazy(`(?s)"(?:[^"\\]|\\.?)*"?`)

// RedactJSON returns JSON text with every secret in its strings replaced, but for names of members. Strings that are
// chosen names, or one of shown, stay whole.
func (s *Set) RedactJSON(text []byte, shown ...string) []byte {
	var out []byte
	// Up to here text is in out.
	done := 0
	for _, at := range quoted().FindAllIndex(text, -1) {
		begin, end := at[0], at[1]
		if rest := bytes.TrimLeft(text[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			continue
		}
		var value string
		if json.Unmarshal(text[begin:end], &value) != nil {
			// It was not valid.
			value = string(text[begin:end])
		}
		if slices.Contains(shown, value) {
			continue
		}
		if redacted := s.Name(value); redacted != value {
			out = append(out, text[done:begin]...)
			out = append(out, quote(redacted)...)
			done = end
		}
	}
	return append(out, text[done:]...)
}

// quote escapes what JSON demands and nothing else, as most programs do.
func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string cannot fail.
	_ = enc.Encode(text)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
