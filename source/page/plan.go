package page

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A node is a place in the response that matters, because something is wanted
// there, or below it, or because the items are. Everything else has no node.
type node struct {
	step     string // that leads here
	below    []*node
	wants    []int // indices in Spec.Wants
	leads    bool  // on the way to the items
	selected bool  // the items are here
}

// plan makes the tree of all paths of s.
func plan(s *Spec) *node {
	root := &node{}
	for i, path := range s.Wants {
		n := root
		for _, step := range path {
			n = n.add(step)
		}
		n.wants = append(n.wants, i)
	}
	if s.Detect {
		return root
	}
	n := root
	for _, step := range s.Select {
		n = n.add(step)
		n.leads = true
	}
	n.selected = true
	return root
}

// add returns the node that step leads to, and makes it if need be.
func (n *node) add(step string) *node {
	for _, b := range n.below {
		if b.step == step {
			return b
		}
	}
	b := &node{step: step}
	n.below = append(n.below, b)
	return b
}

// member returns the node of an object's member, nil if it does not matter. n may
// be nil.
func (n *node) member(quoted []byte) *node {
	if n == nil {
		return nil
	}
	for _, b := range n.below {
		if item.NameIs(quoted, b.step) {
			return b
		}
	}
	return nil
}

// element returns the node of an array's element. n may be nil.
func (n *node) element(index int) *node {
	if n == nil || len(n.below) == 0 {
		return nil
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], int64(index), 10)
	for _, b := range n.below {
		if b.step == string(digits) {
			return b
		}
	}
	return nil
}

// keptWhole is how much compact text of an object or array is kept for paging.
const keptWhole = 64 << 10

// capture appends text to that of an object or array that is wanted: just enough
// to see that it is longer than keptWhole.
func capture(dst, text []byte) []byte {
	return append(dst, text[:min(len(text), keptWhole+1-len(dst))]...)
}

// keep returns a copy of a value, or what stands for one that is too long.
func keep(text []byte) jsontext.Value {
	switch {
	case len(text) > keptWhole && text[0] == '{':
		return jsontext.Value(`{"":null}`)
	case len(text) > keptWhole && text[0] == '[':
		return jsontext.Value(`[null]`)
	}
	return slices.Clone(jsontext.Value(text))
}
