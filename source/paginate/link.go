package paginate

import (
	"slices"
	"strings"
)

// nextLink returns the target whose relation is next of a header Link (RFC 8288).
func nextLink(header string) string {
	for rest := header; ; {
		_, after, found := strings.Cut(rest, "<")
		if !found {
			return ""
		}
		target, params, _ := strings.Cut(after, ">")
		params, rest = parameters(params)
		next, none := false, false
		for param := range strings.SplitSeq(params, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
			value = strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`))
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "rel":
				next = slices.Contains(strings.Fields(value), "next")
			case "results": // Sentry gives a link even where nothing follows
				none = value == "false"
			}
		}
		if next && !none {
			return target
		}
	}
}

// parameters splits what follows a target at the comma before the next link.
func parameters(text string) (params, rest string) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
