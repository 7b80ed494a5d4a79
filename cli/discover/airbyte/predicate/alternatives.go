package predicate

import (
	"slices"
	"strings"
)

// Alternatives are conditions joined by |, each some that are joined by &. None hold never, an empty one
// always.
type Alternatives [][]string

// maxAlternatives is how many there may be.
const maxAlternatives = 64

// Never tells that they hold nowhere.
func (a Alternatives) Never() bool { return len(a) == 0 }

// Always tells that they hold everywhere.
func (a Alternatives) Always() bool {
	return slices.ContainsFunc(a, func(all []string) bool { return len(all) == 0 })
}

func (a Alternatives) String() string {
	var texts []string
	for _, all := range a {
		text := strings.Join(all, "&")
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "|")
}

// or holds where one of both does.
func (a Alternatives) or(b Alternatives) Alternatives { return slices.Concat(a, b) }

// and holds where both do; each condition stands there once.
func (a Alternatives) and(b Alternatives) (both Alternatives) {
	for _, x := range a {
		for _, y := range b {
			isOther := func(condition string) bool { return slices.Contains(x, condition) }
			both = append(both, slices.Concat(x, slices.DeleteFunc(slices.Clone(y), isOther)))
		}
	}
	return both
}

// one is a condition.
func one(condition string) Alternatives { return Alternatives{{condition}} }

// either is a constant.
func either(is bool) Alternatives {
	if is {
		return Alternatives{nil}
	}
	return nil
}
