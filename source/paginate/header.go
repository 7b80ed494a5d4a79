package paginate

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A value may be a header: its path is $header and the name, as in the conditions of failOn.

func headerPath(name string) item.Path {
	return item.Path{"$header", http.CanonicalHeaderKey(strings.TrimSpace(name))}
}

func isHeader(path item.Path) bool { return len(path) > 1 && path[0] == "$header" }

// isLink tells whether a path leads to a header that is read by RFC 8288.
func isLink(path item.Path) bool { return isHeader(path) && path[1] == "Link" }

// HeaderValue returns what a header has, its values joined by commas; nil if it is not there.
func HeaderValue(h http.Header, path item.Path) jsontext.Value {
	if values := h.Values(path[1:].String()); len(values) > 0 {
		return item.Quote(strings.Join(values, ", "))
	}
	return nil
}

// AddHeaders puts those that the paths lead to among the values of a response.
func AddHeaders(values []jsontext.Value, paths []item.Path, h http.Header) {
	for i, path := range paths {
		if isHeader(path) {
			values[i] = HeaderValue(h, path)
		}
	}
}

// place names a path, or a header, for people.
func place(path item.Path) string {
	if isHeader(path) {
		return "header " + path[1]
	}
	return path.String()
}

// exclusive reports options that take each other's place, if both are there.
func exclusive(o *config.Object, p *config.Problems, one, other string) {
	if n := o.Node().Member(other); n != nil && o.Node().Member(one) != nil {
		p.Errorf(n, "%s and %s exclude each other", one, other)
	}
}
