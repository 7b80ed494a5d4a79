package template

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
)

// NewValues are those that the user has configured, as JSON, for a manifest; nil: none. The clock of the conversion
// stands at now.
func NewValues(root *manifest.Node, given []byte, now time.Time) (*manifest.Values, error) {
	v, err := manifest.ReadValues(root, given, now)
	if err != nil {
		return nil, err
	}
	v.Fault = normalize(v, root.Get("spec"))
	clear(v.Decided)
	return v, nil
}

// normalize applies the rules of a spec to the configuration, as the platform does before it reads anything.
func normalize(v *manifest.Values, spec *manifest.Node) error {
	rules := spec.Get("config_normalization_rules")
	sc := Scope{Values: v, settles: true}
	for _, migration := range rules.Get("config_migrations").Elements() {
		for _, t := range migration.Get("transformations").Elements() {
			if err := sc.transform(t); err != nil {
				return fmt.Errorf("%s: %w", t.Place, err)
			}
		}
	}
	for _, t := range rules.Get("transformations").Elements() {
		if err := sc.transform(t); err != nil {
			return fmt.Errorf("%s: %w", t.Place, err)
		}
	}
	return nil
}

// transform is one rule.
func (sc Scope) transform(t *manifest.Node) error {
	switch t.Kind() {
	case "ConfigAddFields":
		for _, field := range t.Get("fields").Elements() {
			if err := sc.addField(t, field); err != nil {
				return err
			}
		}
		return nil
	case "ConfigRemoveFields":
		for _, pointer := range t.Get("field_pointers").Elements() {
			path, err := sc.pointer(pointer)
			if err != nil {
				return err
			}
			is, err := sc.applies(t)
			switch {
			case err != nil:
				sc.doubt(t, path, err)
			case is:
				delete(objectAt(sc.Values, path, false), path[len(path)-1])
			}
		}
		return nil
	case "ConfigRemapField":
		return sc.remap(t)
	default:
		return fmt.Errorf("a rule of the kind %q for the values is not understood", t.Kind())
	}
}

// doubt notes that nobody knows what a rule makes of the value at a path.
func (sc Scope) doubt(t *manifest.Node, path []string, err error) {
	fault := fmt.Errorf("%s: %w", t.Place, err)
	objectAt(sc.Values, path, true)[path[len(path)-1]] = manifest.Setting{Path: strings.Join(path, "."), Fault: fault}
}

// applies tells whether the condition of a rule holds; without one it does.
func (sc Scope) applies(t *manifest.Node) (bool, error) {
	if t.Peek("condition").Text() == "" {
		return true, nil
	}
	return sc.holds(t.Get("condition"))
}

// holds is what a condition gives that the values decide alone, as that platform counts texts as true or false.
func (sc Scope) holds(n *manifest.Node) (bool, error) {
	if n == nil {
		return false, nil
	}
	n.Know()
	sc = sc.At(n)
	sc.settles = true
	m, err := sc.meanTemplate(n.Text())
	if err != nil || m.Nothing {
		return false, err
	}
	if m.Expr != "" {
		return false, fmt.Errorf("%s: only a run knows it", shortened(n.Text()))
	}
	v := m.Constant
	if text, ok := v.(string); ok {
		if read, ok := python.Literal(text); ok {
			v = read
		}
	}
	switch v {
	case nil:
		return true, nil
	case "False", "false", "{}", "[]", "()", "", "0", "0.0":
		return false, nil
	}
	return python.Truthy(python.Listed(v)), nil
}

// pointer is the path of a rule, without wildcards.
func (sc Scope) pointer(n *manifest.Node) ([]string, error) {
	var path []string
	for _, step := range n.Elements() {
		v, err := sc.Constant(step)
		if err != nil {
			return nil, err
		}
		text := python.Rendered(v)
		if text == "*" || text == "**" || v == nil {
			return nil, errors.New("a path of the values with * is not understood")
		}
		path = append(path, text)
	}
	if len(path) == 0 {
		return nil, errors.New("a path of the values is empty")
	}
	return path, nil
}

// object is the one that has the last step of a path; nil: there is none.
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

// addField adds a member to the configuration.
func (sc Scope) addField(t, field *manifest.Node) error {
	path, err := sc.pointer(field.Get("path"))
	if err != nil {
		return err
	}
	is, err := sc.applies(t)
	var value any
	if err == nil && is {
		value, err = sc.added(field.Get("value"))
	}
	switch {
	case err != nil:
		sc.doubt(t, path, err)
	case is:
		objectAt(sc.Values, path, true)[path[len(path)-1]] = value
	}
	return nil
}

// added is the value of a new member; what is secret or missing stays so.
func (sc Scope) added(n *manifest.Node) (any, error) {
	if t, err := Parse(n.Text()); err == nil && len(t) == 1 && t[0].Expression != nil {
		e, err := sc.At(n).eval(t[0].Expression)
		if err != nil {
			return nil, err
		}
		c, _ := e.(Constant)
		s, ok := c.Value.(manifest.Setting)
		if ok && (s.IsSecret || s.IsMissing) {
			return s, nil
		}
	}
	return sc.Constant(n)
}

// remap replaces a value by that of a map.
func (sc Scope) remap(t *manifest.Node) error {
	path, err := sc.pointer(t.Get("field_path"))
	if err != nil {
		return err
	}
	at, last := objectAt(sc.Values, path, false), path[len(path)-1]
	text, ok := at[last].(string)
	if !ok {
		return nil
	}
	of := t.Get("map")
	if !of.IsObject() {
		return errors.New("a map of values that is no object is not understood")
	}
	to := of.Get(text)
	if to == nil {
		return nil
	}
	at[last], err = sc.Constant(to)
	return err
}
