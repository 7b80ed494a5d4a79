package paginate

import (
	"cmp"
	"fmt"
	"strconv"

	"sluice/source/evidence"
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
		all = append(all, Look{evidence.Place(path), cmp.Or(string(f.Values[i]), "missing")})
	}
	if f.Range != nil && f.Range.Err == nil && f.Items > 0 {
		all = append(all, Look{f.Range.path.String() + " " + string(f.Range.take), string(f.Range.value)})
	}
	return all
}
