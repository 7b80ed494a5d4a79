package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/jq"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// selector reads where the items are in an answer, and which of them are wanted. It comes before the paginator.
func (s *Stream) selector(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	extractor := n.Get("extractor")
	switch {
	case n.Kind() != "RecordSelector":
		s.refuseKind(n, "record selector")
		return
	case extractor.Kind() != "DpathExtractor":
		s.refuseKind(extractor, "extractor")
		return
	}
	s.try(extractor, func() { s.extractor(extractor, sc, j) })
	normalization := n.Get("schema_normalization")
	switch {
	case normalization == nil || normalization.Text() == "None":
	case normalization.Kind() != "":
		s.refuseKind(normalization, "normalization")
	default:
		s.leave(normalization, "the values have the types that the API sends, and are not made to have those of the schema")
	}
	s.filter(n.Get("record_filter"), sc, j, n.Get("transform_before_filtering").Truth(false))
}

// extractor reads the path of the items.
func (s *Stream) extractor(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	n.Get("decoder").Know()
	expander := n.Get("record_expander")
	path := expanded(template.PathOf(n.Get("field_path"), sc), expander, sc)
	checkGlobs(path)
	if j.Format == xmlFormat {
		s.xmlPath(n, path)
	}
	// Lines have no path of their own: each is an item.
	if j.Format != nil && j.Format != xmlFormat && len(path) == 0 {
		return
	}
	j.DataField = &write.Field{Path: path}
	if expander != nil {
		s.leave(n, "an object at "+path[len(path)-1]+" is taken for an item, where Airbyte expects a list; "+
			"a single object around it has no items")
		return
	}
	at := slices.Index(path, "*")
	j.DataField.HasObjects = at >= 0
	if at >= 0 && path[len(path)-1] != "*" {
		s.leave(n, "where a list stands at "+path[len(path)-1]+" its elements are the items, not the list")
	}
}

// expanded is the path of the items that stand in each item at a path.
func expanded(path []string, n *manifest.Section, sc template.Scope) []string {
	if n == nil {
		return path
	}
	inner := template.PathOf(n.Get("expand_records_from_field"), sc)
	isPlain := !n.Get("remain_original_record").Truth(false) && n.Get("on_no_records").Text() != "emit_parent"
	fault.If(len(inner) == 0 || !isPlain || slices.Contains(inner, "*") || slices.Contains(path, "*"),
		"items of items at no path, or beside their own, are not supported")
	return slices.Concat(path, []string{"*"}, inner)
}

// checkGlobs refuses steps that stand for many names, but for the one that stands for all.
func checkGlobs(path []string) {
	for _, step := range path {
		fault.If(strings.ContainsAny(step, "*?[") && step != "*" || step == "",
			"the step %q of a path is not supported", step)
	}
}

// filter reads which items are wanted. Where that cannot be said more of them come.
func (s *Stream) filter(n *manifest.Section, sc template.Scope, j *write.PlannedJob, isAfter bool) {
	if n == nil {
		return
	}
	if n.Kind() != "RecordFilter" {
		s.refuseKind(n, "filter")
		return
	}
	e, err := fault.Result(func() template.Expression { return template.FilterOf(n.Get("condition"), sc) })
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
		s.widen(n, "a filter of items that were changed before has no equivalent in sluice: all items come")
		return
	case !all.Always():
		j.Where = all.String()
	}
	s.widenIf(!isExact, n, "a part of the condition has no equivalent in sluice: more items come")
}

// transformations reads what is changed of the items: jq has to do it, in their order. Values of a slice are no
// items', so the job adds them.
func (s *Stream) transformations(n *manifest.Section, sc template.Scope, sl *slice) {
	h := &jq.Shaping{Scope: sc, Job: sl.own, Given: sl.given()}
	all := n.Elements()
	for i, t := range all {
		h.Later = all[i+1:]
		s.try(t, func() { h.Transform(t) })
	}
	h.Finish()
	for _, l := range h.Left {
		s.leave(l.At, l.Text)
	}
	switch {
	case !s.isTransformed:
		s.isTransformed, s.transformed = true, h.Steps
		s.Steps = append(s.Steps, h.Steps...)
	case !slices.Equal(s.transformed, h.Steps):
		s.Refuse(n, "its slices change items in different ways")
	}
}

// lastRecord finds where the items have, as they come, what paging takes of the last one as it is in the end.
func (s *Stream) lastRecord(n *manifest.Section, j *write.PlannedJob) {
	if j.Pagination == nil || n == nil {
		return
	}
	origin := func(path []string) []string {
		path, found := originOf(strings.Split(strings.Join(path, "."), "."), n.Elements())
		s.refuseIf(found != sure, n, "they may change what the paginator takes of the last record")
		return path
	}
	if j.Pagination.LastKey != nil {
		j.Pagination.LastKey = origin(j.Pagination.LastKey)
	}
	if j.Until != nil {
		j.Until.Field = origin(j.Until.Field)
	}
}
