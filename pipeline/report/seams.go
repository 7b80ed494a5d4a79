package report

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"
)

// What shards that share the pages of a walk tell of its items. None of them sees the neighbours of its pages,
// so publishing compares these, and says what a process alone would.

// How much all shards of a run tell at most of all its walks together.
const (
	MostKeys  = 1 << 20
	MostEdges = 1 << 17
)

// Seams is what one shard saw of the items of a walk whose pages it shares with others.
type Seams struct {
	// First is the first of its pages with items; 0: none had any.
	First int `json:"first,omitempty"`

	// Key says what tells the items apart, as its first page has settled; empty: nothing does.
	Key string `json:"key,omitempty"`

	// Dropped is the page where a key was found to stand twice on one page, from which on keys mean nothing; 0:
	// there is none.
	Dropped int `json:"dropped,omitempty"`

	// Edges are those of its pages with items, in order; none where there were too many.
	Edges Edges `json:"edges,omitempty"`
	Many  bool  `json:"many,omitempty"`

	// Keys are those of its items that are divisible by Every, each once.
	Keys  Hashes `json:"keys,omitempty"`
	Every uint64 `json:"every,omitempty"`

	// Again is how many items came on several of its pages.
	Again int64 `json:"again,omitempty"`

	// Same is how many of its pages had the items of the one before, with other texts, SameKeys what is said of
	// such pages ([SamePages]), and SameTold whether a person knows already.
	Same     int    `json:"same,omitempty"`
	SameKeys string `json:"sameKeys,omitempty"`
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

// An Edge is what a page begins and ends with.
type Edge struct {
	Page int

	// First and Last are hashes of the texts of those items.
	First, Last uint64

	// FirstKey and LastKey are hashes of the first and the last key, Order of all in order; 0: there is none.
	FirstKey, LastKey, Order uint64
}

// Edges are written compactly.
type Edges []Edge

// Hashes are written compactly.
type Hashes []uint64

const (
	wordsOfEdge = 6
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
		return errors.New("hashes are cut")
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
		words = append(words, uint64(e.Page), e.First, e.Last, e.FirstKey, e.LastKey, e.Order)
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
		return errors.New("edges are cut")
	}
	*all = make(Edges, 0, len(words)/wordsOfEdge)
	for w := range slices.Chunk(words, wordsOfEdge) {
		*all = append(*all, Edge{int(w[0]), w[1], w[2], w[3], w[4], w[5]})
	}
	return nil
}

// Overlap is the warning of a page that begins with the item that ended the page before it.
func Overlap(page int) string {
	return fmt.Sprintf("page %d begins with the very item that the page before it ended with: "+
		"pages may overlap, and items come twice", page)
}

// SamePages is the warning of so many pages that have what is said of them.
func SamePages(pages int, what string) string {
	if pages == 1 {
		return "1 page has " + what
	}
	return fmt.Sprintf("%d pages have %s", pages, what)
}

// LessTotal is the warning of a number of all items that became less.
func LessTotal(at string, now, before int64) string {
	return fmt.Sprintf("%s became less while the pages were read, %d after %d: items were removed, "+
		"and others may be missed for that: run again when the list is quiet, or page by a cursor",
		at, now, before)
}

// BeyondTotal is the warning of more items than an answer says that there are.
func BeyondTotal(came, total int64, at string) string {
	return fmt.Sprintf("%d items came where the answer says %d at %s: "+
		"some may have come twice, and others be missing: sort by something unique", came, total, at)
}

// seams are what all shards tell of one walk.
type seams struct {
	all []*Seams

	// Those whose keys can be compared.
	keyed []*Seams

	// The first page from which on keys mean nothing; 0: there is none.
	dropped int

	came int64
}

// judgeSeams compares what the shards of a walk tell of its items. It returns how many came again.
func judgeSeams(walk []WalkEnd, warn func(Remark)) (again int64) {
	s := gatherSeams(walk)
	if len(s.all) == 0 {
		return 0
	}
	s.judgeTotals(endOf(walk), warn)
	for _, one := range s.keyed {
		again += one.Again
	}
	edges, isWhole := s.edges()
	if !isWhole {
		text := "there are too many pages to compare what each begins and ends with across shards: " +
			"a sample of the keys was compared"
		warn(Remark{Text: text, Expected: true})
	}
	if s.keyed == nil {
		judgeTexts(edges, s.dropped, warn)
		s.tellSame(0, s.unkeyed(), warn)
		return 0
	}
	touching, same := compareKeys(edges)
	if s.tellSame(same, s.keyed, warn) {
		return again
	}
	return again + s.shared(touching)
}

// gatherSeams finds out whose keys can be compared: those of the shards that have
// settled on what the first page has, as a process alone would.
func gatherSeams(walk []WalkEnd) (s seams) {
	var first *Seams
	for _, e := range walk {
		s.came += e.Items
		if !e.Stride || e.Seams == nil {
			continue
		}
		own := e.Seams
		s.all = append(s.all, own)
		isEarlier := first == nil || own.First < first.First
		if own.First > 0 && isEarlier {
			first = own
		}
		isDroppedEarlier := s.dropped == 0 || own.Dropped < s.dropped
		if own.Dropped > 0 && isDroppedEarlier {
			s.dropped = own.Dropped
		}
	}
	isKeyed := first != nil && first.Key != ""
	if !isKeyed || s.dropped > 0 {
		return s
	}
	for _, one := range s.all {
		if one.Key == first.Key {
			s.keyed = append(s.keyed, one)
		}
	}
	return s
}

