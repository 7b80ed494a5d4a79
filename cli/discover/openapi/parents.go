package openapi

import (
	"net/http"
	"slices"
	"strings"

	"sluice/cli/discover/free"
	"sluice/pipeline"
)

// An operationJob is a job of the configuration, made of an operation.
type operationJob struct {
	*operation

	// parent is the job whose items lead to it; nil: there is none.
	parent *operationJob

	// below is the parameter of the path that an item of the parent has, key where.
	below, key string

	// dataType is what its items are called.
	dataType string
}

// jobOf is the job of an operation, with those above it.
func (w *configWriter) jobOf(o *operation) *operationJob {
	j := &operationJob{operation: o}
	all := pathParameter().FindAllStringSubmatchIndex(o.path, -1)
	for _, at := range slices.Backward(all) {
		name := o.path[at[2]:at[3]]
		above := w.d.listAt(o.path[:at[0]], o)
		if above == nil {
			continue
		}
		key, c := w.d.keyOf(o.pathParameter(name), above)
		if key == "" {
			continue
		}
		j.parent, j.below, j.key = w.jobOf(above), name, key
		w.say(c, "the path is asked for with %s of each item of %s as %s", key, above.name(), name)
		break
	}
	j.dataType = typeOfItems(j)
	return j
}

// typeOfItems is what the items of a job are called: otherwise than those above it.
func typeOfItems(j *operationJob) string {
	name := segmentOf(j.path)
	if name == "" {
		name = "items"
	}
	taken := map[string]bool{}
	for above := j.parent; above != nil; above = above.parent {
		taken[pipeline.FileName(above.dataType)] = true
	}
	return free.Name(name, "-", func(name string) bool { return taken[pipeline.FileName(name)] })
}

// listAt is the list that a path begins with, without the steps of others; nil: there is none.
func (d *APIDocument) listAt(prefix string, of *operation) *operation {
	// A step that is a parameter in part has none.
	if !strings.HasSuffix(prefix, "/") {
		return nil
	}
	for _, o := range d.operations {
		isIt := strings.TrimSuffix(o.path, "/") == strings.TrimSuffix(prefix, "/")
		if !isIt || o.method != http.MethodGet || o == of || len(o.path) >= len(of.path) {
			continue
		}
		if d.look(o) == nil && o.isList && o.answer.format == "" {
			return o
		}
	}
	return nil
}

// keyOf is the member of an item that a parameter of the path wants; empty: none is known.
func (d *APIDocument) keyOf(p *parameter, above *operation) (string, Certainty) {
	item := above.items.item
	own := plain(p.name)
	// A key that names its thing, such as userId of users.
	rest := strings.TrimPrefix(own, singular(plain(segmentOf(above.path))))
	usual := "id uuid guid key gid slug code name"
	if strings.HasSuffix(own, "name") || strings.HasSuffix(own, "login") {
		usual = "login handle slug name"
	}
	named := func(wanted string) string {
		for _, m := range item.members {
			kind := d.shape(m.schema).kind
			isOther := kind != "" && p.shape.kind != "" && kind != p.shape.kind
			if plain(m.name) == wanted && !isOther && kind != "object" && !strings.Contains(m.name, ".") {
				return m.name
			}
		}
		return ""
	}
	for _, wanted := range []string{own, rest} {
		if key := named(wanted); key != "" && wanted != "name" {
			return key, Likely
		}
	}
	for wanted := range strings.FieldsSeq(usual) {
		c := Unknown
		if strings.HasSuffix(own, wanted) && wanted != "name" {
			c = Likely
		}
		if key := named(wanted); key != "" {
			return key, c
		}
	}
	if len(item.members) == 0 && item.kind == "object" {
		return "id", Unknown
	}
	return "", Unknown
}

// isMultiple tells whether the job and those above it have different pages.
func (j *operationJob) isMultiple() bool {
	isOther := func(other *operationJob) bool { return other.paging.options.String() != j.paging.options.String() }
	return slices.ContainsFunc(j.line(), isOther)
}

// line is the job with those above it, the outermost first.
func (j *operationJob) line() (all []*operationJob) {
	for ; j != nil; j = j.parent {
		all = append(all, j)
	}
	slices.Reverse(all)
	return all
}
