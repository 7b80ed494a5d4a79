package consent

import (
	"net/url"
	"strings"

	"sluice/source"
)

// A redirected is the query of the address that the API has sent the browser to.
type redirected struct {
	query url.Values

	// Told what came of it; buffered.
	outcome chan<- error
}

// mostPasted is how long an answer may be, in bytes.
const mostPasted = 64 << 10

// answerIn finds the answer in what a person has pasted: an address, or the query of one.
func answerIn(c *source.Consent, line string) (url.Values, bool) {
	line = strings.Trim(line, `"'<>`)
	_, text, isAddress := strings.Cut(line, "?")
	if !isAddress {
		text = line
	}
	text, _, _ = strings.Cut(text, "#")
	query, err := url.ParseQuery(text)
	return query, err == nil && query.Has("state") && c.IsAnswer(query)
}
