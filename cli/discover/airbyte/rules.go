package airbyte

import (
	"errors"
	"fmt"
	"strings"
)

// normalize applies the rules of a spec to the configuration, as the platform does before it reads anything.
func (v *values) normalize(spec *node) error {
	rules := spec.get("config_normalization_rules")
	sc := scope{values: v, settles: true}
	for _, migration := range rules.get("config_migrations").elements() {
		for _, t := range migration.get("transformations").elements() {
			if err := sc.transform(t); err != nil {
				return fmt.Errorf("%s: %w", t.place, err)
			}
		}
	}
	for _, t := range rules.get("transformations").elements() {
		if err := sc.transform(t); err != nil {
			return fmt.Errorf("%s: %w", t.place, err)
		}
	}
	return nil
}

// transform is one rule.
func (sc scope) transform(t *node) error {
	switch t.kind() {
	case "ConfigAddFields":
		for _, field := range t.get("fields").elements() {
			if err := sc.addField(t, field); err != nil {
				return err
			}
		}
		return nil
	case "ConfigRemoveFields":
		for _, pointer := range t.get("field_pointers").elements() {
			path, err := sc.pointer(pointer)
			if err != nil {
				return err
			}
			is, err := sc.applies(t)
			switch {
			case err != nil:
				sc.doubt(t, path, err)
			case is:
				delete(sc.values.object(path, false), path[len(path)-1])
			}
		}
		return nil
	case "ConfigRemapField":
		return sc.remap(t)
	default:
		return fmt.Errorf("a rule of the kind %q for the values is not understood", t.kind())
	}
}

// doubt notes that nobody knows what a rule makes of the value at a path.
func (sc scope) doubt(t *node, path []string, err error) {
	fault := fmt.Errorf("%s: %w", t.place, err)
	sc.values.object(path, true)[path[len(path)-1]] = setting{path: strings.Join(path, "."), fault: fault}
}

// applies tells whether the condition of a rule holds; without one it does.
func (sc scope) applies(t *node) (bool, error) {
	if t.peek("condition").text() == "" {
		return true, nil
	}
	return sc.holds(t.get("condition"))
}

// holds is what a condition gives that the values decide alone, as that platform counts texts as true or false.
func (sc scope) holds(n *node) (bool, error) {
	if n == nil {
		return false, nil
	}
	n.know()
	sc = sc.at(n)
	sc.settles = true
	m, err := sc.meanTemplate(n.text())
	if err != nil || m.nothing {
		return false, err
	}
	if m.json != "" {
		return false, fmt.Errorf("%s: only a run knows it", shortened(n.text()))
	}
	v := m.constant
	if text, ok := v.(string); ok {
		if read, ok := literal(text); ok {
			v = read
		}
	}
	switch v {
	case nil:
		return true, nil
	case "False", "false", "{}", "[]", "()", "", "0", "0.0":
		return false, nil
	}
	return truthy(listed(v)), nil
}

// pointer is the path of a rule, without wildcards.
func (sc scope) pointer(n *node) ([]string, error) {
	var path []string
	for _, step := range n.elements() {
		v, err := sc.constant(step)
		if err != nil {
			return nil, err
		}
		text := rendered(v)
		isMany := text == "*" || text == "**"
		if isMany || v == nil {
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
func (v *values) object(path []string, isMade bool) map[string]any {
	at := v.all
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
func (sc scope) addField(t, field *node) error {
	path, err := sc.pointer(field.get("path"))
	if err != nil {
		return err
	}
	is, err := sc.applies(t)
	var value any
	if err == nil && is {
		value, err = sc.added(field.get("value"))
	}
	switch {
	case err != nil:
		sc.doubt(t, path, err)
	case is:
		sc.values.object(path, true)[path[len(path)-1]] = value
	}
	return nil
}

// added is the value of a new member; what is secret or missing stays so.
func (sc scope) added(n *node) (any, error) {
	if t, err := parse(n.text()); err == nil && len(t) == 1 && t[0].expression != nil {
		e, err := sc.at(n).eval(t[0].expression)
		if err != nil {
			return nil, err
		}
		c, _ := e.(constant)
		s, ok := c.value.(setting)
		isOutside := s.isSecret || s.isMissing
		if ok && isOutside {
			return s, nil
		}
	}
	return sc.constant(n)
}

// remap replaces a value by that of a map.
func (sc scope) remap(t *node) error {
	path, err := sc.pointer(t.get("field_path"))
	if err != nil {
		return err
	}
	at, last := sc.values.object(path, false), path[len(path)-1]
	text, ok := at[last].(string)
	if !ok {
		return nil
	}
	of := t.get("map")
	if !of.isObject() {
		return errors.New("a map of values that is no object is not understood")
	}
	to := of.get(text)
	if to == nil {
		return nil
	}
	at[last], err = sc.constant(to)
	return err
}
