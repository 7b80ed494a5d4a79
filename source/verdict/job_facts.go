package verdict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// JobFacts are the facts of all walks of a job.
type JobFacts struct {
	// Walks is how many there are of each shape.
	Walks Shapes `json:"walks,omitempty"`
	// Other is how many walks had a shape that was not kept, since there are too many.
	Other int `json:"other,omitempty"`
	// Places are those of all walks.
	Places map[string]Bits `json:"places,omitempty"`
	Around AnswerProfile   `json:"around"`
	Nulls  int64           `json:"nulls,omitempty"`
	// Fall is how a number of all items fell in one of them, and Short one of which fewer items came than an answer
	// says.
	Fall  *FallTotal  `json:"fall,omitempty"`
	Short *ShortTotal `json:"short,omitempty"`
	// Announced is one of which fewer came than its last answer with such a number says.
	Announced *ShortTotal `json:"announced,omitempty"`
	// OverLimit is one of which more items came than the number of limitStop says, UnderLimit one of which fewer did.
	OverLimit  *LimitTotal `json:"overLimit,omitempty"`
	UnderLimit *LimitTotal `json:"underLimit,omitempty"`
	// Caveat is what an answer says by which it is not whole.
	Caveat *Caveat `json:"caveat,omitempty"`
	// MayBeShort is one of which fewer came than a number that may be that of all.
	MayBeShort *ShortTotal `json:"mayBeShort,omitempty"`
	// Echoed is one of which fewer came than a number says that stands beside the size and the position that were asked for.
	Echoed *ShortTotal `json:"echoed,omitempty"`
	// Behind is one that begins behind the first page, and the number of all items, those before included.
	Behind *ShortTotal `json:"behind,omitempty"`
	// Open is one whose last page with items says that there is more, although an answer without items ended it.
	Open *OpenEnd `json:"open,omitempty"`
	// FewPages is one of which fewer pages came than an answer says.
	FewPages *OpenEnd `json:"fewPages,omitempty"`
	// Stripped is the first page of a walk without items, asked for at another origin without credentials or headers; 0: none.
	Stripped int `json:"stripped,omitempty"`
	// Contrary is the first answer without items of a walk that says something else than all with items.
	Contrary *Blank `json:"contrary,omitempty"`
	// Longest is how many items the longest page had.
	Longest int `json:"longest,omitempty"`
	// Ahead is how many items the page before the first one of a walk has, none of which came.
	Ahead int `json:"ahead,omitempty"`
	// Holder is what paging reads of the first item of a walk, which has a list of objects in it; empty: nothing.
	Holder string `json:"holder,omitempty"`
	// Odd are pages in the middle of walks that have few items, and say what no other page of their walk says.
	Odd []OddPage `json:"odd,omitempty"`
}

// Bits are what answers of a job said at a place.
type Bits struct {
	// Value: an answer said that there is more. Next: it said where. Followed: new items followed where one said
	// that there is not.
	Value    bool `json:"value,omitempty"`
	Next     bool `json:"next,omitempty"`
	Followed bool `json:"followed,omitempty"`
}

// mostShapes is how many shapes of walks a job keeps.
const mostShapes = 256

// at folds what was said at a place.
func (j *JobFacts) at(name string, bits Bits) {
	known, isKnown := j.Places[name]
	if !isKnown && len(j.Places) >= mostPlaces {
		return
	}
	if j.Places == nil {
		j.Places = map[string]Bits{}
	}
	j.Places[name] = Bits{
		Value:    known.Value || bits.Value,
		Next:     known.Next || bits.Next,
		Followed: known.Followed || bits.Followed,
	}
}

// count counts walks of a shape.
func (j *JobFacts) count(s WalkShape, walks int) {
	if j.Walks == nil {
		j.Walks = Shapes{}
	}
	_, isKnown := j.Walks[s]
	if !isKnown && len(j.Walks) >= mostShapes {
		j.Other += walks
		return
	}
	j.Walks[s] += walks
}

