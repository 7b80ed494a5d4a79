package verdict

import (
	"cmp"
	"slices"
)

// A Text is a hash of the text of items without a key, and on which pages of their walk they came, from the first to the last.
type Text struct {
	Hash  uint64 `json:"hash"`
	First int    `json:"first"`
	Last  int    `json:"last"`
	// Twice: it stands twice on one page, as right items without a key may.
	Twice bool `json:"twice,omitempty"`
}

// Texts are those of a walk with the least hashes, sorted: all of them where they are few.
type Texts []Text

// mostTexts is how many texts of a walk are compared.
const mostTexts = 1 << 12

func (t Text) compare(other Text) int { return cmp.Compare(t.Hash, other.Hash) }

// with folds the same text on other pages.
func (t Text) with(other Text) Text {
	return Text{
		Hash:  t.Hash,
		First: min(t.First, other.First),
		Last:  max(t.Last, other.Last),
		Twice: t.Twice || other.Twice,
	}
}

// of is the texts of one page.
func textsOf(page int, hashes []uint64) Texts {
	own := make(Texts, 0, len(hashes))
	for _, hash := range hashes {
		own = append(own, Text{Hash: hash, First: page, Last: page})
	}
	slices.SortFunc(own, Text.compare)
	return merged(nil, own, true)
}

// merged are the texts of two sorted lists. The same one twice in the second stands twice on its page.
func merged(a, b Texts, isPage bool) Texts {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, Text.compare)
	kept := all[:0]
	for _, one := range all {
		if n := len(kept); n > 0 && kept[n-1].Hash == one.Hash {
			one.Twice = one.Twice || isPage
			kept[n-1] = kept[n-1].with(one)
			continue
		}
		kept = append(kept, one)
	}
	return kept[:min(len(kept), mostTexts)]
}

// cameAgain tells whether a text came on several pages, and none stands twice on one page.
func (all Texts) cameAgain() bool {
	again := false
	for _, t := range all {
		if t.Twice {
			return false
		}
		again = again || t.First < t.Last
	}
	return again
}
