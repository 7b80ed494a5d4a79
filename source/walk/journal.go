package walk

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

// recall reads the page again that an earlier process of the run got, if the
// journal has it. Before, it waits for the journal to have room for another answer.
func (f *fetching) recall(
	ctx context.Context, own *url.URL, read func(*transport.Response) error,
) error {
	journal := f.options.Journal
	if journal == nil {
		return nil
	}
	if err := journal.Room(ctx); err != nil {
		return err
	}
	page := fmt.Sprint(f.place, "#", f.number)
	if f.isAgain {
		page += " again"
	}
	if f.isAhead {
		page = fmt.Sprint(f.place, " ahead")
	}
	f.reply = &record.KeptAnswer{Page: page, Asked: f.asked()}
	known, err := journal.Find(f.reply)
	if known == nil || f.readsHidden(known.Header) {
		return err
	}
	at := own
	// A login has said where the API is.
	if known.URL != "" && known.URL != f.shown(own) {
		at, err = url.Parse(known.URL)
		if err != nil || strings.Contains(known.URL, secret.Hidden) {
			// The journal does not know what is hidden in
			// the address: the page is asked for again.
			return err
		}
	}
	f.reply, f.known = known, true
	body, err := known.Reader()
	if err != nil {
		return fmt.Errorf("the journal of --checkpoint is damaged: %w", err)
	}
	if known.URL == "" {
		// The body is in memory: reading it cannot fail.
		text, _ := io.ReadAll(body)
		return f.refused(known.Status, known.Header, text)
	}
	quote := func() string {
		// It could be read before.
		again, _ := known.Reader()
		text, _ := io.ReadAll(io.LimitReader(again, quotedBytes+1))
		return f.options.Client.Quote(string(text), len(text) > quotedBytes)
	}
	return read(&transport.Response{
		Status: known.Status,
		Header: known.Header,
		URL:    at,
		Body:   body,
		Again:  quote,
	})
}

// quotedBytes is how much of an answer is read to quote its beginning, in bytes.
const quotedBytes = 18 << 10

// readsHidden tells whether the job reads a header in which a secret is hidden: the
// answer is asked for again.
func (f *fetching) readsHidden(header http.Header) bool {
	isHidden := func(path item.Path) bool {
		value := string(evidence.HeaderValue(header, path))
		return strings.Contains(value, secret.Hidden)
	}
	return slices.ContainsFunc(f.Job.HeaderPaths(), isHidden)
}

// shown is an address without secrets.
func (f *fetching) shown(at *url.URL) string { return f.full.Shown(at, f.options.API.Secrets) }

// hear begins to keep an answer that may be good, which Pack ends. One that is no
// success has no address.
func (f *fetching) hear(
	status int, header http.Header, at *url.URL, body io.Reader,
) io.Reader {
	if f.reply == nil || f.known {
		return body
	}
	f.reply.Status, f.reply.Header, f.reply.URL = status, header.Clone(), ""
	if at != nil {
		f.reply.URL = f.shown(at)
	}
	client := f.options.Client
	isUnread := func(name string, _ []string) bool {
		isAlso := client.Also != nil && client.Also(name, header.Get(name))
		return !isAlso && !slices.Contains(client.Headers, name)
	}
	maps.DeleteFunc(f.reply.Header, isUnread)
	for _, values := range f.reply.Header {
		for i, value := range values {
			values[i] = f.options.redact(value)
		}
	}
	return f.reply.Tee(body)
}

// asked is a hash of what is asked for, the values of secrets left out.
func (a *ask) asked() uint64 {
	h := fnv.New64a()
	r := a.request
	// Writing to a hash cannot fail.
	_, _ = fmt.Fprintf(h, "%s %q %t %q", r.Method, cmp.Or(r.Shown, r.Endpoint), r.Given, r.Header)
	for _, p := range r.Params {
		isRenewed := func(m job.Renewed) bool { return m.Name == p.Name }
		if p.Secret || slices.ContainsFunc(a.values.Renewed, isRenewed) {
			p.Value = nil
		}
		_, _ = fmt.Fprintf(h, " %q %q %q%s", p.Name, p.Raw, p.Value, p.In)
	}
	if a.Job.HasOwnHeaders() {
		// What the walk's headers are made of.
		_, _ = fmt.Fprintf(h, " %q", a.Above.Values)
		if a.Window != nil {
			_, _ = fmt.Fprintf(h, " %s", a.Window.Name())
		}
	}
	return h.Sum64()
}

// journaled has the times of a page that an earlier process got count, or has those
// of this one kept.
func (w *Walk) journaled(came *Fetched, facts *paginate.Facts) {
	reply := came.reply
	if reply == nil {
		return
	}
	if came.known {
		facts.At, w.State.Started = reply.At, reply.Began
		return
	}
	reply.Items, reply.At, reply.Began = facts.Items, facts.At, w.State.Started
}
