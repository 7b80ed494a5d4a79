package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
	"sluice/source/config"
	"sluice/transform"
)

// compile makes the source, and the sink for what it gives.
func (e *extraction) compile(docs []*config.Document, p *config.Problems) (pipeline.Sink, error) {
	e.src = source.New(docs, e.source, p)
	if err := p.Err(); err != nil {
		return nil, err
	}
	var err error
	if e.sink.Output, err = withBucket(e.sink.Output, docs[0]); err != nil {
		return nil, err
	}
	e.locate()
	e.sink.Stdout = e.world.stdout
	// Connections, temporary files, what stands beside the data.
	e.sink.Spare = e.source.Concurrency + 16
	e.sink.Rest = e.src.Rest()
	if len(e.source.Jobs) > 0 {
		e.sink.Jobs = e.src.Roots()
	}
	e.sink.Warn = e.warn
	e.sink.KeepFull = e.accept.Strict
	e.sink.Attribute = func(name string) (string, error) { return e.attribute(docs, name) }
	snk, err := sink.New(e.sink, e.src.Outputs())
	e.snk = snk
	if err != nil {
		e.keepData(err)
		return nil, &usageError{err}
	}
	if e.sink.Enveloped {
		return &enveloped{Sink: snk}, nil
	}
	return snk, nil
}

// keepData gives up report and page where one of them would replace data.
func (e *extraction) keepData(err error) bool {
	taken := errors.As(err, new(*sink.Taken))
	if taken {
		e.closeReports()
	}
	return taken
}

// locate makes known how places of s3:// are reached.
func (e *extraction) locate() {
	e.s3.RunID, e.s3.Uploads, e.s3.Note = e.sink.RunID, e.sink.Roll > 0 || e.sink.Shards > 0, e.note
	e.s3.Again = func(reason string, delay time.Duration) {
		e.source.Observer.Observe(
			pipeline.StoringAgain{Reason: e.secrets.Redact(reason), Delay: delay, At: time.Now()},
		)
	}
	e.sink.Targets = map[string]func(string) (target.Target, error){
		"s3": func(place string) (target.Target, error) { return s3.New(e.s3, place) },
	}
}

// attribute is the text of an attribute of config for a name, which everybody sees.
func (e *extraction) attribute(docs []*config.Document, name string) (string, error) {
	value, _, _ := docs[0].Attribute(name)
	text := string(transform.Text(nil, value))
	for _, doc := range docs {
		other, hidden, ok := doc.Attribute(name)
		if hidden || e.secrets.Redact(text) != text {
			return "", fmt.Errorf("config.%s is secret, and names are not", name)
		}
		if !ok || value[0] == '{' || value[0] == '[' || !bytes.Equal(value, other) {
			return "", fmt.Errorf(
				"config.%s must be a string, a number or a boolean, and the same in all iterations",
				name,
			)
		}
	}
	return text, nil
}

// enveloped is a sink that gets each item wrapped (--envelope).
type enveloped struct {
	pipeline.Sink

	// reused.
	text []byte
}

func (e *enveloped) Write(ctx context.Context, b *pipeline.Batch) error {
	e.text = transform.Lines(e.text[:0], b.Text, transform.Envelope(b.Job, b.DataType, b.Page))
	wrapped := *b
	wrapped.Text = e.text
	return e.Sink.Write(ctx, &wrapped)
}
