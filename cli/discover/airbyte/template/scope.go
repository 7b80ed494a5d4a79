// Package template reads the templates of a manifest, evaluates what the values decide of them, and says the rest as
// expressions of ours. What is not understood is a fault.
package template

import (
	"maps"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
)

// A Scope says what the variables of a template mean where it stands.
type Scope struct {
	Values *manifest.Values

	// variables are those beside config and parameters, by name, such as stream_partition.
	variables map[string]Variable

	// parameters are those of the component whose template it is; mean sets them, at does for fold.
	parameters map[string]*manifest.Tree

	// filled are sources of templates, and what stands in their place.
	filled map[string]string

	// settles tells that values of the configuration are constants, as the conversion has to know them.
	settles bool
}

// A Variable gives what a path below it means.
type Variable func(path []string) Meaning

// Later is a variable that only a run has.
func Later([]string) Meaning { panic(fault.New("it is known later")) }

// With is the scope with more variables.
func (sc Scope) With(more map[string]Variable) Scope {
	all := make(map[string]Variable, len(sc.variables)+len(more))
	maps.Copy(all, sc.variables)
	maps.Copy(all, more)
	sc.variables = all
	return sc
}

// Filled is the scope in which other sources stand in the place of some templates.
func (sc Scope) Filled(sources map[string]string) Scope {
	sc.filled = sources
	return sc
}

// HasFilled tells that there are such templates.
func (sc Scope) HasFilled() bool { return len(sc.filled) > 0 }

// At is the scope of a template that stands at a node.
func (sc Scope) At(n *manifest.Section) Scope {
	if n != nil {
		sc.parameters = n.Parameters
	}
	return sc.ready()
}

// ready is a scope for a template.
func (sc Scope) ready() Scope {
	if sc.Values == nil {
		sc.Values = &manifest.Values{All: map[string]any{}, Used: map[string]manifest.Setting{}, Decided: map[string]bool{}}
	}
	sc.Values.Steps = 0
	return sc
}

// An unknownName is a variable that is not known where it stands.
type unknownName string

func (u unknownName) Error() string { return string(u) + " is not known here" }
