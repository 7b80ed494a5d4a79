package jq

import (
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A lack is what is not done to the items.
type lack struct {
	At   *manifest.Section
	Text string
}

// A Shaping is the transformations of a stream while they are converted.
type Shaping struct {
	Scope template.Scope
	Job   *write.PlannedJob

	// Steps are filters of jq, in order.
	Steps []string

	// added are members that jq needs and removes.
	added []string

	// Given are members that items have of their parents, which templates do not see.
	Given []string

	// Later are the transformations that are yet to come, left is what jq cannot do.
	Later []*manifest.Section
	Left  []lack
}

func (h *Shaping) add(step string) { h.Steps = append(h.Steps, step) }

// wholeItem stands for the item in a filter until all is known that jobs add to it.
const wholeItem = "\uE010"

// fixed is a part of names that the values decide.
func (h *Shaping) fixed(n *manifest.Section, member string) string {
	m := h.Scope.MeanText(n.Get(member))
	text, _ := m.Constant.(string)
	fault.If(m.Expr != nil || text == "" && member == "old",
		"a part of names that --values does not determine is not supported")
	return text
}

// key is a name behind the point of a path of jq.
func key(name string) string {
	isPlain := name != "" && !strings.ContainsAny(name[:1], "0123456789")
	for _, c := range name {
		isWord := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		isPlain = isPlain && isWord
	}
	if isPlain {
		return name
	}
	return "[" + write.Quote(name) + "]"
}

// steps are a path as an array of jq.
func steps(all []string) string {
	return write.JSON(write.Texts(all))
}
