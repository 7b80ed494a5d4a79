package verdict

import (
	"fmt"
	"slices"

	"sluice/pipeline/report"
)

// What the facts of a job speak against: each function returns the arguments of the words of a doubt, and nil where
// the facts do not raise it.

// otherPage says which answer without items is no page of this list, compared with those that have items.
func otherPage(j *JobFacts) []any {
	e, why := j.Around.stranger()
	if e == nil {
		return nil
	}
	return []any{e.Page, why, e.Quote}
}

// stranger is the first answer that is of another kind than those with items, and why.
func (a *AnswerProfile) stranger() (first *Empty, why string) {
	first = a.firstEmpty(func(e *Empty) bool { return a.differs(e) != "" })
	if first == nil {
		return nil, ""
	}
	return first, a.differs(first)
}

// firstEmpty is the first answer without items of which something holds, where others have some; nil: there is none.
func (a *AnswerProfile) firstEmpty(holds func(*Empty) bool) (first *Empty) {
	if a.Filled == 0 {
		return nil
	}
	for i := range a.Empty {
		if e := &a.Empty[i]; holds(e) {
			first = firstOf(first, e)
		}
	}
	return first
}

// differs says how an answer is of another kind than those with items; empty: it is not.
func (a *AnswerProfile) differs(e *Empty) string {
	hasRoot := func(b BodyKinds) bool { return b.Root == e.Root }
	hasField := func(b BodyKinds) bool { return b.Field == e.BodyKinds.Field }
	isBareArray := func(b BodyKinds) bool { return b.Root == '[' }
	isNothing := e.Root == 0 || e.Root == 'n'
	isEmptyArray := e.Root == '[' && e.BodyKinds.Field == 'n'
	hasArray := slices.ContainsFunc(a.Bodies, func(b BodyKinds) bool { return b.Field == '[' })
	switch {
	case e.One && hasArray:
		return "it has one object at " + e.Field + ", where others have an array"
	case e.One:
		return ""
	case e.Unlike:
		return "its only item lacks members by which the items of the first page differ"
	case isEmptyArray && e.Page > 1:
		// So PHP writes an object without members.
		return ""
	case !slices.ContainsFunc(a.Bodies, hasRoot):
		// A list of bare arrays may well end with nothing.
		hasOther := slices.ContainsFunc(a.Bodies, func(b BodyKinds) bool { return !isBareArray(b) })
		isUsualEnd := isNothing && e.Page > 1 && !hasOther
		if isUsualEnd {
			return ""
		}
		return "it is " + nounOf(e.Root) + ", where others are " + nounOf(a.Bodies[0].Root)
	case e.BodyKinds.Field == 0 && len(a.Common) > 0:
		if len(common(a.Common, e.Names)) > 0 {
			return ""
		}
		return "it has nothing at " + e.Field + ", and none of the members that all others have"
	case e.BodyKinds.Field == 0, e.BodyKinds.Field == 'n':
		return ""
	case slices.ContainsFunc(a.Bodies, hasField):
		return ""
	}
	return "it has " + nounOf(e.BodyKinds.Field) + " at " + e.Field + ", where others have " + nounOf(a.Bodies[0].Field)
}

// nullEnd says of a walk that it ended with null where its items were, and nothing shows that this is the end.
func nullEnd(j *JobFacts) []any {
	if e, _ := j.Around.stranger(); e != nil || !j.Around.isListed() {
		return nil
	}
	return j.ifAny(func(s *WalkShape) bool { return s.Null })
}

// ifAny returns the arguments of words without any if something holds of a walk, else nil.
func (j *JobFacts) ifAny(holds func(*WalkShape) bool) []any {
	for s := range j.Walks {
		if holds(&s) {
			return []any{}
		}
	}
	return nil
}

// isAssumed tells whether nothing speaks against the end of a walk, or for it.
func (j *JobFacts) isAssumed(s *WalkShape) bool {
	return !s.Doubted && j.groundOf(*s).Rule().Class == report.Assumed
}

// firstPlace returns the first of the places that walks have as the argument of words; nil: none has one.
func (j *JobFacts) firstPlace(of func(*WalkShape) string) []any {
	place := ""
	for s := range j.Walks {
		place = leastOf(place, of(&s))
	}
	if place == "" {
		return nil
	}
	return []any{place}
}

// isListed tells whether answers with items had them in an array in an object.
func (a *AnswerProfile) isListed() bool {
	return slices.ContainsFunc(a.Bodies, func(b BodyKinds) bool { return b.Root == '{' && b.Field == '[' })
}

// newWords says which answer without items has a member that none with items has, and that says something.
func newWords(j *JobFacts) []any {
	a := &j.Around
	if a.Many {
		return nil
	}
	isNew := func(name uint64) bool {
		isKnown, _ := a.has(name)
		return !isKnown
	}
	first := a.firstEmpty(func(e *Empty) bool {
		return !e.One && a.differs(e) == "" && slices.ContainsFunc(e.Telling, isNew)
	})
	if first == nil {
		return nil
	}
	return []any{first.Page, first.Field, first.Quote}
}

// nullItems says how many items are null.
func nullItems(j *JobFacts) []any {
	switch j.Nulls {
	case 0:
		return nil
	case 1:
		return []any{"1 item is"}
	}
	return []any{fmt.Sprintf("%d items are", j.Nulls)}
}

