package convert

import (
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A slice is a part of a stream, of which each has a job: that of a value of a list, or below a parent. A stream
// without partitions is one.
type slice struct {
	// own has the items, root is the outermost job, which leads to it.
	root, own *write.Job

	isParent bool

	// above is that of the parent; nil: there is none.
	above *slice

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
	option *manifest.Node
}

// mostSlices is how many jobs a stream may become.
const mostSlices = 500

// slices are those that routers make. All routers together make each combination of their values.
func (c *Conversion) slices(s *Stream, n *manifest.Node, r reading) []*slice {
	all := []*slice{{isParent: r.isParent}}
	isBelow := false
	for _, router := range n.Elements() {
		if router.Kind() != "SubstreamPartitionRouter" {
			continue
		}
		if isBelow {
			router.Know()
			s.Refuse(router, "each item of one parent with each of another is not understood")
			continue
		}
		isBelow = true
		all = c.below(s, router, r)
	}
	for _, router := range n.Elements() {
		switch router.Kind() {
		case "SubstreamPartitionRouter":
		case "ListPartitionRouter":
			all = c.listed(s, router, all)
		default:
			router.Know()
			s.Refuse(router, manifest.ClassName(router)+" is not understood")
		}
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
		one.parts[i].value = template.Meaning{Expr: p.value.JSON()}
	}
	return &one
}

// variables are what templates of the slice may name: its values, the bounds of its time.
func (sl *slice) variables(k *cursor) map[string]template.Variable {
	v := func(path []string) (template.Meaning, error) { return sl.value(path, k) }
	return map[string]template.Variable{"stream_slice": v, "stream_partition": v, "stream_interval": v}
}

// value is what a path below stream_slice means.
func (sl *slice) value(path []string, k *cursor) (template.Meaning, error) {
	if len(path) == 0 {
		return template.Meaning{}, template.WholeSlice{IsEmpty: len(sl.parts) == 0 && k == nil}
	}
	if of := path[0]; len(path) > 1 {
		switch of {
		case "partition", "cursor_slice":
			return sl.value(path[1:], k)
		case "parent_slice":
			return sl.parentValue(path[1:])
		case "extra_fields":
			return sl.extraValue(strings.Join(path[1:], "']['"))
		}
	}
	for _, p := range sl.parts {
		if p.name == path[0] {
			return p.below(path[1:])
		}
	}
	if k != nil {
		switch path[0] {
		case k.startName:
			return k.use(path[1:], k.start)
		case k.endName:
			return k.use(path[1:], k.end)
		}
	}
	return template.Meaning{}, fmt.Errorf("the slices have no %s", strings.Join(path, "."))
}

// below is what stands at a path in a value.
func (p part) below(path []string) (template.Meaning, error) {
	for _, m := range p.members {
		if len(path) > 0 && path[0] == m.name {
			return m.below(path[1:])
		}
	}
	if len(p.members) > 0 {
		return template.Meaning{}, fmt.Errorf("the object %s is understood by its members alone", p.name)
	}
	if len(path) > 0 {
		return template.Meaning{}, fmt.Errorf("what stands in %s is not understood", p.name)
	}
	return p.value, nil
}

// parentValue is a value of the parent's own slice.
func (sl *slice) parentValue(path []string) (template.Meaning, error) {
	if sl.above == nil {
		return template.Meaning{}, fmt.Errorf("there is no parent_slice")
	}
	if path[0] == "extra_fields" {
		return template.Meaning{}, fmt.Errorf("parent_slice has no extra_fields")
	}
	return sl.above.value(path, nil)
}

// inject puts the values where their options say.
func (sl *slice) inject(s *Stream, sc template.Scope) {
	for _, p := range sl.parts {
		if p.option == nil {
			continue
		}
		if len(p.members) > 0 {
			s.Refuse(p.option, "an object is no value for a request")
			continue
		}
		if isFalsy(p.value) {
			p.option.Know()
			continue
		}
		if p.path != "" {
			sc.Values.Note(
				p.path + `: where an item of the parent has 0, "", false or null there, that platform ` +
					"asks without the parameter of its request_option; here it is sent, and for null nothing is asked",
			)
		}
		if err := injectInto(sl.own, p.option, sc, p.value.JSON()); err != nil {
			s.Refuse(p.option, err.Error())
		}
	}
}

// isFalsy tells a constant that is not sent.
func isFalsy(m template.Meaning) bool {
	if m.Expr != "" {
		return false
	}
	return m.Constant == nil || slices.Contains([]any{"", int64(0), float64(0), false}, m.Constant)
}

// start makes the job of a slice, below that of its parent.
func (sl *slice) start() {
	sl.own = &write.Job{Part: sl.name()}
	if sl.above == nil {
		sl.root = sl.own
		return
	}
	sl.root = sl.above.root
	sl.above.own.Children = append(sl.above.own.Children, sl.own)
	for _, p := range sl.parts {
		for _, m := range append(p.members, p) {
			if m.path != "" {
				sl.own.Take(m.placeholder, m.path, true)
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

// below are slices below each item of parents, which are tried one after the other.
func (c *Conversion) below(s *Stream, n *manifest.Node, r reading) (all []*slice) {
	for _, config := range n.Get("parent_stream_configs").Elements() {
		all = append(all, c.belowOne(s, config, r)...)
	}
	return all
}

func (c *Conversion) belowOne(s *Stream, n *manifest.Node, r reading) (all []*slice) {
	if pointer := n.Get("lazy_read_pointer"); pointer != nil && len(pointer.Elements()) > 0 {
		pointer.Know()
		s.Refuse(pointer, "items that stand in those of the parent are not understood")
	}
	isIncremental := n.Get("incremental_dependency").Truth(false)
	parent := n.Get("stream")
	above := c.convert(s, parent, reading{isParent: true, isWhole: r.isWhole || !isIncremental})
	p := part{option: n.Get("request_option")}
	p.name = c.said(s, n, "partition_field")
	key := c.said(s, n, "parent_key")
	made, isMade := madeKeyOf(parent, key)
	if !isMade {
		p.path = c.keyPath(s, n.Get("parent_key"), key, parent)
	}
	extra := c.extra(n.Get("extra_fields"), parent)
	for _, up := range above {
		one := p
		if isMade {
			var err error
			if one.members, err = made.parts(up); err != nil {
				s.Refuse(n.Get("parent_key"), err.Error())
			}
			all = append(all, &slice{isParent: r.isParent, above: up, parts: []part{one}, extra: extra})
			continue
		}
		one.placeholder = up.unused(p.name)
		one.value = template.Meaning{Expr: write.Placeholder(one.placeholder)}
		all = append(all, &slice{isParent: r.isParent, above: up, parts: []part{one}, extra: extra})
	}
	return all
}

// said is a text that the values decide.
func (c *Conversion) said(s *Stream, n *manifest.Node, member string) string {
	text, ok := c.decided(n.Get(member))
	if !ok || text == "" {
		s.Refuse(n, member+" is not decided by the values")
	}
	return text
}

// keyPath is the path of a parent's value, whose steps the manifest divides by slashes. It must be as items come: a
// path that leads nowhere would leave all of them without children.
func (c *Conversion) keyPath(s *Stream, at *manifest.Node, key string, parent *manifest.Node) string {
	steps := strings.Split(strings.Trim(key, "/"), "/")
	if strings.ContainsAny(key, "*?[") {
		s.Refuse(at, "a key with wildcards is not understood")
		return ""
	}
	path, found := c.origin(parent, steps[0])
	if found != sure {
		s.Refuse(at, "a transformation of the parent makes "+steps[0]+", so its items do not have it as they come")
	}
	return strings.Join(append([]string{path}, steps[1:]...), ".")
}

// unused is a name for a placeholder that no job from the slice's upwards has.
func (sl *slice) unused(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("{}:", r) {
			return '_'
		}
		return r
	}, name)
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
func (c *Conversion) listed(s *Stream, n *manifest.Node, all []*slice) (made []*slice) {
	name, ok := c.decided(n.Get("cursor_field"))
	if !ok {
		s.Refuse(n, "cursor_field has no name that the values decide")
	}
	values, err := c.listOf(n.Get("values"))
	if err != nil {
		s.Refuse(n.Get("values"), err.Error())
		return nil
	}
	option := n.Get("request_option")
	if len(values)*len(all) > mostSlices {
		s.Refuse(n.Get("values"), fmt.Sprintf("more than %d combinations of values are not understood", mostSlices))
		return nil
	}
	for _, sl := range all {
		for _, v := range values {
			one := *sl
			one.parts = append(
				slices.Clone(sl.parts),
				part{name: name, value: template.Meaning{Constant: v}, option: option},
			)
			made = append(made, &one)
		}
	}
	return made
}

// listOf are the values of a list, which those of the configuration decide.
func (c *Conversion) listOf(n *manifest.Node) ([]any, error) {
	if n == nil {
		return nil, fmt.Errorf("values is missing")
	}
	if !n.IsList() {
		v, err := c.scope().Constant(n)
		if err != nil {
			return nil, err
		}
		all, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("it is no list that the values decide")
		}
		return all, nil
	}
	var all []any
	for _, e := range n.Elements() {
		if e.IsObject() || e.IsList() {
			return nil, fmt.Errorf("values that are neither texts nor numbers are not understood")
		}
		if template.IsTemplate(e.Text()) {
			return nil, fmt.Errorf("the platform sends %s as it stands, braces included", e.Text())
		}
		e.Know()
		budget := 1
		all = append(all, manifest.WithNumbers(e.Plain(&budget)))
	}
	return all, nil
}
