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
