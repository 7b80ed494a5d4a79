package paginate

import (
	"fmt"
	"net/url"
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

// parseLinks reads a header Link, or several joined by commas. With an error come the
// links up to the place that is broken.
func parseLinks(header string) ([]webLink, error) {
	r := &linkReader{text: header}
	var all []webLink
	for r.skip(" \t,"); r.at < len(header); r.skip(" \t,") {
		l, problem := r.link()
		if l.target != "" {
			all = append(all, l)
		}
		if problem != "" {
			return all, fmt.Errorf("the header Link is broken at character %d: %s: if the API can be paged in another way, such as by numbers, set api.pagination to that",
				utf8.RuneCountInString(header[:r.at])+1, problem)
		}
	}
	return all, nil
}

// linkReader reads a header Link from left to right.
type linkReader struct {
	text string
	at   int
}

func (r *linkReader) skip(set string) {
	for r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *linkReader) take(c byte) bool {
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

// until returns the text before the next byte of the set, or the rest.
func (r *linkReader) until(set string) string {
	rest := r.text[r.at:]
	if i := strings.IndexAny(rest, set); i >= 0 {
		rest = rest[:i]
	}
	r.at += len(rest)
	return rest
}

// link reads a target and its parameters.
func (r *linkReader) link() (l webLink, problem string) {
	if !r.take('<') {
		return l, "a link begins with <"
	}
	target := r.until(">")
	if !r.take('>') {
		return l, "there is no > after the address"
	}
	l = webLink{strings.TrimSpace(target), map[string]string{}}
	for r.skip(" \t"); r.take(';'); r.skip(" \t") {
		r.skip(" \t")
		name, value := strings.ToLower(r.until("=;, \t")), ""
		r.skip(" \t")
		if strings.ContainsAny(name, "<>\"/") {
			return l, "this is no name of a parameter: links have commas between them"
		}
		if r.take('=') {
			r.skip(" \t")
			if value, problem = r.value(); problem != "" {
				return l, problem
			}
		}
		if _, before := l.params[name]; !before {
			l.params[name] = value
		}
	}
	if r.at < len(r.text) && r.text[r.at] != ',' {
		return l, "after a link comes ; or ,"
	}
	return l, ""
}

// value reads a value, in quotes or not.
func (r *linkReader) value() (value, problem string) {
	if !r.take('"') {
		return strings.Trim(r.until(";, \t"), "'"), ""
	}
	var b strings.Builder
	for {
		b.WriteString(r.until(`"\`))
		switch {
		case r.take('"'):
			return b.String(), ""
		case r.take('\\') && r.at < len(r.text):
			b.WriteByte(r.text[r.at])
			r.at++
		default:
			return "", "there is no end of what stands in quotes"
		}
	}
}

// related lists the different targets that have a relation. Some APIs give a next link
// although nothing follows, and say so with results="false".
func related(links []webLink, relation string) (targets []string) {
	for _, l := range links {
		has := slices.Contains(strings.Fields(strings.ToLower(l.params["rel"])), relation)
		if has && !strings.EqualFold(l.params["results"], "false") && !slices.Contains(targets, l.target) {
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

// counted returns the address of the page that comes n after next, where the number of a
// page in the query is all that tells next from last; empty where it is not, or beyond last.
func counted(next, last string, n int) string {
	path, query, _ := strings.Cut(next, "?")
	lastPath, lastQuery, _ := strings.Cut(last, "?")
	parts, lastParts := strings.Split(query, "&"), strings.Split(lastQuery, "&")
	if path != lastPath || len(parts) != len(lastParts) {
		return ""
	}
	at := -1
	for i := range parts {
		if parts[i] == lastParts[i] {
			continue
		}
		if at >= 0 {
			return ""
		}
		at = i
	}
	if at < 0 {
		return ""
	}
	name, value, _ := strings.Cut(parts[at], "=")
	lastName, lastValue, _ := strings.Cut(lastParts[at], "=")
	from, err1 := strconv.Atoi(value)
	to, err2 := strconv.Atoi(lastValue)
	is := normalized(request.Unescape(name))
	numbers := is == "p" || strings.Contains(is, "page") && !strings.Contains(is, "offset") && !strings.Contains(is, "start")
	if err1 != nil || err2 != nil || !numbers || name != lastName || strconv.Itoa(from) != value || n > to-from {
		return ""
	}
	parts[at] = name + "=" + strconv.Itoa(from+n)
	return path + "?" + strings.Join(parts, "&")
}
