package evidence

import (
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A Finding is something in an answer that says how it is paged, or what is wrong
// with it.
type Finding struct {
	// Kind is such as more, next page, total, rate limit.
	Kind string `json:"kind"`
	// At is a path in the response, or the name of a header.
	At string `json:"at"`
	// Value is for people: compact JSON, or the text of a header; it may be secret.
	Value string `json:"value"`
	// Used: the pagination reads it.
	Used bool `json:"used,omitempty"`
}

// Findings lists what the answer says, in its order; headers come last.
func (a *Answer) Findings(reads Reads) []Finding {
	var all []Finding
	for _, s := range a.Signs(reads) {
		all = append(all, s.finding(reads))
	}
	if bad := Complaint(a.Around); bad != nil {
		all = append(all, Finding{Kind: "error", At: bad.Path.String(), Value: string(bad.Value)})
	}
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if strings.Contains(Normal(name), "ratelimit") || name == "Retry-After" {
			value := strings.Join(a.Header[name], ", ")
			all = append(all, Finding{Kind: "rate limit", At: name, Value: value})
		}
	}
	return all
}

func (s *Sign) finding(reads Reads) Finding {
	f := Finding{Kind: string(s.Says), At: s.At, Value: string(s.Value), Used: s.Own}
	if s.Path == nil {
		f.Value, _ = item.Text(s.Value)
	} else {
		f.Used = s.Own || reads.uses(s.At)
	}
	return f
}
