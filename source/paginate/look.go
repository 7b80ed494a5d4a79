package paginate

import (
	"cmp"
	"fmt"
	"strconv"

	"sluice/source/evidence"
)

// A Look is one thing that decides whether a walk goes on, and what a page has
// there.
type Look struct {
	// At is such as items, a path in the response, or a header.
	At string `json:"at"`
	// Found is for people; values are JSON text and may be secret.
	Found string `json:"found"`
}

// Looks lists what [Paging.Judge] will look at in a page.
func (p *Paging) Looks(s *State, f *Facts) []Look {
	items := strconv.Itoa(f.Items)
	if s.Own.Limit > 0 {
		items += fmt.Sprintf(" of a limit of %d", s.Own.Limit)
	}
	all := []Look{{"items", items}}
	for i, path := range p.Needs.Values {
		all = append(all, Look{evidence.Place(path), cmp.Or(string(f.Values[i]), "missing")})
	}
	if f.Range == nil || f.Items == 0 {
		return all
	}
	if f.Range.Err == nil {
		at := f.Range.path.String() + " " + string(f.Range.take)
		all = append(all, Look{at, string(f.Range.value)})
	}
	return all
}
