package convert

import (
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

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
	above := c.convert(s, parent, reading{isParent: true, isWhole: r.isWhole || !isIncremental, taken: r.taken})
	p := routedValue{option: n.Get("request_option")}
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
			one.placeholder = up.unused(p.name, r.taken...)
			one.value.Expr = write.Placeholder(one.placeholder)
		}
		all = append(all, &slice{isParent: r.isParent, above: up, parts: []routedValue{one}, extra: extra})
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
		sl.refuseAlike(s, n, []routedValue{{name: name}})
		for _, v := range values {
			one := *sl
			own := routedValue{name: name, value: template.Meaning{Constant: v}, option: option}
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
			apart := reading{isParent: r.isParent, isWhole: true, taken: sl.placeholders()}
			for _, other := range c.below(s, config, apart) {
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
