package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A slice is a part of a stream, of which each has a job: that of a value of a list, or below a parent. A stream
// without partitions is one.
type slice struct {
	// own has the items, root is the outermost job, which leads to it.
	root, own *write.PlannedJob

	isParent bool

	// above is that of the parent; nil: there is none. first is that of the first one, where two are combined.
	above, first *slice

	// parts are the values that tell it from the others.
	parts []part

	// extra are further values of the parent's items, by their paths in them. isShaping tells that the slice is one for
	// changes of items.
	extra     map[string]extra
	isShaping bool
}

// A part is a value that a router gives.
type part struct {
	name  string
	value template.Meaning

	// placeholder is the name of the parent's value, path where its items have it; empty: it is none of a parent.
	placeholder, path string

	// members are those of a key that the parent makes; empty: it is a value.
	members []part

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

// slices are those that routers make. All routers together make each combination of their values.
func (c *Conversion) slices(s *Stream, n *manifest.Section, r reading) []*slice {
	all := []*slice{{isParent: r.isParent}}
	var lists []*manifest.Section
	isBelow := false
	for _, router := range n.Elements() {
		switch {
		case router.Kind() == "ListPartitionRouter":
			lists = append(lists, router)
		case router.Kind() != "SubstreamPartitionRouter":
			s.refuseWhole(router, manifest.ClassName(router)+" is not supported")
		case isBelow:
			all = c.crossed(s, router, r, all)
		default:
			isBelow, all = true, nil
			// Parents are tried one after the other.
			for _, config := range router.Get("parent_stream_configs").Elements() {
				all = append(all, c.below(s, config, r)...)
			}
		}
	}
	for _, router := range lists {
		all = c.listed(s, router, all)
	}
	for _, sl := range all {
		sl.start()
	}
	return all
}

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
	panic(fault.New("the slices have no %s", strings.Join(path, ".")))
}

// below is what stands at a path in a value.
func (p part) below(path []string) template.Meaning {
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

// below are slices below each item of a parent.
func (c *Conversion) below(s *Stream, n *manifest.Section, r reading) (all []*slice) {
	if pointer := n.Get("lazy_read_pointer"); len(pointer.Elements()) > 0 {
		s.refuseWhole(pointer, "items that stand in those of the parent are not supported")
	}
	isIncremental := n.Get("incremental_dependency").Truth(false)
	parent := n.Get("stream")
	if parent != nil {
		s.parents = append(s.parents, parent)
	}
	above := c.convert(s, parent, reading{isParent: true, isWhole: r.isWhole || !isIncremental})
	p := part{option: n.Get("request_option")}
	p.name = c.said(s, n, "partition_field")
	key := c.said(s, n, "parent_key")
	made, isMade := madeKeyOf(parent, key)
	if !isMade {
		p.path = keyPath(s, n.Get("parent_key"), key, parent)
	}
	extra := c.extra(n.Get("extra_fields"), parent)
	for _, up := range above {
		one := p
		if isMade {
			s.try(n.Get("parent_key"), func() { one.members = made.parts(up) })
		} else {
			one.placeholder = up.unused(p.name)
			one.value.Expr = write.Placeholder(one.placeholder)
		}
		all = append(all, &slice{isParent: r.isParent, above: up, parts: []part{one}, extra: extra})
	}
	return all
}

// said is a text that the values decide.
func (c *Conversion) said(s *Stream, n *manifest.Section, member string) string {
	text, _ := decided(c.scope(), n.Get(member))
	s.refuseIf(text == "", n, "--values does not determine "+member)
	return text
}

// keyPath is the path of a parent's value, whose steps the manifest divides by slashes. It must be as items come: a
// path that leads nowhere would leave all of them without children.
func keyPath(s *Stream, at *manifest.Section, key string, parent *manifest.Section) string {
	steps := strings.Split(strings.Trim(key, "/"), "/")
	if strings.ContainsAny(key, "*?[") {
		s.Refuse(at, "a key with wildcards is not supported")
		return ""
	}
	path, found := fieldOrigin(parent, steps[0])
	s.refuseIf(found != sure, at, madeByParent(steps[0]))
	return strings.Join(append([]string{path}, steps[1:]...), ".")
}

// madeByParent says why a member of the parent's items is not known.
func madeByParent(name string) string {
	return "a transformation of the parent makes " + name + ", so its items do not have it as they come"
}

// unused is a name for a placeholder that no job from the slice's upwards has.
func (sl *slice) unused(name string) string {
	name = strings.NewReplacer("{", "_", "}", "_", ":", "_").Replace(name)
	isTaken := func(name string) bool {
		for up := sl; up != nil; up = up.above {
			if up.own.Takes(name) {
				return true
			}
		}
		return false
	}
	free := name
	for n := 2; isTaken(free); n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	return free
}

// listed are slices of which each has become one for each value of a list.
func (c *Conversion) listed(s *Stream, n *manifest.Section, all []*slice) (made []*slice) {
	name, ok := decided(c.scope(), n.Get("cursor_field"))
	s.refuseIf(!ok, n, "--values does not determine the name in cursor_field")
	var values []any
	s.try(n.Get("values"), func() { values = c.listOf(n.Get("values")) })
	if len(values)*len(all) > mostSlices {
		s.Refuse(n.Get("values"), fmt.Sprintf("more than %d combinations of values are not supported", mostSlices))
		return nil
	}
	option := n.Get("request_option")
	for _, sl := range all {
		sl.refuseAlike(s, n, []part{{name: name}})
		for _, v := range values {
			one := *sl
			own := part{name: name, value: template.Meaning{Constant: v}, option: option}
			one.parts = append(slices.Clone(sl.parts), own)
			made = append(made, &one)
		}
	}
	return made
}

// listOf are the values of a list, which those of the configuration decide.
func (c *Conversion) listOf(n *manifest.Section) (all []any) {
	fault.If(n == nil, "values is missing")
	if !n.IsList() {
		all, ok := c.scope().Constant(n).([]any)
		fault.If(!ok, "it is not a list that --values determines")
		return all
	}
	for _, e := range n.Elements() {
		fault.If(e.IsObject() || e.IsList(), "values that are neither texts nor numbers are not supported")
		fault.If(template.IsTemplate(e.Text()), "Airbyte sends %s as it stands, with its braces", e.Text())
		e.Know()
		budget := 1
		all = append(all, manifest.WithNumbers(e.Plain(&budget)))
	}
	return all
}

// extra are the further values that a router takes of the items of a parent, by what templates call them.
func (c *Conversion) extra(n, parent *manifest.Section) map[string]extra {
	all := map[string]extra{}
	n.Know()
	for _, e := range n.Elements() {
		var steps []string
		isKnown := len(e.Elements()) > 0
		for _, step := range e.Elements() {
			text, _ := decided(c.scope(), step)
			isKnown = isKnown && text != "" && !strings.ContainsAny(text, ".*?[/")
			steps = append(steps, text)
		}
		name := strings.Join(steps, ".")
		if !isKnown {
			all[name] = extra{why: "extra_fields: this path is not supported: want plain names"}
			continue
		}
		first, found := fieldOrigin(parent, steps[0])
		if found != sure {
			all[name] = extra{why: madeByParent(steps[0])}
			continue
		}
		steps[0] = first
		note := name + ": each item of the parent must have a text or a number there, since its request has it " +
			"(extra_fields). Without one Airbyte sends an empty value, and sluice fails the run"
		all[name] = extra{path: strings.Join(steps, "."), note: func() { c.Values.Note(note) }}
	}
	return all
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
