package openapi

import (
	"fmt"
	"strings"
)

// A Certainty is how well something is known.
type Certainty string

// The certainties, best first.
const (
	// Sure: the document says it.
	Sure Certainty = "sure"
	// Likely: names in the document suggest it, as they are usual.
	Likely Certainty = "likely"
	// Unknown: the document does not say it, or a configuration cannot have it.
	Unknown Certainty = "unknown"
)

// An AccountLine says one thing of a configuration.
type AccountLine struct {
	Certainty Certainty `json:"certainty"`
	Text      string    `json:"text"`
}

func faultf(format string, of ...any) error { return fmt.Errorf(format, of...) }

// shortened is the beginning of a text from outside.
func shortened(text string) string {
	const most = 80
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
