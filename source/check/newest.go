package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/walk"
)

// Whether the newest items come first: then a job may end at what is known (until).

// A Newest is a member of the items whose times fall on the first page.
type Newest struct {
	// Field is its path, and First and Last are what the first and the last item have there.
	Field string         `json:"field"`
	First jsontext.Value `json:"first"`
	Last  jsontext.Value `json:"last"`
	// Changes tells that it is the time of a change, by its name: others do not tell when an item has changed.
	Changes bool `json:"changes"`
	// Until is what may stand in the job.
	Until jsontext.Value `json:"until"`
}

// A fall is how the values of a member follow each other from item to item.
type fall struct {
	first, last string
	before      expr.Comparable
	// items are how many have a time there, and steps how many of them are older than the one before.
	items, steps int
	// rises: one is newer, or is no time.
	rises bool
}

// leastSteps is by how many steps the times of a page fall at least, so that it is no chance.
const leastSteps = 3

// enterTime enters what an item has at a path.
func (l *looked) enterTime(path string, value []byte) {
	f, isKnown := l.falls[path]
	if !isKnown && len(l.falls) == mostMembers {
		return
	}
	now := expr.ComparableOf(value)
	isTime := now.IsDate() || now.IsNumber() && isUnix(value) && isTimeName(path)
	switch order := now.Compare(&f.before); {
	case !isTime:
		f.rises = true
	case f.items == 0:
		f.first = string(value)
	case now.Kind != f.before.Kind, order > 0:
		f.rises = true
	case order < 0:
		f.steps++
	}
	f.items++
	f.before, f.last = now, string(value)
	l.falls[path] = f
}

// isUnix tells whether a number may be a time of this century in Unix seconds or milliseconds.
func isUnix(value []byte) bool {
	n, ok := item.Integer(value)
	const from, to = 946_684_800, 4_102_444_800
	isOfCentury := func(seconds int64) bool { return seconds >= from && seconds < to }
	return ok && (isOfCentury(n) || isOfCentury(n/1000))
}

var (
	changeNames = []string{"updat", "modif", "chang", "edit"}
	timeNames   = append([]string{"creat", "time", "date", "_at", "insert", "publish", "occur"}, changeNames...)
)

func isTimeName(path string) bool { return hasAny(path, timeNames) || strings.HasSuffix(path, "At") }

// hasAny tells whether the last step of a path has one of these in it, in any case.
func hasAny(path string, parts []string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// newest is the member by which the newest items come first, those of changes before others; nil: there is none.
func (k *checker) newest(w *walk.Walk, seen *looked) *Newest {
	j := w.Job
	if j.Paging.Until != nil || len(j.Lasts) > 0 || j.Windowed() {
		return nil
	}
	var paths []string
	for path, f := range seen.falls {
		if !f.rises && f.items == seen.compared() && f.steps >= leastSteps {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	rank := func(path string) int {
		if hasAny(path, changeNames) {
			return 0
		}
		return 1 + strings.Count(path, ".")
	}
	path := slices.MinFunc(paths, func(a, b string) int {
		if order := cmp.Compare(rank(a), rank(b)); order != 0 {
			return order
		}
		return strings.Compare(a, b)
	})
	f := seen.falls[path]
	quoted, earliest := string(item.Quote(path)), "0"
	if f.before.IsDate() {
		earliest = `"1970-01-01", "-1 hour"`
	}
	until := `{"field": ` + quoted + `, "before": {"function": "last", "args": [` + quoted + ", " + earliest + `]}, "cut": true}`
	return &Newest{
		Field:   k.redact(path),
		First:   jsontext.Value(k.redact(f.first)),
		Last:    jsontext.Value(k.redact(f.last)),
		Changes: hasAny(path, changeNames),
		Until:   jsontext.Value(k.redact(until)),
	}
}
