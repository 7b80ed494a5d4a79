package convert

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

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
func (sl *slice) refuseAlike(s *Stream, at *manifest.Section, others []routedValue) (isAlike bool) {
	for _, other := range others {
		if slices.ContainsFunc(sl.parts, func(p routedValue) bool { return p.name == other.name }) {
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

// A slice is a part of a stream, of which each has a job: that of a value of a list, or below a parent. A stream
// without partitions is one.
type slice struct {
	// own has the items, root is the outermost job, which leads to it.
	root, own *write.PlannedJob

	isParent bool

	// lacks notes a value that the slice does not have; nil: that is a fault.
	lacks func(name string)

	// above is that of the parent; nil: there is none. first is that of the first one, where two are combined.
	above, first *slice

	// parts are the values that tell it from the others.
	parts []routedValue

	// extra are further values of the parent's items, by their paths in them. isShaping tells that the slice is one for
	// changes of items.
	extra     map[string]extra
	isShaping bool
}

// A routedValue is a value that a router gives.
type routedValue struct {
	name  string
	value template.Meaning

	// placeholder is the name of the parent's value, path where its items have it; empty: it is none of a parent.
	placeholder, path string

	// members are those of a key that the parent makes; empty: it is a value.
	members []routedValue

	// option says where it goes by itself; nil: nowhere.
	option *manifest.Section

	// isAbove: a job above takes it.
	isAbove bool
}

// An extra is a further value of the parent's items, or why it is not understood.
type extra struct {
	path, why string

	// note tells a person what it must be.
	note func()
}

// mostSlices is how many jobs a stream may become.
const mostSlices = 500

// unsettled is the slice with values of lists as those that a run knows, so that all slices change their items alike.
func (sl *slice) unsettled() *slice {
	one := *sl
	one.isShaping = true
	one.parts = slices.Clone(sl.parts)
	for i, p := range one.parts {
		one.parts[i].value = template.Meaning{Expr: p.value.Value()}
	}
	return &one
}

// variables are what templates of the slice may name: its values, the bounds of its time.
func (sl *slice) variables(k *timeCursor) map[string]template.Variable {
	v := func(path []string) template.Meaning { return sl.value(path, k) }
	return map[string]template.Variable{"stream_slice": v, "stream_partition": v, "stream_interval": v}
}

// value is what a path below stream_slice means.
func (sl *slice) value(path []string, k *timeCursor) template.Meaning {
	fault.If(len(path) == 0, "%w", template.WholeSlice{IsEmpty: len(sl.parts) == 0 && k == nil})
	name, below := path[0], path[1:]
	if len(below) > 0 {
		switch name {
		case "partition", "cursor_slice":
			return sl.value(below, k)
		case "parent_slice":
			fault.If(sl.above == nil || below[0] == "extra_fields", "there is no parent_slice that has %s", below[0])
			return cmp.Or(sl.first, sl.above).value(below, nil)
		case "extra_fields":
			return sl.extraValue(strings.Join(below, "']['"))
		}
	}
	for _, p := range sl.parts {
		if p.name == name {
			return p.below(below)
		}
	}
	switch {
	case k != nil && name == k.startName:
		return k.use(below, k.start)
	case k != nil && name == k.endName:
		return k.use(below, k.end)
	}
	// As Python has it, there is an attribute of such a name.
	isOwn := slices.Contains(template.ObjectMethods, name) || slices.Contains(ownNames, name) || strings.HasPrefix(name, "_")
	fault.If(isOwn || len(below) > 0 || sl.lacks == nil, "the slices have no %s", strings.Join(path, "."))
	sl.lacks(name)
	return template.Nothing
}

// ownNames are those that slices have in Airbyte beside their values.
var ownNames = []string{"partition", "cursor_slice", "extra_fields", "parent_slice"}

// below is what stands at a path in a value.
func (p routedValue) below(path []string) template.Meaning {
	for _, member := range p.members {
		if len(path) > 0 && path[0] == member.name {
			return member.below(path[1:])
		}
	}
	fault.If(len(p.members) > 0, "only members of the object %s are supported", p.name)
	fault.If(len(path) > 0, "what stands in %s is not supported", p.name)
	return p.value
}

// inject puts the values where their options say.
func (sl *slice) inject(s *Stream, sc template.Scope) {
	for _, p := range sl.parts {
		isConstant := p.value.Expr == nil
		switch {
		case p.option == nil:
		case len(p.members) > 0:
			s.Refuse(p.option, "an object is not a value for a request")
		case isConstant && slices.Contains([]any{nil, "", int64(0), float64(0), false}, p.value.Constant):
			// That platform sends nothing.
			p.option.Know()
		default:
			sc.Values.NoteIf(p.path != "",
				p.path+`: where an item of the parent has 0, "", false or null there, Airbyte leaves `+
					"the parameter of its request_option out; sluice sends it, and for null sends no request")
			s.try(p.option, func() { sl.own.Put(spotOf(p.option, sc), p.value.Value()) })
		}
	}
}

// start makes the job of a slice, below that of its parent.
func (sl *slice) start() {
	sl.own = &write.PlannedJob{Part: sl.name()}
	if sl.above == nil {
		sl.root = sl.own
		return
	}
	sl.root = sl.above.root
	sl.above.own.Children = append(sl.above.own.Children, sl.own)
	sl.take(sl.own)
}

// take has a job take the values of the parent's items that no job above takes.
func (sl *slice) take(j *write.PlannedJob) {
	for _, p := range sl.parts {
		if p.isAbove {
			continue
		}
		for _, m := range append(p.members, p) {
			if m.path != "" {
				j.Take(m.placeholder, m.path, true)
			}
		}
	}
}

// name is what the values of lists make of it, also of lists above.
func (sl *slice) name() string {
	var all []string
	if sl.above != nil && sl.above.name() != "" {
		all = append(all, sl.above.name())
	}
	for _, p := range sl.parts {
		if p.path == "" && len(p.members) == 0 {
			all = append(all, python.Printed(p.value.Constant))
		}
	}
	return strings.Join(all, "-")
}

// unused is a name for a placeholder that no job from the slice's upwards has, and that is not taken elsewhere.
func (sl *slice) unused(name string, taken ...string) string {
	name = strings.NewReplacer("{", "_", "}", "_", ":", "_").Replace(name)
	isTaken := func(name string) bool {
		for up := sl; up != nil; up = up.above {
			if up.own.Takes(name) {
				return true
			}
		}
		return slices.Contains(taken, name)
	}
	free := name
	for n := 2; isTaken(free); n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	return free
}

// extraValue is a further value of the parent's item. One without it fails the run, and has no request without a word.
func (sl *slice) extraValue(name string) template.Meaning {
	e, ok := sl.extra[name]
	fault.If(!ok, "the extra_fields have no %s", name)
	fault.If(e.why != "", "%s", e.why)
	fault.If(sl.isShaping, "extra_fields are supported only in requests: an item may lack %s", name)
	e.note()
	for _, p := range sl.own.Placeholders {
		if p.Path == e.path && !p.IsOptional {
			return template.Meaning{Expr: write.Placeholder(p.Name)}
		}
	}
	placeholder := sl.unused(name)
	sl.own.Take(placeholder, e.path, false)
	return template.Meaning{Expr: write.Placeholder(placeholder)}
}

// given are the members that items have of their parents: of several on one path the last has the plain name.
func (sl *slice) given() (all []string) {
	for up := sl; up != nil; up = up.above {
		var own []string
		for _, p := range up.own.Placeholders {
			own = append(own, "parent_"+strings.TrimPrefix(p.Path, "parent_"))
		}
		all = append(own, all...)
	}
	count := map[string]int{}
	for i, name := range all {
		if slices.Contains(all[i+1:], name) {
			all[i] += "_u" + strconv.Itoa(count[name])
		}
		count[name]++
	}
	return all
}
