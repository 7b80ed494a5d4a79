package verdict

import (
	"fmt"
	"slices"

	"sluice/pipeline/report"
	"sluice/source/evidence"
)

// strongest returns the sign that there is more, nil if there is none, or if others
// beat it: a flag that says no more beats links, and so does a total that was
// reached where the items ran out.
func strongest(signs []evidence.Sign, end *Ending, ranOut bool) *evidence.Sign {
	if more := evidence.Find(signs, evidence.More); more != nil {
		return more
	}
	hasAll := ranOut && hasTotal(signs, end)
	if hasAll || evidence.Find(signs, evidence.NoMore) != nil {
		return nil
	}
	if pages := furtherPages(signs, end); pages != nil {
		return pages
	}
	if link := evidence.Find(signs, evidence.Link); link != nil {
		return link
	}
	if onward := evidence.Find(signs, evidence.Onward); onward != nil {
		return onward
	}
	if hint := hinted(signs, end); hint != nil {
		return hint
	}
	// Where items ran out the method goes on without a cursor, and a configured flag tells more.
	if ranOut || end.Reason.Rule().Flagged {
		return nil
	}
	return evidence.Find(signs, evidence.Cursor)
}

// part returns the sign that an answer with items is a part of the list, unless something
// proves that it is the last one, or said so; nil: it is none. Of several pages each may be a
// part: then it is enough that the items ran out.
func part(a *evidence.Answer, signs []evidence.Sign, end *Ending) *evidence.Sign {
	part := evidence.Find(signs, evidence.Part)
	if part == nil || a.Items == 0 {
		return nil
	}
	rule := end.Reason.Rule()
	ranOut := end.Pages > 1 && rule.Proof
	isTold := rule.Counted || rule.Flagged
	isOver := ranOut || isTold
	if isOver || hasTotal(signs, end) {
		return nil
	}
	if Proves(a, signs, end) {
		return nil
	}
	return part
}

// stated returns the sign by which a page without items says in so many words that it
// is not the last one: a flag, a number of pages, or the address of a later page that is
// not called a link, unless a person said that such a page is the end. Links and tokens lead
// beyond the end, too.
func stated(signs []evidence.Sign, end *Ending) *evidence.Sign {
	isOver := hasTotal(signs, end) || evidence.Find(signs, evidence.NoMore) != nil
	// What a condition takes for the end says nothing against it by the way.
	if isOver && !end.Reason.Rule().Refused {
		return nil
	}
	if more := evidence.Find(signs, evidence.More); more != nil {
		return more
	}
	if pages := furtherPages(signs, end); pages != nil {
		return pages
	}
	if end.ByEmpty {
		return nil
	}
	return evidence.Find(signs, evidence.Onward)
}

// hinted is the first hint of more that holds at the end, nil if there is none: a flag, or
// more pages than came.
func hinted(signs []evidence.Sign, end *Ending) *evidence.Sign {
	i := slices.IndexFunc(signs, func(s evidence.Sign) bool {
		if s.Says != evidence.Hint || s.Own {
			return false
		}
		return s.Total == 0 || (end.isFromFirst() && s.Total > int64(end.Pages))
	})
	if i < 0 {
		return nil
	}
	return &signs[i]
}

// hasTotal tells whether as many items came as the answer says that there are.
func hasTotal(signs []evidence.Sign, end *Ending) bool {
	total := evidence.Find(signs, evidence.Total)
	if total == nil || total.Weak {
		return false
	}
	return total.Total <= end.came()
}

// furtherPages returns the number of pages that is greater than that of those which
// came from the first on; nil: there is none.
func furtherPages(signs []evidence.Sign, end *Ending) *evidence.Sign {
	pages := evidence.Find(signs, evidence.Pages)
	if pages == nil || !end.isFromFirst() {
		return nil
	}
	if pages.Total > int64(end.Pages) {
		return pages
	}
	return nil
}

// Proves tells whether an answer, with those signs, proves that its walk has all
// items: by a flag, by a total that was reached, by the number of pages, or by an empty
// place for what leads on.
func Proves(a *evidence.Answer, signs []evidence.Sign, end *Ending) bool {
	return a.NoNext() || saysNumbers(signs, end)
}

