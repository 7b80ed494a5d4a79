package suggest

import (
	"bytes"
	"encoding/json"
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
	o := item.ObjectBuilder{
		"method", quoted("cursor"),
		"idKey", quoted(idKey),
		"param", f.put(param, withOwn),
		"take", quoted("last"),
	}
	_, isQuoted := unquoted(f.State.Asked.Params.Get(param))
	o = o.With(isQuoted, "quoted", "true")
	return Proposal{Pagination: append(o, f.flag()...).String()}
}

// unquoted is the text of a parameter, without the quotation marks of JSON if it stands in such.
func unquoted(value []byte) (text string, isQuoted bool) {
	text, _ = item.Text(value)
	if item.Kind([]byte(text)) != '"' || !json.Valid([]byte(text)) {
		return text, false
	}
	return item.Unquote([]byte(text)), true
}

// byEcho are the ways that send back what the answer says of the last item, such as lastId: by that name, or by the same with
// after.
func (f *follower) byEcho(last []byte) (all []Proposal) {
	id := item.Lookup(last, item.Path{"id"})
	for _, m := range f.Facts.Around {
		name := m.Path[len(m.Path)-1]
		rest, isLast := strings.CutPrefix(name, "last")
		if !isLast || len(m.Path) > 1 || id == nil || !bytes.Equal(m.Value, id) {
			continue
		}
		said := evidence.Sign{Path: m.Path, At: m.Path.String(), Value: m.Value}
		for _, param := range []string{name, "after" + rest} {
			o, flag := f.byParameter(said, param), f.flag()
			all = append(all, Proposal{Pagination: append(o, flag...).String(), Open: flag == nil})
		}
	}
	return all
}
