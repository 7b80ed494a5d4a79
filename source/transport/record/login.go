package record

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

const (
	maxLogin  = 16 << 20 // what of a login's answer is held to be cleaned
	maxPublic = 1000     // what of it is shown at one place
)

// What of a login's answer is shown: such names, and at the places
// that are public what may be a time, a number of seconds or an address.
var (
	ordinary = regexp.MustCompile(`^[A-Za-z0-9_.:$-]{1,40}$`)
	public   = regexp.MustCompile(`^([A-Za-z0-9 .,:+/-]{1,40}|https?://[A-Za-z0-9.:/_~-]+)$`)
)

// lenient reads whatever the decoder of pages does.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// cleanLogin is what a recording shows of a login's answer: every value is
// replaced but those at places, true, false and null. What is no JSON is replaced
// as a whole. A replayed login gives the placeholder as token.
func cleanLogin(answer []byte, places []item.Path) []byte {
	if len(answer) == 0 {
		return nil
	}
	value := jsontext.Value(bytes.TrimPrefix(answer, []byte("\xef\xbb\xbf")))
	if len(answer) > maxLogin || !value.IsValid(lenient...) {
		return []byte(secret.Hidden)
	}
	var out bytes.Buffer
	from, to := jsontext.NewDecoder(bytes.NewReader(value), lenient...), jsontext.NewEncoder(&out, lenient...)
	for {
		token, err := from.ReadToken()
		if err != nil { // only at the end: the text is valid
			return bytes.TrimSpace(out.Bytes())
		}
		if kind := token.Kind(); (kind == '"' || kind == '0') && !isPublic(from, token.String(), places) {
			token = jsontext.String(secret.Hidden)
		}
		_ = to.WriteToken(token) // what was read can be written
	}
}

// isPublic tells whether a name or a value that was just read may be shown.
func isPublic(from *jsontext.Decoder, text string, places []item.Path) bool {
	parent, n := from.StackIndex(from.StackDepth())
	if parent == '{' && n%2 == 1 {
		return ordinary.MatchString(text)
	}
	at := slices.Collect(from.StackPointer().Tokens())
	return len(text) <= maxPublic && public.MatchString(text) && slices.ContainsFunc(places, func(p item.Path) bool { return slices.Equal(p, at) })
}
