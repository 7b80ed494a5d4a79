package source

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/page"
	"sluice/source/paginate"
)

// Checked is what the first page of a job showed.
type Checked struct {
	Job, DataType string
	Above         string // id of the job that it is a child of; empty for a root job
	Err           error  // why there is no page; all below is empty then
	NoParent      bool   // no item of the first page above leads to the job: nothing was asked

	Items    int
	Field    string // where the items are: dataField, or the member that was detected, or "."
	Detected bool   // there is no dataField
	Kind     string // of the first item, such as "an object"; empty without items
	Members  []Member

	Looks    []paginate.Look // what the stop rule looks at
	Stop     *pipeline.Stop  // nil: the walk would go on with NextURL
	NextURL  string
	Warnings []string
}

// Member is a member of an item.
type Member struct{ Name, Kind string }

// Check logs in and asks for the first page of each job, one after the other, and
// tells found what it showed; a child job is asked for below the first item that
// leads to it. A page that cannot be had is no error of Check, a login that fails
// is. Nothing is emitted.
func (s *Source) Check(ctx context.Context, found func(Checked) error) error {
	for _, it := range s.iterations {
		if err := it.checkAll(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

func (it *iteration) checkAll(ctx context.Context, found func(Checked) error) error {
	defer it.client.Close()
	it.run = ctx
	for i, j := range it.jobs {
		w, err := it.newWalk(j, nil, ancestors{})
		if err == nil && i == 0 {
			if err := w.login(ctx); err != nil {
				return err
			}
		}
		if err := it.check(ctx, j, w, err, found); err != nil {
			return err
		}
	}
	return nil
}

// login makes the session that the walk's first request needs.
func (w *walk) login(ctx context.Context) error {
	r, err := w.request(w.first)
	if err != nil {
		return err
	}
	s := w.job.iteration.signerOf(r)
	if s == nil || s.Apply == nil {
		return nil
	}
	r = r.Clone()
	if err := s.Apply(ctx, r); err != nil {
		return err
	}
	if s.Done != nil {
		s.Done(r)
	}
	return nil
}

// check asks for the first page of w, and then of what is below it. Without w
// it tells why there is none.
func (it *iteration) check(ctx context.Context, j *job, w *walk, err error, found func(Checked) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c := Checked{Job: j.id, DataType: j.dataType, Err: err, NoParent: w == nil && err == nil}
	if j.parent != nil {
		c.Above = j.parent.id
	}
	var below map[*child]*walk
	var noneBelow error
	if w != nil && err == nil {
		w.state.Started = it.o.Now()
		s := &slot{walk: w, number: 1, ask: w.first, ctx: ctx}
		if c.Err = pipeline.Guard(func() error { return it.fetch(s) }); c.Err == nil {
			c.Err = w.describe(&c, s)
			s.page.Close()
		}
		if c.Err == nil {
			below, noneBelow = w.firstChildren(s.parents)
		}
	}
	if err := found(c); err != nil {
		return err
	}
	for _, child := range j.children {
		var why error
		if below[child] == nil {
			why = noneBelow
		}
		if err := it.check(ctx, child.job, below[child], why, found); err != nil {
			return err
		}
	}
	return nil
}

// describe enters what the page showed.
func (w *walk) describe(c *Checked, s *slot) error {
	it, j := w.job.iteration, w.job
	c.Items, c.Field, c.Detected = s.page.Items, s.page.Field, j.spec.Detect
	c.Warnings = w.warningsOfNoItems(s.page)
	facts := s.facts()
	c.Looks = j.paging.Looks(&w.state, facts)
	out, err := j.paging.Judge(&w.state, w.pages, facts)
	if err != nil {
		return err
	}
	c.Stop = out.Stop
	if out.Warning != "" {
		c.Warnings = append(c.Warnings, out.Warning)
	}
	if out.Stop == nil {
		next, err := w.request(out.Next)
		if err != nil {
			return err
		}
		c.NextURL = next.Redacted(it.o.Secrets)
	}
	text, err := firstItem(s.page)
	if err != nil || text == nil {
		return err
	}
	c.Kind = item.Noun(item.Kind(text))
	if item.Kind(text) == '{' {
		for name, value := range item.Members(text) {
			c.Members = append(c.Members, Member{item.Unquote(name), item.Noun(item.Kind(value))})
		}
	}
	return nil
}

// firstItem returns the first item of a page, nil if it has none. The others are
// given up.
func firstItem(p *page.Page) ([]byte, error) {
	var first []byte
	enough := errors.New("enough")
	err := p.Batches(func(b *pipeline.Batch) error {
		line, _, _ := bytes.Cut(b.Text, []byte("\n"))
		if b.Items > 0 {
			first = slices.Clone(line)
		}
		b.Release()
		return enough
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return first, err
}

// firstChildren returns the first walk of each child below the items. The error
// is why some may be missing.
func (w *walk) firstChildren(parents []byte) (map[*child]*walk, error) {
	all := make(map[*child]*walk)
	walks := &childWalks{walk: w, page: 1, parents: parents}
	for len(all) < len(w.job.children) {
		below, err := walks.next()
		if below == nil || err != nil {
			return all, err
		}
		if all[below.child] == nil {
			all[below.child] = below
		}
	}
	return all, nil
}
