package target

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// Stdout returns the target of one object whose writes go straight to w. They
// cannot be taken back. A reader that went away shows as [syscall.EPIPE].
func Stdout(w io.Writer) Target { return stdout{w} }

type stdout struct{ w io.Writer }

// Probe implements [Target].
func (stdout) Probe(context.Context, []string) error { return nil }

// Create implements [Target].
func (s stdout) Create(context.Context, string) (Object, error) {
	return &stream{w: s.w, name: "standard output"}, nil
}

// Remove implements [Target].
func (stdout) Remove(context.Context, string) error { return nil }

// A stream is an object whose bytes are out as soon as they are written.
type stream struct {
	w    io.Writer
	name string
}

// Write implements [Object].
func (s *stream) Write(ctx context.Context, p []byte) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	n, err := s.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return because(s.name, err)
	}
	return nil
}

// Seal implements [Object].
func (*stream) Seal(context.Context) error { return nil }

// Publish implements [Object].
func (*stream) Publish(context.Context) error { return nil }

// Close implements [Object].
func (*stream) Close() error { return nil }

// A device is a stream that has a name among the files: a device or FIFO.
type device struct {
	stream
	file *os.File
}

func newDevice(name string, f *os.File) *device {
	return &device{stream: stream{w: f, name: name}, file: f}
}

// URI implements [Located].
func (d *device) URI() string { return d.name }

// Publish closes the device: only now can it say that it has taken everything.
func (d *device) Publish(context.Context) error { return d.Close() }

// Close implements [Object].
func (d *device) Close() error {
	if d.file == nil {
		return nil
	}
	f := d.file
	d.file = nil
	if err := f.Close(); err != nil {
		return because(d.name, err)
	}
	return nil
}

// openDevice opens what is neither a file nor a folder, for writing. Of a FIFO
// it waits for a reader, as a shell does, but only until ctx is cancelled.
func openDevice(ctx context.Context, path string, fifo bool) (*os.File, error) {
	if !fifo {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	const patience = 20 * time.Millisecond
	for {
		f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
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