// Fold folds the facts of other walks of the job, which another shard has.
func (j *JobFacts) Fold(other *JobFacts) {
	j.Other += other.Other
	j.Nulls += other.Nulls
	j.Fall = firstOf(j.Fall, other.Fall)
	j.Short = firstOf(j.Short, other.Short)
	j.Announced = firstOf(j.Announced, other.Announced)
	j.OverLimit = firstOf(j.OverLimit, other.OverLimit)
	j.UnderLimit = firstOf(j.UnderLimit, other.UnderLimit)
	j.Caveat = firstOf(j.Caveat, other.Caveat)
	j.MayBeShort = firstOf(j.MayBeShort, other.MayBeShort)
	j.Echoed = firstOf(j.Echoed, other.Echoed)
	j.Behind = firstOf(j.Behind, other.Behind)
	j.Open = firstOf(j.Open, other.Open)
	j.FewPages = firstOf(j.FewPages, other.FewPages)
	j.addOdd(other.Odd)
	j.Longest = max(j.Longest, other.Longest)
	j.Holder = leastOf(j.Holder, other.Holder)
	j.Ahead = max(j.Ahead, other.Ahead)
	j.Stripped = leastOf(j.Stripped, other.Stripped)
	j.Contrary = firstOf(j.Contrary, other.Contrary)
	for _, s := range slices.SortedFunc(maps.Keys(other.Walks), WalkShape.compare) {
		j.count(s, other.Walks[s])
	}
	for _, name := range slices.Sorted(maps.Keys(other.Places)) {
		j.at(name, other.Places[name])
	}
	j.Around.fold(&other.Around)
}

// mostOdd is how many such pages of a job are remembered.
const mostOdd = 64

// addOdd enters pages of a walk, or of other walks.
func (j *JobFacts) addOdd(pages []OddPage) {
	for _, page := range pages {
		enter(&j.Odd, page, mostOdd, OddPage.compare)
	}
}

// A WalkShape is what of a walk decides its ground. Walks of the same shape are counted together, since a job may have
// a million of them.
type WalkShape struct {
	// Total: as many items came as the greatest number of all says.
	Total bool `json:"total,omitempty"`
	// Count: as many pages came.
	Count bool `json:"count,omitempty"`
	// Flag is a place where the last answer says that there is no more, and Next one that is empty for the next
	// page; empty: there is none.
	Flag string `json:"flag,omitempty"`
	Next string `json:"next,omitempty"`
	// FlagSure: the walk itself shows that the flag means what it says.
	FlagSure bool `json:"flagSure,omitempty"`
	// Gone: the last answer names no next page anywhere.
	Gone bool `json:"gone,omitempty"`
	// Uneven: a page that is not the last had fewer items than the longest.
	Uneven bool `json:"uneven,omitempty"`
	// Empty is how many pages without items came last, at most two.
	Empty int `json:"empty,omitempty"`
	// Short: the last page had fewer items than were asked for.
	Short bool `json:"short,omitempty"`
	// Null: a page has null where others have their items, and no page before it says that this is the end.
	Null bool `json:"null,omitempty"`
	// Object: it is one object by its own address. Unled: no answer had anything where paging looks for the next page.
	Object bool `json:"object,omitempty"`
	// Full: a number that the configuration names ended it at its first page, which is as long as was asked for.
	Full bool `json:"full,omitempty"`
	// Flagged: a flag that is none by its name ended it at its first page, likewise.
	Flagged bool `json:"flagged,omitempty"`
	// Window: as many items came as APIs show at most of a search.
	Window bool `json:"window,omitempty"`
	// Ceiling is where answers say that as many results are shown at most as items came.
	Ceiling string `json:"ceiling,omitempty"`
	Unled   bool   `json:"unled,omitempty"`
	// Void: an answer after the last page with items has nothing at all, or null.
	Void bool `json:"void,omitempty"`
	// FullAt is where the last answer says that a page has as many items as it has: FullItems.
	FullAt    string `json:"fullAt,omitempty"`
	FullItems int    `json:"fullItems,omitempty"`
	// Alike: an item without a key came on several pages with the same text.
	Alike bool `json:"alike,omitempty"`
	// Echoed: fewer items came than a number says that stands beside the size and the position that were asked for.
	// Counted: the number of pages stands beside it.
	Echoed  bool `json:"echoed,omitempty"`
	Counted bool `json:"counted,omitempty"`
	End     End  `json:"end"`
	// Doubted: something spoke against the end of the walk itself.
	Doubted bool `json:"doubted,omitempty"`
}

// Shapes is how many walks there are of each shape.
type Shapes map[WalkShape]int

// shapeCount is how a shape is written.
type shapeCount struct {
	Shape WalkShape `json:"shape"`
	Walks int       `json:"walks"`
}

// MarshalJSON implements [json.Marshaler].
func (all Shapes) MarshalJSON() ([]byte, error) {
	list := []shapeCount{}
	for _, s := range slices.SortedFunc(maps.Keys(all), WalkShape.compare) {
		list = append(list, shapeCount{s, all[s]})
	}
	return json.Marshal(list)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (all *Shapes) UnmarshalJSON(text []byte) error {
	var list []shapeCount
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*all = Shapes{}
	for _, one := range list {
		(*all)[one.Shape] += one.Walks
	}
	return nil
}

// compare orders shapes, so that the same walks give the same report.
func (s WalkShape) compare(other WalkShape) int {
	return cmp.Compare(fmt.Sprint(s), fmt.Sprint(other))
}
