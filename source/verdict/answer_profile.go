package verdict

import (
	"cmp"
	"slices"
)

// An AnswerProfile says of what kind the answers of a job were, and what stood beside their items. Answers with items
// show what a page of this list looks like. Those without are compared with them when the job has ended.
type AnswerProfile struct {
	// Bodies are those of answers with items, Filled how many there were.
	Bodies []BodyKinds `json:"bodies,omitempty"`
	Filled int         `json:"filled,omitempty"`
	// Common are hashes of names that all answers with items had, Names of those that any had, both sorted.
	Common []uint64 `json:"common,omitempty"`
	Names  []Named  `json:"names,omitempty"`
	// Many: there were too many names to remember, so that none is new.
	Many bool `json:"many,omitempty"`
	// Empty are answers without items, each kind once.
	Empty []Empty `json:"empty,omitempty"`

	// Lone is of the last page with items of a walk, if it has one; a job has none.
	Lone Lone `json:"lone,omitzero"`

	// Usual is the hash of the names of the last answer with items that was folded: most have the same. IsUsual: two had.
	Usual   uint64 `json:"usual,omitempty"`
	IsUsual bool   `json:"isUsual,omitempty"`
}

// A Named is a name beside the items of answers that have some.
type Named struct {
	Name uint64 `json:"name"`
	// Several answers have it. Else Page and Items are of the one that has, and Telling: its value says something.
	Several bool `json:"several,omitempty"`
	Page    int  `json:"page"`
	Items   int  `json:"items"`
	Telling bool `json:"telling,omitempty"`
}

func (n Named) compareName(name uint64) int { return cmp.Compare(n.Name, name) }

// An Empty is an answer without items, or with one object where others have an array of them.
type Empty struct {
	BodyKinds
	One bool `json:"one,omitempty"`
	// Unlike: it has one item in an array, which lacks what told the items of the first page apart.
	Unlike bool `json:"unlike,omitempty"`
	// Keyed: the object has the key of the items. NoContent: the answer has none by its status.
	Keyed     bool `json:"keyed,omitempty"`
	NoContent bool `json:"noContent,omitempty"`
	// Names are hashes of the names beside the place of the items, sorted; Telling those whose value says something.
	Names   []uint64 `json:"names,omitempty"`
	Telling []uint64 `json:"telling,omitempty"`
	// Page is its number in its walk, Field where items were looked for, and Quote its text, for people.
	Page  int    `json:"page"`
	Field string `json:"at"`
	Quote string `json:"quote,omitempty"`
}

const (
	// mostNames is how many names beside the items are remembered.
	mostNames = 512
	// mostEmpty is how many kinds of answers without items are.
	mostEmpty = 64
)

func (a *AnswerProfile) add(r *Record) {
	isOne := r.Items > 0 && r.Body.Field == '{'
	if r.Items == 0 || isOne {
		a.addEmpty(emptyOf(r, isOne))
	}
	if r.Items == 0 {
		return
	}
	a.addBody(r.Body)
	a.Lone.fold(loneOf(r))
	a.Filled++
	isUsual := a.Filled > 1 && r.Names == a.Usual
	if isUsual && a.IsUsual {
		return
	}
	a.Usual, a.IsUsual = r.Names, isUsual
	var own []uint64
	for _, m := range r.Members {
		a.name(Named{Name: m.Name, Page: r.Page, Items: r.Items, Telling: m.Telling}, r.Page)
		if !m.Statement {
			own = append(own, m.Name)
		}
	}
	if a.Filled == 1 {
		a.Common = sorted(own)
	} else {
		a.Common = common(a.Common, sorted(own))
	}
}

// addBody enters the kind of an answer with items. They are sorted.
func (a *AnswerProfile) addBody(b BodyKinds) {
	at, isKnown := slices.BinarySearchFunc(a.Bodies, b, BodyKinds.compare)
	if !isKnown {
		a.Bodies = slices.Insert(a.Bodies, at, b)
	}
}

// compare orders kinds of answers, of which there are few.
func (b BodyKinds) compare(other BodyKinds) int {
	if order := cmp.Compare(b.Root, other.Root); order != 0 {
		return order
	}
	return cmp.Compare(b.Field, other.Field)
}

// emptyOf is what is kept of an answer without items, or of one object where others may have arrays.
func emptyOf(r *Record, isOne bool) Empty {
	e := Empty{BodyKinds: r.Body, One: isOne, Keyed: isOne && r.Keyed, NoContent: r.NoContent, Page: r.Page, Field: r.Field, Quote: r.Quote}
	for _, m := range r.Members {
		if !m.Statement {
			e.Names = append(e.Names, m.Name)
		}
		if m.Telling {
			e.Telling = append(e.Telling, m.Name)
		}
	}
	e.Names, e.Telling = sorted(e.Names), sorted(e.Telling)
	return e
}

// name enters a name of an answer with items; page is the one that may have it twice, 0: none.
func (a *AnswerProfile) name(one Named, page int) {
	at, isKnown := slices.BinarySearchFunc(a.Names, one.Name, Named.compareName)
	switch {
	case isKnown:
		a.Names[at] = a.Names[at].with(one, a.Names[at].Page == page)
	case len(a.Names) >= mostNames:
		a.Many = true
	default:
		a.Names = slices.Insert(a.Names, at, one)
	}
}

