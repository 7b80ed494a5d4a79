package suggest

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// The ways that ask for what comes after the last item.

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

// A Tail is what guesses need of the items of a page.
type Tail struct {
	// Last is the last item.
	Last  []byte
	Order Order
}

// An Order is how the ids of items follow each other, as far as they are numbers.
type Order struct {
	last         *item.Decimal
	items        int
	rises, falls int
}

// Enter takes the next item.
func (o *Order) Enter(text []byte) {
	o.items++
	id, ok := item.DecimalOf(item.Lookup(text, item.Path{"id"}))
	if !ok {
		o.last = nil
		return
	}
	if o.last != nil {
		switch step := id.Compare(*o.last); {
		case step > 0:
			o.rises++
		case step < 0:
			o.falls++
		}
	}
	o.last = &id
}

// leastOrdered is how many items show an order.
const leastOrdered = 3

// isRising tells whether all ids rise.
func (o *Order) isRising() bool { return o.items >= leastOrdered && o.rises == o.items-1 }

// isFalling tells whether all ids fall.
func (o *Order) isFalling() bool { return o.items >= leastOrdered && o.falls == o.items-1 }

// beyondLast asks for what comes after the last of items whose ids rise, or before the last of those
// whose ids fall.
func (f *follower) beyondLast(order Order) Proposal {
	switch {
	case !f.First.HasID:
		return Proposal{}
	case order.isRising():
		return f.after("id", "after")
	case order.isFalling():
		return f.after("id", "before")
	}
	return Proposal{}
}

// afterFlag asks for what comes after the last item, where a flag says that there is
// more, or items are sorted by Elasticsearch.
func (f *follower) afterFlag() Proposal {
	switch {
	case f.First.IsSorted && f.Job.Params.Has("sort"):
		return f.after("sort", "search_after")
	case f.First.HasID && slices.ContainsFunc(f.signs, isTopFlag):
		return f.after("id", "starting_after")
	}
	return Proposal{}
}

// isTopFlag tells whether a sign at the top of the answer says that there is more.
func isTopFlag(s evidence.Sign) bool {
	return len(s.Path) == 1 && strings.HasPrefix(evidence.Normal(s.At), "hasmore")
}

// after is the way by what the last item has at idKey.
func (f *follower) after(idKey, param string) Proposal {
	o := item.Object{
		"method", quoted("cursor"),
		"idKey", quoted(idKey),
		"param", f.put(param, withOwn),
		"take", quoted("last"),
	}
	return Proposal{Pagination: append(o, f.flag()...).String()}
}
