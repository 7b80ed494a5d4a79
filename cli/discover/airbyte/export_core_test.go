package airbyte

import (
	"fmt"
)

// Meaning is what a template gives in a test: as any value, as an option, and as text; what went wrong; and the
// paths of the values that decided.
type Meaning struct {
	Any, Option, Text string
	Err               error
	Decided, Notes    []string
}

// Mean is what the member at gives in the component of streams[0].
func Mean(manifest, config string) Meaning {
	d, err := read([]byte(manifest))
	if err != nil {
		return Meaning{Err: err}
	}
	v, err := newValues(d.root, []byte(config))
	if err != nil {
		return Meaning{Err: err}
	}
	sc := scope{
		values: v,
		variables: map[string]variable{"stream_partition": func(path []string) (meaning, error) {
			switch {
			case len(path) != 1:
				return meaning{}, errUndefined
			case path[0] == "day":
				return meaning{json: `{"window": "from"}`}, nil
			case path[0] == "unix":
				return meaning{json: `{"window": "to"}`, moment: true}, nil
			}
			return meaning{json: `{"placeholder": ` + encoded(path[0]) + `}`}, nil
		}},
	}
	return meant(sc, d.root.get("streams").elements()[0].get("at"))
}

// MeanText is Mean of a text, without a manifest.
func MeanText(text, config string) Meaning {
	d, err := read(
		[]byte(
			`{"x": 1, "spec": {"connection_specification": {"properties": {"token": {"airbyte_secret": true}}}}}`,
		),
	)
	if err != nil {
		return Meaning{Err: err}
	}
	v, err := newValues(d.root, []byte(config))
	if err != nil {
		return Meaning{Err: err}
	}
	n := d.root.get("x")
	n.value = text
	return meant(scope{values: v}, n)
}

// ObjectOf is the names of the object that a template in the place of one gives.
func ObjectOf(manifest, config string) ([]string, error) {
	d, err := read([]byte(manifest))
	if err != nil {
		return nil, err
	}
	v, err := newValues(d.root, []byte(config))
	if err != nil {
		return nil, err
	}
	o, err := scope{values: v}.object(d.root.get("streams").elements()[0].get("at"))
	var names []string
	for _, m := range o.members() {
		names = append(names, m.name)
	}
	return names, err
}

func meant(sc scope, n *node) Meaning {
	m, err := sc.mean(n)
	option, optionErr := sc.meanOption(n)
	text, textErr := sc.meanText(n)
	if err == nil {
		err = optionErr
	}
	if err == nil {
		err = textErr
	}
	return Meaning{
		Any:     m.JSON(),
		Option:  option.JSON(),
		Text:    text.JSON(),
		Err:     err,
		Decided: sc.values.decisions(),
		Notes:   sc.values.notes,
	}
}

// Fold is a folded expression, written out.
func Fold(text, config string) (string, error) {
	t, err := parse("{{" + text + "}}")
	if err != nil {
		return "", err
	}
	d, err := read([]byte("{}"))
	if err != nil {
		return "", err
	}
	v, err := newValues(d.root, []byte(config))
	if err != nil {
		return "", err
	}
	e, err := scope{values: v}.fold(t[0].expression)
	return fmt.Sprintf("%+v", e), err
}

// Unread are the places that nobody has looked at after f has looked at some members.
func Unread(manifest string, looked ...string) ([]string, error) {
	d, err := read([]byte(manifest))
	if err != nil {
		return nil, err
	}
	for _, name := range looked {
		d.root.get(name)
	}
	var all []string
	for _, n := range d.root.unread() {
		all = append(all, n.place)
	}
	return all, d.err()
}

// At is the kind and the text of the node at a path of names and [i].
func At(manifest string, path ...any) (kind, text string, err error) {
	d, err := read([]byte(manifest))
	if err != nil {
		return "", "", err
	}
	n := d.root
	for _, step := range path {
		switch step := step.(type) {
		case string:
			n = n.get(step)
		case int:
			n = n.elements()[step]
		}
	}
	return n.kind(), n.text(), nil
}

// Walk looks at all of a manifest.
func Walk(manifest string) error {
	d, err := read([]byte(manifest))
	if err != nil {
		return err
	}
	lookAtAll(d.root)
	return d.err()
}

func lookAtAll(n *node) {
	for _, m := range n.members() {
		lookAtAll(m.value)
	}
	if n.isList() {
		for _, e := range n.elements() {
			lookAtAll(e)
		}
	}
}
