package openapi

import (
	"net/url"
	"strconv"
	"strings"
)

// mostHops is how many references may lead to each other.
const mostHops = 100

// raise keeps the first fault of what is looked at.
func (d *APIDocument) raise(err error) {
	if d.fault == nil {
		d.fault = err
	}
}

// spend takes a number of members that are looked at from the budget, and tells whether it was enough.
func (d *APIDocument) spend(members int) bool {
	d.left -= members
	if d.left < 0 && d.fatal == nil {
		d.fatal = faultf("its references expand to more than %d members", mostLooks)
		d.raise(d.fatal)
	}
	return d.left >= 0
}

// follow is what a node refers to at last, or the node itself; nil: there is none, or a fault.
func (d *APIDocument) follow(n *documentNode) *documentNode {
	for range mostHops {
		to, isReference := d.referred(n)
		if !isReference {
			return n
		}
		n = to
	}
	d.raise(faultf("line %d: the reference %s leads to itself", n.line, shortened(n.get("$ref").scalar())))
	return nil
}

// referred is what a reference names; nil: there is a fault.
func (d *APIDocument) referred(n *documentNode) (to *documentNode, isReference bool) {
	reference := n.get("$ref")
	if reference.kind() != '"' || !d.spend(1) {
		return nil, false
	}
	text := reference.text
	pointer, isPointer := strings.CutPrefix(text, "#")
	switch {
	case !isPointer:
		d.raise(faultf("line %d: the reference %s leads out of the document: put all into one file first",
			reference.line, shortened(text)))
		return nil, true
	case pointer != "" && pointer[0] != '/':
		d.raise(faultf("line %d: the reference %s is no path, which begins with #/", reference.line, shortened(text)))
		return nil, true
	}
	found := d.at(pointer)
	if found == nil {
		d.raise(faultf("line %d: the reference %s leads nowhere", reference.line, shortened(text)))
	}
	return found, true
}

// at is the node at a JSON pointer; nil: there is none.
func (d *APIDocument) at(pointer string) *documentNode {
	n := d.root
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if plain, err := url.PathUnescape(step); err == nil {
			step = plain
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		elements := n.elements()
		i, err := strconv.Atoi(step)
		if err == nil && i >= 0 && i < len(elements) {
			n = elements[i]
		} else {
			n = n.get(step)
		}
	}
	return n
}
