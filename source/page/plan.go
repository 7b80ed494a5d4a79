package page

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A node is a place in the response that matters, because something is wanted
// there, or below it, or because the items are. Everything else has no node.
type node struct {
	edges    []edge
	wants    []int // indices in Spec.Wants
	leads    bool  // on the way to the items
	selected bool  // the items are here
}

type edge struct {
	step string
	to   *node
}

// plan makes the tree of all paths of s.
func plan(s *Spec) *node {
	root := &node{}
	for i, path := range s.Wants {
		n := root
		for _, step := range path {
			n = n.grow(step)
		}
		n.wants = append(n.wants, i)
	}
	if s.Detect {
		return root
	}
	n := root
	for _, step := range s.Select {
		n = n.grow(step)
		n.leads = true
	}
	n.selected = true
	return root
}

// grow returns the node that step leads to, and makes it if need be.
func (n *node) grow(step string) *node {
	for _, e := range n.edges {
		if e.step == step {
			return e.to
		}
	}
	to := &node{}
	n.edges = append(n.edges, edge{step, to})
	return to
}

// member returns the node of an object's member, nil if it does not matter.
func (n *node) member(quoted []byte) *node {
	for _, e := range n.edges {
		if item.NameIs(quoted, e.step) {
			return e.to
		}
	}
	return nil
}

// element returns the node of an array's element. n may be nil.
func (n *node) element(index int) *node {
	if n == nil || len(n.edges) == 0 {
		return nil
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], int64(index), 10)
	for _, e := range n.edges {
		if e.step == string(digits) {
			return e.to
		}
	}
	return nil
}

// keptWhole is how much compact text of an object or array is kept for paging.
const keptWhole = 64 << 10

// capture collects the text of an object or array that is wanted while it streams by.
type capture struct {
	kind jsontext.Kind
	text []byte
	over bool // there is too much of it
}

func (c *capture) add(text []byte) {
	if c.over {
		return
	}
	if c.over = len(c.text)+len(text) > keptWhole; !c.over {
		c.text = append(c.text, text...)
	}
}

// value returns what is kept of the whole; it is the caller's.
func (c *capture) value() jsontext.Value {
	switch {
	case !c.over:
		return c.text
	case c.kind == '{':
		return jsontext.Value(`{"":null}`)
	default:
		return jsontext.Value(`[null]`)
	}
}
