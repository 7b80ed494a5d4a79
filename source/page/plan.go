package page

import "slices"

// Plan does once what decoding does of the Spec for each page otherwise: copies of it share that. Where its
// items are, and what it wants, must not change any more.
func (s *Spec) Plan() { s.root = newPlan(s) }

// plan is the outermost node, which is only read.
func (s *Spec) plan() *wantedNode {
	if s.root == nil {
		return newPlan(s)
	}
	return s.root
}

func newPlan(s *Spec) *wantedNode {
	root := &wantedNode{}
	for i, path := range s.Wants {
		n := root
		for _, step := range path {
			n = n.add(step)
		}
		n.wants = append(n.wants, i)
		if len(path) > 1 {
			literal := root.add(path.String())
			literal.wants = append(literal.wants, len(s.Wants)+i)
		}
	}
	if s.Detect {
		root.leads = true
		root.spread()
		return root
	}
	n := root
	for _, step := range s.Select {
		n = n.add(step)
		n.leads = true
	}
	n.selected = true
	if s.enveloped() {
		root.add(envelope).leads = true
	}
	if len(s.Select) > 1 && !slices.Contains(s.Select, Every) {
		literal := root.add(s.Field)
		literal.leads = true
		literal.selected = true
	}
	root.leads = len(s.Select) > 0
	root.spread()
	return root
}

// An envelope that is an array has an object that describes the items, and their array or null. These are the steps to both.
const (
	envelope      = "0"
	envelopeItems = "1"
)

// enveloped tells whether the items are those of an envelope that is an array.
func (s *Spec) enveloped() bool { return len(s.Select) == 1 && s.Select[0] == envelopeItems }
