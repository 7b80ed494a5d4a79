package walk

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"sluice/pipeline"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
)

// Fetch asks for a page outside of a run, for check. More collectors than a run
// needs are made anew for each attempt.
func (w *Walk) Fetch(
	ctx context.Context, number int, r *paginate.Request, more func() []Collector,
) (*Fetched, error) {
	asked := w.asks(number, r)
	a := &asked
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

func (f *fetching) fetch(ctx context.Context, sent *atomic.Int32) (err error) {
	full, isOwn, err := f.complete(f.request)
	if err != nil {
		return err
	}
	f.full = full
	mayBeOwn := !isOwn && f.mayLocate()
	if !isOwn && !mayBeOwn {
		f.leave(f.full)
	}
	err = f.recall(ctx, f.full.URL, f.read)
	if err == nil && !f.known && mayBeOwn {
		err = f.locate(ctx)
	}
	if err == nil && !f.known {
		f.full.Sent = sent
		f.full.Judge = f.judge()
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

// locate logs in, and makes the request again: a login says where the API is.
func (f *fetching) locate(ctx context.Context) (err error) {
	if err := f.options.API.Signer.Locate(ctx, f.Job.ID); err != nil {
		return err
	}
	f.full, err = f.Request(f.request)
	return err
}

// judge is what looks at a refusal of the API; nil: nothing does.
func (f *fetching) judge() func(status int, header http.Header, body []byte) error {
	switch {
	case f.isAhead:
		return nothingAhead
	case len(f.Job.Conditions.All) > 0:
		return f.refused
	}
	return nil
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

// StatusOf is that of the answer which made a request fail; 0: none did.
func StatusOf(err error) int { return transport.StatusOf(err) }

// Unreached is the host that a request got no connection to; empty: it had one.
func Unreached(err error) string { return transport.Unreached(err) }
