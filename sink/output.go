package sink

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"

	"sluice/pipeline"
	"sluice/sink/target"
)

// An output is one file, object or stream on its way: encoder, compression,
// object. The object is created with its first byte, or when it is sealed.
type output struct {
	plan    plannedFile
	target  target.Target
	encoder encoder
	pack    *packer
	stored  *stored // nil until created
	open    *member // the compressed member that is being written, if any
	items   int64
	entry   *pipeline.OutputReport // once sealed; nil for a stream
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
	if err := o.create(ctx); err != nil {
		return err
	}
	if o.pack.make == nil {
		return o.stored.write(ctx, text)
	}
	if err := o.pack.use(ctx, o); err != nil {
		return err
	}
	return o.open.write(ctx, text)
}

func (o *output) create(ctx context.Context) (err error) {
	if o.stored == nil {
		o.stored, err = create(ctx, o.target, o.plan.name)
	}
	return err
}

// seal ends the output.
func (o *output) seal(ctx context.Context) error {
	entry := &pipeline.OutputReport{DataType: o.plan.dataType, Items: o.items}
	err := o.encoder.finish(entry, func(text []byte) error { return o.write(ctx, text) })
	if err != nil {
		return err
	}
	if err := o.create(ctx); err != nil {
		return err
	}
	if o.pack.make != nil {
		if err := o.pack.finish(ctx, o); err != nil {
			return err
		}
	}
	if err := o.stored.object.Seal(ctx); err != nil {
		return err
	}
	if at, ok := o.stored.object.(target.Located); ok {
		entry.URI, entry.Bytes = at.URI(), o.stored.bytes
		entry.SHA256 = hex.EncodeToString(o.stored.hash.Sum(nil))
		o.entry = entry
	}
	return nil
}

// close gives up what is not published.
func (o *output) close() error {
	o.pack.abandon(o) // before the object that it writes to
	err := o.encoder.close()
	if o.stored != nil {
		err = errors.Join(err, o.stored.object.Close())
	}
	return err
}

// A stored object knows how much it got, and the hash of it if anybody asks.
type stored struct {
	object target.Object
	bytes  int64
	hash   hash.Hash // nil on a stream
}

func create(ctx context.Context, t target.Target, name string) (*stored, error) {
	object, err := t.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	s := &stored{object: object}
	if _, ok := object.(target.Located); ok {
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