// saysNumbers is [Proves] by a flag, or by numbers.
func saysNumbers(signs []evidence.Sign, end *Ending) bool {
	if hasNoMore(signs, end) {
		return true
	}
	return slices.ContainsFunc(signs, func(s evidence.Sign) bool { return isReached(&s, end) })
}

// ProvesFull is [Proves] of a walk whose only page may be full: there a total of just so many may be that of the page.
func ProvesFull(a *evidence.Answer, signs []evidence.Sign, end *Ending) bool {
	if saysLast(a, signs, end) {
		return true
	}
	return slices.ContainsFunc(signs, func(s evidence.Sign) bool {
		return isReached(&s, end) && (s.OfAll() || s.Total != int64(a.Items))
	})
}

// saysLast tells whether an answer says that it is the last one, by something else than a number of items.
func saysLast(a *evidence.Answer, signs []evidence.Sign, end *Ending) bool {
	return a.NoNext() || hasNoMore(signs, end)
}

// hasNoMore tells whether a flag, or the number of pages, says that there is no more.
func hasNoMore(signs []evidence.Sign, end *Ending) bool {
	if evidence.Find(signs, evidence.NoMore) != nil {
		return true
	}
	pages := evidence.Find(signs, evidence.Pages)
	return pages != nil && pages.Total <= int64(end.Pages)
}

// isReached tells whether the sign is a total, by its name, of what has come.
func isReached(s *evidence.Sign, end *Ending) bool {
	isTotal := s.Says == evidence.Total && !s.Least
	isInRange := s.Total > 0 && s.Total <= end.came()
	return isTotal && isInRange && s.SaysTotal()
}

// What follows the advice to page on with api.pagination where no way is known: usual ones, unless ways were tried
// without success.
const (
	UsualWays  = ", such as pagenum or offset"
	NotAsTried = ", but in none of the ways that were tried: docs/paging.md lists all"
)

// Said is the doubt that a sign of an answer raises, with the option that would follow it. The value of the sign is
// cleaned of secrets.
func Said(s *evidence.Sign, clean func(string) string) Raised {
	if s.Says == evidence.Partial {
		return NotWhole.Raise(s.At, s.Quoted(clean))
	}
	return doubtOf(s).Raise(s.At, s.Quoted(clean), cureOf(s, clean))
}

// doubtOf is the doubt of what a last answer says.
func doubtOf(s *evidence.Sign) Doubt {
	switch s.Says {
	case evidence.Cursor:
		return HasCursor
	case evidence.Onward:
		return HasAddress
	case evidence.Part:
		return HasPart
	case evidence.Hint:
		return MayHaveMore
	}
	return SaysMore
}

// cureOf says what to do about a sign that there is more.
func cureOf(s *evidence.Sign, clean func(string) string) string {
	switch {
	case s.Cure != "":
		return s.Cure
	case s.Tried && s.Follow != "":
		return "api.pagination " + clean(s.Follow) + " follows it"
	case s.Follow != "":
		return "api.pagination " + clean(s.Follow) + " may follow it, which sluice check tries"
	case s.Tried:
		return "page on with api.pagination" + NotAsTried
	}
	return "page on with api.pagination" + UsualWays
}

// An Ending says where a walk has ended, and how.
type Ending struct {
	Reason report.StopReason
	Pages  int
	Items  int64
	// Skipped are the items before the first that was asked for.
	Skipped int64
	// Later: the first that was asked for is not the first page.
	Later bool
	// Root: the walk is below no item, so a total is that of its items.
	Root bool
	// Counted is what limitStop led to last, as JSON.
	Counted string
	// Exact: as many items came as limitStop says, and that is not the number of one page.
	Exact bool
	// ByEmpty: a person said that a page without items is the end.
	ByEmpty bool
}

// isFromFirst tells whether the first page was asked for, so that pages can be counted.
func (e *Ending) isFromFirst() bool { return e.Skipped == 0 && !e.Later }

// came is how many items came, with those before the first that was asked for.
func (e *Ending) came() int64 { return e.Items + e.Skipped }

// before says how many items stand before the first that was asked for.
func (e *Ending) before() string {
	if e.Skipped <= 0 {
		return ""
	}
	return fmt.Sprintf(", the %d before the first included", e.Skipped)
}
