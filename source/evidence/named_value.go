package evidence

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// hasPairs tells whether a list is small, and has a name with its value.
func hasPairs(list jsontext.Value) bool {
	if !isSmall(list) {
		return false
	}
	for element := range item.Elements(list) {
		if _, member, _ := pairOf(element); member != "" {
			return true
		}
	}
	return false
}

// pairOf is what an object calls a value, with the member that has it; empty: it has no name beside a value.
func pairOf(object jsontext.Value) (called, member string, value jsontext.Value) {
	if item.Kind(object) != '{' {
		return "", "", nil
	}
	for quoted, v := range item.Members(object) {
		switch text := item.Unquote(quoted); Normal(strings.TrimPrefix(text, "@")) {
		case "name", "key":
			if item.Kind(v) == '"' {
				called = item.Unquote(v)
			}
		case "value":
			member, value = text, v
		}
	}
	if called == "" || member == "" {
		return "", "", nil
	}
	return called, member, value
}
