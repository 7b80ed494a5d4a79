package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sluice/sink/target"
)

// sideFile is a small file that a run leaves beside its data: --summary, --state. Its
// place is probed before the first request, so that a file that cannot be written is an
// error then, and it is replaced whole or not at all. A nil sideFile writes nothing.
type sideFile struct {
	flag   string
	folder *target.Folder
	base   string
}

// openSideFile probes the file; an empty name, or that of stdout, is no file.
func openSideFile(ctx context.Context, flag, name string) (*sideFile, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		return nil, fmt.Errorf("%s: %s is a folder; name a file", flag, name)
	}
	f := &sideFile{flag, target.NewFolder(filepath.Dir(name), false), filepath.Base(name)}
	if err := f.folder.Probe(ctx, []string{f.base}); err != nil {
		f.close()
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return f, nil
}

func (f *sideFile) write(ctx context.Context, text []byte) error {
	if f == nil {
		return nil
	}
	o, err := f.folder.Create(ctx, f.base)
	if err == nil {
		err = errors.Join(writeObject(ctx, o, text), o.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.flag, err)
	}
	return nil
}

// writeObject writes text to an object and makes it visible.
func writeObject(ctx context.Context, o target.Object, text []byte) error {
	if err := o.Write(ctx, text); err != nil {
		return err
	}
	if err := o.Seal(ctx); err != nil {
		return err
	}
	return o.Publish(ctx)
}

// close gives up a device that was probed and not written. Nobody needs it any more,
// so its error does not matter.
func (f *sideFile) close() {
	if f != nil {
		_ = f.folder.Close()
	}
}
