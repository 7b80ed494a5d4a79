package evidence

import (
	"net/http"
	"slices"

	"sluice/pipeline/item"
)

// An Answer is what was seen of one answer.
type Answer struct {
	Items int
	// Bytes is the length of the answer as compact JSON.
	Bytes int64
	// Hash is that of the whole answer.
	Hash uint64
	// First and Last are hashes of those items.
	First, Last uint64
	// Texts is a hash of the texts of all, in order, Set one whatever their order is.
	Texts, Set uint64
	// Varied: two of them differ.
	Varied bool
	// Each is what tells each item apart, where pages overlap.
	Each Each
	// Keys are those of the items, Marks their members if they have none.
	Keys  Keys
	Marks Marks

	// Field leads to the items, as people write it.
	Field string
	// Array tells that the items stand in an array, or in several, or are members, lines or rows.
	Array bool
	// Listed tells that the items are all elements of one array.
	Listed bool
	// Around is what stands beside the items, see [Notable].
	Around []item.Found
	// Status is 0 if nothing is known of it.
	Status int
	Header http.Header
	// Asked is what was asked for; nil: it is not known.
	Asked Asked
}

// Asked is what an answer was asked for with. Most answers need no look at it.
type Asked interface {
	Address() string
	// Numbers are those of the request, also where they are not in its address.
	Numbers() Numbers
}

// Address is the one that was asked for, empty if it is not known.
func (a *Answer) Address() string {
	if a.Asked == nil {
		return ""
	}
	return a.Asked.Address()
}

// Reads is what the paging reads itself.
type Reads struct {
	// Paths are read by the method, or by a stop condition on a number of items: no
	// evidence against the end.
	Paths []item.Path
	// Others are read by other stop conditions.
	Others []item.Path
	// Sized tells that pages have a size in the configuration: Size, which may be 0.
	Sized bool
	Size  int64
	// Link tells whether an element of a list of links is the one that is followed;
	// nil: none is.
	Link func(list item.Path, element []byte) bool
}

// has tells whether what stands at the path is no evidence.
func (r Reads) has(path item.Path) bool { return contains(r.Paths, path.String()) }

// uses tells whether the paging reads what stands at the path at all.
func (r Reads) uses(path string) bool { return contains(r.Paths, path) || contains(r.Others, path) }

func contains(paths []item.Path, path string) bool {
	return slices.ContainsFunc(paths, func(p item.Path) bool { return p.String() == path })
}

// Each has what tells each item of one page from others, where pages overlap.
type Each struct {
	// Texts are the hashes of the items' texts.
	Texts []uint64
}

// Apart has what tells each item of a page apart: its key, or else the hash of its text.
type Apart struct {
	Keys []uint64
	// ByText tells of which it is the text, so that another one may be the same.
	ByText []bool
}
