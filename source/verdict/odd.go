package verdict

import (
	"cmp"
	"slices"
)

// An OddPage is one in the middle of a walk that has fewer items than the longest, and a member that no other page of the walk has.
type OddPage struct {
	Name  uint64 `json:"name"`
	Page  int    `json:"page"`
	Items int    `json:"items"`
	// Longest is how many items the longest page of the walk has.
	Longest int `json:"longest"`
}

// mostOdd is how many such pages of a job are remembered.
const mostOdd = 64

func (o OddPage) compare(other OddPage) int {
	return cmp.Or(
		cmp.Compare(o.Name, other.Name),
		cmp.Compare(o.Page, other.Page),
		cmp.Compare(o.Items, other.Items),
		cmp.Compare(o.Longest, other.Longest),
	)
}

// oddPages are those of a walk.
func (w *Walk) oddPages() (all []OddPage) {
	if w.Around.Many {
		return nil
	}
	for _, n := range w.Around.Names {
		isOdd := n.Telling && !n.Several && n.Page < w.LastFilled && n.Items < w.Longest
		if isOdd {
			all = append(all, OddPage{Name: n.Name, Page: n.Page, Items: n.Items, Longest: w.Longest})
		}
	}
	return all
}

// addOdd enters pages of a walk, or of other walks.
func (j *Job) addOdd(pages []OddPage) {
	for _, page := range pages {
		at, isKnown := slices.BinarySearchFunc(j.Odd, page, OddPage.compare)
		if !isKnown {
			j.Odd = slices.Insert(j.Odd, at, page)
		}
	}
	j.Odd = j.Odd[:min(len(j.Odd), mostOdd)]
}

// shortMiddlePage is for a page with less than half of the items of others.
func shortMiddlePage(j *Job) []any { return oddPage(j, 2) }

// shorterMiddlePage is for a page with fewer items than others, where none has less than half.
func shorterMiddlePage(j *Job) []any {
	if shortMiddlePage(j) != nil {
		return nil
	}
	return oddPage(j, 1)
}

// oddPage says which page in the middle of a walk has so many times fewer items than others, and says something that no other
// page with items says.
func oddPage(j *Job, times int) []any {
	if j.Around.Many {
		return nil
	}
	var first *OddPage
	for i := range j.Odd {
		o := &j.Odd[i]
		_, isSeveral := j.Around.has(o.Name)
		isShort := times*o.Items < o.Longest
		isFirst := first == nil || o.Page < first.Page
		if isShort && !isSeveral && isFirst {
			first = o
		}
	}
	if first == nil {
		return nil
	}
	return []any{first.Page, Counted(first.Items), first.Longest}
}