// with folds the same name, of the same answer or of another one.
func (n Named) with(other Named, isSame bool) Named {
	first := n
	if order := cmp.Or(cmp.Compare(n.Page, other.Page), cmp.Compare(n.Items, other.Items)); order > 0 {
		first = other
	}
	first.Several = n.Several || other.Several || !isSame
	first.Telling = n.Telling || other.Telling
	return first
}

// has tells whether an answer with items has the name, and whether several have.
func (a *AnswerProfile) has(name uint64) (is, several bool) {
	at, is := slices.BinarySearchFunc(a.Names, name, Named.compareName)
	return is, is && a.Names[at].Several
}

// addEmpty enters an answer without items, unless one like it is known: then the one of the earliest page is kept.
func (a *AnswerProfile) addEmpty(e Empty) {
	isLike := func(known Empty) bool { return e.compare(known) == 0 }
	if at := slices.IndexFunc(a.Empty, isLike); at >= 0 {
		if e.Compare(&a.Empty[at]) < 0 {
			a.Empty[at] = e
		}
		return
	}
	if len(a.Empty) < mostEmpty {
		a.Empty = append(a.Empty, e)
	}
}

// compare orders answers without items by what they are compared by.
func (e Empty) compare(other Empty) int {
	return cmp.Or(
		cmp.Compare(e.Root, other.Root),
		cmp.Compare(e.BodyKinds.Field, other.BodyKinds.Field),
		cmp.Compare(e.kind(), other.kind()),
		slices.Compare(e.Names, other.Names),
		slices.Compare(e.Telling, other.Telling),
	)
}

// Compare says which of two is told: that of the earlier page.
func (e *Empty) Compare(other *Empty) int {
	if order := cmp.Compare(e.Page, other.Page); order != 0 {
		return order
	}
	if order := e.compare(*other); order != 0 {
		return order
	}
	return cmp.Compare(e.Quote, other.Quote)
}

// kind tells apart those that are of one kind of JSON values.
func (e Empty) kind() int {
	switch {
	case e.One && e.Keyed:
		return 1
	case e.One:
		return 2
	case e.NoContent:
		return 3
	case e.Unlike:
		return 4
	}
	return 0
}

func (a *AnswerProfile) fold(other *AnswerProfile) {
	for _, body := range other.Bodies {
		a.addBody(body)
	}
	switch {
	case other.Filled == 0:
	case a.Filled == 0:
		a.Common = slices.Clone(other.Common)
	default:
		a.Common = common(a.Common, other.Common)
	}
	a.Filled += other.Filled
	a.Many = a.Many || other.Many
	a.Lone.fold(other.Lone)
	for _, one := range other.Names {
		a.name(one, 0)
	}
	for _, e := range other.Empty {
		a.addEmpty(e)
	}
}

// A Lone is what the last page with items of a walk has if it has one item alone, and by what that is compared: an API may end its list
// with an item that says that there is none, such as {"error": "Result set was empty"}.
type Lone struct {
	// Opening is the number of the first page with items, and Apart are hashes of the names of members that told its items apart: their
	// key, or others that all of them have; none: nothing did, or there were too few.
	Opening int      `json:"opening,omitempty"`
	Apart   []uint64 `json:"apart,omitempty"`
	// Page is the number of the last page with one item in an array, 0: there is none. Own are names that this item has.
	Page  int      `json:"page,omitempty"`
	Own   []uint64 `json:"own,omitempty"`
	Field string   `json:"at,omitempty"`
}

// leastApart is from how many items of the first page a member that all of them have is one that an item has to have.
const leastApart = 10

// loneOf is what a page with items shows.
func loneOf(r *Record) Lone {
	l := Lone{Opening: r.Page}
	if r.Items >= leastApart {
		l.Apart = sorted(r.Apart)
	}
	if r.Lone {
		l.Page, l.Own, l.Field = r.Page, sorted(r.Own), r.Field
	}
	return l
}

// fold takes the first of the pages that open the walk, and the last of those with one item.
func (l *Lone) fold(other Lone) {
	isEarlier := l.Opening == 0 || cmp.Or(cmp.Compare(other.Opening, l.Opening), slices.Compare(other.Apart, l.Apart)) < 0
	if other.Opening > 0 && isEarlier {
		l.Opening, l.Apart = other.Opening, other.Apart
	}
	isLater := cmp.Or(cmp.Compare(other.Page, l.Page), slices.Compare(other.Own, l.Own), cmp.Compare(other.Field, l.Field)) > 0
	if isLater {
		l.Page, l.Own, l.Field = other.Page, other.Own, other.Field
	}
}

// isUnlike tells whether the only item of the page, the last one with items, lacks something that told the items of the first one apart.
func (l *Lone) isUnlike(last int) bool {
	isLast := l.Page == last && l.Page > l.Opening
	return isLast && len(common(l.Apart, l.Own)) < len(l.Apart)
}

func sorted(names []uint64) []uint64 {
	all := slices.Sorted(slices.Values(names))
	return slices.Compact(all)
}

// common are those in both of two sorted lists.
func common(a, b []uint64) (all []uint64) {
	for _, one := range a {
		if _, isThere := slices.BinarySearch(b, one); isThere {
			all = append(all, one)
		}
	}
	return all
}
