package report

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// What shards that share the pages of a walk record about its items. None of them sees the pages before and after its
// own. So publishing compares the records, and warns of what a single process would have seen.

// How much all shards of a run tell at most of all its walks together.
const (
	MostKeys  = 1 << 20
	MostEdges = 1 << 17
)

// ShardItems are what one shard saw of the items of a walk whose pages it shares with others.
type ShardItems struct {
	// First is the first of its pages with items; 0: none had any.
	First int `json:"first,omitempty"`

	// Key says what tells the items apart, as its first page has settled; empty: nothing does.
	Key string `json:"key,omitempty"`

	// Dropped is the page where a key was found to stand twice on one page, from which on keys mean nothing; 0:
	// there is none.
	Dropped int `json:"dropped,omitempty"`

	// Edges are the first and last items of its pages with items, in order; none where there were too many pages.
	Edges Edges `json:"pages,omitempty"`
	Many  bool  `json:"many,omitempty"`

	// Keys are those of its items that are divisible by Every, each once.
	Keys  Hashes `json:"keys,omitempty"`
	Every uint64 `json:"every,omitempty"`

	// Again is how many items came on several of its pages.
	Again int64 `json:"again,omitempty"`

	// Same is how many of its pages had the items of the one before, with other texts, SameBy what shows it, and
	// SameTold whether a person knows already.
	Same     int    `json:"same,omitempty"`
	SameBy   string `json:"sameBy,omitempty"`
	SameTold bool   `json:"sameTold,omitempty"`

	Totals SeenTotals `json:"totals"`
}

// SeenTotals are what answers said of the number of all items.
type SeenTotals struct {
	// At is where; empty: nowhere.
	At string `json:"at,omitempty"`

	First SeenTotal `json:"first,omitzero"`
	Last  SeenTotal `json:"last,omitzero"`

	// Skipped are the items before the first that was asked for, and Limit how many a page should hold.
	Skipped int64 `json:"skipped,omitempty"`
	Limit   int64 `json:"limit,omitempty"`

	// Other: they are of something else, such as the items that are left. Bare: or of the pages.
	Other bool `json:"other,omitempty"`
	Bare  bool `json:"bare,omitempty"`

	// Told is the page by which they were doubted, which counts if the walk has it; 0: there is none.
	Told int `json:"told,omitempty"`
}

// A SeenTotal is what the answer of a page said.
type SeenTotal struct {
	Items int64     `json:"items"`
	Page  int       `json:"page"`
	At    time.Time `json:"at"`

	// Empty: the page has no items.
	Empty bool `json:"empty,omitempty"`
}

// An Edge is the first and the last item of a page, as hashes, and hashes by which the same page is recognised.
type Edge struct {
	Page int

	// First and Last are hashes of the texts of those items.
	First, Last uint64

	// FirstKey and LastKey are hashes of the first and the last key, Order of all in order; 0: there is none.
	FirstKey, LastKey, Order uint64

	// Answer is a hash of the whole answer, Texts one of the texts of its items, if these can be told apart, else 0.
	Answer, Texts uint64

	// Sum is that of the hashes of the texts of all items; 0: there are too few to compare it.
	Sum uint64
}

// Edges are written compactly.
type Edges []Edge

// Hashes are written compactly.
type Hashes []uint64

const (
	wordsOfEdge = 9
	wordSize    = 8
)

// MarshalText implements [encoding.TextMarshaler].
func (h Hashes) MarshalText() ([]byte, error) {
	var all []byte
	for _, word := range h {
		all = binary.LittleEndian.AppendUint64(all, word)
	}
	return base64.StdEncoding.AppendEncode(nil, all), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (h *Hashes) UnmarshalText(text []byte) error {
	all, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(all)%wordSize != 0 {
		return errors.New("the hashes are cut short")
	}
	*h = make(Hashes, len(all)/wordSize)
	for i := range *h {
		(*h)[i] = binary.LittleEndian.Uint64(all[wordSize*i:])
	}
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (all Edges) MarshalText() ([]byte, error) {
	var words Hashes
	for _, e := range all {
		words = append(words, uint64(e.Page), e.First, e.Last, e.FirstKey, e.LastKey, e.Order, e.Answer, e.Texts, e.Sum)
	}
	return words.MarshalText()
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (all *Edges) UnmarshalText(text []byte) error {
	var words Hashes
	if err := words.UnmarshalText(text); err != nil {
		return err
	}
	if len(words)%wordsOfEdge != 0 {
		return errors.New("the hashes at the edges of pages are cut short")
	}
	*all = make(Edges, 0, len(words)/wordsOfEdge)
	for w := range slices.Chunk(words, wordsOfEdge) {
		*all = append(*all, Edge{int(w[0]), w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]})
	}
	return nil
}
