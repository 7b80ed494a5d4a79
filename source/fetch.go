package source

import (
	"context"

	"sluice/pipeline"
	"sluice/source/page"
	"sluice/source/transport"
)

// work is the life of a worker: fetch one page after the other, each through all
// its attempts.
func (c *coordinator) work() {
	for t := range c.tasks {
		t.page, t.err = c.source.fetch(t.ctx, t.slot)
		c.results <- t
	}
}

// fetch asks for a page and reads it. An error leaves nothing behind.
func (s *Source) fetch(ctx context.Context, slot *slot) (*page.Page, error) {
	j := slot.walk.job
	r, err := j.request(slot.ask)
	if err != nil {
		return nil, err
	}
	var session transport.Session
	if s.session != nil {
		session = s.session
	}
	var p *page.Page
	err = s.client.Do(ctx, pipeline.Call{Job: j.id, Page: slot.number}, r, session, func(resp *transport.Response) error {
		p.Close() // of an earlier attempt
		var err error
		p, err = s.decoder.Decode(resp.Body, &j.spec)
		return err
	})
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// emitPages is the life of the emitter: hand on the batches of one page after
// the other. It is the only one that waits for the sink.
func (c *coordinator) emitPages() {
	for s := range c.pages {
		err := s.page.Batches(func(b *pipeline.Batch) error {
			b.Job, b.DataType, b.Page = s.walk.job.id, s.walk.job.dataType, s.number
			return c.emit(b)
		})
		s.page.Close()
		c.emitted <- err
	}
}
