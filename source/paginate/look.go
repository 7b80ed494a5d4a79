package paginate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A Look is one thing that decides whether a walk goes on, and what a page has there.
type Look struct {
	At    string `json:"at"`    // such as items, a path in the response, or a header
	Found string `json:"found"` // for people; values are JSON text and may be secret
}

// Looks lists what [Paging.Judge] will look at in a page (docs/decisions.md, section 6).
func (p *Paging) Looks(s *State, f *Facts) []Look {
	items := strconv.Itoa(f.Items)
	if s.Limit > 0 {
		items += fmt.Sprintf(" of a limit of %d", s.Limit)
	}
	all := []Look{{"items", items}}
	for i, path := range p.Needs.Values {
		all = append(all, Look{place(path), cmp.Or(string(f.Values[i]), "missing")})
	}
	if f.Range != nil && f.Range.Err == nil && f.Items > 0 {
		all = append(all, Look{f.Range.path.String() + " " + string(f.Range.take), string(f.Range.value)})
	}
	return all
}

// Evidence is something in an answer that says how it is paged, or what is wrong with it.
type Evidence struct {
	Kind  string `json:"kind"`           // such as more, next page, total, rate limit
	At    string `json:"at"`             // a path in the response, or the name of a header
	Value string `json:"value"`          // for people: compact JSON, or the text of a header; may be secret
	Used  bool   `json:"used,omitempty"` // the pagination reads it
}

// Evidence lists what an answer says, in its order; headers come last.
func (p *Paging) Evidence(f *Facts) []Evidence {
	var all []Evidence
	for _, s := range p.Signs(f) {
		e := Evidence{Kind: string(s.Says), At: s.At, Value: string(s.Value)}
		if s.path == nil {
			e.Value, _ = item.Text(s.Value)
		}
		e.Used = s.Own || s.path != nil && slices.ContainsFunc(p.Needs.Values, func(path item.Path) bool { return path.String() == s.At })
		all = append(all, e)
	}
	if bad := Complaint(f.Around); bad != nil {
		all = append(all, Evidence{Kind: "error", At: bad.Path.String(), Value: string(bad.Value)})
	}
	for _, name := range slices.Sorted(maps.Keys(f.Header)) {
		if strings.Contains(normalized(name), "ratelimit") || name == "Retry-After" {
			all = append(all, Evidence{Kind: "rate limit", At: name, Value: strings.Join(f.Header[name], ", ")})
		}
	}
	return all
}
