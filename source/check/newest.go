package check

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/paginate"
	"sluice/source/walk"
)

// Whether the newest items come first: then a job may end at what is known (until).

// A Newest is a member of the items whose times fall on the first page.
type Newest struct {
	// Field is its path, and First and Last are what the first and the last item have there.
	Field string          `json:"field"`
	First json.RawMessage `json:"first"`
	Last  json.RawMessage `json:"last"`
	// Changes tells that it is the time of a change, by its name: others do not tell when an item has changed.
	Changes bool `json:"changes"`
	// Until is what may stand in the job.
	Until json.RawMessage `json:"until"`
}

// enterTime enters what an item has at a path.
func (l *looked) enterTime(path string, value []byte) {
	f := l.falls[path]
	if f == nil {
		if len(l.falls) == mostMembers {
			return
		}
		f = &paginate.TimeOrder{}
		l.falls[path] = f
	}
	f.Enter(value, isTimeName(path))
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

// newest is the member by which the newest items come first, those of changes before others; nil: there is none. isPaged tells
// that the job pages already.
func (k *checker) newest(w *walk.Walk, seen *looked, isPaged bool) *Newest {
	j := w.Job
	if j.Paging.Until != nil || len(j.Lasts) > 0 || j.Windowed() {
		return nil
	}
	var paths []string
	for path, f := range seen.falls {
		if f.IsNewestFirst(seen.compared()) {
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
	// One that is suggested is none of those that are refused.
	isRefused := isPaged && j.Paging.RefusesUntil(&paginate.Until{Field: item.ParsePath(path, ".")}) != ""
	if isRefused {
		return nil
	}
	f := seen.falls[path]
	quoted, earliest := string(item.Quote(path)), "0"
	if f.IsDate {
		earliest = `"1970-01-01", "-1 hour"`
	}
	until := `{"field": ` + quoted + `, "before": {"function": "last", "args": [` + quoted + ", " + earliest + `]}, "cut": true}`
	return &Newest{
		Field:   k.redact(path),
		First:   json.RawMessage(k.redact(f.First)),
		Last:    json.RawMessage(k.redact(f.Last)),
		Changes: hasAny(path, changeNames),
		Until:   json.RawMessage(k.redact(until)),
	}
}
