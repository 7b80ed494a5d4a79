package sink

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/target"
)

// An openOutput is one file, object or stream that is being made, created with its first byte, or when it is
// sealed.
type openOutput struct {
	// Below the target.
	name string

	// Of name, with marks where numbers stand.
	template string

	// From 1.
	part int

	// All of them, if it gets several.
	dataType string

	// The first.
	job string

	// Keys of its batches, see Sink.routes.
	routes []string

	// The report is to say which members its items have.
	counts bool

	target      target.Target
	encoder     encoder
	compressors *compressors

	written
}

// written is what is made of an output so far.
type written struct {
	items int64

	// Bytes before compression.
	text int64

	// nil until created.
	object target.Object

	// bytes.
	size int64

	// nil if no report will ask.
	hash hash.Hash

	// Once sealed; nil for standard output.
	entry *report.OutputReport
}

// describe returns what messages about --name call the output.
func (o *openOutput) describe() string {
	return fmt.Sprintf("data type %q (job %s)", o.dataType, o.job)
}

// add takes the items of b.
func (o *openOutput) add(ctx context.Context, b *pipeline.Batch) error {
	text, err := o.encoder.encode(b)
	if err != nil {
		return err
	}
	o.items += int64(b.Items)
	return o.write(ctx, text)
}

func (o *openOutput) write(ctx context.Context, text []byte) error {
	o.text += int64(len(text))
	switch {
	case len(text) == 0:
		return nil
	case o.compressors.make == nil:
		return o.store(ctx, text)
	}
	c, err := o.compressors.use(ctx, o)
	if err != nil {
		return err
	}
	return c.write(ctx, text)
}

// store hands bytes to the object, and creates it first if need be.
func (o *openOutput) store(ctx context.Context, p []byte) error {
	if o.object == nil {
		object, err := o.target.Create(ctx, o.name)
		if err != nil {
			return err
		}
		o.object = object
		if object.URI() != "" {
			o.hash = sha256.New()
		}
	}
	if len(p) == 0 {
		return nil
	}
	if o.hash != nil {
		o.hash.Write(p)
	}
	o.size += int64(len(p))
	return o.object.Write(ctx, p)
}

// seal brings everything to the destination, still invisible.
func (o *openOutput) seal(ctx context.Context, last bool) error {
	entry := &report.OutputReport{DataType: o.dataType, Items: o.items}
	err := o.encoder.finish(entry, last, func(text []byte) error { return o.write(ctx, text) })
	if err == nil {
		err = o.compressors.end(ctx, o)
	}
	if err == nil {
		err = o.store(ctx, nil)
	}
	if err == nil {
		err = o.object.Seal(ctx)
	}
	if err != nil || o.hash == nil {
		return err
	}
	entry.URI = o.object.URI()
	entry.Bytes = o.size
	entry.BytesUncompressed = o.text
	entry.SHA256 = hex.EncodeToString(o.hash.Sum(nil))
	o.entry = entry
	return nil
}

// sealed is what another process needs to publish the output.
func (o *openOutput) sealed() target.Sealed {
	s := o.object.Sealed()
	s.Name = o.name
	s.Bytes = o.entry.Bytes
	s.SHA256 = o.entry.SHA256
	s.Like = o.template
	return s
}

// close gives up what is not published.
func (o *openOutput) close() error {
	if c := o.compressors.of(o); c != nil {
		// Without a proper end.
		c.output = nil
	}
	o.encoder.close()
	if o.object == nil {
		return nil
	}
	return o.object.Close()
}
