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
	var b strings.Builder
	for rest := endpoint; rest != ""; {
		literal, _, _ := strings.Cut(rest, "{")
		b.WriteString(literal)
		rest = rest[len(literal):]
		i, name := c.Begins(rest)
		if i < 0 {
			brace := min(1, len(rest))
			b.WriteString(rest[:brace])
			rest = rest[brace:]
			continue
		}
		whole, first := b.String()+rest, rest == endpoint
		rest = rest[len("{"+name+"}"):]
		text, _ := item.Text(values[i])
		if first && leads(text, rest) {
			text, rest = joinQueries(text, rest)
			b.WriteString(text)
			continue
		}
		inQuery := strings.Contains(b.String(), "?")
		b.WriteString(c.Placeholders[i].escape(text, inQuery))
		if dotSegments(b.String()+rest) > dotSegments(whole) {
			return "", fmt.Errorf("placeholder %s: the value %.100q makes "+
				"a segment . or .. of the path, which leads elsewhere: "+
				"if it is an address, let the endpoint begin with {%s}", name, text, name)
		}
	}
	return b.String(), nil
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

// Begins returns which placeholder text begins with, negative for none, and its name
// there: {2:id} and {id} stand for 2:id. Of equal names the name as it stands
// counts, then that of the nearest level.
func (c *Child) Begins(text string) (found int, name string) {
	found = -1
	for i, p := range c.Placeholders {
		if p.Above == 0 && strings.HasPrefix(text, "{"+p.Name+"}") {
			return i, p.Name
		}
		bare := p.BareName()
		if !strings.HasPrefix(text, "{"+bare+"}") {
			continue
		}
		if found < 0 || p.Level < c.Placeholders[found].Level {
			found, name = i, bare
		}
	}
	return found, name
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

// dotSegments counts the segments . and .. in the path of an endpoint.
func dotSegments(endpoint string) (n int) {
	path, _, _ := strings.Cut(strings.ToLower(endpoint), "?")
	path = strings.ReplaceAll(path, "%2e", ".")
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			n++
		}
	}
	return n
}
