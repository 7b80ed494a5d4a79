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

// and holds where both do.
func (a Alternatives) and(b Alternatives) Alternatives {
	var both Alternatives
	for _, x := range a {
		for _, y := range b {
			both = append(both, union(x, y))
		}
	}
	return both
}

// union are the conditions of both, each once.
func union(x, y []string) []string {
	all := slices.Clone(x)
	for _, condition := range y {
		if !slices.Contains(all, condition) {
			all = append(all, condition)
		}
	}
	return all
}

// always holds everywhere.
func always() Alternatives { return Alternatives{nil} }

// one is a condition.
func one(condition string) Alternatives { return Alternatives{{condition}} }

// either is a constant.
func either(is bool) Alternatives {
	if is {
		return always()
	}
	return nil
}
