package airbyte

import (
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A slice is a part of a stream, of which each has a job: that of a value of a list, or below a parent. A stream without
// partitions is one.
type slice struct {
	// own has the items, root is the outermost job, which leads to it.
	root, own *job

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
	value meaning

	// placeholder is the name of the parent's value, path where its items have it; empty: it is none of a parent.
	placeholder, path string

	// members are those of a key that the parent makes; empty: it is a value.
	members []part

	// option says where it goes by itself; nil: nowhere.
	option *node
}

// mostSlices is how many jobs a stream may become.
const mostSlices = 500

// slices are those that routers make. All routers together make each combination of their values.
func (c *conversion) slices(s *stream, n *node, r reading) []*slice {
	all := []*slice{{isParent: r.isParent}}
	isBelow := false
	for _, router := range n.elements() {
		if router.kind() != "SubstreamPartitionRouter" {
			continue
		}
		if isBelow {
			router.know()
			s.refuse(router, "each item of one parent with each of another is not understood")
			continue
		}
		isBelow = true
		all = c.below(s, router, r)
	}
	for _, router := range n.elements() {
		switch router.kind() {
		case "SubstreamPartitionRouter":
		case "ListPartitionRouter":
			all = c.listed(s, router, all)
		default:
			router.know()
			s.refuse(router, className(router)+" is not understood")
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
		one.parts[i].value = meaning{json: p.value.JSON()}
	}
	return &one
}

// variables are what templates of the slice may name: its values, the bounds of its time.
func (sl *slice) variables(k *cursor) map[string]variable {
	v := func(path []string) (meaning, error) { return sl.value(path, k) }
	return map[string]variable{"stream_slice": v, "stream_partition": v, "stream_interval": v}
}

// value is what a path below stream_slice means.
func (sl *slice) value(path []string, k *cursor) (meaning, error) {
	if len(path) == 0 {
		return meaning{}, wholeSlice{isEmpty: len(sl.parts) == 0 && k == nil}
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
	return meaning{}, fmt.Errorf("the slices have no %s", strings.Join(path, "."))
}

// below is what stands at a path in a value.
func (p part) below(path []string) (meaning, error) {
	for _, m := range p.members {
		if len(path) > 0 && path[0] == m.name {
			return m.below(path[1:])
		}
	}
	if len(p.members) > 0 {
		return meaning{}, fmt.Errorf("the object %s is understood by its members alone", p.name)
	}
	if len(path) > 0 {
		return meaning{}, fmt.Errorf("what stands in %s is not understood", p.name)
	}
	return p.value, nil
}

// parentValue is a value of the parent's own slice.
func (sl *slice) parentValue(path []string) (meaning, error) {
	if sl.above == nil {
		return meaning{}, fmt.Errorf("there is no parent_slice")
	}
	if path[0] == "extra_fields" {
		return meaning{}, fmt.Errorf("parent_slice has no extra_fields")
	}
	return sl.above.value(path, nil)
}

// inject puts the values where their options say.
func (sl *slice) inject(s *stream, sc scope) {
	for _, p := range sl.parts {
		if p.option == nil {
			continue
		}
		if len(p.members) > 0 {
			s.refuse(p.option, "an object is no value for a request")
			continue
		}
		if isFalsy(p.value) {
			p.option.know()
			continue
		}
		if p.path != "" {
			sc.values.note(
				p.path + `: where an item of the parent has 0, "", false or null there, that platform ` +
					"asks without the parameter of its request_option; here it is sent, and for null nothing is asked",
			)
		}
		if err := sl.own.inject(p.option, sc, p.value.JSON()); err != nil {
			s.refuse(p.option, err.Error())
		}
	}
}

// isFalsy tells a constant that is not sent.
func isFalsy(m meaning) bool {
	if m.json != "" {
		return false
	}
	return m.constant == nil || slices.Contains([]any{"", int64(0), float64(0), false}, m.constant)
}

// start makes the job of a slice, below that of its parent.
func (sl *slice) start() {
	sl.own = &job{part: sl.name()}
	if sl.above == nil {
		sl.root = sl.own
		return
	}
	sl.root = sl.above.root
	sl.above.own.children = append(sl.above.own.children, sl.own)
	for _, p := range sl.parts {
		for _, m := range append(p.members, p) {
			if m.path != "" {
				sl.own.take(m.placeholder, m.path, true)
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
		isListed := p.path == "" && len(p.members) == 0
		if isListed {
			all = append(all, printed(p.value.constant))
		}
	}
	return strings.Join(all, "-")
}

// take gives a job a placeholder, unless it has it.
func (j *job) take(name, path string, isOptional bool) {
	value := quote(path)
	if isOptional {
		value = item.Object{"path", quote(path), "optional", "true"}.String()
	}
	if !j.takes(name) {
		j.placeholders = append(j.placeholders, name, value)
	}
}

func (j *job) takes(name string) bool {
	for i := 0; i < len(j.placeholders); i += 2 {
		if j.placeholders[i] == name {
			return true
		}
	}
	return false
}

// below are slices below each item of parents, which are tried one after the other.
func (c *conversion) below(s *stream, n *node, r reading) (all []*slice) {
	for _, config := range n.get("parent_stream_configs").elements() {
		all = append(all, c.belowOne(s, config, r)...)
	}
	return all
}

func (c *conversion) belowOne(s *stream, n *node, r reading) (all []*slice) {
	if pointer := n.get("lazy_read_pointer"); pointer != nil && len(pointer.elements()) > 0 {
		pointer.know()
		s.refuse(pointer, "items that stand in those of the parent are not understood")
	}
	isIncremental := n.get("incremental_dependency").truth(false)
	parent := n.get("stream")
	above := c.convert(s, parent, reading{isParent: true, isWhole: r.isWhole || !isIncremental})
	p := part{option: n.get("request_option")}
	p.name = c.said(s, n, "partition_field")
	key := c.said(s, n, "parent_key")
	made, isMade := madeKeyOf(parent, key)
	if !isMade {
		p.path = c.keyPath(s, n.get("parent_key"), key, parent)
	}
	extra := c.extra(n.get("extra_fields"), parent)
	for _, up := range above {
		one := p
		if isMade {
			var err error
			if one.members, err = made.parts(up); err != nil {
				s.refuse(n.get("parent_key"), err.Error())
			}
			all = append(all, &slice{isParent: r.isParent, above: up, parts: []part{one}, extra: extra})
			continue
		}
		one.placeholder = up.unused(p.name)
		one.value = meaning{json: item.Object{"placeholder", quote(one.placeholder)}.String()}
		all = append(all, &slice{isParent: r.isParent, above: up, parts: []part{one}, extra: extra})
	}
	return all
}

// said is a text that the values decide.
func (c *conversion) said(s *stream, n *node, member string) string {
	text, ok := c.decided(n.get(member))
	if !ok || text == "" {
		s.refuse(n, member+" is not decided by the values")
	}
	return text
}

// keyPath is the path of a parent's value, whose steps the manifest divides by slashes. It must be as items come: a path
// that leads nowhere would leave all of them without children.
func (c *conversion) keyPath(s *stream, at *node, key string, parent *node) string {
	steps := strings.Split(strings.Trim(key, "/"), "/")
	if strings.ContainsAny(key, "*?[") {
		s.refuse(at, "a key with wildcards is not understood")
		return ""
	}
	path, found := c.origin(parent, steps[0])
	if found != sure {
		s.refuse(
			at,
			"a transformation of the parent makes "+steps[0]+", so its items do not have it as they come",
		)
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
			if up.own.takes(name) {
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
func (c *conversion) listed(s *stream, n *node, all []*slice) (made []*slice) {
	name, ok := c.decided(n.get("cursor_field"))
	if !ok {
		s.refuse(n, "cursor_field has no name that the values decide")
	}
	values, err := c.listOf(n.get("values"))
	if err != nil {
		s.refuse(n.get("values"), err.Error())
		return nil
	}
	option := n.get("request_option")
	if len(values)*len(all) > mostSlices {
		s.refuse(
			n.get("values"),
			fmt.Sprintf("more than %d combinations of values are not understood", mostSlices),
		)
		return nil
	}
	for _, sl := range all {
		for _, v := range values {
			one := *sl
			one.parts = append(
				slices.Clone(sl.parts),
				part{name: name, value: meaning{constant: v}, option: option},
			)
			made = append(made, &one)
		}
	}
	return made
}

// listOf are the values of a list, which those of the configuration decide.
func (c *conversion) listOf(n *node) ([]any, error) {
	if n == nil {
		return nil, fmt.Errorf("values is missing")
	}
	if !n.isList() {
		v, err := c.scope().constant(n)
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
	for _, e := range n.elements() {
		if e.isObject() || e.isList() {
			return nil, fmt.Errorf("values that are neither texts nor numbers are not understood")
		}
		if isTemplate(e.text()) {
			return nil, fmt.Errorf("the platform sends %s as it stands, braces included", e.text())
		}
		e.know()
		budget := 1
		all = append(all, withNumbers(e.plain(&budget)))
	}
	return all, nil
}
