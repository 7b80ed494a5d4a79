package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sluice/source/paginate"
	"sluice/source/suggest"
	"sluice/source/walk"
)

// mostTries is how many requests are sent to try paginations of a job.
const mostTries = 4

// A trial finds a pagination that brings a second page.
type trial struct {
	*checker
	walk  *walk.Walk
	facts *paginate.Facts
	first *looked
	// left is how many requests may be sent.
	left int

	// trying is what is tried now.
	trying *Try
	// seen are pages that came, by their requests.
	seen map[string]*looked
	// refused are second pages that were none.
	refused map[string]error
}

// ErrSpent is wrapped by the error of a request that is not sent, since as many were as may be.
var ErrSpent = errors.New("not sent")

// errEnd says that the way to the second page is found, but not its end.
type errEnd struct{ error }

// try tries one way after the other until one brings a second page.
func (t *trial) try(ctx context.Context, all []suggest.Proposal) (found Suggestion) {
	t.refused, t.seen = map[string]error{}, map[string]*looked{}
	// A parameter that an API does not know may make it ask for patience each time.
	defer t.withFewRetries()()
	for _, way := range all {
		isSecret := t.redact(way.Pagination) != way.Pagination
		if t.left == 0 || ctx.Err() != nil {
			break
		}
		// With a secret in it, it could not be pasted.
		if isSecret {
			continue
		}
		t.trying = &Try{Pagination: json.RawMessage(way.Pagination)}
		isSure, err := t.one(ctx, way)
		if err != nil {
			t.trying.Against = t.message(err.Error())
		}
		found.Tries = append(found.Tries, *t.trying)
		if err == nil {
			found.Pagination, found.Sure = t.trying.Pagination, isSure
			break
		}
		// Another way would leave out what this one brings.
		if errors.As(err, new(errEnd)) {
			break
		}
	}
	return found
}

// one tries one way. The error says why it is none.
func (t *trial) one(ctx context.Context, way suggest.Proposal) (isSure bool, err error) {
	paging, facts := way.Compile(t.facts, t.first.last)
	if paging == nil {
		return false, errors.New("the suggestion is not a valid api.pagination")
	}
	w, err := t.walk.Like(t.walk.Job.WithPaging(paging))
	if err != nil {
		return false, err
	}
	w.State.Started = t.options.Now()
	out, err := paging.Judge(&w.State, w.Pages, facts)
	if err != nil {
		return false, err
	}
	if out.Stop != nil {
		return false, fmt.Errorf("with it, paging would end at the first page, by %s", out.Stop.Reason)
	}
	second, err := t.second(ctx, w)
	if err != nil {
		return false, err
	}
	defer second.came.Page.Close()
	if err := t.firstAgain(ctx, w); err != nil {
		return false, err
	}
	isNamed, err := t.seam(w, second.seen)
	if err != nil {
		return false, err
	}
	switch {
	case way.Open:
		err = t.seekEnd(ctx, w, second, way)
	case way.Blind:
		err = t.lookBeyond(ctx, w)
	}
	// What lies behind the second page need not be seen.
	if errors.Is(err, ErrSpent) {
		err = nil
	}
	return isNamed || t.trying.Others == second.seen.compared(), err
}

// seam tells whether the second page of a cursor begins with items of the first, which is written into the pagination then. Where
// it does not, and several items of the first page have the same value, those of the next page may be missed.
func (t *trial) seam(w *walk.Walk, second *looked) (isNamed bool, err error) {
	if !w.Job.Paging.SeesNamed() {
		return false, nil
	}
	if t.first.has(second.first, w.Job.Paging.Unique) {
		t.trying.Pagination = slices.Concat(bytes.TrimSuffix(t.trying.Pagination, []byte("}")), []byte(`, "inclusive": true}`))
		return true, nil
	}
	key := w.Job.Paging.Needs.Range.String()
	if of := t.first.members[key]; of.hashes != nil && !t.first.tellsApart(key) {
		return false, fmt.Errorf("its second page does not begin with the last item of the first, and several items have "+
			"the same %s, so some may be left out between pages", key)
	}
	return false, nil
}