// notWholeText says which text for people says that an answer is not whole.
func notWholeText(j *JobFacts) []any {
	if j.Caveat == nil {
		return nil
	}
	return []any{j.Caveat.Place, j.Caveat.Value}
}

// fewerThanSaid says of a walk at the root that fewer items came than an answer says that there are.
func fewerThanSaid(j *JobFacts) []any {
	if j.Short == nil {
		return nil
	}
	return []any{Counted(j.Short.Came), j.Short.Total.Number, j.Short.Total.Place}
}

// fewerThanMayBe says of a walk at the root that fewer items came than a number says that may be that of all.
func fewerThanMayBe(j *JobFacts) []any {
	if j.MayBeShort == nil || j.Short != nil {
		return nil
	}
	short := j.MayBeShort
	return []any{Counted(short.Came), short.Total.Number, short.Total.Place}
}

// sameTexts says of a walk that items without a key came on several pages with the same text.
func sameTexts(j *JobFacts) []any {
	return j.ifAny(func(s *WalkShape) bool { return s.Alike && !s.Doubted })
}

// fullAtLimit says of a walk that limitStop ended it at a full page, where no answer says that these are all.
func fullAtLimit(j *JobFacts) []any {
	return j.ifAny(func(s *WalkShape) bool { return s.Full && j.isAssumed(s) })
}

// fullAtFlag says of a walk that nextPageFlag ended it at a full page, where the flag says so by nothing but the configuration.
func fullAtFlag(j *JobFacts) []any {
	return j.ifAny(func(s *WalkShape) bool { return s.Flagged && j.isAssumed(s) })
}

// resultWindow says that a walk has as many items as APIs show at most of a search.
func resultWindow(j *JobFacts) []any {
	return j.ifAny(func(s *WalkShape) bool { return s.Window })
}

// limitOfResults says where an answer says that so many results are shown at most as a walk has items.
func limitOfResults(j *JobFacts) []any {
	return j.firstPlace(func(s *WalkShape) string { return s.Ceiling })
}

// fallingTotal says that a number of all items became less while the pages were read.
func fallingTotal(j *JobFacts) []any {
	if j.Fall == nil {
		return nil
	}
	return []any{j.Fall.Place, j.Fall.Now, j.Fall.Before}
}

// strippedOrigin says which page without items was asked for at another origin without credentials or headers.
func strippedOrigin(j *JobFacts) []any {
	if j.Stripped == 0 {
		return nil
	}
	return []any{j.Stripped}
}

// onlyAssumed says of how many walks the end is only assumed.
func onlyAssumed(j *JobFacts) []any {
	all := j.grounds()
	weakest := all.Weakest().Rule().Words
	walks := all.Assumed()
	switch {
	case walks == 0:
		return nil
	case len(j.Walks) == 1 && walks == 1:
		return []any{"nothing proves the end:", weakest}
	}
	return []any{fmt.Sprintf("nothing proves the end of %d lists: the weakest is", walks), weakest}
}

// nounOf names a kind of JSON values.
func nounOf(kind byte) string {
	switch kind {
	case 0:
		return "nothing"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '[':
		return "an array"
	}
	return "an object"
}

// itemsAhead says how many items the page before the first one of a walk has.
func itemsAhead(j *JobFacts) []any {
	if j.Ahead == 0 {
		return nil
	}
	return []any{Counted(j.Ahead)}
}

// pagingInItems says that paging reads what stands in the items, of which each page has one, with a list of objects: that is the
// list, and these are its pages.
func pagingInItems(j *JobFacts) []any {
	if j.Holder == "" || j.Longest != 1 {
		return nil
	}
	return []any{j.Holder}
}

// otherValue says which answer without items has another value in a field that was the same on all pages with items.
func otherValue(j *JobFacts) []any {
	if j.Contrary == nil {
		return nil
	}
	return []any{j.Contrary.Field, j.Contrary.Quote}
}

// tooManyShapes says how many walks have a shape that was not kept.
func tooManyShapes(j *JobFacts) []any {
	if j.Other == 0 {
		return nil
	}
	return []any{mostShapes, j.Other}
}

// shortMiddlePage is for a page with less than half of the items of others.
func shortMiddlePage(j *JobFacts) []any { return oddPage(j, 2) }

// shorterMiddlePage is for a page with fewer items than others, where none has less than half.
func shorterMiddlePage(j *JobFacts) []any {
	if shortMiddlePage(j) != nil {
		return nil
	}
	return oddPage(j, 1)
}

// oddPage says which page in the middle of a walk has so many times fewer items than others, and says something that no other
// page with items says.
func oddPage(j *JobFacts, times int) []any {
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

// saysFull says of a walk that ended with a page that is full by its own answer, where the end is only assumed, and no page of the
// job has more.
func saysFull(j *JobFacts) []any {
	return j.firstPlace(func(s *WalkShape) string {
		// A flag or an empty next place says that this is all, if it alone is no ground.
		isSaid := j.counts(s.Flag) || j.counts(s.Next)
		if isSaid || s.FullItems < j.Longest || !j.isAssumed(s) {
			return ""
		}
		return s.FullAt
	})
}

// fewerPages says that fewer pages came than an answer says that there are.
func fewerPages(j *JobFacts) []any {
	if j.FewPages == nil {
		return nil
	}
	return []any{j.FewPages.Came, j.FewPages.Pages, j.FewPages.Place}
}

// stillOpen says what the last page with items says against an end by an answer that has none.
func stillOpen(j *JobFacts) []any {
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
