package airbyte

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// parts are those of a text that is joined of texts and values, as JSON; neighbours that are texts are one.
type parts []string

// partsOf takes apart what a template gives: a constant text, an expression, or a concat of both.
func partsOf(json string) parts {
	value := tight(json)
	function := item.Lookup(value, item.Path{"function"})
	isJoined := function != nil && item.Unquote(function) == "concat"
	if !isJoined {
		return parts{}.and(json)
	}
	var all parts
	for argument := range item.Elements(item.Lookup(value, item.Path{"args"})) {
		all = all.and(partsOf(loose(argument))...)
	}
	return all
}

// and appends more parts.
func (p parts) and(more ...string) parts {
	for _, one := range more {
		last := len(p) - 1
		switch {
		case isQuoted(one) && textOf(one) == "":
		case isQuoted(one) && last >= 0 && isQuoted(p[last]):
			p = append(slices.Clone(p[:last]), quote(textOf(p[last])+textOf(one)))
		default:
			p = append(slices.Clone(p), one)
		}
	}
	return p
}

// JSON is the text or the expression that they make.
func (p parts) JSON() string {
	switch len(p) {
	case 0:
		return `""`
	case 1:
		return p[0]
	}
	return calling("concat", p...)
}

// first is the text that they begin with; empty: they begin with a value.
func (p parts) first() string {
	if len(p) == 0 || !isQuoted(p[0]) {
		return ""
	}
	return textOf(p[0])
}

// last is the text that they end with; empty: they end with a value.
func (p parts) last() string {
	if len(p) == 0 || !isQuoted(p[len(p)-1]) {
		return ""
	}
	return textOf(p[len(p)-1])
}

// unquoted is a joined text without the quotes around it, in which that platform reads a text.
func (p parts) unquoted() parts {
	first, last := p.first(), p.last()
	isJoined := len(p) > 1 && first != "" && last != ""
	if !isJoined || !strings.ContainsAny(first[:1], `"'`) || !strings.HasSuffix(last, first[:1]) {
		return p
	}
	inner := parts{}.and(quote(first[1:])).and(p[1 : len(p)-1]...).and(quote(last[:len(last)-1]))
	for _, piece := range inner {
		hasQuote := isQuoted(piece) && strings.ContainsAny(textOf(piece), first[:1]+"\\")
		if hasQuote {
			return p
		}
	}
	return inner
}

// isList tells a joined text that looks like a list.
func (p parts) isList() bool {
	return len(p) > 1 && strings.HasPrefix(p.first(), "[") && strings.HasSuffix(p.last(), "]")
}

// from is what stands behind so many bytes of the text that they begin with.
func (p parts) from(size int) parts {
	return parts{}.and(quote(p.first()[size:])).and(p[1:]...)
}

// cut divides them behind the first slash at or behind a place of the text number index.
func (p parts) cut(index, from int) (before, after parts, ok bool) {
	for i := index; i < len(p); i++ {
		if isQuoted(p[i]) {
			text := textOf(p[i])
			if at := strings.IndexByte(text[from:], '/'); at >= 0 {
				at += from + 1
				before = slices.Clone(p[:i]).and(quote(text[:at]))
				return before, parts{}.and(quote(text[at:])).and(p[i+1:]...), true
			}
		}
		from = 0
	}
	return p, nil, false
}

// changes tells whether the parts have a value that a base address cannot have: one of a parent, of a window, of the
// state, or of the time.
func (p parts) changes() bool {
	isOne := func(piece string) bool {
		for _, name := range [...]string{`{"placeholder"`, `{"window"`, `{"time"`, `"last"`, `"time"`, `"date"`} {
			if strings.Contains(piece, name) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(p, func(piece string) bool { return !isQuoted(piece) && isOne(piece) })
}

// calling is a function expression of arguments that are JSON.
func calling(function string, args ...string) string {
	return item.Object{"function", quote(function), "args", "[" + strings.Join(args, ", ") + "]"}.String()
}

// tight is JSON without blanks, as package item wants it.
func tight(json string) []byte {
	compact, _ := item.Compact(nil, []byte(json))
	return compact
}

// loose is JSON as item.Object writes it, from compact JSON.
func loose(value []byte) string {
	switch item.Kind(value) {
	case '{':
		return objectOf(string(value)).String()
	case '[':
		var all []string
		for element := range item.Elements(value) {
			all = append(all, loose(element))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return string(value)
}

func quote(text string) string { return string(item.Quote(text)) }

// isQuoted tells whether a value is a text and no expression, number or list.
func isQuoted(json string) bool { return strings.HasPrefix(json, `"`) }

func textOf(json string) string { return item.Unquote([]byte(json)) }

// scheme is what an address may begin with.
var scheme = pattern("^[a-zA-Z][a-zA-Z0-9+.-]*:")

// address reads where a requester asks, as that platform joins it: a path is relative to what stands before it, which
// ends with a slash then, and one that is an address replaces it.
func (s *stream) address(n *node, sc scope, j *job) {
	base, path := s.part(n.get("url_base"), sc), s.part(n.get("path"), sc)
	url := s.part(n.get("url"), sc)
	if len(base) == 0 {
		base = url
	}
	if strings.ContainsAny(path.first()+base.first(), "{}") {
		s.refuse(n, "an address with braces is not understood")
		return
	}
	if first := path.first(); first != "" {
		path = path.from(len(first) - len(strings.TrimLeft(first, "/")))
	}
	isWhole := strings.Contains(path.first(), "://")
	if !isWhole && scheme().MatchString(path.first()) {
		s.refuse(
			n,
			"a path that begins with a word and a colon is an address of another scheme for that platform",
		)
	}
	switch {
	case len(base) == 0 && len(path) == 0:
		s.refuse(n, "there is no address: url_base and path, or url, give nothing")
		return
	case isWhole || len(base) == 0:
		j.base, j.endpoint = divide(path)
	case len(path) == 0:
		j.base, j.endpoint = divide(base)
	case base.changes():
		j.base, j.endpoint = divide(withSlash(base).and(path...))
	default:
		j.base, j.endpoint = base.JSON(), path.JSON()
	}
}

// part is a member of an address as parts.
func (s *stream) part(n *node, sc scope) parts {
	if n == nil {
		return nil
	}
	text, ok := s.text(n, sc)
	if !ok {
		return nil
	}
	return partsOf(text)
}

// withSlash is an address with the slash at its end that it may lack.
func withSlash(p parts) parts {
	last := len(p) - 1
	if isQuoted(p[last]) && strings.HasSuffix(textOf(p[last]), "/") {
		return p
	}
	return p.and(`"/"`)
}

// divide makes of an address its beginning, scheme and host, and what is relative to it. An address whose beginning is
// not known before the run has none.
func divide(p parts) (base, endpoint string) {
	from := strings.Index(p.first(), "://")
	if from >= 0 {
		from += len("://")
	}
	before, after, hasPath := p.cut(0, max(from, 0))
	switch {
	case before.changes():
		return "", p.JSON()
	case from >= 0 && !hasPath:
		return p.JSON(), `"/"`
	case hasPath && len(after) == 0:
		return before.JSON(), `"/"`
	case hasPath:
		return before.JSON(), after.JSON()
	}
	return "", p.JSON()
}
