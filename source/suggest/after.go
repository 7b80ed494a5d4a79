package suggest

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

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
