package suggest

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// A Proposal is an api.pagination that may lead to what is missing.
type Proposal struct {
	// Pagination is it, as JSON.
	Pagination string
	// Open tells that it follows what the answers give for as long as they do, which
	// some APIs do on their last page too.
	Open bool
	// Blind tells that it counts until a page has no items, which some APIs refuse.
	Blind bool
}

// Bounded is the pagination that an empty page ends.
func (w Proposal) Bounded() string {
	return strings.TrimSuffix(w.Pagination, "}") + `, "emptyStop": true}`
}

// First is what ways may need of the first item of a first page.
type First struct {
	// HasID tells that it has an id that a cursor can name.
	HasID bool
	// IsSorted tells that it has an array called sort, as Elasticsearch gives it.
	IsSorted bool
}

// FirstOf reads the text of an item.
func FirstOf(text []byte) First {
	id := item.Kind(item.Lookup(text, item.Path{"id"}))
	sort := item.Kind(item.Lookup(text, item.Path{"sort"}))
	return First{HasID: id == '"' || id == '0', IsSorted: sort == '['}
}

// A LastAnswer is where a walk stands with its last answer.
type LastAnswer struct {
	// Paging is the one that is configured.
	Paging *paginate.Paging
	Job    *paginate.Job
	// State is that by which the answer was judged.
	State *paginate.State
	// Facts are those of the answer.
	Facts *paginate.Facts
	// First is the first item of a first page.
	First First
}

// A follower finds the ways that follow an ending.
type follower struct {
	*LastAnswer
	signs []evidence.Sign
	// isFirst tells that the answer is that of the first page, and has items.
	isFirst bool
}

func (e *LastAnswer) follower() *follower {
	isFirst := e.State.Pages == 1 && e.Facts.Items > 0
	return &follower{e, e.Paging.Signs(e.Facts), isFirst}
}

// ways has each way once.
type ways []Proposal

// add adds those that lead anywhere, and are not there already.
func (all *ways) add(more ...Proposal) {
	for _, way := range more {
		isSame := func(w Proposal) bool { return w.Pagination == way.Pagination }
		if way.Pagination != "" && !slices.ContainsFunc(*all, isSame) {
			*all = append(*all, way)
		}
	}
}

func quoted(text string) string { return string(item.Quote(text)) }
