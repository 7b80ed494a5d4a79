package job

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// Greatest is the greatest value that items have at a path, which the
// function last follows.
type Greatest struct {
	Path  string
	Steps item.Path
	// Text is nil if there is none yet.
	Text jsontext.Value

	// value is what Text is.
	value expr.Comparable
}

// Follow is a Greatest of a path that has no value yet.
func Follow(path string) Greatest {
	return Greatest{Path: path, Steps: item.ParsePath(path, ".")}
}

// Add enters the value of one more item; null and an empty text are none.
func (g *Greatest) Add(value []byte) error {
	kind := item.Kind(value)
	if kind == 'n' || string(value) == `""` {
		return nil
	}
	if string(value) == string(g.Text) {
		return nil
	}
	next := expr.ComparableOf(value)
	switch {
	case next.Kind == "":
		return fmt.Errorf("last: an item has %s at %s, which cannot be compared",
			item.Noun(kind), g.Path)
	case g.Text != nil && g.value.Kind != next.Kind:
		return fmt.Errorf("last: an item has %s at %s, and another item, or the last run, has %s: these cannot "+
			"be compared. Name a path whose values are all of one kind, or remove the value from --state",
			next.Kind, g.Path, g.value.Kind)
	case g.Text == nil, next.Compare(&g.value) > 0:
		g.Text, g.value = slices.Clone(value), next
	}
	return nil
}

// Lasts are values of the function last, by the id of the job and the path.
type Lasts = map[string]map[string]json.RawMessage

// Followed is what one iteration of a job found for the function last.
type Followed struct {
	Job string
	Greatest
}

// Least has the greatest values by job and path, with several iterations the least
// of their greatest.
func Least(found []Followed) (Lasts, error) {
	least := map[[2]string]Greatest{}
	for _, f := range found {
		key := [2]string{f.Job, f.Path}
		have, ok := least[key]
		g, err := f.lesser(have, ok)
		if err != nil {
			return nil, err
		}
		least[key] = g
	}
	all := Lasts{}
	for key, g := range least {
		if all[key[0]] == nil {
			all[key[0]] = map[string]json.RawMessage{}
		}
		if g.Text != nil {
			all[key[0]][key[1]] = json.RawMessage(g.Text)
		}
	}
	return all, nil
}

// lesser is f or what another iteration has, if there is one. No value is
// less than any.
func (f *Followed) lesser(have Greatest, ok bool) (Greatest, error) {
	if !ok || f.Text == nil {
		return f.Greatest, nil
	}
	if have.Text == nil {
		return have, nil
	}
	if have.value.Kind != f.value.Kind {
		return have, fmt.Errorf("last: the items of job %s have %s and %s at %s "+
			"in different iterations", f.Job, have.value.Kind, f.value.Kind, f.Path)
	}
	if f.value.Compare(&have.value) < 0 {
		return f.Greatest, nil
	}
	return have, nil
}

// GreatestOf merges what [Least] returned for two parts of a run.
func GreatestOf(a, b Lasts) (Lasts, error) {
	all := Lasts{}
	for _, part := range []Lasts{a, b} {
		for id, values := range part {
			if all[id] == nil {
				all[id] = map[string]json.RawMessage{}
			}
			for path, value := range values {
				text, err := greater(path, all[id][path], value)
				if err != nil {
					return nil, err
				}
				all[id][path] = text
			}
		}
	}
	return all, nil
}

func greater(path string, a, b json.RawMessage) (json.RawMessage, error) {
	g := Greatest{Path: path}
	if err := g.Add(a); err != nil {
		return nil, err
	}
	if err := g.Add(b); err != nil {
		return nil, err
	}
	return json.RawMessage(g.Text), nil
}
