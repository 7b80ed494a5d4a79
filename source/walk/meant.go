package walk

import (
	"cmp"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/verdict"
)

// What stands elsewhere in an answer, and may be what dataField was meant for.

// meant says why the run fails if no page of the root job has anything at its
// dataField: an array elsewhere is meant. It is empty if none is.
func (w *Walk) meant(came *Fetched) string {
	p := came.Page
	if w.Child != nil || w.Job.Spec.Detect || p.Selected != 0 {
		return ""
	}
	if len(p.Beside.Arrays) == 0 {
		return ""
	}
	// What paging asks for by itself, and usual numbers, say less than what a person wrote.
	own := paginate.Request{Endpoint: w.Pages.Endpoint, Shown: w.Pages.Shown, Params: w.Pages.Params}
	numbers := own.Numbers()
	isMeant := func(a page.Array) bool {
		_, by := numbers.AsMany(a.Items)
		isAsked := by == evidence.BySize && evidence.MayHaveItems(a.Path)
		return isAsked || evidence.Misspelt(w.Job.Spec.Select, a.Path)
	}
	i := slices.IndexFunc(p.Beside.Arrays, isMeant)
	if i < 0 {
		return ""
	}
	a := p.Beside.Arrays[i]
	return verdict.MeantElsewhere.Words(p.Field, a.Items, a.Path, a.Path, came.quote)
}

// leastRival is how many elements an array has at least that is compared with fewer items: an array of facets is often as long as a
// small page.
const leastRival = 50

// hasFew tells whether an array at dataField has fewer items than were asked for, while one beside it has exactly as many.
func hasFew(came *Fetched) bool {
	p := came.Page
	if p.Selected != '[' || p.Items == 0 {
		return false
	}
	return slices.ContainsFunc(p.Beside.Arrays, func(a page.Array) bool {
		if a.Items < max(leastRival, p.Items+1) || !evidence.MayHaveItems(a.Path) {
			return false
		}
		_, by := came.asked.Numbers().AsMany(a.Items)
		return by == evidence.BySize
	})
}

// compare enters the arrays that may be meant: those beside one object, an array without items, or null, to which dataField leads, those
// beside an array which has fewer items than were asked for, and the one in a single item which is as long as was asked for.
func (w *Walk) compare(came *Fetched, out *paginate.PageOutcome) {
	p, rivals := came.Page, &w.progress.found.Rivals
	within := w.listWithin(came, out)
	isArray, isShort := p.Selected == '[', hasFew(came) || within != nil
	isFilled, isEmpty := isArray && p.Items > 0 && !isShort, isArray && p.Items == 0
	rivals.Filled = rivals.Filled || isFilled
	hasOne := p.Selected == '{' || p.Selected == 'n' || isEmpty || isShort
	isFound := w.Job.Spec.Detect && within == nil && !isEmpty
	if isFound || !hasOne {
		return
	}
	rivals.Field, rivals.Below = p.Field, w.Child != nil
	if within != nil {
		rivals.See(w.within(p, within.Array), report.Rival{Items: within.Items, Pages: 1, Chosen: true})
	}
	if w.Job.Spec.Detect && !isEmpty || len(p.Beside.Arrays) == 0 {
		return
	}
	asked := came.asked.Numbers()
	// Several pages, each with one object and a list beside it, are those of the list.
	isPaged := p.Selected == '{' && w.State.Pages > 1
	for _, a := range p.Beside.Arrays {
		if evidence.MayHaveItems(a.Path) {
			chosen := isPaged && a.Items > 1 || asked.Chosen(a.Items)
			rivals.See(a.Path, report.Rival{Items: a.Items, Pages: 1, Chosen: chosen})
		}
	}
}

// listWithin is the list in the only item of a walk of one page, or the second of two, that is as long as was asked for; nil: there is
// none. An element with an id is an item, whatever it holds.
func (w *Walk) listWithin(came *Fetched, out *paginate.PageOutcome) *evidence.Inner {
	if w.State.Pages != 1 || out.Stop == nil {
		return nil
	}
	isItem := came.Page.Selected == '[' && came.Items.first.id.HasID
	switch came.Page.Items {
	case 1:
		if !isItem {
			return came.Items.first.full
		}
	case 2:
		return came.Items.first.described
	}
	return nil
}

// inner is the doubt of a job whose only item has a part of another list in it, and says so; none: it is no such.
func (w *Walk) inner(came *Fetched, out *paginate.PageOutcome) (none verdict.Raised) {
	p, list := came.Page, came.Items.first.envelope
	isElement, isObject := p.Selected == '[', p.Selected == '{'
	if isElement {
		list = cmp.Or(came.Items.first.inner, list)
	}
	isOnly := w.State.Pages == 1 && p.Items == 1 && (isElement || isObject)
	if list == nil || out.Stop == nil || !isOnly {
		return none
	}
	return verdict.PartOfItem.Raise(list.Items, list.Array, list.At, w.within(p, list.Array))
}

// within is the path of what stands in the only item of a page, or is the second of two. An element of XML that comes once has no number.
func (w *Walk) within(p *page.Page, path item.Path) string {
	steps := []string{path.String()}
	isElement := p.Selected == '[' && p.Items == 1
	if isElement && w.Job.Spec.Format.Usual() {
		steps = append([]string{"0"}, steps...)
	}
	if p.Field != "." {
		steps = append([]string{p.Field}, steps...)
	}
	return strings.Join(steps, ".")
}
