package check

import (
	"context"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/suggest"
	"sluice/source/walk"
)

// firstPage enters what the first page showed, and returns what the jobs below need
// of its items.
func (k *checker) firstPage(
	ctx context.Context, w *walk.Walk, result *JobResult,
) (parents []byte, err error) {
	w.State.Started = k.options.Now()
	came, seen, err := k.fetch(ctx, w, 1, w.First)
	if err != nil {
		return nil, err
	}
	defer came.Page.Close()
	if came.Unready != "" {
		result.Page = &FirstPage{Array: came.Page.Field, Looks: []paginate.Criterion{}}
		result.Next = k.redact(came.Address())
		again := came.Unready + ": a run asks again " + w.Job.Conditions.Wait.String()
		result.Warnings = append(result.Warnings, again)
		return came.Items.Parents, nil
	}
	err = k.describe(ctx, w, came, seen, result)
	return came.Items.Parents, err
}

// describe enters what a page holds, and what paging says of it.
func (k *checker) describe(
	ctx context.Context, w *walk.Walk, came *walk.Fetched, seen *looked, result *JobResult,
) error {
	facts, first := w.Facts(came), seen.first
	page := k.newPage(w, came, facts)
	page.Item, page.Envelope = first, seen.isEnvelope()
	result.Page = page
	out, err := w.Job.Paging.Judge(&w.State, w.Pages, facts)
	if err != nil {
		return err
	}
	w.CountEmpty(1, came)
	ending := w.Ending(came, facts)
	ways := ending.Ways(&out)
	if out.Stop != nil && !k.once {
		tail := suggest.Tail{Last: seen.last, Order: seen.order}
		t := &trial{checker: k, walk: w, facts: facts, first: seen, left: mostTries}
		result.Suggestion = t.try(ctx, ending.Tries(&out, ways, tail, k.guess))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	ending.TellTried(&out, ways, string(result.Pagination), len(result.Tries))
	k.warn(w, came, &out, result)
	if out.Stop != nil {
		page.Verdict = max(page.Verdict, out.Stop.Verdict)
		out.Stop.Verdict = page.Verdict
		if page.Verdict == report.Complete {
			w.Rest(came, &out)
		}
		result.Stop = out.Stop
	} else {
		next, err := w.Request(out.Next)
		if err != nil {
			return err
		}
		result.Next = next.Redacted(k.options.API.Secrets)
		if !k.once {
			result.Overlap = k.tryOverlap(ctx, w, seen)
			k.doubtOverlap(w, result)
			k.tellNamed(ctx, w, seen, result)
		}
	}
	k.proposeRows(w, came, seen, page)
	if first == nil {
		return nil
	}
	k.describeItem(w, first, page)
	if result.Next != "" || result.Pagination != nil {
		result.Newest = k.newest(w, seen, result.Next != "")
	}
	k.missPaths(seen, result)
	k.proposeLists(seen, result)
	k.proposeMembers(w, result)
	return nil
}

// proposeMembers names the dataField for an object whose members may be the items.
func (k *checker) proposeMembers(w *walk.Walk, result *JobResult) {
	if !isMap(w, result.Page) {
		return
	}
	field := k.redact(string(item.Quote(w.Job.Spec.Field)))
	text := "an object of objects is one item: if these are the items, write " +
		"\"dataField\": {\"path\": " + field + ", \"members\": \"id\"}"
	k.tell(result, report.Remark{Text: text})
}

func (k *checker) newPage(
	w *walk.Walk, came *walk.Fetched, facts *paginate.Facts,
) *FirstPage {
	spec, paging := &w.Job.Spec, w.Job.Paging
	page := &FirstPage{
		Items:    came.Page.Items,
		Filtered: came.Items.Filtered(),
		Cut:      came.Items.Cut(),
		Array:    k.redact(came.Page.Field),
		Detected: spec.Detect && spec.Format.Document(),
		Looks:    []paginate.Criterion{},
		Object:   came.Page.Selected == '{',
	}
	for _, l := range paging.Criteria(&w.State, facts) {
		page.Looks = append(page.Looks, paginate.Criterion{
			At:    k.redact(l.At),
			Found: pipeline.Shorten(k.redact(l.Found), 80),
		})
	}
	for _, e := range paging.Evidence(facts) {
		page.Evidence = append(page.Evidence, evidence.Finding{
			Kind:  e.Kind,
			At:    k.redact(e.At),
			Value: pipeline.Shorten(k.redact(e.Value), 80),
			Used:  e.Used,
		})
	}
	return page
}

// describeItem enters what the first item holds.
func (k *checker) describeItem(w *walk.Walk, first []byte, page *FirstPage) {
	page.First = kind(first)
	if w.Job.Spec.Field == "." && page.Object {
		page.Arrays = arrays(first, w.First.Numbers())
	}
	if item.Kind(first) != '{' {
		return
	}
	for name, value := range item.Members(first) {
		member := ItemMember{k.redact(item.Unquote(name)), kind(value)}
		page.Members = append(page.Members, member)
	}
}

// isMap tells whether the one item of a page looks like an object whose members
// are the items.
func isMap(w *walk.Walk, page *FirstPage) bool {
	if !page.Object || w.Job.Spec.Members != "" || w.Job.Spec.Format.Mapped() {
		return false
	}
	other := func(m ItemMember) bool { return m.Kind != "object" }
	return len(page.Members) > 1 && !slices.ContainsFunc(page.Members, other)
}

// kind is the kind of a value in one word, such as object.
func kind(value []byte) string {
	noun := item.Noun(item.Kind(value))
	return noun[strings.IndexByte(noun, ' ')+1:]
}

// missPaths tells of paths of where that lead nowhere in all items of the page.
func (k *checker) missPaths(seen *looked, result *JobResult) {
	for _, path := range seen.sought {
		text := "where: no item of this page has anything at " + path.String() + ": check the path"
		k.tell(result, report.Remark{Text: text})
	}
}
