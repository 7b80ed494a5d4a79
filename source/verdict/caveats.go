package verdict

import (
	"cmp"

	"sluice/pipeline/report"
)

// A SaidCaveat is one that answers of a walk have at one place. Its value is that of the first page that has one, and Filled how many
// pages with items have one.
type SaidCaveat struct {
	Caveat

	First  int `json:"first"`
	Filled int `json:"filled"`
}

func (s SaidCaveat) compare(other SaidCaveat) int { return cmp.Compare(s.Place, other.Place) }

// SaidCaveats are those of a walk, sorted by place.
type SaidCaveats []SaidCaveat

// mostCaveats is at how many places of a walk caveats are looked at: the least ones are kept.
const mostCaveats = 16

// add folds what other pages have.
func (all *SaidCaveats) add(one SaidCaveat) {
	known := enter(all, one, mostCaveats, SaidCaveat.compare)
	if known == nil {
		return
	}
	known.Filled += one.Filled
	if one.First < known.First {
		known.Caveat, known.First = one.Caveat, one.First
	}
}

// hear enters the caveat of an answer.
func (all *SaidCaveats) hear(r *Record) {
	if r.Caveat.Value == "" {
		return
	}
	one := SaidCaveat{Caveat: r.Caveat, First: r.Page}
	if r.Items > 0 {
		one.Filled = 1
	}
	all.add(one)
}

// Compare puts the first place in front.
func (c *Caveat) Compare(other *Caveat) int {
	return cmp.Or(cmp.Compare(c.Place, other.Place), cmp.Compare(c.Value, other.Value))
}

// withCaveat is the verdict on a walk that is doubted for itself, or for its caveat.
func withCaveat(own report.Verdict, caveat *Caveat) report.Verdict {
	if caveat == nil {
		return own
	}
	return max(own, report.Unverified)
}
