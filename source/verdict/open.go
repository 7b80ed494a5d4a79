package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// LeftItems is what a page says of the items that are left.
type LeftItems struct {
	Page   int    `json:"page"`
	Number int64  `json:"number"`
	Place  string `json:"place"`
}

// with is that of the later page, of one page that with the greater number.
func (l *LeftItems) with(other *LeftItems) *LeftItems {
	switch {
	case l == nil:
		return other
	case other == nil:
		return l
	}
	order := cmp.Or(cmp.Compare(l.Page, other.Page), cmp.Compare(l.Number, other.Number), cmp.Compare(other.Place, l.Place))
	if order < 0 {
		return other
	}
	return l
}

// An OpenEnd is what a walk says against its end: by a flag, or by a number of items or pages.
type OpenEnd struct {
	Place string `json:"place"`
	// Left is how many items are left, and Pages how many pages there are where so many came; 0: it says neither.
	Left  int64 `json:"left,omitempty"`
	Pages int64 `json:"pages,omitempty"`
	Came  int   `json:"came,omitempty"`
	// Taken: an answer without items says the contrary.
	Taken bool `json:"taken,omitempty"`
}

// firstOpen is the one of two that is told.
func firstOpen(a, b *OpenEnd) *OpenEnd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	order := cmp.Or(
		cmp.Compare(a.Place, b.Place), cmp.Compare(a.Left, b.Left), cmp.Compare(a.Pages, b.Pages), cmp.Compare(a.Came, b.Came),
	)
	isSurer := order == 0 && a.Taken && !b.Taken
	if order > 0 || isSurer {
		return b
	}
	return a
}

// open is what the last page with items says against an end by an answer that has none, unless that takes it back; nil: nothing.
// What a last page with items says itself is weighed when the walk ends.
func (w *Walk) open(s *Shape) *OpenEnd {
	hasFlag := s.Flag != "" && !w.isFollowed(s.Flag)
	isOver := s.Total || w.Filled == 0
	isByNothing := w.Last > w.LastFilled || w.End.Refused
	if isOver || !isByNothing {
		return nil
	}
	if at := w.takenBackAt(); at != "" {
		return &OpenEnd{Place: at, Taken: true}
	}
	if hasFlag {
		return nil
	}
	if at := w.saysMoreAt(); at != "" {
		return &OpenEnd{Place: at}
	}
	if pages := greater(w.Count, w.MayPages); w.lacksPages(pages) {
		return &OpenEnd{Place: pages.Place, Pages: pages.Number, Came: w.LastFilled}
	}
	if w.Left != nil && w.Left.Number > 0 && w.Left.Page >= w.LastFilled {
		return &OpenEnd{Place: w.Left.Place, Left: w.Left.Number}
	}
	return nil
}

// lacks is how many pages are missing of those that an answer said there are, where the last one names no next page: that does not take
// it back; nil: none is.
func (w *Walk) lacks(s *Shape) *OpenEnd {
	isEnd := w.End.Wanted && w.Last == w.LastFilled
	if s.Total || !isEnd || !w.lacksPages(w.Count) {
		return nil
	}
	return &OpenEnd{Place: w.Count.Place, Pages: w.Count.Number, Came: w.LastFilled}
}

// fewerPages says that fewer pages came than an answer says that there are.
func fewerPages(j *Job) []any {
	if j.FewPages == nil {
		return nil
	}
	return []any{j.FewPages.Came, j.FewPages.Pages, j.FewPages.Place}
}

// saysMoreAt is where the last page with items, or one after it, has a flag that says that there is more; empty: nowhere.
func (w *Walk) saysMoreAt() string {
	for _, name := range slices.Sorted(maps.Keys(w.Places)) {
		place := w.Places[name]
		isMore := place.Says == More || place.Says == MayMore
		if isMore && place.Last >= w.LastFilled {
			return name
		}
	}
	return ""
}

// takenBackAt is where the only page with items has a flag that says that there is more, and an answer without items behind it says
// the contrary; empty: nowhere. An API that cannot know its end says so on each full page, but then the only one is seldom full:
// rather the second page was asked for beyond the end.
func (w *Walk) takenBackAt() string {
	if w.Filled != 1 {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(w.Places)) {
		place := w.Places[name]
		isTakenBack := place.Says == NoMore && place.End > w.LastFilled
		if isTakenBack && place.Value && !place.Next {
			return name
		}
	}
	return ""
}

// isFollowed tells whether new items followed a page that said at the place that there is no more.
func (w *Walk) isFollowed(place string) bool {
	end := w.Places[place].End
	return end > 0 && end < w.LastFilled
}

// SaidEnd tells whether a page of the walk said at the place that there is no more, and new items followed on another or on one that
// is not entered yet and has some.
func (w *Walk) SaidEnd(place string, hasItems bool) bool {
	return w.isFollowed(place) || hasItems && w.Places[place].End > 0
}

// lacksPages tells whether fewer pages with items came than a number says. As many as there are items count these: so do
// headers such as X-Page-Total.
func (w *Walk) lacksPages(pages *Sum) bool {
	isFromFirst := !w.End.Later && w.Skipped == 0
	if pages == nil || !isFromFirst {
		return false
	}
	return pages.Number > int64(w.LastFilled) && pages.Number != w.Items-w.Again
}

// stillOpen says what the last page with items says against an end by an answer that has none.
func stillOpen(j *Job) []any {
	o := j.Open
	if o == nil {
		return nil
	}
	says := "there is more (" + o.Place + ")"
	switch {
	case o.Taken:
		says += ", which the one behind it takes back (check the paging parameters)"
	case o.Left > 0:
		says = fmt.Sprintf("%d more are left (%s)", o.Left, o.Place)
	case o.Pages > 0:
		says = fmt.Sprintf("there are %d pages, of which %d came with items (%s)", o.Pages, o.Came, o.Place)
	}
	return []any{says}
}
