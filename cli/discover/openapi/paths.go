package openapi

import (
	"path"
	"slices"
	"strings"

	"sluice/pipeline/pattern"
)

// pathParameter matches a parameter of a path.
var pathParameter = pattern.Lazy(`\{([^{}]*)\}`)

// isSamePath tells whether two paths are the same, whatever their parameters are called.
func isSamePath(a, b string) bool {
	a, b = strings.Trim(a, "/"), strings.Trim(b, "/")
	unnamed := func(path string) string {
		return pathParameter().ReplaceAllString(path, "{}")
	}
	return a == b || strings.Contains(a, "{") && strings.Contains(b, "{") && unnamed(a) == unnamed(b)
}

// segmentOf is the last step of a path that is no parameter, without an ending; empty: there is none.
func segmentOf(of string) string {
	for _, step := range slices.Backward(strings.Split(of, "/")) {
		stem := strings.TrimSuffix(step, path.Ext(step))
		if stem != "" && !strings.ContainsAny(stem, "{}") {
			return stem
		}
	}
	return ""
}

// isAbove tells whether the path of another operation names one of the things of this one.
func (o *operation) isAbove(other *operation) bool {
	rest, isBelow := strings.CutPrefix(other.path, strings.TrimSuffix(o.path, "/")+"/{")
	return isBelow && strings.HasSuffix(strings.TrimSuffix(rest, "/"), "}") && !strings.Contains(strings.TrimSuffix(rest, "/"), "/")
}
