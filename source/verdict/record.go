package verdict

import (
	"cmp"
	"fmt"

	"sluice/pipeline/report"
	"sluice/source/evidence"
)

// A StatementKind says what a statement beside the items is about.
type StatementKind uint8

// The kinds of statements.
const (
	// MayMore is a flag that may say that there is more, MayEnd one that may say that there is not.
	MayMore StatementKind = iota + 1
	MayEnd
	// More: a flag says that there is more. NoMore: it says that there is not.
	More
	NoMore
	// Next leads to the next page. NoNext is an empty place for it.
	Next
	NoNext
	// Total is a number of all items. AtLeast is one that is said to be a lower bound.
	Total
	AtLeast
	// PageCount is a number of all pages.
	PageCount
	// Guess is a number that may be that of all items, GuessedPages one that may be that of all pages.
	Guess
	GuessedPages
	// Left is how many items are left, also 0.
	Left
	// Full is a place that says how many items a page has, as many as this one has.
	Full
	// Ceiling is a number of results that are shown at most.
	Ceiling
	// Echoed is a number without a known name, beside the size and the position that were asked for.
	Echoed
)

// A Statement is one thing that an answer says beside its items.
type Statement struct {
	Kind StatementKind
	// Place is a path in the answer, or the name of a header.
	Place string
	// Number is that of the kinds that are numbers, and Position where an Echoed one was asked for.
	Number, Position int64
	// Named: the number's name says that it is one of all, and not of the page, or that of a flag that it is one. Guessed: no more than its name says so, and
	// where it is not Named, not even that.
	Named, Guessed bool
	// OfAll: it is none of the page, also where it is just as great.
	OfAll bool
	// Vague: it is said to be inexact.
	Vague bool
	// Pages: the number of pages stands beside an Echoed one.
	Pages bool
}

// BodyKinds say what kind of answer it was.
type BodyKinds struct {
	// Root and Field are the kinds of JSON values there, as jsontext has them: of the whole answer, and where
	// the items are looked for. 0: there is nothing.
	Root  byte `json:"root,omitempty"`
	Field byte `json:"field,omitempty"`
}

// A Record is what is kept of one answer until it is folded into its walk, which keeps nothing of it but copies.
type Record struct {
	// Page is its number in its walk, from 1.
	Page int
	// Items are those of the page, Nulls those of them that are null, where others are objects or arrays.
	Items, Nulls int
	// Asked is how many items were asked for; 0: it is not known. Usual: people choose such a number of items as the size of a
	// page.
	Asked int64
	Usual bool
	Says  []Statement
	// Announced is how many items there are by this page; Place is empty: it does not say it, or the walk is below an item.
	Announced Announced
	// Limit is the number that limitStop reads; Place is empty: there is none, or it may count something else.
	Limit Announced

	// Caveat says that it is not whole.
	Caveat Caveat

	// Led: it has something where paging looks for the next page.
	Led bool
	// Object: it is one object by its own address.
	Object bool
	// Holder is what paging reads of the first item, which has a list of objects in it; empty: nothing.
	Holder string

	// Compared tells that the answer is compared with others of the job: it is JSON.
	Compared bool
	Body     BodyKinds
	// NoContent: the status says that the answer has none. Keyed: its only item has the key of the walk.
	NoContent, Keyed bool
	// Lone: the answer has one item, in an array, and where does not leave it out. Own are hashes of the names of its members, Apart of
	// those that tell the items of the walk apart.
	Lone       bool
	Own, Apart []uint64
	// Around is what the members around the items say.
	Around []evidence.Said
	// Members stand beside the items; Names is a hash of the names of all of them.
	Members []BesideMember
	Names   uint64
	// Stripped: credentials or headers were left out of the request, which went to another origin.
	Stripped bool
	// Texts are hashes of the texts of the items, if these have no key and are to be compared.
	Texts []uint64
	// Quote begins the text of an answer without items, for people; secrets are removed.
	Quote string
	// Field is where the items are looked for, for people.
	Field string
}

// A BesideMember is a member beside the items, by a hash of its name.
type BesideMember struct {
	Name uint64
	// Statement: it may say how the list is paged, or counts something. Telling: its value says something else.
	Statement, Telling bool
}

// PlaceFacts are what answers of a walk said at one place of flags and next pages.
type PlaceFacts struct {
	// Named: it is a flag by the words of its name.
	Named bool `json:"named,omitempty"`
	// Value: an answer said there that there is more, or where the next page is. Next: the latter.
	Value bool `json:"value,omitempty"`
	Next  bool `json:"next,omitempty"`
	// End is the first page that said there that there is no more; 0: none did.
	End int `json:"end,omitempty"`
	// Last is the last page that said something there, and Says what.
	Last int           `json:"last"`
	Says StatementKind `json:"says"`
}

