package job

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

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

	// kind is what Text is, in words.
	kind string
	num  item.Decimal
	at   time.Time
}

// Follow is a Greatest of a path that has no value yet.
func Follow(path string) Greatest {
	return Greatest{Path: path, Steps: item.ParsePath(path, ".")}
}

// The kinds of values that compare.
const (
	aNumber = "a number"
	aDate   = "a date"
	aText   = "a text"
)

// Add enters the value of one more item; null and an empty text are none.
func (g *Greatest) Add(value []byte) error {
	kind := item.Kind(value)
	if kind == 'n' || string(value) == `""` {
		return nil
	}
	if string(value) == string(g.Text) {
		return nil
	}
	if kind != '"' && kind != '0' {
		return fmt.Errorf("last: an item has %s at %s, which cannot be compared",
			item.Noun(kind), g.Path)
	}
	next := valueOf(value)
	if g.Text == nil {
		g.take(next)
		return nil
	}
	if g.kind != next.kind {
		return fmt.Errorf("last: an item has %s at %s, and another item, or the last run, has %s: these cannot "+
			"be compared. Name a path whose values are all of one kind, or remove the value from --state",
			next.kind, g.Path, g.kind)
	}
	if next.compare(g) > 0 {
		g.take(next)
	}
	return nil
}

func valueOf(value []byte) *Greatest {
	g := &Greatest{Text: value, kind: aText}
	if num, ok := item.DecimalOf(value); ok {
		g.kind, g.num = aNumber, num
	} else if at, _, ok := expr.ParseDate(value); ok {
		g.kind, g.at = aDate, at
	}
	return g
}

func (g *Greatest) take(next *Greatest) {
	g.Text = slices.Clone(next.Text)
	g.kind, g.num, g.at = next.kind, next.num, next.at
}

// compare is less than, equal to or greater than 0 as g is to another of its kind.
func (g *Greatest) compare(other *Greatest) int {
	switch g.kind {
	case aNumber:
		return g.num.Compare(other.num)
	case aDate:
		return g.at.Compare(other.at)
	}
	return strings.Compare(item.Unquote(g.Text), item.Unquote(other.Text))
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
	if have.kind != f.kind {
		return have, fmt.Errorf("last: the items of job %s have %s and %s at %s "+
			"in different iterations", f.Job, have.kind, f.kind, f.Path)
	}
	if f.compare(&have) < 0 {
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
