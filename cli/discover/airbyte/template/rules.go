package template

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
)

// NewValues are those that the user has configured, as JSON, for a manifest; nil: none. The clock of the conversion
// stands at now.
func NewValues(root *manifest.Section, given []byte, now time.Time) (*manifest.Values, error) {
	v, err := manifest.ReadValues(root, given, now)
	if err != nil {
		return nil, err
	}
	v.Fault = fault.Try(func() { normalize(v, root.Get("spec")) })
	clear(v.Decided)
	return v, nil
}

// normalize applies the rules of a spec to the configuration, as the platform does before it reads anything.
func normalize(v *manifest.Values, spec *manifest.Section) {
	rules := spec.Get("config_normalization_rules")
	var all []*manifest.Section
	for _, migration := range rules.Get("config_migrations").Elements() {
		all = append(all, migration.Get("transformations").Elements()...)
	}
	all = append(all, rules.Get("transformations").Elements()...)
	sc := Scope{Values: v, settles: true}
	for _, t := range all {
		fault.Within(t.Place, func() any { sc.transform(t); return nil })
	}
}

// transform is one rule.
func (sc Scope) transform(t *manifest.Section) {
	switch t.Kind() {
	case "ConfigAddFields":
		for _, field := range t.Get("fields").Elements() {
			sc.change(t, field.Get("path"), field.Get("value"))
		}
	case "ConfigRemoveFields":
		for _, pointer := range t.Get("field_pointers").Elements() {
			sc.change(t, pointer, nil)
		}
	case "ConfigRemapField":
		sc.remap(t)
	default:
		panic(fault.New("a rule of the kind %q for the values is not supported", t.Kind()))
	}
}

// change adds or removes the value at a path, if the condition of a rule holds. Where nobody knows what comes of it the
// value is a fault.
func (sc Scope) change(t, pointer, value *manifest.Section) {
	path := sc.pointer(pointer)
	last := path[len(path)-1]
	err := fault.Try(func() {
		switch {
		case t.Peek("condition").Text() != "" && !sc.holds(t.Get("condition")):
		case t.Kind() == "ConfigRemoveFields":
			delete(objectAt(sc.Values, path, false), last)
		default:
			added := sc.added(value)
			objectAt(sc.Values, path, true)[last] = added
		}
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", t.Place, err)
		objectAt(sc.Values, path, true)[last] = manifest.Setting{Path: strings.Join(path, "."), Fault: err}
	}
}

// holds is what a condition gives that the values decide alone, as Airbyte counts texts as true or false.
func (sc Scope) holds(n *manifest.Section) bool {
	n.Know()
	m := sc.At(n).meanTemplate(n.Text())
	switch {
	case m.Nothing:
		return false
	case m.Expr != nil:
		panic(fault.New("%s: its value is known only in a run", shortened(n.Text())))
	}
	v := m.Constant
	if text, ok := v.(string); ok {
		if read, ok := python.Literal(text); ok {
			v = read
		}
	}
	return python.Holds(python.Listed(v))
}

// pointer is the path of a rule, without wildcards.
func (sc Scope) pointer(n *manifest.Section) (path []string) {
	for _, step := range n.Elements() {
		path = append(path, sc.FixedText(step))
	}
	if slices.Contains(path, "*") || slices.Contains(path, "**") || slices.Contains(path, "") || path == nil {
		panic(fault.New("a path of the values that is empty or has * is not supported"))
	}
	return path
}

// objectAt is the object that has the last step of a path; nil: there is none.
func objectAt(v *manifest.Values, path []string, isMade bool) map[string]any {
	at := v.All
	for _, step := range path[:len(path)-1] {
		next, ok := at[step].(map[string]any)
		if !ok && isMade {
			next = map[string]any{}
			at[step] = next
		}
		at = next
	}
	return at
}

// added is the value of a new member; what is secret or missing stays so.
func (sc Scope) added(n *manifest.Section) any {
	t, err := Parse(n.Text())
	if err == nil && len(t) == 1 && t[0].Expression != nil {
		if c, ok := sc.At(n).eval(t[0].Expression).(Constant); ok && isOutside(c) {
			return c.Value
		}
	}
	return sc.Constant(n)
}

// remap replaces a value by that of a map.
func (sc Scope) remap(t *manifest.Section) {
	path := sc.pointer(t.Get("field_path"))
	at, last := objectAt(sc.Values, path, false), path[len(path)-1]
	text, ok := at[last].(string)
	if !ok {
		return
	}
	of := t.Get("map")
	fault.If(!of.IsObject(), "a map of values that is not an object is not supported")
	if to := of.Get(text); to != nil {
		at[last] = sc.Constant(to)
	}
}
