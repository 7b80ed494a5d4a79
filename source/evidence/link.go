package evidence

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A WebLink is one of the links in a header Link (RFC 8288).
type WebLink struct {
	target string
	params map[string]string // the first of each name, names in lower case
}

const blanks = " \t"

// linkParameter matches a parameter of a link: its name, and its value with or without quotes.
var linkParameter = regexp.MustCompile(`^[ \t]*;[ \t]*([^=;,<>/" \t]*)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;," \t]*)))?`)

// ParseLinks reads headers Link, joined by commas; with an error come the links before the broken place.
func ParseLinks(header string) (all []WebLink, err error) {
	for rest := strings.TrimLeft(header, blanks+","); rest != ""; rest = strings.TrimLeft(rest, blanks+",") {
		target, after, ok := strings.Cut(rest, ">")
		if ok = ok && rest[0] == '<'; ok {
			l := WebLink{strings.TrimSpace(target[1:]), map[string]string{}}
			all = append(all, l)
			rest = strings.TrimLeft(l.parameters(after), blanks)
		}
		if !ok || rest != "" && rest[0] != ',' {
			return all, fmt.Errorf("the header Link is broken at character %d, it must have links such as <address>; rel=\"next\" with commas between them: if the API can be paged in another way, such as by numbers, set api.pagination to that",
				utf8.RuneCountInString(header[:len(header)-len(rest)])+1)
		}
	}
	return all, nil
}

// parameters reads what stands after an address, and returns what is after that.
func (l *WebLink) parameters(rest string) (after string) {
	for m := linkParameter.FindStringSubmatch(rest); m != nil; m = linkParameter.FindStringSubmatch(rest) {
		rest = rest[len(m[0]):]
		name, value := strings.ToLower(m[1]), strings.NewReplacer(`\\`, `\`, `\`, "").Replace(m[2])
		if _, before := l.params[name]; !before {
			l.params[name] = cmp.Or(value, strings.Trim(m[3], "'"))
		}
	}
	return rest
}

// Related lists the different targets of a relation, but for those that say results="false".
func Related(links []WebLink, relation string) (targets []string) {
	seen := map[string]bool{"": true}
	for _, l := range links {
		relations := strings.Fields(strings.ToLower(l.params["rel"]))
		has := slices.Contains(relations, relation) && !strings.EqualFold(l.params["results"], "false")
		if has && !seen[l.target] {
			seen[l.target] = true
			targets = append(targets, l.target)
		}
	}
	return targets
}

// Resolved is the address in a header, which is relative to the one that was asked for.
func Resolved(asked, link string) string {
	base, err1 := url.Parse(asked)
	to, err2 := url.Parse(link)
	if err1 != nil || err2 != nil || to.IsAbs() || asked == "" {
		return link
	}
	return base.ResolveReference(to).String()
}
