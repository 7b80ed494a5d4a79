package record

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/pipeline/secret"
)

// What of a login's answer is shown: such names, and what isPublic says.
var (
	ordinary = pattern.Lazy(`^[A-Za-z0-9_.:$-]+$`)
	plain    = pattern.Lazy(`^[A-Za-z0-9 .,:+/-]+$`)
	address  = pattern.Lazy(`^https?://[A-Za-z0-9.:/_~-]+$`)
)

// isPublic tells whether text, at a place that is public, may be a time, a number of seconds or an address.
func isPublic(text string) bool {
	if len(text) <= 40 && plain().MatchString(text) {
		return true
	}
	return len(text) <= 1000 && address().MatchString(text)
}

// lenient reads whatever the decoder of pages does.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// cleanLogin is a login's answer for a recording: of JSON the values at places, true, false and null, of JSON without
// an end that it is so, of others nothing.
func cleanLogin(answer []byte, places []item.Path) []byte {
	if len(answer) == 0 {
		return nil
	}
	value := jsontext.Value(bytes.TrimPrefix(answer, []byte("\xef\xbb\xbf")))
	kind := item.Kind(value)
	mayBeCut := kind == '{' || kind == '"'
	if mayBeCut && item.EndsEarly(value) {
		// A replay meets JSON without an end, too.
		return []byte("{")
	}
	if !value.IsValid(lenient...) {
		return []byte(secret.Hidden)
	}
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(value), lenient...)
	to := jsontext.NewEncoder(&out, lenient...)
	for {
		token, err := from.ReadToken()
		// Only at the end: the text is valid.
		if err != nil {
			return bytes.TrimSpace(out.Bytes())
		}
		isValue := token.Kind() == '"' || token.Kind() == '0'
		if isValue && !mayShow(from, token.String(), places) {
			token = jsontext.String(secret.Hidden)
		}
		// What was read can be written.
		_ = to.WriteToken(token)
	}
}

// mayShow tells whether a name or a value that was just read may be shown.
func mayShow(from *jsontext.Decoder, text string, places []item.Path) bool {
	parent, n := from.StackIndex(from.StackDepth())
	if parent == '{' && n%2 == 1 {
		return len(text) <= 40 && ordinary().MatchString(text)
	}
	at := slices.Collect(from.StackPointer().Tokens())
	return isPublic(text) && slices.ContainsFunc(places, func(p item.Path) bool { return slices.Equal(p, at) })
}