// second asks for the second page of a walk, unless another one has before: it must
// have other items than the first.
func (t *trial) second(ctx context.Context, w *walk.Walk) (*answered, error) {
	key, err := t.key(w, w.State.Asked)
	if err != nil {
		return nil, err
	}
	if err := t.refused[key]; err != nil {
		return nil, err
	}
	page, err := t.ask(ctx, w, w.State.Asked)
	if err == nil {
		t.trying.Others = page.seen.others(t.first)
		if t.trying.Others > page.seen.compared()/2 {
			t.trying.FromOne = t.fromOne(w, page.seen)
			return page, nil
		}
		page.came.Page.Close()
		err = errors.New(page.seen.without(t.trying.Others))
		t.trying.Others = 0
	}
	t.refused[key] = err
	return nil, err
}

// fromOne is [Try.FromOne] of a walk with that second page.
func (t *trial) fromOne(w *walk.Walk, second *looked) string {
	if t.trying.Others != second.compared()-1 || !isSameItem(t.first.last, second.first, w.Job.Paging.Unique) {
		return ""
	}
	return w.Job.Paging.ItemParam()
}

// key is the same for requests that ask for the same page.
func (t *trial) key(w *walk.Walk, r *paginate.Request) (string, error) {
	full, err := w.Request(r)
	if err != nil {
		return "", err
	}
	return full.Address() + full.RedactedBody(t.options.API.Secrets) + fmt.Sprint(r.Header), nil
}

// answered is a page that was tried.
type answered struct {
	came *walk.Fetched
	seen *looked
}

// ask sends a request, unless as many as may be were sent.
func (t *trial) ask(
	ctx context.Context, w *walk.Walk, r *paginate.Request,
) (*answered, error) {
	if t.left == 0 {
		return nil, fmt.Errorf("%d requests were sent, and it needs one more", mostTries)
	}
	full, err := w.Request(r)
	if err != nil {
		return nil, err
	}
	t.left--
	text := r.Method.HTTP() + " " + full.Redacted(t.options.API.Secrets)
	t.trying.Requests = append(t.trying.Requests, text)
	came, seen, err := t.fetch(ctx, w, 2, r)
	if err != nil {
		return nil, err
	}
	key, err := t.key(w, r)
	t.seen[key] = seen
	return &answered{came, seen}, err
}

// firstAgain asks for the first page of the way, if that is another request than the
// job's: it must have the items that came.
func (t *trial) firstAgain(ctx context.Context, w *walk.Walk) error {
	if w.First.Same(t.walk.First) {
		return nil
	}
	key, err := t.key(w, w.First)
	if err != nil {
		return err
	}
	again := t.seen[key]
	if again == nil {
		page, err := t.ask(ctx, w, w.First)
		if err != nil {
			return err
		}
		page.came.Page.Close()
		again = page.seen
	}
	if again.items == 0 || again.others(t.first) > again.compared()/2 {
		return errors.New("its first page has other items than the page that was fetched, which may be a later one")
	}
	return nil
}

// beyond is the page that is taken for one behind the last.
const beyond = 50

// lookBeyond asks for a page that should be behind the last one, if it may: the walk
// ends by such a page, which must be no error then.
func (t *trial) lookBeyond(ctx context.Context, w *walk.Walk) error {
	r := w.Job.Paging.Guess(w.Pages, &w.State, beyond)
	if r == nil || t.left == 0 {
		return nil
	}
	page, err := t.ask(ctx, w, r)
	if err != nil {
		return errEnd{fmt.Errorf("it ends by a page without items, and page %d is an error, "+
			"which endOn in api.http makes such a page: %w", beyond, err)}
	}
	page.came.Page.Close()
	return nil
}

// seekEnd goes on as long as it may: a way that leads on from a page without items,
// behind a page that is shorter than the first, has no end of its own.
func (t *trial) seekEnd(
	ctx context.Context, w *walk.Walk, second *answered, way suggest.Proposal,
) error {
	at, before := second, t.first.items
	for {
		facts := w.Facts(at.came)
		out, err := w.Job.Paging.Judge(&w.State, w.Pages, facts)
		if err != nil {
			return err
		}
		if out.Stop != nil {
			return nil
		}
		if at.seen.items == 0 && before < t.first.items {
			t.trying.Pagination = json.RawMessage(way.Bounded())
			return nil
		}
		if t.left == 0 {
			return nil
		}
		before = at.seen.items
		at, err = t.ask(ctx, w, w.State.Asked)
		if err != nil {
			return err
		}
		defer at.came.Page.Close()
	}
}