// A GreatestTotal is the greatest number that answers of a walk said of all items, or of all pages.
type GreatestTotal struct {
	Number int64  `json:"number"`
	Place  string `json:"place"`
	Named  bool   `json:"named,omitempty"`
	// Guessed: it may be another number.
	Guessed bool `json:"guessed,omitempty"`
	// OfAll: it is none of the page, also where it is just as great.
	OfAll bool `json:"ofAll,omitempty"`
}

// An End is how a walk has ended.
type End struct {
	Reason report.StopReason `json:"reason,omitempty"`
	// Later: the first page that was asked for is not that of the list, so pages cannot be counted.
	Later bool `json:"later,omitempty"`
	// Behind: that is so by the number of the first page in the configuration.
	Behind bool `json:"behind,omitempty"`
	// Declared: the configuration says that this is the end.
	Declared bool `json:"declared,omitempty"`
	// Root: the walk is below no item, and of no window. Counted: a rule about the pages themselves has compared the
	// numbers of all items, or the configuration says that the list may change.
	Root    bool `json:"root,omitempty"`
	Counted bool `json:"counted,omitempty"`
	// Changes: the configuration reckons with a list that changes while it is read, so that no number holds for all of it.
	Changes bool `json:"changes,omitempty"`
	// Refused: the API refused the page after the last.
	Refused bool `json:"refused,omitempty"`
	// Limit: a number of items that the configuration names was reached.
	Limit bool `json:"limit,omitempty"`
	// Exact: as many items came as that number says, which is not that of one page.
	Exact bool `json:"exact,omitempty"`
	// Beyond: what the API answered after the end shows it.
	Beyond bool `json:"beyond,omitempty"`
	// Single: there is one request, and no paging.
	Single bool `json:"single,omitempty"`
	// Flagged: a flag that the configuration names says that there is no more.
	Flagged bool `json:"flagged,omitempty"`
	// Wanted: there was nothing where paging looks for the next page.
	Wanted bool `json:"wanted,omitempty"`
}

// mostPlaces is how many places a walk remembers, and a job: beyond that they say nothing.
const mostPlaces = 1000

// isLikely tells whether the number may be another one.
func (s Statement) isLikely() bool { return s.Guessed && !s.Named }

// with folds what other pages said at the same place.
func (p PlaceFacts) with(other PlaceFacts) PlaceFacts {
	p.Value, p.Next = p.Value || other.Value, p.Next || other.Next
	p.Named = p.Named || other.Named
	p.End = leastOf(p.End, other.End)
	isLater := other.Last > p.Last
	// One page may say several things at one place: the greater kind, whatever their order.
	isElse := other.Last == p.Last && other.Says > p.Says
	if isLater || isElse {
		p.Last, p.Says = other.Last, other.Says
	}
	return p
}

// raise enters a number, which most answers say again.
func raise(known **GreatestTotal, s Statement) {
	one := GreatestTotal{s.Number, s.Place, s.Named, s.Guessed, s.OfAll}
	if *known != nil && **known == one {
		return
	}
	// A copy, so that the other one stays on the stack.
	kept := one
	*known = firstOf(*known, &kept)
}

// Compare puts the greater number in front, the surer one if they are the same.
func (g *GreatestTotal) Compare(other *GreatestTotal) int {
	switch {
	case g.Number != other.Number:
		return cmp.Compare(other.Number, g.Number)
	case g.Named != other.Named:
		return orderOfFlags(other.Named, g.Named)
	case g.OfAll != other.OfAll:
		return orderOfFlags(other.OfAll, g.OfAll)
	}
	return cmp.Compare(g.Place, other.Place)
}

// with folds how another shard ended the walk: the later end counts.
func (e End) with(other End, isLater bool) End {
	reason := e.Reason
	if isLater || reason == "" {
		reason = other.Reason
	}
	return End{
		Reason:   reason,
		Later:    e.Later || other.Later,
		Behind:   e.Behind || other.Behind,
		Declared: e.Declared || other.Declared,
		Beyond:   e.Beyond || other.Beyond,
		Root:     e.Root || other.Root,
		Counted:  e.Counted || other.Counted,
		Changes:  e.Changes || other.Changes,
		Refused:  e.Refused || other.Refused,
		Limit:    e.Limit || other.Limit,
		Exact:    e.Exact || other.Exact,
		Flagged:  e.Flagged || other.Flagged,
		Single:   e.Single && other.Single,
		Wanted:   e.Wanted && other.Wanted,
	}
}

// A Caveat is text for people by which an answer says that it is not whole.
type Caveat struct {
	// Place is where it stands, and Value is shown to people.
	Place string `json:"place"`
	Value string `json:"value"`
}

// An Announced is how many items there are, as a page of a walk at the root says.
type Announced struct {
	Page   int    `json:"page"`
	Number int64  `json:"number"`
	Place  string `json:"place"`
	// Single: it is a number of all items only if the walk has one page.
	Single bool `json:"single,omitempty"`
}

// Compare puts that of the later page in front.
func (a *Announced) Compare(other *Announced) int { return cmp.Compare(other.Page, a.Page) }

// Counted is a number of items in words.
func Counted[N int | int64](items N) string {
	if items == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", items)
}
