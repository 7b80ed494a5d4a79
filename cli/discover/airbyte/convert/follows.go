package convert

import (
	"strings"

	"sluice/cli/discover/airbyte/manifest"
)

// A saying is what is refused of a stream, which has a name as the manifest writes it, at a place within it.
type saying struct {
	name string
	Reason
}

// ShareRefusals has a stream that is refused for what is refused of its parent say no more than that. What is refused of
// the stream alone stays.
func ShareRefusals(all []*Stream) {
	said := map[saying]bool{}
	for _, s := range all {
		for _, r := range s.Refusals {
			if s.At != nil {
				r.Place = strings.TrimPrefix(r.Place, s.At.Place)
				said[saying{nameIn(s.At), r}] = true
			}
		}
	}
	for _, s := range all {
		own := make([]Reason, 0, len(s.Refusals))
		for _, r := range s.Refusals {
			own = append(own, s.byParent(r, said))
		}
		s.Refusals = distinct(own)
	}
}

// nameIn is the name of a stream as the manifest writes it.
func nameIn(n *manifest.Section) string { return n.Peek("name").Text() }

// byParent is a reason why the stream is refused, or that its parent is, if that one has said the same.
func (s *Stream) byParent(r Reason, said map[saying]bool) Reason {
	for _, parent := range s.parents {
		within, isWithin := strings.CutPrefix(r.Place, parent.Place)
		name := nameIn(parent)
		if isWithin && said[saying{name, Reason{within, r.Line, r.Text}}] {
			return Reason{parent.Place, parent.Line, "its parent " + name + " is refused"}
		}
	}
	return r
}
