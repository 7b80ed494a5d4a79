package evidence

import (
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A Finding is something in an answer that says how it is paged, or what is wrong with it.
type Finding struct {
	Kind  string `json:"kind"`           // such as more, next page, total, rate limit
	At    string `json:"at"`             // a path in the response, or the name of a header
	Value string `json:"value"`          // for people: compact JSON, or the text of a header; may be secret
	Used  bool   `json:"used,omitempty"` // the pagination reads it
}

// Findings lists what the answer says, in its order; headers come last.
func (f *Answer) Findings(reads Reads) []Finding {
	var all []Finding
	for _, s := range f.Signs(reads) {
		e := Finding{Kind: string(s.Says), At: s.At, Value: string(s.Value)}
		if s.Path == nil {
			e.Value, _ = item.Text(s.Value)
		}
		e.Used = s.Own || s.Path != nil && reads.uses(s.At)
		all = append(all, e)
	}
	if bad := Complaint(f.Around); bad != nil {
		all = append(all, Finding{Kind: "error", At: bad.Path.String(), Value: string(bad.Value)})
	}
	for _, name := range slices.Sorted(maps.Keys(f.Header)) {
		if strings.Contains(Normal(name), "ratelimit") || name == "Retry-After" {
			all = append(all, Finding{Kind: "rate limit", At: name, Value: strings.Join(f.Header[name], ", ")})
		}
	}
	return all
}
