package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/jq"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// transformations reads what is changed of the items: jq has to do it, in their order. Values of a slice are no
// items', so the job adds them.
func (s *Stream) transformations(n *manifest.Node, sc template.Scope, j *write.Job) {
	h := &jq.Shaping{Scope: sc, Job: j}
	all := n.Elements()
	for i, t := range all {
		h.Later = all[i+1:]
		if err := h.Transform(t); err != nil {
			s.Refuse(t, jq.OneLine(err))
		}
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

// lastRecord finds where the items have, as they come, what a cursor takes of the last one as it is in the end.
func (s *Stream) lastRecord(n *manifest.Node, j *write.Job) {
	if j.Pagination == nil || j.Pagination.LastKey == nil || n == nil {
		return
	}
	o := origin{path: strings.Split(strings.Join(j.Pagination.LastKey, "."), "."), found: sure}
	for _, t := range slices.Backward(n.Elements()) {
		o.before(t)
	}
	if o.found != sure {
		s.Refuse(n, "they may change what the paginator takes of the last record")
		return
	}
	j.Pagination.LastKey = o.path
}
