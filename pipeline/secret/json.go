package secret

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// quoted is a string, which may lack its end.
var quoted = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.?)*"?`)

// RedactJSON returns JSON text with every secret in its strings replaced, but for names of members.
func (s *Set) RedactJSON(text []byte) []byte {
	var out []byte
	// Up to here text is in out.
	shown := 0
	for _, at := range quoted.FindAllIndex(text, -1) {
		begin, end := at[0], at[1]
		if rest := bytes.TrimLeft(text[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			continue
		}
		var value string
		if json.Unmarshal(text[begin:end], &value) != nil {
			// It was not valid.
			value = string(text[begin:end])
		}
		if redacted := s.Redact(value); redacted != value {
			out = append(out, text[shown:begin]...)
			out = append(out, quote(redacted)...)
			shown = end
		}
	}
	return append(out, text[shown:]...)
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
