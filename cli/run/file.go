package run

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sluice/sink/s3"
	"sluice/sink/target"
)

// A sideFile is a small file that is replaced whole or not at all: of --summary, --report, --state, --tokens. A nil one writes
// nothing.
type sideFile struct {
	flag   string
	target target.Target
	base   string

	// Writes the text, whenever that is wanted; nil: there is none.
	text func(io.Writer) error

	// With the text, sealed; nil: none is ready.
	object target.Object

	// Empty, with room on the disk for a text; nil: none is made.
	spare target.Object
}

// keptMode is that of files that are their owner's alone.
const keptMode fs.FileMode = 0o600

// openShared opens a file, or an object of a bucket, that runs have in common, whose flag names such as example; nil
// for no name. An object replaces only what was read last.
func openShared(flag, name, example string, bucket s3.Options, mark target.Mark) (*sideFile, error) {
	at := strings.LastIndexByte(name, '/') + 1
	switch {
	case name == "-":
		return nil, Usagef("%s -: name a file", flag)
	case !strings.HasPrefix(name, "s3://"):
		return newSideFile(flag, name, keptMode, mark)
	case at == len(name):
		return nil, Usagef("%s %s: name an object, such as %s%s", flag, name, name, example)
	}
	bucket.Guarded = true
	to, err := s3.New(bucket, name[:at])
	if err != nil {
		return nil, Usagef("%s: %w", flag, err)
	}
	return &sideFile{flag: flag, target: to, base: name[at:]}, nil
}

// newSideFile is the file of a flag, with a mode unless that is 0; nil for no name, or that of stdout.
func newSideFile(flag, name string, mode fs.FileMode, mark target.Mark) (*sideFile, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		return nil, fmt.Errorf("%s: %s is a folder; name a file", flag, name)
	}
	folder := target.NewFolder(filepath.Dir(name), false)
	folder.Mode, folder.Mark = mode, mark
	return &sideFile{flag: flag, target: folder, base: filepath.Base(name)}, nil
}

// probe finds out whether the file can be made.
func (f *sideFile) probe(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.explain(f.target.Probe(ctx, []string{f.base}))
}

// remove makes what an earlier run has left go away.
func (f *sideFile) remove(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.explain(f.target.Remove(ctx, f.base))
}

// ready makes a text ready to be put in place, in place of any that was ready before.
func (f *sideFile) ready(ctx context.Context, text []byte) error {
	return f.readyFrom(ctx, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// readyFrom is ready of a text that is written piece by piece, perhaps later.
func (f *sideFile) readyFrom(ctx context.Context, text func(io.Writer) error) error {
	if f == nil {
		return nil
	}
	f.discardReady()
	f.text = text
	if target.IsDirect(f.target, f.base) {
		// It would show at once.
		return nil
	}
	return f.fill(ctx)
}

// reserve takes room on the disk for the text that is made ready next, of at most n bytes: a disk that is full by then
// takes it all the same.
func (f *sideFile) reserve(ctx context.Context, n int) error {
	r, ok := f.target.(target.Reserver)
	if !ok {
		return nil
	}
	var err error
	f.spare, err = r.Reserve(ctx, f.base, n)
	return f.explain(err)
}

// fill brings the text to the disk, still hidden.
func (f *sideFile) fill(ctx context.Context) error {
	object, err := f.spare, error(nil)
	f.spare = nil
	if object == nil {
		object, err = f.target.Create(ctx, f.base)
	}
	if err != nil {
		return f.explain(err)
	}
	f.object = object
	err = f.text(objectWriter{ctx, object})
	if err == nil {
		err = object.Seal(ctx)
	}
	if err != nil {
		f.discardReady()
	}
	return f.explain(err)
}

// An objectWriter writes to an object.
type objectWriter struct {
	ctx    context.Context
	object target.Object
}

func (o objectWriter) Write(p []byte) (int, error) { return len(p), o.object.Write(o.ctx, p) }

// place makes what was prepared visible, if anything was, also when the run is over.
func (f *sideFile) place() error {
	if f == nil || f.text == nil {
		return nil
	}
	if f.object == nil {
		if err := f.fill(context.Background()); err != nil {
			return err
		}
	}
	return f.explain(f.object.Publish(context.Background()))
}

// endEarlier removes what earlier attempts at the run have left beside the file.
func (f *sideFile) endEarlier(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.explain(target.EndEarlier(ctx, f.target, f.base))
}

// restore makes the folder of the file again, if it has gone.
func (f *sideFile) restore() error {
	return f.explain(target.Restore(f.target, f.base))
}

// discard gives up what is ready, and the room for more.
func (f *sideFile) discard() {
	f.discardReady()
	if f.spare != nil {
		// As below.
		_ = f.spare.Close()
		f.spare = nil
	}
}

func (f *sideFile) discardReady() {
	if f.object != nil {
		// A hidden file that stays harms nobody.
		_ = f.object.Close()
		f.object = nil
	}
}

// close gives up what was not put in place; nobody needs it any more.
func (f *sideFile) close() {
	if f == nil {
		return
	}
	f.discard()
	if c, ok := f.target.(io.Closer); ok {
		_ = c.Close()
	}
}

func (f *sideFile) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.flag, err)
}