// edges are those of all shards, in the order of the pages, and whether each shard tells all of its own.
func (s *seams) edges() (all Edges, isWhole bool) {
	isWhole = true
	for _, one := range s.all {
		all = append(all, one.Edges...)
		isWhole = isWhole && !one.Many
	}
	slices.SortFunc(all, func(a, b Edge) int { return a.Page - b.Page })
	return all, isWhole
}

// judgeTexts warns, once, of a page that begins with the item that ended the one
// before it, which is not before from.
func judgeTexts(edges Edges, from int, warn func(Remark)) {
	for i, e := range edges {
		if i == 0 {
			continue
		}
		before := edges[i-1]
		isNext := before.Page >= from && e.Page == before.Page+1
		if isNext && e.First == before.Last {
			warn(Remark{Text: Overlap(e.Page), Verdict: Unverified})
			return
		}
	}
}

// compareKeys returns the keys that end a page and begin the next one, and how many
// pages have those of the page before.
func compareKeys(edges Edges) (touching []uint64, same int) {
	for i, e := range edges {
		if i == 0 || e.Page != edges[i-1].Page+1 {
			continue
		}
		before := edges[i-1]
		isSame := e.Order != 0 && e.Order == before.Order
		isTouching := e.FirstKey != 0 && e.FirstKey == before.LastKey
		switch {
		case isSame:
			same++
		case isTouching:
			touching = append(touching, e.FirstKey)
		}
	}
	return touching, same
}

// unkeyed are the shards whose items have no key, if it is not that keys mean nothing.
func (s *seams) unkeyed() (all []*Seams) {
	if s.dropped > 0 {
		return nil
	}
	for _, one := range s.all {
		if one.Key == "" {
			all = append(all, one)
		}
	}
	return all
}

// tellSame warns of so many pages that have the items of the page before, and of those that these shards have
// seen, unless a shard has. It returns whether there are any.
func (s *seams) tellSame(pages int, of []*Seams, warn func(Remark)) bool {
	what := ""
	for _, one := range of {
		pages += one.Same
		if what == "" {
			what = one.SameKeys
		}
	}
	isTold := slices.ContainsFunc(s.all, func(one *Seams) bool { return one.SameTold })
	if pages > 0 && !isTold {
		warn(Remark{Text: SamePages(pages, what), Verdict: Unverified})
	}
	return pages > 0
}

// shared is how many items came in several shards: of the keys that all of them
// would have told, and of those that stand where two pages meet.
func (s *seams) shared(touching []uint64) (again int64) {
	every := uint64(1)
	for _, one := range s.keyed {
		every = max(every, one.Every)
	}
	var all []uint64
	for _, one := range s.keyed {
		for _, key := range one.Keys {
			if key%every == 0 {
				all = append(all, key)
			}
		}
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			again++
		}
	}
	for _, key := range touching {
		if key%every != 0 {
			again++
		}
	}
	return again
}

// apart is how much later an answer must have come than another to be newer for sure: machines have clocks of
// their own, and requests take their time.
const apart = time.Minute

// judgeTotals warns of a number of all items that became less, or of more items
// than that, unless a shard has. The walk has so many pages.
func (s *seams) judgeTotals(pages int, warn func(Remark)) {
	var all []*SeenTotals
	var greatest SeenTotals
	for _, one := range s.all {
		t := &one.Totals
		isTold := 0 < t.Told && t.Told <= pages
		if isTold || t.Other {
			return
		}
		all = append(all, t)
		if t.Last.Items > greatest.Last.Items {
			greatest = *t
		}
	}
	total, came := greatest.Last.Items, s.came+greatest.Skipped
	text, isLeft := shrunk(all, came)
	if isLeft {
		return
	}
	// The last page may be an empty one more.
	empty := int64(pages) - total
	mayBePages := greatest.Bare && (empty == 0 || empty == 1)
	isExceeded := total > 0 && came > total
	isDoubted := isExceeded && !mayBePages
	if text == "" && isDoubted {
		text = BeyondTotal(came, total, greatest.At)
	}
	if text != "" {
		warn(Remark{Text: text, Verdict: Unverified})
	}
}

// shrunk says that the last number of one shard is less than the first of another, which is older; empty: none
// is. Behind the end of all shards an estimate may be corrected, to the number that came. isLeft: they are less
// by what stands between their pages, so they are of the items that are left.
func shrunk(all []*SeenTotals, came int64) (text string, isLeft bool) {
	for _, t := range all {
		for _, other := range all {
			now, before := t.Last, other.First
			less := before.Items - now.Items
			if t.At != other.At || less <= 0 {
				continue
			}
			if less == int64(now.Page-before.Page)*t.Limit {
				return "", true
			}
			isCorrected := now.Empty && less > t.Limit
			if isCorrected && now.Items == came {
				continue
			}
			isOwn := t == other
			isLater := isOwn || now.At.Sub(before.At) > apart
			if isLater {
				text = max(text, LessTotal(t.At, now.Items, before.Items))
			}
		}
	}
	return text, false
}
