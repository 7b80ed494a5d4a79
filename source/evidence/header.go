package evidence

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// HeaderPath is the path of a header among the values of an answer, as in the
// conditions of failOn.
func HeaderPath(name string) item.Path {
	return item.Path{"$header", http.CanonicalHeaderKey(strings.TrimSpace(name))}
}

// IsHeader tells whether a path leads to a header.
func IsHeader(path item.Path) bool { return len(path) > 1 && path[0] == "$header" }

// IsLink tells whether a path leads to a header that is read by RFC 8288.
func IsLink(path item.Path) bool { return IsHeader(path) && path[1] == "Link" }

// HeaderValue returns what a header has, its values joined by commas; nil if it is
// not there. Of Content-Range it is the number of all items, which stands last.
func HeaderValue(h http.Header, path item.Path) jsontext.Value {
	values := h.Values(path[1:].String())
	if len(values) == 0 {
		return nil
	}
	text := strings.Join(values, ", ")
	if path[1] == "Content-Range" {
		text = text[strings.LastIndexByte(text, '/')+1:]
	}
	return item.Quote(text)
}

// AddHeaders puts those that the paths lead to among the values of a response.
func AddHeaders(values []jsontext.Value, paths []item.Path, h http.Header) {
	for i, path := range paths {
		if IsHeader(path) {
			values[i] = HeaderValue(h, path)
		}
	}
}

// Place names a path, or a header, for people.
func Place(path item.Path) string {
	if IsHeader(path) {
		return "header " + path[1]
	}
	return path.String()
}
