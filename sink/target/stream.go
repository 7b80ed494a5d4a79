package target

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Stdout returns the target of one object whose writes go directly to w.
func Stdout(w io.Writer) Target { return stdout{w} }

type stdout struct{ w io.Writer }

func (stdout) Probe(context.Context, []string) error { return nil }

func (s stdout) Create(context.Context, string) (Object, error) {
	return &streamObject{w: s.w, name: "standard output"}, nil
}

func (stdout) Head(context.Context, string, int64) ([]byte, error) { return nil, nil }

func (stdout) Remove(context.Context, string) error { return nil }

// A streamObject is an object whose bytes are out as soon as they are written.
type streamObject struct {
	w    io.Writer
	name string

	// Of a device.
	uri string

	// Of a device; nil once closed.
	closer io.Closer
}

func (s *streamObject) URI() string { return s.uri }

func (s *streamObject) Write(ctx context.Context, p []byte) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	_, err := s.w.Write(p)
	return explain(s.name, err)
}

func (*streamObject) Seal(context.Context) error { return nil }

// Publish closes a device: only then can it say that it has taken everything.
func (s *streamObject) Publish(context.Context) error { return s.Close() }

// Close implements [Object]. Standard output stays open.
func (s *streamObject) Close() error {
	f := s.closer
	if f == nil {
		return nil
	}
	s.closer = nil
	return explain(s.name, f.Close())
}

// openDevice opens what is written directly. Of a FIFO it waits for a reader, until ctx is cancelled.
func openDevice(ctx context.Context, at ResolvedFile) (*os.File, error) {
	if n, open := descriptor(at.Path); open && at.Info.Mode().IsRegular() {
		// Opened anew it would be written from its beginning.
		return duplicate(n, at.Path)
	}
	if at.Info.Mode().Type() != fs.ModeNamedPipe {
		return os.OpenFile(at.Path, os.O_WRONLY, 0)
	}
	const patience = 20 * time.Millisecond
	for {
		f, err := os.OpenFile(at.Path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil || !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(patience):
		}
	}
}
