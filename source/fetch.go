package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
	"sluice/transform"
)

// work fetches one page after the other, each through all its attempts.
func (c *coordinator) work() {
	for s := range c.tasks {
		s.err = pipeline.Guard(func() error { return c.iteration.fetch(s) })
		c.results <- s
	}
}

// fetch asks for the page of a slot and reads it. With an error there is no page.
func (it *iteration) fetch(s *slot) error {
	w := s.walk
	r, err := w.request(s.ask)
	if err != nil {
		return err
	}
	r.Sent = &s.sent
	if len(w.job.conditions) > 0 {
		r.Judge = s.countsRefused
	}
	read := func(resp *transport.Response) (err error) {
		s.page.Close() // of an earlier attempt
		s.quote = ""
		defer func() {
			if s.missesItems(err) {
				s.quote = resp.Quote()
			}
		}()
		resp.Body = s.hear(resp.Status, resp.Header, resp.URL, resp.Body)
		s.complaint = ""
		spec := w.job.spec
		spec.Names = s.number == 1
		spec.Each = s.each()
		body, err := it.asData(resp, &spec)
		if err != nil {
			return err
		}
		judged := false
		if !spec.Detect || len(w.job.conditions) > 0 {
			spec.Line = func(p *page.Page) error {
				s.page, judged = p, true
				return s.refuse(resp)
			}
		}
		s.page, err = it.decoder.Decode(body, &spec)
		if bad, ok := errors.AsType[*page.Error](err); ok {
			if as := s.counts(resp.Status, resp.Header, w.job.looker(bad.Wanted), 0, ""); as != nil {
				return as
			}
		}
		if err = it.withContentType(err, resp, &spec, s.page); err != nil {
			return err
		}
		asked := *r
		asked.URL = resp.URL // a login may have said where it is
		s.address, s.header = asked.Address(), resp.Header
		if judged { // line by line
			return nil
		}
		return s.refuse(resp)
	}
	if err = s.recall(r.URL, read); err == nil && !s.known {
		err = it.client.Do(s.ctx, pipeline.Call{Job: w.job.id, Page: s.number}, r, it.signerOf(r), read)
		if s.reply != nil {
			s.reply.Pack()
		}
	}
	if errors.Is(err, errSettled) {
		s.settle()
		return nil
	}
	if err != nil {
		s.page.Close()
		s.page, s.reply = nil, nil
	}
	return err
}

// missesItems tells whether the answer, which reading gave err, is not what it was asked for, but no error.
func (s *slot) missesItems(err error) bool {
	if err != nil {
		return s.unready != ""
	}
	return s.page.Items == 0 && s.walk.nothingThere(s.page) != ""
}

// withContentType adds what the answer claims to be to an error about its text, or makes an error of that claim.
func (it *iteration) withContentType(err error, resp *transport.Response, s *page.Spec, p *page.Page) error {
	kind, _, _ := strings.Cut(it.o.Secrets.Redact(resp.Header.Get("Content-Type")), ";")
	claim := ""
	if s.Format.JSON() {
		claim = misread(kind)
	}
	if claim != "" && err == nil && s.Detect && p.Selected != 'n' {
		return errors.New("the answer is no JSON by its content type" + claim)
	}
	bad, ok := errors.AsType[*page.Error](err)
	if !ok || kind == "" || claim == "" && strings.Contains(strings.ToLower(kind), "json") {
		return err
	}
	bad.Remedy = cmp.Or(claim, bad.Remedy)
	return fmt.Errorf("%w (content type %.60s)", err, kind)
}

// each is what looks at the items of one attempt at a page; nil if nothing does.
func (s *slot) each() func(text []byte) error {
	w := s.walk
	s.parents, s.lasts, s.sum, s.hasID, s.sorted, s.numbers = nil, nil, 0, false, false, paginate.NewRange(w.job.paging.Needs)
	clear(s.hashes)
	for i := range w.job.lasts { // without the values, which the coordinator may be writing meanwhile
		s.lasts = append(s.lasts, greatest{path: w.job.lasts[i].path, steps: w.job.lasts[i].steps})
	}
	lines := w.job.spec.Detect && !w.job.spec.Format.JSON() && !w.job.spec.Format.Table() && !w.job.failOn
	divided := w.told.Whole || w.told.Stride
	if !divided && s.numbers == nil && s.lasts == nil && len(w.job.children) == 0 && s.number > 1 && s.hashes == nil && !lines {
		return nil
	}
	items, common := 0, []byte(nil) // what lines begin with that are no lone error
	return func(text []byte) error {
		if lines && s.complaint == "" && (common == nil || !bytes.HasPrefix(text, common)) {
			s.complaint, common = w.job.loneError(text)
		}
		if items++; items == 1 && s.number == 1 {
			s.hasID = slices.Contains([]byte{'"', '0'}, item.Kind(item.Lookup(text, item.Path{"id"})))
			s.sorted = item.Kind(item.Lookup(text, item.Path{"sort"})) == '['
			if s.check {
				s.first = slices.Clone(text)
			}
		}
		if s.hashes != nil {
			s.hashes[xxhash.Sum64(text)] = true
		}
		if s.numbers != nil {
			s.numbers.Add(text)
		}
		for i := range s.lasts {
			if err := s.lasts[i].add(item.Find(text, s.lasts[i].steps)); err != nil {
				return err
			}
		}
		if divided && !s.enter(text) {
			return page.ErrNotOurs
		}
		if len(w.job.children) > 0 {
			s.parents = w.appendParent(s.parents, items, text)
		}
		return nil
	}
}

// maxErrorData is the longest text that becomes errorData, in bytes.
const maxErrorData = 16 << 20

// asData returns the body to decode: for a status of api.http.ignoreErrors what is no JSON becomes a member errorData.
func (it *iteration) asData(resp *transport.Response, s *page.Spec) (io.Reader, error) {
	if !slices.Contains(it.ignored, resp.Status) || resp.Status/100 == 2 && !s.Format.JSON() {
		return resp.Body, nil
	}
	s.Format = nil
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorData))
	if err != nil {
		return nil, err
	}
	isPage := isJSON(text) || resp.Status/100 == 2 && len(bytes.TrimSpace(text)) == 0 // which has no items
	if !isPage && len(text) < maxErrorData {
		text = append(item.AppendQuote([]byte(`{"errorData":`), string(text)), '}')
	}
	return io.MultiReader(bytes.NewReader(text), resp.Body), nil
}

// emitPages hands the batches of the pages to the sink, for which nothing else waits.
func (c *coordinator) emitPages() {
	var text []byte // reused
	for s := range c.pages {
		c.emitted <- pipeline.Guard(func() error {
			defer s.page.Close()
			w := s.walk
			change := w.change()
			return s.page.Batches(func(b *pipeline.Batch) error {
				b.Job, b.DataType, b.Page = w.job.id, w.job.dataType, s.number
				if change != nil {
					text = transform.Lines(text[:0], b.Text, change)
					b.Text = append(b.Text[:0], text...)
				}
				return c.emit(b)
			})
		})
	}
}

// change is what the configuration says about each item of the walk; nil if there is nothing.
func (w *walk) change() transform.Func {
	added, filter := append(w.members(), w.job.added...), w.job.filter
	if len(added) == 0 && filter == nil {
		return nil
	}
	var text []byte // reused
	return func(dst, value []byte) []byte {
		if filter != nil {
			text = filter.Append(text[:0], value)
			value = text
		}
		if len(added) == 0 {
			return append(dst, value...)
		}
		return transform.AddMembers(dst, value, added)
	}
}
