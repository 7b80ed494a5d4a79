package discover

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/pipeline/secret"
)

// begin is the parameter by which the command asks for another page than the first, as far as can be
// seen: the page after it is asked for by another value of that. Empty: there is none.
func (a *Description) begin(pagination []byte, second string) string {
	// Both are valid JSON.
	own, _ := item.Compact(nil, []byte(slices.Concat(a.params, a.query, a.body).String()))
	pagination, _ = item.Compact(nil, pagination)
	var paths []item.Path
	switch item.Unquote(item.Lookup(pagination, item.Path{"method"})) {
	case "response.url":
		paths = changed(own, second)
	case "response.param", "cursor":
		paths = []item.Path{leading(pagination, "queryParam"), leading(pagination, "param")}
	case "pagenum":
		paths = []item.Path{leading(pagination, "pageParam"), {"page"}}
	case "offset":
		paths = []item.Path{leading(pagination, "offsetParam"), {"offset"}}
	}
	for _, path := range paths {
		if len(path) > 0 && isPosition(item.Lookup(own, path)) {
			return path.String()
		}
	}
	return ""
}

// leading is the path that an option of a pagination names; empty: it is not there.
func leading(pagination []byte, option string) (path item.Path) {
	value := item.Lookup(pagination, item.Path{option})
	switch item.Kind(value) {
	case '"':
		path = item.Path{item.Unquote(value)}
	case '[':
		for step := range item.Elements(value) {
			path = append(path, item.Unquote(step))
		}
	case '{':
		path = leading(value, "query")
	}
	return path
}

// namesSize matches the name of a parameter for the size of pages.
var namesSize = pattern.Lazy(`(?i)limit|size|per_?page|max_?results|^(?:first|top|rows|count)$`)

// changed are the parameters that the address of a request, behind its method, has by another value.
func changed(own []byte, second string) (paths []item.Path) {
	_, address, _ := strings.Cut(second, " ")
	to, err := url.Parse(address)
	if err != nil {
		return nil
	}
	query := to.Query()
	for name, value := range item.Members(own) {
		path := item.Path{item.Unquote(name)}
		text, isText := item.Text(value)
		// A secret is kept elsewhere, and nobody shows whether it is the same.
		isHidden := !isText && query.Get(path[0]) == secret.Hidden
		// An API that caps the size of pages writes its own into the address.
		if query.Has(path[0]) && query.Get(path[0]) != text && !isHidden && !namesSize().MatchString(path[0]) {
			paths = append(paths, path)
		}
	}
	return paths
}

// isPosition tells whether a value may be that of a later page: not one that counts from the beginning, nor one
// without a letter and a digit, such as the * that begins a list.
func isPosition(value []byte) bool {
	text, isText := item.Text(value)
	if !isText {
		// A secret is kept elsewhere.
		return item.Kind(value) == '{'
	}
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	word := strings.TrimFunc(text, isSign)
	return !slices.Contains([]string{"", "0", "1"}, word)
}
