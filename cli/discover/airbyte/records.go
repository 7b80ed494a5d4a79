package airbyte

import (
	"errors"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// selector reads where the items are in an answer, and which of them are wanted. It comes before the paginator.
func (s *stream) selector(n *node, sc scope, j *job) {
	if n.kind() != "RecordSelector" {
		s.refuseKind(n, "record selector")
		return
	}
	extractor := n.get("extractor")
	if extractor.kind() != "DpathExtractor" {
		s.refuseKind(extractor, "extractor")
		return
	}
	s.extractor(extractor, sc, j)
	s.normalization(n.get("schema_normalization"))
	isAfter := n.get("transform_before_filtering").truth(false)
	s.filter(n.get("record_filter"), sc, j, isAfter)
}

// normalization is how values become those of the schema.
func (s *stream) normalization(n *node) {
	if n == nil || n.text() == "None" {
		return
	}
	if n.kind() != "" {
		s.refuseKind(n, "normalization")
		return
	}
	s.leave(n, "the values have the types that the API sends, and are not made to have those of the schema")
}

// extractor reads the path of the items.
func (s *stream) extractor(n *node, sc scope, j *job) {
	n.get("decoder").know()
	path, err := pathOf(n.get("field_path"), sc)
	if err != nil {
		s.refuse(n, err.Error())
		return
	}
	path, err = expanded(path, n.get("record_expander"), sc)
	if err == nil {
		err = checkGlobs(path)
	}
	if err != nil {
		s.refuse(n, err.Error())
		return
	}
	// Lines have no path of their own: each is an item.
	isLine := j.format != "" && len(path) == 0
	if isLine {
		return
	}
	j.dataField = dataField(path)
	isInEach := slices.Contains(path, "*") && !isMap(path) && n.get("record_expander") == nil
	if isInEach {
		s.leave(n, "where a list stands at "+path[len(path)-1]+" its elements are the items, not the list")
	}
	if n.get("record_expander") != nil {
		s.leave(n, "an object at "+path[len(path)-1]+" is an item, where that platform wants a list, "+
			"and a lone object around it has no items")
	}
	if isMap(path) {
		// The name of a member is no part of the item there.
		s.shapeOnce(withoutName)
	}
}

// pathOf is a path whose steps the values decide.
func pathOf(n *node, sc scope) (path []string, err error) {
	for _, step := range n.elements() {
		m, err := sc.meanText(step)
		if err != nil {
			return nil, err
		}
		text, ok := m.constant.(string)
		isKnown := ok && m.json == "" && !m.nothing
		if !isKnown {
			return nil, errors.New("a path that the values do not decide is not understood")
		}
		path = append(path, text)
	}
	return path, nil
}

// expanded is the path of the items that stand in each item at a path.
func expanded(path []string, n *node, sc scope) ([]string, error) {
	if n == nil {
		return path, nil
	}
	inner, err := pathOf(n.get("expand_records_from_field"), sc)
	isPlain := !n.get("remain_original_record").truth(false) && n.get("on_no_records").text() != "emit_parent"
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
		isAny := step == "*" && i > 0
		isGlob := strings.ContainsAny(step, "*?[") && !isAny
		if isGlob || step == "" {
			return errors.New("the step " + quote(step) + " of a path is not understood")
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

// dataField is the path of the items as the configuration has it.
func dataField(path []string) string {
	isMap := isMap(path)
	if isMap {
		path = path[:len(path)-1]
	}
	delimiter := "."
	isDotted := len(path) > 1 && strings.Contains(strings.Join(path, ""), ".")
	if isDotted {
		delimiter = freeDelimiter(path)
	}
	text := strings.Join(path, delimiter)
	if len(path) == 0 {
		text = "."
	}
	isPlain := !isDotted && !isMap
	if isPlain {
		return quote(text)
	}
	o := item.Object{"path", quote(text)}.With(isDotted, "delimiter", quote(delimiter))
	return o.With(isMap, "members", quote(nameOfMember)).String()
}

// freeDelimiter is one that stands in no step.
func freeDelimiter(path []string) string {
	all := strings.Join(path, "")
	for _, delimiter := range []string{"/", ":", "|", " "} {
		if !strings.Contains(all, delimiter) {
			return delimiter
		}
	}
	return "\n"
}

// filter reads which items are wanted. Where that cannot be said more of them come.
func (s *stream) filter(n *node, sc scope, j *job, isAfter bool) {
	if n == nil {
		return
	}
	if n.kind() != "RecordFilter" {
		s.refuseKind(n, "filter")
		return
	}
	text := n.get("condition")
	e, err := filterOf(text, sc)
	if err != nil {
		s.widen(n, err.Error()+": all items come")
		return
	}
	all, isExact := widened(e, "record")
	switch {
	case all.never():
		s.refuse(n, "its condition leaves no item")
		return
	case isAfter && !all.always():
		s.widen(n, "a filter of items that were changed before cannot be said: all items come")
		return
	case !all.always():
		j.where = all.String()
	}
	if !isExact {
		s.widen(n, "not all of the condition can be said: more items come")
	}
}

// filterOf is the expression of a filter.
func filterOf(n *node, sc scope) (expression, error) {
	if n == nil {
		// It leaves nothing.
		return constant{""}, nil
	}
	if b, ok := n.value.(bool); ok {
		return constant{b}, nil
	}
	return sc.at(n).only(n, "as a condition")
}

// shapeOnce is shape for a filter that may be there.
func (s *stream) shapeOnce(filter string) {
	if !slices.Contains(s.steps, filter) {
		s.shape(filter)
	}
}
