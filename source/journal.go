package source

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/evidence"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

// recall reads the page again that an earlier process of the run got, if the journal has it.
func (s *slot) recall(own *url.URL, read func(*transport.Response) error) error {
	journal := s.walk.job.iteration.o.Journal
	if journal == nil {
		return nil
	}
	a := &record.Answer{Page: fmt.Sprint(s.walk.place, "#", s.number), Asked: s.asked()}
	known, err := journal.Find(a)
	s.reply, s.known = a, false
	if known == nil || s.walk.job.readsHidden(known.Header) {
		return err
	}
	at := own
	if known.URL != "" && known.URL != s.shown(own) { // a login has said where it is
		if at, err = url.Parse(known.URL); err != nil || strings.Contains(known.URL, secret.Hidden) {
			return err // what is hidden in it the journal does not know: it is asked for again
		}
	}
	s.reply, s.known = known, true
	body, err := known.Reader()
	if err != nil {
		return fmt.Errorf("the journal of --checkpoint is damaged: %w", err)
	}
	if known.URL == "" {
		text, _ := io.ReadAll(body) // from memory
		return s.countsRefused(known.Status, known.Header, text)
	}
	quote := func() string {
		again, _ := known.Reader() // it could be read before
		text, _ := io.ReadAll(io.LimitReader(again, quoted+1))
		return s.walk.job.iteration.client.Quote(string(text), len(text) > quoted)
	}
	return read(&transport.Response{Status: known.Status, Header: known.Header, URL: at, Body: body, Quote: quote})
}

// quoted is how much of an answer is read to quote its beginning, in bytes.
const quoted = 18 << 10

// shown is an address without secrets.
func (s *slot) shown(at *url.URL) string { return s.walk.job.iteration.o.Secrets.Redact(at.String()) }

// readsHidden tells whether the job reads a header in which a secret is hidden: the answer is asked for again.
func (j *job) readsHidden(header http.Header) bool {
	return slices.ContainsFunc(j.headerPaths(), func(path item.Path) bool {
		return strings.Contains(string(evidence.HeaderValue(header, path)), secret.Hidden)
	})
}

// hear begins to keep an answer that may be good, which Pack ends. One that is no success has no address.
func (s *slot) hear(status int, header http.Header, at *url.URL, body io.Reader) io.Reader {
	if s.reply == nil || s.known {
		return body
	}
	s.reply.Status, s.reply.Header, s.reply.URL = status, header.Clone(), ""
	if at != nil {
		s.reply.URL = s.shown(at)
	}
	it := s.walk.job.iteration
	maps.DeleteFunc(s.reply.Header, func(name string, _ []string) bool {
		return !slices.Contains(it.client.Headers, name)
	})
	for _, values := range s.reply.Header {
		for i, value := range values {
			values[i] = it.o.Secrets.Redact(value)
		}
	}
	return s.reply.Tee(body)
}

// asked is a hash of what is asked for, the values of secrets left out.
func (s *slot) asked() uint64 {
	h := fnv.New64a()
	ask, job := s.ask, s.walk.job
	_, _ = fmt.Fprintf(h, "%s %q %t %q", ask.Method, ask.Endpoint, ask.Given, ask.Header) // a hash takes everything
	for _, p := range ask.Params {
		if p.Secret || slices.ContainsFunc(job.renewed, func(m renewed) bool { return m.Name == p.Name }) {
			p.Value = nil
		}
		_, _ = fmt.Fprintf(h, " %q %q %q", p.Name, p.Raw, p.Value)
	}
	return h.Sum64()
}

// now is the run's clock: the time that the run has lain still is left out.
func (it *iteration) now() time.Time { return it.o.Now().Add(-it.o.Paused) }
