package source

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/request"
)

// fill puts the values of placeholders into an endpoint (docs/decisions.md, section 2).
func (c *child) fill(endpoint string, values []jsontext.Value) (string, error) {
	endpoint = strings.TrimSpace(endpoint)
	var b strings.Builder
	for rest := endpoint; rest != ""; {
		literal, _, _ := strings.Cut(rest, "{")
		b.WriteString(literal)
		rest = rest[len(literal):]
		i, name := c.begins(rest)
		if i < 0 {
			b.WriteString(rest[:min(1, len(rest))])
			rest = rest[min(1, len(rest)):]
			continue
		}
		whole, first := b.String()+rest, rest == endpoint
		rest = rest[len("{"+name+"}"):]
		text, _ := item.Text(values[i])
		if first && (rest == "" || strings.HasPrefix(text, "/") || request.IsAbsolute(text)) {
			text, _, _ = strings.Cut(text, "#") // it would take the rest of the endpoint along
			if strings.Contains(text, "?") && strings.HasPrefix(rest, "?") {
				rest = "&" + rest[1:] // the address has a query already
			}
			b.WriteString(text)
			continue
		}
		b.WriteString(c.placeholders[i].escape(text, strings.Contains(b.String(), "?")))
		if dotSegments(b.String()+rest) > dotSegments(whole) {
			return "", fmt.Errorf("placeholder %s: the value %.100q makes a segment . or .. of the path, which leads elsewhere: if it is an address, let the endpoint begin with {%s}", name, text, name)
		}
	}
	return b.String(), nil
}

// begins returns which placeholder text begins with, negative for none, and its name there: {2:id} and {id}
// stand for 2:id. Of equal names the name as it stands counts, then that of the nearest level.
func (c *child) begins(text string) (found int, name string) {
	found = -1
	for i, p := range c.placeholders {
		if p.above == 0 && strings.HasPrefix(text, "{"+p.name+"}") {
			return i, p.name
		}
		if bare := bareName(p.name); strings.HasPrefix(text, "{"+bare+"}") && (found < 0 || p.level < c.placeholders[found].level) {
			found, name = i, bare
		}
	}
	return found, name
}

// escape escapes a value for the path or the query, once.
func (p *placeholder) escape(text string, query bool) string {
	switch {
	case p.escaped && query:
		return text
	case p.escaped:
		return strings.ReplaceAll(text, "+", "%20") // urlencode makes it of a blank
	case query:
		return url.QueryEscape(text)
	}
	return request.Escape(text, func(i int) bool { return text[i] <= ' ' || text[i] >= 0x7f || strings.IndexByte("%?#", text[i]) >= 0 })
}

// dotSegments counts the segments . and .. in the path of an endpoint.
func dotSegments(endpoint string) (n int) {
	path, _, _ := strings.Cut(strings.ToLower(endpoint), "?")
	for segment := range strings.SplitSeq(strings.ReplaceAll(path, "%2e", "."), "/") {
		if segment == "." || segment == ".." {
			n++
		}
	}
	return n
}

// escapes tells whether an expression escapes its value for a URL: by urlencode, also among joined texts.
func escapes(n *config.Node) bool {
	function, args := n.Member("function"), n.Member("args")
	switch {
	case function == nil:
		return slices.ContainsFunc(n.Elems, escapes)
	case function.Text() == "urlencode":
		return true
	}
	joins := slices.Contains([]string{"concat", "implode", "sprintf", "ifempty"}, function.Text())
	return joins && args != nil && slices.ContainsFunc(args.Elems, escapes)
}
