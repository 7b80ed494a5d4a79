package evidence

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sluice/pipeline/pattern"
)

// A WebLink is one of the links in a header Link (RFC 8288).
type WebLink struct {
	target string
	// params are the first of each name, names in lower case.
	params map[string]string
}

const blanks = " \t"

// linkParameter matches a parameter of a link: its name, and its value with or
// without quotes.
var linkParameter = pattern.Lazy(
	`^[ \t]*;[ \t]*([^=;,<>/" \t]*)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;," \t]*)))?`)

// unquoter takes away what quotes characters in a parameter.
var unquoter = strings.NewReplacer(`\\`, `\`, `\`, "")

// ParseLinks reads headers Link, joined by commas; with an error come the links
// before the broken place.
func ParseLinks(header string) (all []WebLink, err error) {
	rest := strings.TrimLeft(header, blanks+",")
	for rest != "" {
		target, after, isClosed := strings.Cut(rest, ">")
		if !isClosed || rest[0] != '<' {
			return all, brokenLink(header, rest)
		}
		l := WebLink{strings.TrimSpace(target[1:]), map[string]string{}}
		all = append(all, l)
		rest = strings.TrimLeft(l.parameters(after), blanks)
		if rest != "" && rest[0] != ',' {
			return all, brokenLink(header, rest)
		}
		rest = strings.TrimLeft(rest, blanks+",")
	}
	return all, nil
}

// brokenLink says where a header is broken, of which the rest could not be read.
func brokenLink(header, rest string) error {
	at := utf8.RuneCountInString(header[:len(header)-len(rest)]) + 1
	return fmt.Errorf("the header Link cannot be read from character %d on: "+
		"it must have links such as <address>; rel=\"next\", with commas between them. "+
		"If the API can be paged in another way, such as by numbers, set api.pagination to that", at)
}

// parameters reads what stands after an address, and returns what is after that.
func (l *WebLink) parameters(rest string) (after string) {
	for {
		m := linkParameter().FindStringSubmatch(rest)
		if m == nil {
			return rest
		}
		rest = rest[len(m[0]):]
		name, value := strings.ToLower(m[1]), unquoter.Replace(m[2])
		if value == "" {
			value = strings.Trim(m[3], "'")
		}
		if _, before := l.params[name]; !before {
			l.params[name] = value
		}
	}
}

// Related lists the different targets of a relation, but for those that say
// results="false".
func Related(links []WebLink, relation string) (targets []string) {
	seen := map[string]bool{"": true}
	for _, l := range links {
		hasNone := seen[l.target] || strings.EqualFold(l.params["results"], "false")
		if hasNone {
			continue
		}
		relations := strings.Fields(strings.ToLower(l.params["rel"]))
		if slices.Contains(relations, relation) {
			seen[l.target] = true
			targets = append(targets, l.target)
		}
	}
	return targets
}

// Resolved is the address in a header, which is relative to the one that was asked
// for.
func Resolved(asked, link string) string {
	if asked == "" {
		return link
	}
	base, err1 := url.Parse(asked)
	to, err2 := url.Parse(link)
	if err1 != nil || err2 != nil {
		return link
	}
	if to.IsAbs() {
		return link
	}
	return base.ResolveReference(to).String()
}
