package paginate

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sluice/source/request"
)

// A webLink is one of the links in a header Link (RFC 8288).
type webLink struct {
	target string
	params map[string]string // the first of each name, names in lower case
}

const blanks = " \t"

// linkParameter matches a parameter of a link: its name, and its value with or without quotes.
var linkParameter = regexp.MustCompile(`^[ \t]*;[ \t]*([^=;,<>/" \t]*)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;," \t]*)))?`)

// parseLinks reads headers Link, joined by commas; with an error come the links before the broken place.
func parseLinks(header string) (all []webLink, err error) {
	for rest := strings.TrimLeft(header, blanks+","); rest != ""; rest = strings.TrimLeft(rest, blanks+",") {
		target, after, ok := strings.Cut(rest, ">")
		if ok = ok && rest[0] == '<'; ok {
			l := webLink{strings.TrimSpace(target[1:]), map[string]string{}}
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
func (l *webLink) parameters(rest string) (after string) {
	for m := linkParameter.FindStringSubmatch(rest); m != nil; m = linkParameter.FindStringSubmatch(rest) {
		rest = rest[len(m[0]):]
		name, value := strings.ToLower(m[1]), strings.NewReplacer(`\\`, `\`, `\`, "").Replace(m[2])
		if _, before := l.params[name]; !before {
			l.params[name] = cmp.Or(value, strings.Trim(m[3], "'"))
		}
	}
	return rest
}

// related lists the different targets of a relation, but for those that say results="false".
func related(links []webLink, relation string) (targets []string) {
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

// resolved is the address in a header, which is relative to the one that was asked for.
func resolved(asked, link string) string {
	base, err1 := url.Parse(asked)
	to, err2 := url.Parse(link)
	if err1 != nil || err2 != nil || to.IsAbs() || asked == "" {
		return link
	}
	return base.ResolveReference(to).String()
}

// counted returns the address n pages after next, and how many come after next, where the number of a page alone tells it from last.
func counted(next, last string, n int) (address string, left int) {
	a, b := strings.Split(next, "&"), strings.Split(last, "&")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	if i == min(len(a), len(b)) || !slices.Equal(a[i+1:], b[i+1:]) || !strings.Contains(a[0], "?") {
		return "", 0
	}
	param, value, _ := strings.Cut(a[i], "=")
	lastParam, lastValue, _ := strings.Cut(b[i], "=")
	name := normalized(request.Unescape(param[strings.LastIndexByte(param, '?')+1:]))
	from, err1 := strconv.Atoi(value)
	to, err2 := strconv.Atoi(lastValue)
	isPage := name == "p" || strings.Contains(name, "page") && !strings.Contains(name, "offset") && !strings.Contains(name, "start")
	if param != lastParam || !isPage || err1 != nil || err2 != nil || strconv.Itoa(from) != value || n > to-from || from == to {
		return "", 0
	}
	a[i] = param + "=" + strconv.Itoa(from+n)
	return strings.Join(a, "&"), to - from
}
