package verdict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sluice/source/evidence"
)

// A Shape is what of a walk decides its ground. Walks of the same shape are counted together, since a job may have
// a million of them.
type Shape struct {
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
type Shapes map[Shape]int

// shapeCount is how a shape is written.
type shapeCount struct {
	Shape Shape `json:"shape"`
	Walks int   `json:"walks"`
}

// MarshalJSON implements [json.Marshaler].
func (all Shapes) MarshalJSON() ([]byte, error) {
	list := []shapeCount{}
	for _, s := range slices.SortedFunc(maps.Keys(all), Shape.compare) {
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
func (s Shape) compare(other Shape) int {
	return cmp.Compare(fmt.Sprint(s), fmt.Sprint(other))
}

// tooManyShapes says how many walks have a shape that was not kept.
func tooManyShapes(j *Job) []any {
	if j.Other == 0 {
		return nil
	}
	return []any{mostShapes, j.Other}
}

// mayBeFull tells whether the last page with items may have left some out.
func (w *Walk) mayBeFull() bool {
	if w.Asked > 0 {
		return int64(w.LastItems) >= w.Asked
	}
	return w.LastUsual
}

// shape is that of a walk that has ended.
func (w *Walk) shape() Shape {
	s := Shape{
		Count:  w.hasAllPages(),
		Gone:   !w.says(Next),
		Uneven: w.isUneven(),
		Empty:  min(w.Last-w.LastFilled, 2),
		Short:  w.Last == w.LastFilled && int64(w.LastItems) < w.Asked,
		Object: w.Object && w.End.Single,
		Unled:  w.End.Wanted && !w.Led,
		End:    w.End,
	}
	s.Flag, s.Next = w.placeOf(NoMore), w.placeOf(NoNext)
	isPart := w.Filled <= 1 && w.mayBeFull()
	s.Total = w.hasAllItems(isPart, s)
	s.Null = w.Null > 0 && !s.Total && !w.endsBefore(w.Null)
	s.Void = w.Void > w.LastFilled
	if s.FullAt = w.fullEnd(); s.FullAt != "" {
		s.FullItems = w.LastItems
	}
	s.Alike = w.Texts.cameAgain()
	s.Window = w.fillsWindow()
	s.Ceiling = w.reachesCeiling()
	isFullFirst := w.mayBeFull() && w.LastItems > 1 && w.Last == 1
	s.Full = w.End.Limit && isFullFirst
	s.Flagged = w.End.Flagged && isFullFirst && !w.endsByName()
	isAgreed := s.Total || s.Count || s.Next != ""
	s.FlagSure = w.Places[s.Flag].Value || !isPart && w.Filled <= 1 || isAgreed
	return s
}

// hasAllItems tells whether as many distinct items came as an answer says that there are, and none says more. In a walk of one
// page the number may be that of the page: there its name must say that it is one of all, and, where the page may be
// full, another statement must agree.
func (w *Walk) hasAllItems(isPart bool, s Shape) bool {
	came := w.Items - w.Again + w.Skipped
	isBelow := w.Bound != nil && w.Bound.Number > came
	if isBelow || w.Nulls > 0 {
		return false
	}
	total := w.Whole()
	// A person has named that number.
	if w.isExact(total) && w.Again == 0 && w.saysMoreAt() == "" {
		return true
	}
	if total == nil || came != total.Number {
		return false
	}
	if w.Filled > 1 {
		return true
	}
	isAgreed := s.Count || s.Flag != "" || s.Next != "" || total.OfAll
	return total.Named && (!isPart || isAgreed)
}

// isNamedTotal tells whether so many items are exactly as many as limitStop says, and not as many as an API may show at most.
func isNamedTotal(isExact bool, items int64) bool { return isExact && !evidence.MayBeMost(items) }

// isExact tells whether as many items came as a number says that a person has named, and which is none of one page. A round one
// beside a greater one of all items may be how many are shown at most.
func (w *Walk) isExact(total *Sum) bool {
	mayBeMost := evidence.MayBeMost(w.Items) && total != nil && total.Number > w.Items
	return w.End.Exact && !mayBeMost
}

// hasAllPages tells whether as many pages came from the first on as an answer says that there are, several at least.
func (w *Walk) hasAllPages() bool {
	if w.Count == nil || w.Filled < 2 {
		return false
	}
	isFromFirst := !w.End.Later && w.Skipped == 0
	return isFromFirst && w.Count.Number == int64(w.LastFilled)
}

// isUneven tells whether a page that is not the last with items had fewer than the longest, or none.
func (w *Walk) isUneven() bool {
	if w.Filled < w.LastFilled {
		return true
	}
	shorter := w.Filled - w.Longests
	if w.LastItems < w.Longest {
		shorter--
	}
	return shorter > 0
}

// placeOf is the first place where the last answer says so; empty: it does nowhere. A page without items after it may
// say nothing.
func (w *Walk) placeOf(kind Kind) string {
	for _, name := range slices.Sorted(maps.Keys(w.Places)) {
		place := w.Places[name]
		if place.Says == kind && place.Last >= w.LastFilled {
			return name
		}
	}
	return ""
}

// endsByName tells whether the last answer has a flag that says by the words of its name that there is no more.
func (w *Walk) endsByName() bool {
	for _, place := range w.Places {
		isEnd := place.Says == NoMore || place.Says == MayEnd
		if isEnd && place.Named && place.Last == w.Last {
			return true
		}
	}
	return false
}

// says tells whether the last answer says so.
func (w *Walk) says(kind Kind) bool {
	for _, place := range w.Places {
		if place.Says == kind && place.Last == w.Last {
			return true
		}
	}
	return false
}

// windowSizes are how many items APIs show at most of a search.
var windowSizes = []int64{1_000, 5_000, 10_000}

// fillsWindow tells whether so many items came on several pages as APIs show at most of a search, and they ran out, or the last
// page names no next one: a window ends so, too.
func (w *Walk) fillsWindow() bool {
	return w.Filled >= 2 && slices.Contains(windowSizes, w.Items) && (w.ranOut() || w.End.Wanted)
}

// reachesCeiling is where answers say that as many results are shown at most as items came on several pages, where nothing else
// says that these are all; empty: they do not. A number of one page is not greater than the longest.
func (w *Walk) reachesCeiling() string {
	if w.Ceiling == nil || w.Filled < 2 {
		return ""
	}
	most := w.Ceiling.Number
	isOfAll := most > int64(w.Longest) && most > w.Asked
	if !isOfAll || w.Items != most || !w.ranOut() {
		return ""
	}
	return w.Ceiling.Place
}

// ranOut tells whether nothing but that the items ran out, or a number of all that is the same, says that these are all.
func (w *Walk) ranOut() bool {
	isSaid := func(s *Sum) bool { return s != nil && s.Number == w.Items }
	return w.Last > w.LastFilled || w.End.Refused || isSaid(w.Whole()) || isSaid(w.Guess)
}

// endsBefore tells whether an answer before that page says that there is no more.
func (w *Walk) endsBefore(page int) bool {
	for _, place := range w.Places {
		if place.End > 0 && place.End < page {
			return true
		}
	}
	return false
}
