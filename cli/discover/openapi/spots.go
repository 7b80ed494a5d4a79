package openapi

import (
	"slices"
	"strings"
)

// An answerValue is a value of an answer.
type answerValue struct {
	path   []string
	schema *documentNode
	shape  *schemaShape
}

// last is the name of its member.
func (s *answerValue) last() string { return s.path[len(s.path)-1] }

// above is the name of the object that it is in; empty: the answer itself.
func (s *answerValue) above() string {
	if len(s.path) < 2 {
		return ""
	}
	return s.path[len(s.path)-2]
}

// String is the path as people read it.
func (s *answerValue) String() string { return strings.Join(s.path, ".") }

// isDotted tells whether the path cannot be written with dots between its steps.
func (s *answerValue) isDotted() bool {
	return slices.ContainsFunc(s.path, func(step string) bool { return strings.Contains(step, ".") || step == "" })
}

// surroundings are the values of an answer, without those within arrays.
type surroundings struct {
	root            *schemaShape
	arrays, scalars []answerValue
}

// Bounds of what is looked at of an answer.
const (
	maxLevels = 4
	maxSpots  = 2000
)

// around looks at an answer.
func (d *APIDocument) around(schema *documentNode) (a surroundings) {
	a.root = d.shape(schema)
	d.enter(&a, nil, a.root)
	return a
}

// enter adds what stands in an object at a path.
func (d *APIDocument) enter(a *surroundings, path []string, s *schemaShape) {
	if len(path) == maxLevels {
		return
	}
	for _, m := range s.members {
		if len(a.arrays)+len(a.scalars) >= maxSpots || !d.spend(1) {
			return
		}
		at := answerValue{path: append(slices.Clone(path), m.name), schema: m.schema, shape: d.shape(m.schema)}
		switch at.shape.kind {
		case "array":
			a.arrays = append(a.arrays, at)
		case "object":
			d.enter(a, at.path, at.shape)
		default:
			a.scalars = append(a.scalars, at)
		}
	}
}

// find is the first value that is of some names, and for which a condition holds; nil: there is none.
func (a *surroundings) find(of usualNames, is func(*answerValue) bool) *answerValue {
	for i := range a.scalars {
		s := &a.scalars[i]
		if of.has(s.last()) && of.mayBe(s.shape.kind) && is(s) {
			return s
		}
	}
	return nil
}

// always holds for each value.
func always(*answerValue) bool { return true }
