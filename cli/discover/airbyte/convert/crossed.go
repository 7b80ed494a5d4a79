package convert

import (
	"cmp"
	"maps"
	"slices"

	"sluice/cli/discover/airbyte/manifest"
)

// crossed are slices of which each item of an earlier parent has those of another one: that parent is asked for again below each of
// these items.
func (c *Conversion) crossed(s *Stream, router *manifest.Section, r reading, all []*slice) (made []*slice) {
	for _, config := range router.Get("parent_stream_configs").Elements() {
		s.widenIf(config.Get("incremental_dependency").Truth(false) && !r.isWhole, config,
			"each run reads all of this parent: it is combined with another")
	}
	c.Values.Note(s.Name + ": sluice asks for the second parent again below each item of the first, and Airbyte once")
	for _, sl := range all {
		for _, config := range router.Get("parent_stream_configs").Elements() {
			for _, other := range c.below(s, config, reading{isParent: r.isParent, isWhole: true}) {
				made = append(made, sl.with(s, config, other))
			}
		}
	}
	if len(made) > mostSlices {
		s.Refuse(router, "so many combinations of parents are not supported")
		return nil
	}
	return made
}

// with is a slice below each combination of the items of two parents.
func (sl *slice) with(s *Stream, at *manifest.Section, other *slice) *slice {
	outermost := other.above
	for outermost.above != nil {
		outermost = outermost.above
	}
	isAlike := sl.refuseAlike(s, at, other.parts)
	taken := sl.placeholders()
	for _, name := range other.placeholders() {
		s.refuseIf(slices.Contains(taken, name) && !isAlike, at, "two combined parents with values that are both called "+name+
			" are not supported: give one of them another name in a copy of the manifest")
	}
	// The jobs of the other parent stand below that of this one, and take its values.
	for up := other.above; up != nil; up = up.above {
		up.root = sl.above.root
	}
	outermost.above = sl.above
	sl.above.own.Children = append(sl.above.own.Children, outermost.own)
	sl.take(outermost.own)
	both := &slice{isParent: sl.isParent, above: other.above, first: cmp.Or(sl.first, sl.above), extra: map[string]extra{}}
	for _, p := range sl.parts {
		p.isAbove = true
		both.parts = append(both.parts, p)
	}
	both.parts = append(both.parts, other.parts...)
	maps.Copy(both.extra, other.extra)
	for name := range sl.extra {
		both.extra[name] = extra{why: "extra_fields of a parent that is combined with another are not supported"}
	}
	return both
}

// refuseAlike refuses values of another router that are called as one of the slice is, and tells whether there are any.
func (sl *slice) refuseAlike(s *Stream, at *manifest.Section, others []part) (isAlike bool) {
	for _, other := range others {
		if slices.ContainsFunc(sl.parts, func(p part) bool { return p.name == other.name }) {
			isAlike = true
			s.Refuse(at, "two routers call their values "+other.name+", so Airbyte takes that of the first for both. "+
				"Give one of them another name in a copy of the manifest, and in its templates")
		}
	}
	return isAlike
}

// placeholders are the names of the values that jobs above take, and of those that its own takes.
func (sl *slice) placeholders() (all []string) {
	for up := sl.above; up != nil; up = up.above {
		for _, p := range up.own.Placeholders {
			all = append(all, p.Name)
		}
	}
	for _, p := range sl.parts {
		for _, m := range append(p.members, p) {
			if m.placeholder != "" {
				all = append(all, m.placeholder)
			}
		}
	}
	return all
}
