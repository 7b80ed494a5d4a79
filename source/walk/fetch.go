package walk

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"sluice/pipeline"
	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

// A task is a page for a worker to fetch. The slot is the coordinator's: a worker
// only gives it back.
type task struct {
	ctx  context.Context
	slot *slot
	ask  *ask
	sent *atomic.Int32
}

// A result is what came of a task.
type result struct {
	slot *slot
	came *Fetched
}

// work fetches one page after the other, each through all its attempts.
func (c *coordinator) work() {
	for t := range c.tasks {
		c.results <- result{t.slot, t.ask.fetch(t.ctx, t.sent, nil)}
	}
}

// Fetch asks for a page outside of a run, for check. More collectors than a run
// needs are made anew for each attempt.
func (w *Walk) Fetch(
	ctx context.Context, number int, r *paginate.Request, more func() []Collector,
) (*Fetched, error) {
	a := &ask{Scope: w.Scope, number: number, request: r, sought: w.State.Seen.Sought()}
	came := a.fetch(ctx, nil, more)
	return came, came.err
}

// fetch asks for a page and reads it. With an error there is no page.
func (a *ask) fetch(
	ctx context.Context, sent *atomic.Int32, more func() []Collector,
) *Fetched {
	f := &fetching{ask: a, more: more}
	err := pipeline.Guard(func() error { return f.fetch(ctx, sent) })
	if err != nil {
		f.came.Page.Close()
		return &Fetched{err: err}
	}
	f.came.asked, f.came.reply, f.came.known = f.request, f.reply, f.known
	return &f.came
}

// fetching is a page on its way, through all attempts. It is its worker's.
type fetching struct {
	*ask
	full *request.Request
	// came is that of the last attempt, and spec how it was read.
	came Fetched
	spec page.Spec
	// looking has the items looked at, in the last attempt.
	looking looking
	// reply is for the journal; nil: there is none.
	reply *record.KeptAnswer
	// known tells that reply is from the journal.
	known bool
	// more makes further collectors; nil: there are none.
	more func() []Collector
}

func (f *fetching) fetch(ctx context.Context, sent *atomic.Int32) (err error) {
	f.full, err = f.Request(f.request)
	if err != nil {
		return err
	}
	f.full.Sent = sent
	if len(f.Job.Conditions.All) > 0 {
		f.full.Judge = f.refused
	}
	err = f.recall(ctx, f.full.URL, f.read)
	if err == nil && !f.known {
		call := pipeline.Call{Job: f.Job.ID, Page: f.number}
		if f.Job.HasOwnHeaders() {
			call.Walk = f.place
		}
		signer := f.options.API.SignerOf(f.full)
		err = f.options.Client.Do(ctx, call, f.full, signer, f.read)
		if f.reply != nil {
			f.reply.Pack()
		}
	}
	if errors.Is(err, errSettled) {
		f.settle()
		return nil
	}
	return err
}

// read reads the answer of one attempt, and quotes one that has no items where they
// should be.
func (f *fetching) read(resp *transport.Response) error {
	// An earlier attempt may have left a page.
	f.came.Page.Close()
	f.came = Fetched{}
	err := f.readPage(resp)
	if f.missesItems(err) {
		f.came.quote = resp.Quote()
	}
	needs := &f.Job.Paging.Needs
	mayBeRefused := len(needs.Values) > 0 || needs.Range != nil
	if err != nil {
		return err
	}
	isScalar := f.came.Page.Lines.Scalar != "" || f.came.Page.Alone != ""
	if mayBeRefused || isScalar {
		f.came.later = resp.Later()
	}
	return err
}

// missesItems tells whether the answer, which reading gave err, is not what it was
// asked for, but no error.
func (f *fetching) missesItems(err error) bool {
	if err != nil {
		return f.came.Unready != ""
	}
	p := f.came.Page
	if p.Items > 0 {
		return false
	}
	return f.nothingThere(p, "").Text != "" || mayTell(p)
}

func (f *fetching) readPage(resp *transport.Response) error {
	resp.Body = f.hear(resp.Status, resp.Header, resp.URL, resp.Body)
	f.spec = f.Job.Spec
	spec := &f.spec
	spec.Names = f.number == 1
	spec.Answer = resp
	spec.Each = f.each()
	spec.Changes = f.changes()
	if keys := f.came.Items.finder; keys != nil {
		spec.Top = keys.Top()
	}
	body, err := f.asData(resp, spec)
	if err != nil {
		return err
	}
	judged := false
	if !spec.Detect || len(f.Job.Conditions.All) > 0 {
		spec.Line = func(p *page.Page) error {
			f.came.Page, judged = p, true
			return f.refuse(resp)
		}
	}
	f.came.Page, err = f.options.Decoder.Decode(body, spec)
	if bad, ok := errors.AsType[*page.Error](err); ok {
		answer := f.answer(resp.Status, resp.Header, bad.Wanted)
		if as := f.counts(answer, 0, ""); as != nil {
			return as
		}
	}
	err = f.withContentType(err, f.number, resp, spec, f.came.Page)
	if err != nil {
		return err
	}
	f.came.full, f.came.at, f.came.Header = f.full, resp.URL, resp.Header
	f.came.Status = resp.Status
	// Lines were judged one by one.
	if judged {
		return nil
	}
	return f.refuse(resp)
}

// Facts is what paging needs to know of a page, which has come now.
func (s *Scope) Facts(came *Fetched) *paginate.Facts {
	p := came.Page
	evidence.AddHeaders(p.Wanted, s.Job.Paging.Needs.Values, came.Header)
	return &paginate.Facts{
		Answer: evidence.Answer{
			Items:  p.Items,
			Bytes:  p.Bytes,
			Hash:   p.Hash,
			First:  p.First,
			Last:   p.Last,
			Texts:  p.Texts,
			Set:    p.Set,
			Varied: p.Varied,
			Each:   came.Items.tellApart(),
			Keys:   came.Items.keys(),
			Marks:  came.Items.marks(),
			Field:  p.Field,
			Array:  p.Selected == '[',
			Listed: p.Selected == '[' && s.Job.Spec.Listed(),
			Around: p.Beside.Notable,
			Status: came.Status,
			Header: came.Header,
			Asked:  came,
		},
		Values:   p.Wanted,
		Range:    came.Items.numbers,
		Changes:  came.Items.changed(),
		End:      came.end.by,
		At:       s.options.now(),
		Spread:   slices.Contains(s.Job.Spec.Select, page.Every),
		Root:     s.Child == nil,
		Windowed: s.Job.Windowed(),
		Names:    p.Beside.Names,
	}
}
