package page

import (
	"slices"
	"strconv"

	"sluice/pipeline/item"
)

// A wantedNode is a place in the response that matters: something is wanted there or below, or the items are.
type wantedNode struct {
	// That leads here.
	step string

	below []*wantedNode

	// Of below, where they are many.
	named map[string]*wantedNode

	// Indices in Spec.Wants.
	wants []int

	// On the way to the items, or where they are.
	leads bool

	// The items are here.
	selected bool
}

// Every is the step to each element of an array.
const Every = "*"

// spread lets an element that a path leads to by its index lead where all elements do, too.
func (n *wantedNode) spread() {
	if all := n.each(); all != nil {
		for _, b := range n.below {
			if _, err := strconv.Atoi(b.step); err == nil {
				b.join(all)
			}
		}
	}
	for _, b := range n.below {
		b.spread()
	}
}

// join lets n lead where other does, too.
func (n *wantedNode) join(other *wantedNode) {
	n.wants = append(n.wants, other.wants...)
	n.leads = n.leads || other.leads
	n.selected = n.selected || other.selected
	for _, b := range other.below {
		n.add(b.step).join(b)
	}
}

// on tells whether n, which may be nil, is on the way to the items.
func (n *wantedNode) on() bool { return n != nil && n.leads }

// hasBelow tells whether something is wanted below n, which may be nil.
func (n *wantedNode) hasBelow() bool { return n != nil && len(n.below) > 0 }

// find returns the node of the step that is the one, nil if there is none; n may be nil.
func (n *wantedNode) find(is func(step string) bool) *wantedNode {
	if n == nil {
		return nil
	}
	for _, b := range n.below {
		if is(b.step) {
			return b
		}
	}
	return nil
}

// many is from how many nodes on they are found by a map.
const many = 16

func (n *wantedNode) add(step string) *wantedNode {
	b := n.named[step]
	if n.named == nil {
		b = n.find(func(have string) bool { return have == step })
	}
	if b == nil {
		b = &wantedNode{step: step}
		n.enter(b)
	}
	return b
}

// enter puts a node below n.
func (n *wantedNode) enter(b *wantedNode) {
	n.below = append(n.below, b)
	if n.named != nil && n.named[b.step] == nil {
		n.named[b.step] = b
	}
	if len(n.below) == many {
		n.named = map[string]*wantedNode{}
		for _, b := range slices.Backward(n.below) {
			n.named[b.step] = b
		}
	}
}

func (n *wantedNode) member(quoted []byte) *wantedNode {
	if n != nil && n.named != nil {
		return n.named[item.Unquote(quoted)]
	}
	return n.find(func(step string) bool { return item.NameIs(quoted, step) })
}

func (n *wantedNode) element(index int) *wantedNode {
	if n == nil || len(n.below) == 0 {
		return nil
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], int64(index), 10)
	if b := n.find(func(step string) bool { return step == string(digits) }); b != nil {
		return b
	}
	return n.each()
}

// each returns the node of each element of an array, nil if there is none; n may be nil.
func (n *wantedNode) each() *wantedNode {
	return n.find(func(step string) bool { return step == Every })
}

// keptWhole is how much compact text of an object or array is kept for paging.
const keptWhole = 64 << 10
