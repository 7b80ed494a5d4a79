package request

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/secret"
)

// An EndpointPiece of an endpoint is a text of the configuration, or a value in its place.
type EndpointPiece struct {
	Text string

	// What messages call the value; empty: it is a text of the configuration.
	Name string

	// The value is escaped for a URL already.
	Escaped bool

	// The value must not be shown.
	Secret bool

	// The value is an address if the endpoint is nothing else.
	Whole bool
}

// Join makes an endpoint of its parts, and what people may see of it; that is empty if it is the same. Values are
// escaped, but for an address at the beginning. With fills, numbers of paging will take the place of names in braces:
// those of values do not count.
func Join(parts []EndpointPiece, fills bool) (endpoint, shown string, err error) {
	parts = withoutNothing(parts)
	var j joined
	isAddress := false
	for i := range parts {
		p := &parts[i]
		switch {
		case p.Name == "":
			// An address may have a query already.
			isFirst := isAddress && i == 1
			j.write(p.Text, isFirst && j.inQuery)
		case i == 0 && p.leads(len(parts) == 1):
			isAddress = true
			// What follows a # would take the rest along.
			address, _, _ := strings.Cut(p.Text, "#")
			address = withoutBraces(address, fills)
			j.enter(address, p.Secret, hiddenAddress)
		default:
			escaped := withoutBraces(p.escape(j.inQuery), fills)
			if j.makesDotSegment(escaped, parts[i+1:]) {
				return "", "", p.leadsElsewhere()
			}
			j.enter(escaped, p.Secret, hiddenValue)
		}
	}
	if !j.hides {
		return j.text.String(), "", nil
	}
	return j.text.String(), j.shown.String(), nil
}

func withoutNothing(parts []EndpointPiece) []EndpointPiece {
	isNothing := func(p EndpointPiece) bool { return p.Name == "" && p.Text == "" }
	return slices.DeleteFunc(slices.Clone(parts), isNothing)
}

// HostOf is the host of an endpoint at a base, for people; empty: it is secret, or a value says it.
func HostOf(parts []EndpointPiece, base *url.URL) string {
	parts = withoutNothing(parts)
	if len(parts) == 0 || !IsAbsolute(parts[0].Text) {
		return base.Host
	}
	u, err := url.Parse(parts[0].Text)
	if err != nil || parts[0].Secret {
		return ""
	}
	if u.Path == "" && len(parts) > 1 {
		return ""
	}
	return u.Host
}

// leads tells whether a value at the beginning of an endpoint is an address.
func (p *EndpointPiece) leads(isAlone bool) bool {
	if isAlone && p.Whole {
		return true
	}
	return strings.HasPrefix(p.Text, "/") || IsAbsolute(p.Text)
}

// leadsElsewhere is the error of a value that makes a segment . or .. of the path.
func (p *EndpointPiece) leadsElsewhere() error {
	value := fmt.Sprintf("the value %.100q", p.Text)
	if p.Secret {
		value = "its value"
	}
	begin := "it"
	if name, isPlaceholder := strings.CutPrefix(p.Name, "placeholder "); isPlaceholder {
		begin = "{" + name + "}"
	}
	return fmt.Errorf("%s: %s makes a segment . or .. of the path, which leads elsewhere: "+
		"if it is an address, let the endpoint begin with %s", p.Name, value, begin)
}

// escape escapes a value for the path or the query, once.
func (p *EndpointPiece) escape(query bool) string {
	switch {
	case p.Escaped && query:
		return p.Text
	case p.Escaped:
		// The function urlencode makes + of a blank.
		return strings.ReplaceAll(p.Text, "+", "%20")
	case query:
		return url.QueryEscape(p.Text)
	}
	return Escape(p.Text, func(i int) bool {
		printable := p.Text[i] > ' ' && p.Text[i] < 0x7f
		return !printable || strings.IndexByte("%?#", p.Text[i]) >= 0
	})
}

// withoutBraces escapes those of a value.
func withoutBraces(value string, escapes bool) string {
	if !escapes {
		return value
	}
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(value)
}

// joined is an endpoint as far as its parts are written. It knows of the text only what the next value needs, so that
// many values take linear time.
type joined struct {
	text, shown strings.Builder

	// A value is hidden in shown.
	hides bool

	// The text has a question mark.
	inQuery bool

	// The beginning of the last segment.
	segment string
}

// write appends a text of the configuration; with goesOn it goes on with a query.
func (j *joined) write(text string, goesOn bool) {
	if goesOn && strings.HasPrefix(text, "?") {
		text = "&" + text[1:]
	}
	j.shown.WriteString(text)
	j.append(text)
}

// enter appends a value, of which people see what hide makes of it if it is secret.
func (j *joined) enter(text string, isSecret bool, hide func(string) string) {
	j.hides = j.hides || isSecret
	shown := text
	if isSecret {
		shown = hide(text)
	}
	j.shown.WriteString(shown)
	j.append(text)
}

func (j *joined) append(text string) {
	j.text.WriteString(text)
	j.inQuery = j.inQuery || strings.Contains(text, "?")
	slash := strings.LastIndexByte(text, '/')
	if slash >= 0 {
		j.segment = ""
	}
	j.segment = beginning(j.segment + text[slash+1:])
}

// makesDotSegment tells whether a value between what is written and the rest makes a segment . or .. of the path.
func (j *joined) makesDotSegment(value string, rest []EndpointPiece) bool {
	if j.inQuery {
		return false
	}
	end := ""
	if len(rest) > 0 {
		end, _, _ = strings.Cut(beginning(rest[0].Text), "/")
		// Of two values the second one shows it.
		if rest[0].Name != "" {
			end = "{}"
		}
	}
	return hasDotSegment(j.segment + value + end)
}

// beginning is enough of a text to see that it is no segment . or ..
func beginning(text string) string {
	return text[:min(len(text), len("%2e%2e")+1)]
}

// hasDotSegment tells whether the path of an endpoint has a segment . or ..
func hasDotSegment(endpoint string) bool {
	path, _, _ := strings.Cut(strings.ToLower(endpoint), "?")
	path = strings.ReplaceAll(path, "%2e", ".")
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// hiddenValue is a secret as people see it: [secret] for each segment of a path.
func hiddenValue(text string) string {
	segments := strings.Split(text, "/")
	for i, s := range segments {
		if s != "" {
			segments[i] = secret.Hidden
		}
	}
	return strings.Join(segments, "/")
}

// hiddenAddress is a secret address as people see it: its origin, and the names in its query.
func hiddenAddress(text string) string {
	path, query, hasQuery := strings.Cut(text, "?")
	origin := ""
	if IsAbsolute(path) {
		scheme, rest, _ := strings.Cut(path, "://")
		host, _, _ := strings.Cut(rest, "/")
		origin = scheme + "://" + host
	}
	shown := origin + hiddenValue(path[len(origin):])
	if !hasQuery {
		return shown
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		parts[i] = name + "=" + secret.Hidden
	}
	return shown + "?" + strings.Join(parts, "&")
}
