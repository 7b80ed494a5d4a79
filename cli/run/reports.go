package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// reports are the report of --summary and the page of --report. A run that has failed has them too.
type reports struct {
	secrets *secret.Set
	output  string

	// What the page draws, and what it names: a run that is stuck may learn of its APIs
	// while the page is made.
	timeline *timeline
	subject  atomic.Pointer[view.Subject]

	// nil: none.
	summary, page *sideFile

	// What is ready has all that was entered into the report.
	current bool
}

// newReports finds out whether the files can be made.
func newReports(ctx context.Context, p *process, t *timeline) (*reports, error) {
	files := p.options.Beside
	r := &reports{secrets: p.secrets, output: p.options.Data.Output, timeline: t}
	r.subject.Store(p.options.Input.subject())
	summary, err := newSideFile("--summary", files.Summary, 0, p.mark)
	if err != nil {
		return r, err
	}
	r.summary = summary
	page, err := newSideFile("--report", files.Page, 0, p.mark)
	if err != nil {
		return r, err
	}
	r.page = page
	if err := r.summary.probe(ctx); err != nil {
		return r, err
	}
	return r, r.page.probe(ctx)
}

// name enters what the page names, and the hosts of its APIs.
func (r *reports) name(of *view.Subject, hosts []string) {
	for _, host := range hosts {
		of.Hosts = append(of.Hosts, r.secrets.Redact(host))
	}
	r.subject.Store(of)
}

// nameBy enters what the shards of the run have named.
func (r *reports) nameBy(shards []json.RawMessage) {
	for _, text := range shards {
		var left struct{ Subject *view.Subject }
		err := json.Unmarshal(text, &left)
		if err == nil && left.Subject != nil {
			r.subject.Store(left.Subject)
			return
		}
	}
}

// prepare removes what an earlier run has left, which says nothing of this one.
func (r *reports) prepare(ctx context.Context) error {
	return errors.Join(r.summary.remove(ctx), r.page.remove(ctx))
}

// ready makes both ready, also when ctx has ended: an interrupted run has them too.
func (r *reports) ready(_ context.Context, told *report.Report) error {
	chooseOutputs(r.secrets, told)
	var text bytes.Buffer
	if err := WriteJSON(&text, r.secrets, told, "  "); err != nil {
		return fmt.Errorf("--summary: %w", err)
	}
	r.current = true
	failed := r.summary.ready(context.Background(), text.Bytes())
	if r.page == nil {
		return failed
	}
	page, err := r.timeline.trace.Page(told, *r.subject.Load(), r.output)
	if err == nil {
		err = r.page.ready(context.Background(), page)
	}
	if failed != nil {
		return failed
	}
	return err
}

// place puts them in place, as they were made ready: that of a shard names what it has sealed. They are made ready anew
// if something was entered since.
func (r *reports) place(ctx context.Context, told *report.Report) error {
	var unready error
	if !r.current {
		unready = r.ready(ctx, told)
	}
	// What was not ready is tried once more.
	if err := errors.Join(r.summary.place(), r.page.place()); err != nil {
		return err
	}
	return unready
}

// discard keeps them: a run that has failed has them too.
func (r *reports) discard(*report.Report) error { return nil }

// close gives them up for good, but for what is in place: where one of them would replace data, or is another process's to
// write.
func (r *reports) close() {
	r.summary.close()
	r.page.close()
	r.summary, r.page = nil, nil
}

// endEarlier removes what earlier attempts at the run have left beside them.
func (r *reports) endEarlier(ctx context.Context) error {
	return errors.Join(r.summary.endEarlier(ctx), r.page.endEarlier(ctx))
}

// chooseOutputs makes the places of outputs known as chosen: their names are made of --output, the id of the run and
// the data type. They are not where the data type is an endpoint that holds a secret.
func chooseOutputs(secrets *secret.Set, r *report.Report) {
	isOpen := func(name string) bool { return secrets.Name(name) == name }
	for _, o := range r.Outputs {
		if isOpen(o.DataType) && isOpen(pipeline.FileName(o.DataType)) {
			secrets.Choose(o.URI, o.Path)
		}
	}
}

// WriteJSON writes v for programs, every secret in its strings replaced; without an indent as one line.
func WriteJSON(w io.Writer, secrets *secret.Set, v any, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(secrets.RedactJSON(text.Bytes()))
	return err
}

// writeLine writes the report as the last line of stdout (--summary -). Airflow reads that, even where stdout and stderr
// are one.
func (c *console) writeLine(r *report.Report) error {
	return WriteJSON(view.Printable(c.world.Stdout), c.secrets, r, "")
}
