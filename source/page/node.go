package page

import (
	"slices"
	"strconv"

	"sluice/pipeline/item"
)

// A node is a place in the response that matters: something is wanted there or below, or the items are.
type node struct {
	// That leads here.
	step string

	below []*node

	// Of below, where they are many.
	named map[string]*node

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
func (n *node) spread() {
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
func (n *node) join(other *node) {
	n.wants = append(n.wants, other.wants...)
	n.leads = n.leads || other.leads
	n.selected = n.selected || other.selected
	for _, b := range other.below {
		n.add(b.step).join(b)
	}
}

// on tells whether n, which may be nil, is on the way to the items.
func (n *node) on() bool { return n != nil && n.leads }

// hasBelow tells whether something is wanted below n, which may be nil.
func (n *node) hasBelow() bool { return n != nil && len(n.below) > 0 }

// find returns the node of the step that is the one, nil if there is none; n may be nil.
func (n *node) find(is func(step string) bool) *node {
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

func (n *node) add(step string) *node {
	b := n.named[step]
	if n.named == nil {
		b = n.find(func(have string) bool { return have == step })
	}
	if b == nil {
		b = &node{step: step}
		n.enter(b)
	}
	return b
}

// enter puts a node below n.
func (n *node) enter(b *node) {
	n.below = append(n.below, b)
	if n.named != nil && n.named[b.step] == nil {
		n.named[b.step] = b
	}
	if len(n.below) == many {
		n.named = map[string]*node{}
		for _, b := range slices.Backward(n.below) {
			n.named[b.step] = b
		}
	}
}

func (n *node) member(quoted []byte) *node {
	if n != nil && n.named != nil {
		return n.named[item.Unquote(quoted)]
	}
	return n.find(func(step string) bool { return item.NameIs(quoted, step) })
}

func (n *node) element(index int) *node {
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
func (n *node) each() *node {
	return n.find(func(step string) bool { return step == Every })
}
