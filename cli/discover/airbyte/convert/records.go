package convert

import (
	"errors"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// selector reads where the items are in an answer, and which of them are wanted. It comes before the paginator.
func (s *Stream) selector(n *manifest.Node, sc template.Scope, j *write.Job) {
	if n.Kind() != "RecordSelector" {
		s.refuseKind(n, "record selector")
		return
	}
	extractor := n.Get("extractor")
	if extractor.Kind() != "DpathExtractor" {
		s.refuseKind(extractor, "extractor")
		return
	}
	s.extractor(extractor, sc, j)
	s.normalization(n.Get("schema_normalization"))
	isAfter := n.Get("transform_before_filtering").Truth(false)
	s.filter(n.Get("record_filter"), sc, j, isAfter)
}

// normalization is how values become those of the schema.
func (s *Stream) normalization(n *manifest.Node) {
	if n == nil || n.Text() == "None" {
		return
	}
	if n.Kind() != "" {
		s.refuseKind(n, "normalization")
		return
	}
	s.leave(n, "the values have the types that the API sends, and are not made to have those of the schema")
}

// extractor reads the path of the items.
func (s *Stream) extractor(n *manifest.Node, sc template.Scope, j *write.Job) {
	n.Get("decoder").Know()
	path, err := template.PathOf(n.Get("field_path"), sc)
	if err != nil {
		s.Refuse(n, err.Error())
		return
	}
	path, err = expanded(path, n.Get("record_expander"), sc)
	if err == nil {
		err = checkGlobs(path)
	}
	if err != nil {
		s.Refuse(n, err.Error())
		return
	}
	// Lines have no path of their own: each is an item.
	if j.Format != "" && len(path) == 0 {
		return
	}
	j.DataField = fieldAt(path)
	if slices.Contains(path, "*") && !isMap(path) && n.Get("record_expander") == nil {
		s.leave(n, "where a list stands at "+path[len(path)-1]+" its elements are the items, not the list")
	}
	if n.Get("record_expander") != nil {
		s.leave(n, "an object at "+path[len(path)-1]+" is an item, where that platform wants a list, "+
			"and a lone object around it has no items")
	}
	if isMap(path) {
		// The name of a member is no part of the item there.
		s.shapeOnce(withoutName)
	}
}

// expanded is the path of the items that stand in each item at a path.
func expanded(path []string, n *manifest.Node, sc template.Scope) ([]string, error) {
	if n == nil {
		return path, nil
	}
	inner, err := template.PathOf(n.Get("expand_records_from_field"), sc)
	isPlain := !n.Get("remain_original_record").Truth(false) && n.Get("on_no_records").Text() != "emit_parent"
	switch {
	case err != nil:
		return nil, err
	case len(inner) == 0:
		return nil, errors.New("items of items at no path are not understood")
	case !isPlain, slices.Contains(inner, "*"), slices.Contains(path, "*"):
		return nil, errors.New("items of items beside their own are not understood")
	}
	return slices.Concat(path, []string{"*"}, inner), nil
}

// checkGlobs refuses steps that stand for many names.
func checkGlobs(path []string) error {
	for i, step := range path {
		if strings.ContainsAny(step, "*?[") && (step != "*" || i <= 0) || step == "" {
			return errors.New("the step " + write.Quote(step) + " of a path is not understood")
		}
	}
	inner := path[:max(0, len(path)-1)]
	if isMap(path) && slices.Contains(inner, "*") {
		return errors.New("maps within lists are not understood")
	}
	return nil
}

// isMap tells that the items are the members of an object.
func isMap(path []string) bool { return len(path) > 0 && path[len(path)-1] == "*" }

// nameOfMember is the member that has the name of an item in a map, until jq removes it.
const nameOfMember = "sluice_name"

// withoutName is the filter that removes it.
const withoutName = "del(." + nameOfMember + ")"

// fieldAt is where the items are that a path leads to.
func fieldAt(path []string) *write.Field {
	if isMap(path) {
		return &write.Field{Path: path[:len(path)-1], NamedBy: nameOfMember}
	}
	return &write.Field{Path: path}
}

// filter reads which items are wanted. Where that cannot be said more of them come.
func (s *Stream) filter(n *manifest.Node, sc template.Scope, j *write.Job, isAfter bool) {
	if n == nil {
		return
	}
	if n.Kind() != "RecordFilter" {
		s.refuseKind(n, "filter")
		return
	}
	text := n.Get("condition")
	e, err := template.FilterOf(text, sc)
	if err != nil {
		s.widen(n, err.Error()+": all items come")
		return
	}
	all, isExact := predicate.Wider(e, "record")
	switch {
	case all.Never():
		s.Refuse(n, "its condition leaves no item")
		return
	case isAfter && !all.Always():
		s.widen(n, "a filter of items that were changed before cannot be said: all items come")
		return
	case !all.Always():
		j.Where = all.String()
	}
	if !isExact {
		s.widen(n, "not all of the condition can be said: more items come")
	}
}

// shapeOnce is shape for a filter that may be there.
func (s *Stream) shapeOnce(filter string) {
	if !slices.Contains(s.Steps, filter) {
		s.shape(filter)
	}
}
