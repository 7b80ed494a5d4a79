package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// greatest is the greatest value that items have at a path (docs/decisions.md, section 20).
type greatest struct {
	path  string
	steps item.Path
	text  jsontext.Value // nil: there is none yet
	kind  string         // in words
	num   item.Decimal
	at    time.Time
}

// The kinds of values that compare.
const aNumber, aDate, aText = "a number", "a date", "a text"

// add enters the value of one more item; null and an empty text are none.
func (g *greatest) add(value []byte) error {
	if kind := item.Kind(value); kind == 'n' || string(value) == `""` || string(value) == string(g.text) {
		return nil
	} else if kind != '"' && kind != '0' {
		return fmt.Errorf("last: an item has %s at %s, which is not to be compared", item.Noun(kind), g.path)
	}
	next := greatest{text: value, kind: aText}
	var ok bool
	if next.num, ok = item.DecimalOf(value); ok {
		next.kind = aNumber
	} else if next.at, _, ok = expr.ParseDate(value); ok {
		next.kind = aDate
	}
	if g.text != nil && g.kind != next.kind {
		return fmt.Errorf("last: an item has %s at %s, where another item, or the last run, has %s: the two cannot be compared: name a path where all have one kind, or take the value out of --state", next.kind, g.path, g.kind)
	}
	if g.text == nil || next.compare(g) > 0 {
		g.text, g.kind, g.num, g.at = slices.Clone(next.text), next.kind, next.num, next.at
	}
	return nil
}

// compare is less than, equal to or greater than 0 as g is to another of its kind.
func (g *greatest) compare(other *greatest) int {
	switch g.kind {
	case aNumber:
		return g.num.Compare(other.num)
	case aDate:
		return g.at.Compare(other.at)
	}
	return strings.Compare(item.Unquote(g.text), item.Unquote(other.text))
}

// last returns the function last of the job's expressions, which follows the path from then on.
func (c *compiler) last(j *job) func(path string) jsontext.Value {
	return func(path string) jsontext.Value {
		known := c.iteration.o.Lasts
		if known == nil {
			c.problems.Notef(nil, "the function last gives its default without --state: every run asks for the same; add --state FILE")
		}
		g := greatest{path: path, steps: item.ParsePath(path, ".")}
		if !slices.ContainsFunc(j.lasts, func(have greatest) bool { return have.path == path }) {
			if err := g.add(known[j.id][path]); err != nil {
				c.problems.Errorf(nil, "--state: job %s: %v", j.id, err)
			}
			j.lasts = append(j.lasts, g)
		}
		return jsontext.Value(known[j.id][path])
	}
}

// follow enters what a good page has.
func (j *job) follow(page []greatest) error {
	for i := range page {
		if err := j.lasts[i].add(page[i].text); err != nil {
			return err
		}
		j.found.Followed = j.found.Followed || page[i].text != nil
	}
	return nil
}

// Lasts has the greatest values by job and path, with several iterations the least of their greatest.
func (s *Source) Lasts() (map[string]map[string]json.RawMessage, error) {
	least := map[[2]string]greatest{}
	for _, j := range s.jobs(false) {
		for _, g := range j.lasts {
			key := [2]string{j.id, g.path}
			have, ok := least[key]
			if ok && have.text != nil && g.text != nil && have.kind != g.kind {
				return nil, fmt.Errorf("last: the items of job %s have %s and %s at %s in different iterations", j.id, have.kind, g.kind, g.path)
			}
			if !ok || g.text == nil || have.text != nil && g.compare(&have) < 0 {
				least[key] = g
			}
		}
	}
	all := map[string]map[string]json.RawMessage{}
	for key, g := range least {
		if all[key[0]] == nil {
			all[key[0]] = map[string]json.RawMessage{}
		}
		if g.text != nil {
			all[key[0]][key[1]] = json.RawMessage(g.text)
		}
	}
	return all, nil
}

// Greatest merges what [Source.Lasts] returned for two parts of a run.
func Greatest(a, b map[string]map[string]json.RawMessage) (map[string]map[string]json.RawMessage, error) {
	all := map[string]map[string]json.RawMessage{}
	for _, part := range []map[string]map[string]json.RawMessage{a, b} {
		for id, values := range part {
			if all[id] == nil {
				all[id] = map[string]json.RawMessage{}
			}
			for path, value := range values {
				g := greatest{path: path}
				if err := cmp.Or(g.add(all[id][path]), g.add(value)); err != nil {
					return nil, err
				}
				all[id][path] = json.RawMessage(g.text)
			}
		}
	}
	return all, nil
}
