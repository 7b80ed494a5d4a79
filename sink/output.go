package sink

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"sluice/pipeline"
	"sluice/sink/target"
)

// An output is one file, object or stream that is being made: encoder,
// compression, object. The object is created with its first byte, or when it is sealed.
type output struct {
	name     string   // below the target
	template string   // of name, with partMark where the number of the part stands
	part     int      // from 1
	dataType string   // all of them, if it gets several
	job      string   // the first
	routes   []string // keys of its batches, see Sink.routes

	target      target.Target
	encoder     encoder
	compressors *compressors
	warn        func(text string)

	stored *stored // nil until created
	items  int64
	text   int64                  // bytes before compression
	entry  *pipeline.OutputReport // once sealed; nil for standard output
}

// add takes the items of b.
func (o *output) add(ctx context.Context, b *pipeline.Batch) error {
	text, err := o.encoder.encode(b)
	if err != nil {
		return err
	}
	o.items += int64(b.Items)
	return o.write(ctx, text)
}

func (o *output) write(ctx context.Context, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	o.text += int64(len(text))
	if err := o.create(ctx); err != nil {
		return err
	}
	if o.compressors.make == nil {
		return o.stored.write(ctx, text)
	}
	c, err := o.compressors.use(ctx, o)
	if err != nil {
		return err
	}
	return c.write(ctx, text)
}

func (o *output) create(ctx context.Context) (err error) {
	if o.stored == nil {
		o.stored, err = create(ctx, o.target, o.name)
	}
	return err
}

// seal brings everything to the destination, still invisible.
func (o *output) seal(ctx context.Context, last bool) error {
	entry := &pipeline.OutputReport{DataType: o.dataType, Items: o.items}
	err := o.encoder.finish(entry, last, func(text []byte) error { return o.write(ctx, text) })
	if err != nil {
		return err
	}
	if err := o.create(ctx); err != nil {
		return err
	}
	if err := o.endStream(ctx); err != nil {
		return err
	}
	if err := o.stored.object.Seal(ctx); err != nil {
		return err
	}
	if uri := o.stored.object.URI(); uri != "" {
		entry.URI, entry.Bytes = uri, o.stored.bytes
		entry.SHA256 = hex.EncodeToString(o.stored.hash.Sum(nil))
		o.entry = entry
	}
	return nil
}

// endStream ends the compressed stream. An output that got no byte is the
// compressed form of nothing.
func (o *output) endStream(ctx context.Context) error {
	if o.compressors.make == nil || o.compressors.of(o) == nil && o.stored.bytes > 0 {
		return nil
	}
	c, err := o.compressors.use(ctx, o)
	if err != nil {
		return err
	}
	return c.end(ctx)
}

// close gives up what is not published.
func (o *output) close() error {
	if c := o.compressors.of(o); c != nil {
		c.output = nil // without a proper end
	}
	o.encoder.close()
	if o.stored == nil {
		return nil
	}
	return o.stored.object.Close()
}

// A stored object knows its size and its hash.
type stored struct {
	object target.Object
	bytes  int64
	hash   hash.Hash // nil if no report will ask
}

func create(ctx context.Context, t target.Target, name string) (*stored, error) {
	object, err := t.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	s := &stored{object: object}
	if object.URI() != "" {
		s.hash = sha256.New()
	}
	return s, nil
}

func (s *stored) write(ctx context.Context, p []byte) error {
	if err := s.object.Write(ctx, p); err != nil {
		return err
	}
	s.bytes += int64(len(p))
	if s.hash != nil {
		s.hash.Write(p)
	}
	return nil
}
