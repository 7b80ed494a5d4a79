package verdict

import (
	"cmp"

	"sluice/source/evidence"
)

// A Blank is an answer without items, by what the members around the place of these say.
type Blank struct {
	// Sum is a hash of what they say, which is Says.
	Sum  uint64          `json:"sum,omitempty"`
	Says []evidence.Said `json:"says,omitempty"`
	// Page is its number in its walk, Field where items were looked for, and Quote its text, for people.
	Page  int    `json:"page"`
	Field string `json:"at"`
	Quote string `json:"quote,omitempty"`
}

// Blanks are those of a walk, sorted: of those that say the same the one of the earliest page.
type Blanks []Blank

// mostBlanks is how many of a walk are remembered: those with the least hashes.
const mostBlanks = 64

func (b Blank) compare(other Blank) int { return cmp.Compare(b.Sum, other.Sum) }

// Compare puts the earlier page in front.
func (b *Blank) Compare(other *Blank) int {
	return cmp.Or(cmp.Compare(b.Page, other.Page), cmp.Compare(b.Quote, other.Quote))
}

// blankOf is what is kept of an answer without items.
func blankOf(r *Record) Blank {
	b := Blank{Page: r.Page, Field: r.Field, Quote: r.Quote}
	for _, said := range r.Around {
		if said.Is != 0 {
			b.Says = append(b.Says, said)
			b.Sum = mixed(mixed(b.Sum, said.Name), said.Value)
		}
	}
	return b
}

// mixed is a hash of two.
func mixed(a, b uint64) uint64 {
	const odd = 0x9e3779b97f4a7c15
	a = (a ^ b) * odd
	return a ^ a>>32
}

// add enters one that says something.
func (all *Blanks) add(one Blank) {
	if len(one.Says) == 0 {
		return
	}
	if known := enter(all, one, mostBlanks, Blank.compare); known != nil {
		*known = *firstOf(known, &one)
	}
}
