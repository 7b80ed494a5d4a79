package openapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sluice/source/config"
)

// find is the operation at a path, before which its method may stand. The path may have that of the server in front.
func (d *APIDocument) find(text string) (*operation, error) {
	method, path := "", strings.TrimSpace(text)
	if before, after, hasMethod := strings.Cut(path, " "); hasMethod {
		method, path = strings.ToUpper(before), strings.TrimSpace(after)
	}
	var others []*operation
	prefix := d.prefix()
	for _, o := range d.operations {
		isIt := isSamePath(o.path, path) || prefix != "" && isSamePath(prefix+o.path, path)
		if !isIt || method != "" && o.method != method {
			continue
		}
		err := d.look(o)
		if err != nil {
			return nil, faultf("%s: %w", o.name(), err)
		}
		// Who names it says that it is a list, unless the document describes another answer.
		if o.isList || d.takeUnsaid(o) {
			return o, nil
		}
		others = append(others, o)
	}
	if len(others) > 0 {
		return nil, faultf("%s returns no list%s", others[0].name(), d.suggest(path))
	}
	return nil, faultf("there is no operation %s that reads%s", shortened(text), d.suggest(path))
}

// prefix is the path of the server.
func (d *APIDocument) prefix() string {
	if d.isSwagger {
		return strings.TrimSuffix(d.root.get("basePath").scalar(), "/")
	}
	servers := d.root.get("servers").elements()
	if len(servers) == 0 {
		return ""
	}
	u, err := url.Parse(servers[0].get("url").scalar())
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}

// mostSuggested is how many paths are suggested.
const mostSuggested = 5

// suggest names lists whose paths are near.
func (d *APIDocument) suggest(path string) string {
	type near struct {
		path     string
		distance int
	}
	var all []near
	for _, o := range d.operations {
		if d.look(o) != nil || !o.isList {
			continue
		}
		distance := len(o.path) + len(path)
		if distance < mostCompared {
			distance = config.Distance(strings.ToLower(path), strings.ToLower(o.path))
		}
		if isAlike(segmentOf(o.path), segmentOf(path)) {
			distance /= 4
		}
		name := o.path
		if o.method != http.MethodGet {
			name = o.name()
		}
		all = append(all, near{name, distance})
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.distance - b.distance })
	var names []string
	for _, one := range all {
		if len(names) < mostSuggested && one.distance <= len(path)/2+1 {
			names = append(names, shortened(one.path))
		}
	}
	if len(names) == 0 {
		return ": without --path all lists are shown"
	}
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}

// mostCompared is how long two paths may be that are compared.
const mostCompared = 400
