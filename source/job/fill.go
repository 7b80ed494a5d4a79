package job

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/request"
)

// Fill puts the values of placeholders into the endpoint of the job. They are
// escaped, but for an address at its beginning.
func (c *Child) Fill(values []jsontext.Value) (string, error) {
	endpoint := strings.TrimSpace(c.Job.Request.Endpoint)
	var f filling
	for rest := endpoint; rest != ""; {
		literal, _, _ := strings.Cut(rest, "{")
		f.write(literal)
		rest = rest[len(literal):]
		i, name := c.Begins(rest)
		if i < 0 {
			brace := min(1, len(rest))
			f.write(rest[:brace])
			rest = rest[brace:]
			continue
		}
		isFirst := len(rest) == len(endpoint)
		rest = rest[len("{"+name+"}"):]
		text, _ := item.Text(values[i])
		if isFirst && leads(text, rest) {
			text, rest = joinQueries(text, rest)
			f.write(text)
			continue
		}
		escaped := c.Placeholders[i].escape(text, f.inQuery)
		if f.makesDotSegment(escaped, rest) {
			return "", fmt.Errorf("placeholder %s: the value %.100q makes "+
				"a segment . or .. of the path, which leads elsewhere: "+
				"if it is an address, let the endpoint begin with {%s}", name, text, name)
		}
		f.write(escaped)
	}
	return f.text.String(), nil
}

// filling is an endpoint as far as its placeholders are filled in. It knows of the
// text only what the next value needs, so that many values take linear time.
type filling struct {
	text strings.Builder
	// inQuery tells that the text has a question mark.
	inQuery bool
	// segment is the beginning of the last segment.
	segment string
}

func (f *filling) write(text string) {
	f.text.WriteString(text)
	f.inQuery = f.inQuery || strings.Contains(text, "?")
	slash := strings.LastIndexByte(text, '/')
	if slash >= 0 {
		f.segment = ""
	}
	f.segment = beginning(f.segment + text[slash+1:])
}

// makesDotSegment tells whether a value that goes between the text and the rest makes
// a segment . or .. of the path.
func (f *filling) makesDotSegment(value, rest string) bool {
	if f.inQuery {
		return false
	}
	end, _, _ := strings.Cut(beginning(rest), "/")
	return hasDotSegment(f.segment + value + end)
}

// beginning is enough of a text to see that it is no segment . or ..
func beginning(text string) string {
	return text[:min(len(text), len("%2e%2e")+1)]
}

// leads tells whether a value at the beginning of an endpoint is an address, which
// the rest follows.
func leads(text, rest string) bool {
	return rest == "" || strings.HasPrefix(text, "/") || request.IsAbsolute(text)
}

// joinQueries prepares an address to stand before the rest of an endpoint.
func joinQueries(address, rest string) (string, string) {
	// What follows a # would take the rest along.
	address, _, _ = strings.Cut(address, "#")
	if strings.Contains(address, "?") && strings.HasPrefix(rest, "?") {
		// The address has a query already.
		rest = "&" + rest[1:]
	}
	return address, rest
}

// escape escapes a value for the path or the query, once.
func (p *Placeholder) escape(text string, query bool) string {
	switch {
	case p.Escaped && query:
		return text
	case p.Escaped:
		// The function urlencode makes + of a blank.
		return strings.ReplaceAll(text, "+", "%20")
	case query:
		return url.QueryEscape(text)
	}
	return request.Escape(text, func(i int) bool {
		printable := text[i] > ' ' && text[i] < 0x7f
		return !printable || strings.IndexByte("%?#", text[i]) >= 0
	})
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
