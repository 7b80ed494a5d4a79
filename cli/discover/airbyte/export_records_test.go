package airbyte

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// Retrieve converts the retriever of the first stream of a manifest, and returns its job, what was refused, what is
// widened or left, and the filters of jq.
func Retrieve(manifest string) (made string, refused, more, steps []string, err error) {
	d, err := read([]byte(manifest))
	if err != nil {
		return "", nil, nil, nil, err
	}
	s, j := &stream{}, &job{}
	sc := scope{variables: map[string]variable{"stream_partition": func([]string) (meaning, error) {
		return meaning{json: `{"placeholder": "id"}`}, nil
	}}}
	n := d.root.get("streams").elements()[0]
	retriever := n.get("retriever")
	s.requester(retriever.get("requester"), sc.firstPage(), j)
	s.selector(retriever.get("record_selector"), sc, j)
	s.paginator(retriever.get("paginator"), retriever.get("requester"), sc, j)
	s.lastRecord(n.get("transformations"), j)
	s.transformations(n.get("transformations"), sc, j)
	o := item.Object{}.With(j.method != "", "method", quote(j.method))
	for _, m := range []struct {
		name string
		of   item.Object
	}{{"params", j.params}, {"query", j.query}, {"body", j.body}, {"headers", j.headers}, {"pagination", j.pagination}, {"userData", j.userData}} {
		o = o.With(len(m.of) > 0, m.name, m.of.String())
	}
	o = o.With(j.dataField != `"."`, "dataField", j.dataField).With(j.where != "", "where", quote(j.where))
	texts := func(all []Reason) (texts []string) {
		for _, r := range all {
			texts = append(texts, r.Place[strings.LastIndexByte(r.Place, '.')+1:]+": "+r.Text)
		}
		return texts
	}
	return o.String(), texts(s.refusals), texts(slices.Concat(s.more, s.left)), s.steps, nil
}
