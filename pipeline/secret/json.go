package secret

import (
	"bytes"
	"encoding/json"
)

// RedactJSON returns JSON text with every secret in its strings replaced. The names of
// members and the numbers stay, and so does the text: if it was valid, it still is.
func (s *Set) RedactJSON(text []byte) []byte {
	var out []byte
	shown := 0 // up to here text is in out
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		begin := i
		for i++; i < len(text) && text[i] != '"'; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		end := min(i+1, len(text))
		if rest := bytes.TrimLeft(text[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			continue
		}
		var value string
		if json.Unmarshal(text[begin:end], &value) != nil {
			value = string(text[begin:end]) // it was not valid
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
	_ = enc.Encode(text) // a string cannot fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
