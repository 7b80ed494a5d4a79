package evidence

import (
	"slices"
	"strings"

	"sluice/pipeline"
)

// Find returns the first sign that says so. What paging reads itself says nothing
// but that there is no more, or how many items there are.
func Find(signs []Sign, says Says) *Sign {
	countsOwn := says == NoMore || says == Total
	i := slices.IndexFunc(signs, func(s Sign) bool {
		return s.Says == says && (countsOwn || !s.Own)
	})
	if i < 0 {
		return nil
	}
	return &signs[i]
}

// Parts is what an answer with those signs says by which it is not whole: by more than text for people, and by such text,
// which some APIs have on each answer; nil: nothing.
func Parts(signs []Sign) (part, note *Sign) {
	for i := range signs {
		s := &signs[i]
		switch {
		case s.Says != Partial || s.Own:
		case s.note && note == nil:
			note = s
		case !s.note && part == nil:
			part = s
		}
	}
	return part, note
}

// SaysTotal tells whether the name of a total says that it is one.
func (s *Sign) SaysTotal() bool {
	return s.Path == nil || s.odd || strings.Contains(Normal(s.At), "total")
}

// Quoted is the value, cleaned of secrets and short.
func (s *Sign) Quoted(clean func(string) string) string {
	return pipeline.Shorten(clean(string(s.Value)), 120)
}
